"""`chartcite access`: users, what they may see, lists of patients, tokens. Each change is a line of the audit trail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from chartcite.core.access import Grant, Permission
    from chartcite.store.access import AccessStore

app = typer.Typer(help="Who may see what: users, grants, lists of patients, tokens.", no_args_is_help=True)
user = typer.Typer(help="Those who are let in by a token.", no_args_is_help=True)
list_ = typer.Typer(help="Named lists of patients, for grants.", no_args_is_help=True)
token = typer.Typer(help="What users sign in with; each is shown once.", no_args_is_help=True)
app.add_typer(user, name="user")
app.add_typer(list_, name="list")
app.add_typer(token, name="token")

User = Annotated[str, typer.Argument(metavar="USER", help="The user's name.")]
ListName = Annotated[str, typer.Argument(metavar="LIST", help="The list's name.")]
PatientOfList = Annotated[str, typer.Argument(metavar="PATIENT", help="The patient, exactly as the source has it.")]
OfList = Annotated[str | None, typer.Option("--list", metavar="NAME", help="The patients of a list.")]
Everything = Annotated[bool, typer.Option("--everything", help="All of the store, and what comes later.")]

_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


@app.callback()
def _group() -> None:
    """Who may see what: users, grants, lists of patients, tokens."""


@user.command("add")
def add_user(name: User, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Make a user, who may see nothing yet. From the first one on, nobody is let in without a token."""
    with _changing(store, config, f"user add {name}") as access:
        access.add_user(name)
    return exits.DONE


@user.command("remove")
def remove_user(name: User, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Remove a user with all grants and tokens."""
    with _changing(store, config, f"user remove {name}") as access:
        access.remove_user(name)
    return exits.DONE


@user.command("list")
def list_users(json: options.Json = False, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Show users with what they may see."""
    access = _access(store, config)
    found = [(name, access.grants(name)) for name in access.users()]
    if json:
        rows = [{"user": name, "grants": [_told(g) for g in grants]} for name, grants in found]
        output.print_json({"schema": "chartcite.users/1", "users": rows})
        return exits.DONE
    words = output.spoken()
    lines = [
        (name, words(grant.kind) if grant else words("nothing"), grant.name if grant else "")
        for name, grants in found
        for grant in grants or (None,)
    ]
    _table(lines, ("User", "May see", "Name"), "There are no users.")
    return exits.DONE


@app.command()
def grant(
    name: User,
    patient: options.Patient = None,
    list_name: OfList = None,
    collection: options.Collection = None,
    everything: Everything = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Let a user see one patient, the patients of a list, a collection, or everything."""
    given = _grant(patient, list_name, collection, everything)
    with _changing(store, config, f"grant {given.kind} to {name}", given) as access:
        access.grant(name, given)
    return exits.DONE


@app.command()
def revoke(
    name: User,
    patient: options.Patient = None,
    list_name: OfList = None,
    collection: options.Collection = None,
    everything: Everything = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Take a grant back; it ends with the user's next request."""
    given = _grant(patient, list_name, collection, everything)
    with _changing(store, config, f"revoke {given.kind} of {name}", given) as access:
        access.revoke(name, given)
    return exits.DONE


@list_.command("make")
def make_list(name: ListName, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Make an empty list. While it is empty it grants nothing."""
    with _changing(store, config, f"list make {name}") as access:
        access.make_list(name)
    return exits.DONE


@list_.command("drop")
def drop_list(name: ListName, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Remove a list, and the grants of it."""
    with _changing(store, config, f"list drop {name}") as access:
        access.remove_list(name)
    return exits.DONE


@list_.command("add")
def add_to_list(
    name: ListName, patient: PatientOfList, store: options.Store = None, config: options.ConfigFile = None
) -> int:
    """Put a patient on a list."""
    with _changing(store, config, f"list add to {name}", _patient(patient)) as access:
        access.add_to_list(name, patient)
    return exits.DONE


@list_.command("remove")
def remove_from_list(
    name: ListName, patient: PatientOfList, store: options.Store = None, config: options.ConfigFile = None
) -> int:
    """Take a patient off a list."""
    with _changing(store, config, f"list remove from {name}", _patient(patient)) as access:
        access.remove_from_list(name, patient)
    return exits.DONE


@list_.command("list")
def show_lists(json: options.Json = False, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Show the lists with their patients."""
    lists = _access(store, config).lists()
    if json:
        output.print_json({"schema": "chartcite.lists/1", "lists": lists})
    else:
        lines = [(name, patient) for name, patients in lists.items() for patient in patients or ("-",)]
        _table(lines, ("List", "Patient"), "There are no lists.")
    return exits.DONE


@token.command("create")
def create_token(
    name: User,
    may: Annotated[str, typer.Option("--may", metavar="WHAT", help="read,ingest,feedback,audit,admin")] = "read",
    expires: Annotated[str, typer.Option("--expires", metavar="TIME", help="After 12h, 30d, 4w or 1y.")] = "30d",
    patient: options.Patient = None,
    list_name: OfList = None,
    collection: options.Collection = None,
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Make a token and print it, this once. With --patient, --list or --collection it opens only that."""
    from typing import cast  # noqa: PLC0415

    permissions = cast("list[Permission]", sorted({word.strip() for word in may.split(",") if word.strip()}))
    has_part = (patient, list_name, collection) != (None, None, None)
    only = (_grant(patient, list_name, collection, everything=False),) if has_part else None
    until = _until(expires)
    with _changing(store, config, f"token create for {name}", *(only or ())) as access:
        made = access.make_token(name, permissions, until, only)
    if json:
        output.print_json(
            {"token": made, "user": name, "expires": until.isoformat(timespec="seconds"), "may": permissions}
        )
    else:
        output.print_text(f"{made}\n")
    return exits.DONE


@token.command("list")
def list_tokens(json: options.Json = False, store: options.Store = None, config: options.ConfigFile = None) -> int:
    """Show tokens without their secrets."""
    from datetime import UTC, datetime  # noqa: PLC0415

    now, found = datetime.now(UTC), _access(store, config).tokens()
    if json:
        rows = [
            {
                "id": t.id, "user": t.user, "made": t.made, "expires": t.expires, "revoked": t.revoked,
                "may": list(t.permissions), "is_valid": t.is_valid(now),
                "only": None if t.narrowed_to is None else [_told(g) for g in t.narrowed_to],
            }
            for t in found
        ]  # fmt: skip
        output.print_json({"schema": "chartcite.tokens/1", "tokens": rows})
        return exits.DONE
    words = output.spoken()
    lines = [
        (t.id, t.user, words("valid") if t.is_valid(now) else words("revoked") if t.revoked else words("expired"),
         t.expires[:16], ", ".join(t.permissions))
        for t in found
    ]  # fmt: skip
    _table(lines, ("Token", "User", "State", "Until", "May"), "There are no tokens.")
    return exits.DONE


@token.command("revoke")
def revoke_token(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `token list` shows it.")],
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """End a token now."""
    with _changing(store, config, f"token revoke {token_id}") as access:
        access.revoke_token(token_id)
    return exits.DONE


def _access(store: str | None, config: Path | None) -> AccessStore:

    from chartcite.store.access import AccessStore  # noqa: PLC0415
    from chartcite.store.store import Store  # noqa: PLC0415

    found = options.configure(store, config)
    with Store(found.store):
        return AccessStore(found.store)


@contextmanager
def _changing(store: str | None, config: Path | None, what: str, *about: Grant) -> Iterator[AccessStore]:
    """A change of who may see what; the trail is told before it is made, and when it is done or refused."""
    from chartcite.core.scope import Scope  # noqa: PLC0415
    from chartcite.library.witnessed import Use, witness_of, witnessed  # noqa: PLC0415

    access = _access(store, config)
    settings = options.configure(store, config).settings
    use = Use("access")
    named = [g for g in about if g.kind in ("patient", "collection")]
    if named:
        use.scope = Scope("collection" if named[0].kind == "collection" else "patient", named[0].name)
    with witnessed(witness_of(access.folder, settings.audit_key, None), use, first=True):
        use.reason = what
        yield access


def _grant(patient: str | None, list_name: str | None, collection: str | None, everything: bool) -> Grant:
    from chartcite.core.access import Grant  # noqa: PLC0415

    named = [
        made
        for made, value in (("patient", patient), ("list", list_name), ("collection", collection))
        if value is not None
    ]
    if len(named) + everything != 1:
        raise UsageError("One thing must be named.", "Use --patient, --list, --collection or --everything.")
    if patient is not None:
        return Grant("patient", patient)
    if list_name is not None:
        return Grant("list", list_name)
    return Grant("everything") if collection is None else Grant("collection", collection)


def _patient(name: str) -> Grant:
    from chartcite.core.access import Grant  # noqa: PLC0415

    return Grant("patient", name)


def _until(text: str) -> datetime:
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415

    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdigit() and unit in _HOURS and 0 < int(number) * _HOURS[unit] <= 24 * 3660):
        raise UsageError("This is no time from now.", "Write it as 12h, 30d, 4w or 1y; at most ten years.")
    return datetime.now(UTC) + timedelta(hours=int(number) * _HOURS[unit])


def _told(grant: Grant) -> dict[str, str]:
    return {"kind": grant.kind, "name": grant.name} if grant.name else {"kind": grant.kind}


def _table(rows: Sequence[tuple[str, ...]], head: tuple[str, ...], empty: str) -> None:
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.tables import columns  # noqa: PLC0415

    paper = output.paper()
    lines = columns(rows, paper, [paper.words(name) for name in head]) if rows else [Text(paper.words(empty))]
    output.print_lines(lines)
