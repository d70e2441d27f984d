"""`chartcite verify`: claims against sources, or a stored answer against the documents of today; no model needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.app.config import Config
    from chartcite.verification.claims_file import Check


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            help="CLAIMS.jsonl (with --sources), or an answer saved from ask --json; - is stdin.", metavar="FILE"
        ),
    ],
    sources: Annotated[
        Path | None,
        typer.Option(
            "--sources",
            metavar="FILE",
            help='What the claims cite: {"id", "text"} lines, with "time" of the note where it is known.',
        ),
    ] = None,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Claims by rules alone, without any model.")] = False,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Check claims against their sources (a result each), or a stored answer (exit 7 if something no longer holds)."""
    if sources is not None:
        check = _checker(options.configure(store, config, preset), rules_only=rules_only)
        return _claims(file, sources, check, as_json=json)
    return _answer(file, options.configure(store, config, preset), as_json=json)


def _checker(configured: Config, *, rules_only: bool) -> Check:
    """Rules alone, or with the bundled model, or with the user's own that the settings name."""
    from chartcite.library.engines import Engines  # noqa: PLC0415
    from chartcite.verification.check import check_claim  # noqa: PLC0415
    from chartcite.verification.full import UserModel, full_check  # noqa: PLC0415

    if rules_only:
        return check_claim
    if not configured.settings.grounder:
        return full_check
    user = UserModel(Engines(configured.settings).grounder, configured.settings.grounder_threshold)
    return lambda claim, cited: full_check(claim, cited, user)


def _claims(claims: Path, sources: Path, check: Check, *, as_json: bool) -> int:
    from chartcite.app.cli.files import text_lines  # noqa: PLC0415
    from chartcite.app.render.checks import claim_lines  # noqa: PLC0415
    from chartcite.verification.claims_file import check_lines, read_sources  # noqa: PLC0415

    known = read_sources(text_lines(sources))
    paper = output.paper()
    for result in check_lines(text_lines(claims), known, check):
        if as_json:
            output.print_json(result, indent=None)
        else:
            output.print_lines(claim_lines(result, paper))
    return exits.DONE


def _answer(file: Path, configured: Config, *, as_json: bool) -> int:
    from chartcite.app.cli.files import UnreadableFile, json_object  # noqa: PLC0415
    from chartcite.app.render.checks import recheck_lines  # noqa: PLC0415

    try:
        stored = json_object(file)
    except UnreadableFile as error:
        if file.suffix.lower() in (".jsonl", ".ndjson"):
            raise UsageError(
                "Claims need their sources.", f"chartcite verify {file} --sources SOURCES.jsonl"
            ) from error
        raise
    if "claim" in stored:
        raise UsageError("Claims need their sources.", f"chartcite verify {file} --sources SOURCES.jsonl")
    with options.open_book(configured) as book:
        checks = book.verify_answer(stored)
        quality = book.citation_quality(stored)
    holds = all(check.holds for check in checks)
    if as_json:
        rows = [check.to_dict() for check in checks]
        output.print_json({"schema": "chartcite.recheck/1", "holds": holds, "sentences": rows, **quality})
    else:
        output.print_lines(recheck_lines(checks, quality, output.paper()))
    return exits.DONE if holds else exits.NOT_HELD
