"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli.output import speak

if TYPE_CHECKING:
    from chartcite.app.config import Config
    from chartcite.library.book import Book

Patient = Annotated[
    str | None, typer.Option("--patient", "-p", metavar="ID", help="The patient, exactly as the source names them.")
]
Collection = Annotated[
    str | None, typer.Option("--collection", "-c", metavar="NAME", help="A named collection of documents.")
]
Store = Annotated[str | None, typer.Option("--store", metavar="DIR", help="The store's folder.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Configuration file (TOML).")]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A named set of settings.")]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a setting; may be repeated.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="Use only what was written up to that date.")]
Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="en|pt|auto", help="Language of what is said: auto is that of the question."),
]
Encoding = Annotated[
    str, typer.Option("--encoding", metavar="NAME", help="Character set of the files; found by itself if not given.")
]


_FLAGS = {"output_language": "--lang"}
"""Settings whose option has another name."""


def configure(
    store: str | None = None,
    config: Path | None = None,
    preset: str | None = None,
    assignments: list[str] | None = None,
    **flags: object,
) -> Config:
    """The configuration under these options. `flags` are settings by name; None means not given."""
    from chartcite.app.config import Given, parse_assignments, resolve  # noqa: PLC0415

    named = {"store": store, "preset": preset, **flags}
    given = {n: Given(v, _FLAGS.get(n, f"--{n.replace('_', '-')}")) for n, v in named.items() if v is not None}
    found = resolve(parse_assignments(assignments or []) | given, config)
    speak(found.settings.output_language)
    return found


def open_book(config: Config, *, create: bool = False) -> Book:
    """The store that the configuration names, with its settings."""
    from chartcite.library.book import Book  # noqa: PLC0415

    return Book(config.store, config.settings, create=create)
