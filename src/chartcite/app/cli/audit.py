"""`chartcite audit`: whether the trail of who asked what is whole, and what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import NotConfigured, UsageError

if TYPE_CHECKING:
    from chartcite.app.config import Config
    from chartcite.store.audit import Anchor, AuditTrail

app = typer.Typer(help="Who used whose record, when, and with what outcome.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Who used whose record, when, and with what outcome."""


@app.command()
def verify(
    anchor: Annotated[
        Path | None, typer.Option("--anchor", metavar="FILE", help="An end of the trail that was exported earlier.")
    ] = None,
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Recompute every line's hash. Exit code 7: a line was changed, moved or taken away."""
    from chartcite.app.render.audit import check_lines  # noqa: PLC0415
    from chartcite.store.audit_check import check  # noqa: PLC0415

    trail = _trail(options.configure(store, config))
    kept = trail.kept_anchor()
    found = check(trail, *([kept] if kept else []), *([_anchor(anchor)] if anchor else []))
    if json:
        output.print_json({"schema": "chartcite.audit-check/1", **found.to_dict()})
    else:
        output.print_lines(check_lines(found, output.paper()))
    return exits.NOT_HELD if found.faults else exits.DONE


@app.command("anchor")
def anchor_(store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Print the end of the trail as it is now; keep it where nobody of this machine can write."""
    print(_trail(options.configure(store, config)).anchor().to_json())
    return exits.DONE


@app.command()
def report(
    patient: options.Patient = None,
    collection: options.Collection = None,
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Only what this user did.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="DATE", help="From this day on (UTC).")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to this day (UTC).")] = None,
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Show the lines about a patient, of a user, or all; the report is itself a line of the trail."""
    from chartcite.app.render.audit import report_lines  # noqa: PLC0415
    from chartcite.core.audit import Event  # noqa: PLC0415
    from chartcite.core.scope import Scope  # noqa: PLC0415

    trail = _trail(options.configure(store, config))
    if patient is not None and collection is not None:
        raise UsageError("A patient and a collection were both named.", "Name one of them.")
    scope = Scope.patient(patient) if patient is not None else None
    scope = Scope.collection(collection) if collection is not None else scope
    first, last = _day(since), _day(until)
    trail.record(Event("report", "begun", scope))
    subject = trail.keys.pseudonym(scope) if scope else None
    lines = [
        line
        for line in trail.lines()
        if (subject is None or line["subject"] == subject)
        and (user is None or line["who"] == user)
        and (not first or line["when"][:10] >= first)
        and (not last or line["when"][:10] <= last)
    ]
    if json:
        output.print_json({"schema": "chartcite.audit-report/1", "lines": lines})
    else:
        output.print_lines(report_lines(lines, output.paper()))
    return exits.DONE


@app.command()
def prune(
    before: Annotated[str, typer.Option("--before", metavar="DATE", help="Drop the lines of before this day (UTC).")],
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Drop old lines, where a retention rule asks for it; what stays can still be verified."""
    dropped = _trail(options.configure(store, config)).prune(_day(before))
    if json:
        output.print_json({"dropped": dropped})
    else:
        words = output.spoken()
        output.print_lines(output.paper().hanging("", words("Dropped: {count}.", count=words.number(dropped))))
    return exits.DONE


def _trail(config: Config) -> AuditTrail:
    from chartcite.library.witnessed import witness_of  # noqa: PLC0415
    from chartcite.store.store import Store  # noqa: PLC0415

    with Store(config.store):
        trail = witness_of(config.store, config.settings.audit_key, None)
    if trail is None:
        raise NotConfigured("This store has no audit trail.", "Set audit_key to a file outside of the store.")
    return trail


def _anchor(path: Path) -> Anchor:
    from chartcite.store.audit import Anchor  # noqa: PLC0415

    try:
        return Anchor.from_json(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is not an anchor.", "`chartcite audit anchor` prints one.") from error


def _day(text: str | None) -> str:
    from chartcite.core.time import When  # noqa: PLC0415

    if text is None:
        return ""
    try:
        when = When.parse(text)
    except ValueError as error:
        raise UsageError("The date is not one of the calendar.", "Write it as YYYY-MM-DD.") from error
    if when.precision != "day":
        raise UsageError("The date is not a day.", "Write it as YYYY-MM-DD.")
    return when.date
