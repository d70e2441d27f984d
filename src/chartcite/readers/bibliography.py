"""Bibliographic fields of a source, checked by their form and never guessed: authors, year, DOI, PMID, URL.

A value that is not what its field says is left out with a problem. No library, registry or network is asked whether a
number exists: only its syntax is known to be right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from chartcite.core.documents import Bibliography
from chartcite.core.errors import ChartciteError, CorruptSource
from chartcite.core.time import When

FIELDS = ("authors", "year", "doi", "pmid", "url")

_MAX_CHARS = 2_000
_MAX_AUTHORS = 500
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d", re.ASCII)
# DOI Handbook, 2.2: a prefix `10.` and a registrant's number, a slash, and a suffix of printable characters.
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s<>\"{}|\\^`]+", re.ASCII)
_DOI_FRONT = re.compile(r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:?\s*)", re.IGNORECASE)
_PMID = re.compile(r"(?:pmid:?\s*)?([1-9]\d{0,8})", re.IGNORECASE | re.ASCII)
_URL = re.compile(r"https?://[\w.-]+(?::\d+)?(?:[/?#][^\s<>\"{}|\\^`\x00-\x1f\x7f]*)?", re.IGNORECASE)
_INITIALS = re.compile(r"[^\W\d_][\w'’ -]* [^\W\d_]{1,3}\.?(?: (?:Jr|Sr|II|III))?\.?")
"""`Lindholm AB`, the form in which a comma can only stand between two people."""


def read_bibliography(fields: Mapping[str, object]) -> tuple[Bibliography, list[ChartciteError]]:
    """The fields under our names, and what of them was left out and why. Messages name fields, never their content.

    `year` may be a full date. `authors` is a list, or one string with `;`, ` and ` or, between names with initials,
    commas.
    """
    problems: list[ChartciteError] = []
    read = {"year": as_year, "doi": as_doi, "pmid": as_pmid, "url": as_url}
    found = {name: _checked(fields.get(name), name, read[name], problems) for name in read}
    return Bibliography(_authors(fields.get("authors"), problems), **found), problems


def _checked(value: object, name: str, read: object, problems: list[ChartciteError]) -> str:
    text = _text(value)
    if text == "":
        return ""
    found = read(text) if text is not None and len(text) <= _MAX_CHARS else ""  # type: ignore[operator]
    if not found:
        problems.append(CorruptSource(f"the {name} field does not have the form of one and was left out"))
    return str(found)


def _text(value: object) -> str | None:
    """A single value as text; None for what cannot be one."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a spreadsheet's way with whole numbers
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return " ".join(str(value).split())


def as_year(text: str) -> str:
    """The year of a year or date, or nothing.

    >>> as_year("2019"), as_year("2019-03-02"), as_year("19"), as_year("spring 2019")
    ('2019', '2019', '', '')
    """
    if _YEAR.fullmatch(text):
        return text
    try:
        year = When.parse(text).text[:4]
    except ValueError:
        return ""
    return year if _YEAR.fullmatch(year) else ""


def as_doi(text: str) -> str:
    """The bare DOI, with or without a resolver or `doi:` in front, or nothing.

    >>> as_doi("https://doi.org/10.5555/abc.12"), as_doi("doi: 10.5555/abc"), as_doi("10.55"), as_doi("abc 10.5555/x")
    ('10.5555/abc.12', '10.5555/abc', '', '')
    """
    front = _DOI_FRONT.match(text)
    bare = (text[front.end() :] if front else text).strip().rstrip(".,;")
    return bare if _DOI.fullmatch(bare) else ""


def as_pmid(text: str) -> str:
    """The digits of a PubMed identifier, or nothing.

    >>> as_pmid("PMID: 123456"), as_pmid("123456"), as_pmid("PMC123456"), as_pmid("0")
    ('123456', '123456', '', '')
    """
    found = _PMID.fullmatch(text)
    return found[1] if found else ""


def as_url(text: str) -> str:
    """An http or https address, or nothing.

    >>> as_url("https://example.org/a?b=c"), as_url("javascript:alert(1)"), as_url("example.org")
    ('https://example.org/a?b=c', '', '')
    """
    return text if _URL.fullmatch(text) else ""


def _authors(value: object, problems: list[ChartciteError]) -> tuple[str, ...]:
    if value is None:
        return ()
    names = split_authors(value) if isinstance(value, str) else _listed(value)
    if names is None or len(names) > _MAX_AUTHORS or any(len(name) > 300 for name in names):
        problems.append(CorruptSource("the authors field is no list of names and was left out"))
        return ()
    return tuple(names)


def _listed(value: object) -> list[str] | None:
    """Names of a JSON list: strings, or objects with a `name`."""
    if not isinstance(value, Sequence):
        return None
    names = [item.get("name") if isinstance(item, Mapping) else item for item in value]
    if not all(isinstance(name, str) for name in names):
        return None
    return [folded for name in names if (folded := " ".join(str(name).split()))]


def split_authors(text: str) -> list[str]:
    """Names of one string. Commas part names only where each part has initials: `Smith, John` is one person.

    >>> split_authors("Aalto R, Lindholm AB and Osei K"), split_authors("Smith, John; Doe, Jane")
    (['Aalto R', 'Lindholm AB', 'Osei K'], ['Smith, John', 'Doe, Jane'])
    >>> split_authors("Smith, John")
    ['Smith, John']
    """
    folded = " ".join(text.split())
    parts = folded.split(";") if ";" in folded else re.split(r",? (?:and|&) ", folded)
    names = [name for part in parts for name in _vancouver(part.strip())]
    return [name for name in names if name]


def _vancouver(part: str) -> list[str]:
    names = [name.strip() for name in part.split(",")]
    return names if len(names) > 1 and all(_INITIALS.fullmatch(name) for name in names) else [part]
