"""What a text file says of itself before it begins: a block between `---` lines, or labelled lines under its title.

The block is metadata, which nobody reads in the printed article: it is hidden from evidence, but only if every key in
it is a bibliographic one, so that a list of findings between two rules is never lost. Labelled lines stay text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chartcite.core.documents import Bibliography, Span
from chartcite.core.errors import ChartciteError
from chartcite.readers.bibliography import as_doi, read_bibliography

MAX_LINES = 60
HEAD_LINES = 12

_NAMES = {"author": "authors", "date": "year", "published": "year", "link": "url"}
_KEYS = frozenset((
    "title", "subtitle", "author", "authors", "year", "date", "published", "doi", "pmid", "pmcid", "url", "link",
    "journal", "volume", "issue", "pages", "publisher", "issn", "isbn", "keywords", "tags", "lang", "language",
    "license", "licence", "type",
))  # fmt: skip
_ENTRY = re.compile(r"([A-Za-z][\w -]{0,30}?)[ \t]*:(?:[ \t]+(.*?))?[ \t]*")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*?)[ \t]*")
_LABELLED = re.compile(r"[*_]{0,3}(authors|year|doi|pmid|url)[*_]{0,3}[ \t]*:[*_]{0,3}[ \t]+(.*?)[ \t]*", re.IGNORECASE)
_WITH_DOI = re.compile(r"(?:\bdoi\.org/|\bdoi:[ \t]*)(10\.[^\s]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Head:
    """What was found. `date` is as written; `end` is where the text itself begins."""

    bibliography: Bibliography = field(default_factory=Bibliography)
    title: str = ""
    date: str = ""
    hidden: tuple[Span, ...] = ()
    end: int = 0
    problems: tuple[ChartciteError, ...] = ()


def read_head(text: str) -> Head:
    """Read the block, or without one the labelled lines among the first twelve of the text."""
    lines = text[: 200 * MAX_LINES].splitlines(keepends=True)
    block = _block(lines)
    return _of_block(lines, block) if block else _of_lines(lines[:HEAD_LINES])


def _block(lines: list[str]) -> int:
    """How many lines the block takes, its fences included; 0 without one."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for n, line in enumerate(lines[1:MAX_LINES], start=2):
        if line.rstrip() in ("---", "..."):
            return n
    return 0


def _of_block(lines: list[str], size: int) -> Head:
    entries = _entries(lines[1 : size - 1])
    if not entries or not set(entries) <= _KEYS:
        return Head()
    bibliography, problems = read_bibliography({_NAMES.get(key, key): value for key, value in entries.items()})
    end = sum(len(line) for line in lines[:size])
    title, date = entries.get("title"), entries.get("date")
    return Head(
        bibliography=bibliography,
        title=title if isinstance(title, str) else "",
        date=date if isinstance(date, str) else "",
        hidden=(Span(0, len("".join(lines[:size]).rstrip())),),
        end=end,
        problems=tuple(problems),
    )


def _entries(lines: list[str]) -> dict[str, str | list[str]]:
    """`key: value`, `key: [a, b]`, or a key with `- item` lines below; nothing where a line is none of these."""
    entries: dict[str, str | list[str]] = {}
    key = ""
    for line in (line.strip("\r\n") for line in lines if line.strip()):
        if (item := _ITEM.fullmatch(line)) and key and isinstance(listed := entries[key], list):
            listed.append(_bare(item[1]))
        elif entry := _ENTRY.fullmatch(line):
            key, value = entry[1].lower(), entry[2] or ""
            if key in entries:
                return {}
            listing = value.startswith("[") and value.endswith("]")
            entries[key] = [_bare(v) for v in value[1:-1].split(",") if v.strip()] if listing else _bare(value)
            if not value:
                entries[key] = []
        else:
            return {}
    return {key: value for key, value in entries.items() if value}


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _of_lines(lines: list[str]) -> Head:
    """Labelled lines; one that is not well formed is left alone, for it was not written for a machine."""
    found: dict[str, object] = {}
    for line in lines:
        labelled = _LABELLED.fullmatch(line.strip())
        if labelled:
            found.setdefault(labelled[1].lower(), labelled[2])
    found.setdefault("doi", only_doi("".join(lines)))
    return Head(read_bibliography(found)[0])


def only_doi(text: str) -> str:
    """The DOI of a text that has one and no other, each with `doi:` or a resolver in front; else nothing.

    >>> only_doi("Trials 2019. https://doi.org/10.5555/ab.1, open access"), only_doi("doi:10.5555/a and doi:10.5555/b")
    ('10.5555/ab.1', '')
    """
    found = {as_doi(written) for written in _WITH_DOI.findall(text)} - {""}
    return found.pop() if len(found) == 1 else ""
