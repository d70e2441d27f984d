"""Sources of a collection as a reader of literature expects them: authors, title, year, DOI, PMID or address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chartcite.app.render.safe import one_line
from chartcite.core.answer import Citation
from chartcite.core.documents import Bibliography

SHOWN_AUTHORS = 3


def authors(names: Sequence[str]) -> str:
    """At most three names, then `et al.`.

    >>> authors(["Aalto R", "Osei K"]), authors(["A", "B", "C", "D"])
    ('Aalto R, Osei K', 'A, B, C, et al.')
    """
    shown = [one_line(name) for name in names[:SHOWN_AUTHORS]]
    return ", ".join(shown) + (", et al." if len(names) > SHOWN_AUTHORS else "")


def reference(title: str, found: Bibliography, written: str | None = None) -> str:
    """`Authors. Title. Year.` with what is known of these; `written` is the document's date, for want of a year.

    >>> reference("A trial", Bibliography(("Aalto R",), "2019"))
    'Aalto R. A trial. 2019.'
    """
    parts = (authors(found.authors), one_line(title), one_line(found.year or (written or "")[:10]))
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)


def short_reference(names: Sequence[str], year: str | None, title: str) -> str:
    """How a source is called in a line of text: `Aalto R et al. 2019`; its title where it has no authors.

    >>> short_reference(["Aalto R", "Osei K"], "2019", "A trial"), short_reference([], None, "A trial")
    ('Aalto R et al. 2019', 'A trial')
    """
    name = one_line(names[0]) + (" et al." if len(names) > 1 else "") if names else one_line(title)
    return " ".join(part for part in (name, one_line(year or "")) if part)


def identifiers(found: Bibliography) -> list[str]:
    """DOI and PMID, or for want of both the address."""
    known = [f"doi:{one_line(found.doi)}"] if found.doi else []
    known += [f"PMID {one_line(found.pmid)}"] if found.pmid else []
    return known or ([one_line(found.url)] if found.url else [])


def first_numbers(citations: Sequence[Citation]) -> dict[str, int]:
    """The number, from 1, of each document's first citation."""
    numbers: dict[str, int] = {}
    for n, citation in enumerate(citations, start=1):
        numbers.setdefault(citation.doc_id, n)
    return numbers


def side(row: Mapping[str, Any]) -> str:
    """What a row of `Answer.conflicts` calls its document."""
    written = str(row.get("year") or (row.get("time") or "")[:4])
    return short_reference(row.get("authors") or (), written, str(row.get("title") or row.get("doc_id") or ""))
