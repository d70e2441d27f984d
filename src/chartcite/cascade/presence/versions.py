"""What a record says in two ways and cannot be both: a side, a year, a reaction, a relative, pack-years.

A question of one of these is answered here only where the record has more than one version; then each is cited. Where
all sentences agree, or one has both, the ordinary ways answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from chartcite.cascade.presence.asked import bare
from chartcite.cascade.presence.mentions import Mention
from chartcite.cascade.presence.patterns import pattern
from chartcite.core.presence import About

MOST_VERSIONS = 3
_SAME = {
    "esquerdo": "left", "esquerda": "left", "direito": "right", "direita": "right", "bilaterally": "bilateral",
}  # fmt: skip
_OWN = ("present", "historical")
_SOMEBODYS = ("family", *_OWN)
"""Which relative it is, the sentence itself names."""


@dataclass(frozen=True, slots=True)
class Version:
    """One of several values, as written, and the sentences that have it, in the order of the record."""

    value: str
    mentions: tuple[Mention, ...]


def read_version_question(question: str) -> tuple[About, str] | None:
    """What a question asks of a thing that does not change, and the thing; None for any other question.

    >>> read_version_question("On which side was the carpal tunnel release?")
    ('side', 'carpal tunnel release')
    """
    text, lang = bare(question)
    for about, row in _rows(lang):
        if found := row.fullmatch(text):
            return about, found["x"].strip()
    return None


def versions(found: Iterable[Mention], about: About) -> list[Version]:
    """The values that sentences have, most often said first; fewer than two where all agree or one has both."""
    table: dict[frozenset[str], list[Mention]] = {}
    for mention in found:
        own = mention.status in (_SOMEBODYS if about == "whose" else _OWN)
        values = _values(mention.quote, about) if own else frozenset()
        if values:
            table.setdefault(values, []).append(mention)
    single = {values: said for values, said in table.items() if _is_one(values, about)}
    together = [values for values in table if values not in single]
    apart = [v for v in single if not any(v < both for both in together)]
    ordered = sorted(apart, key=lambda v: (-len(single[v]), sorted(v)))[:MOST_VERSIONS]
    kept = [v for n, v in enumerate(ordered) if not any(v & other for other in ordered[:n])]
    return [Version(" ".join(sorted(v)), tuple(single[v])) for v in kept]


def _is_one(values: frozenset[str], about: About) -> bool:
    """A reaction has several words; of all else a sentence with two values decides nothing."""
    return about == "reaction" or len(values) == 1


def _values(text: str, about: About) -> frozenset[str]:
    if about == "whose":
        return frozenset(" ".join(found[0].lower().split()) for found in pattern("kin").finditer(text))
    finder = pattern("harm") if about == "reaction" else _finder(about)
    return frozenset(_SAME.get(found[0].lower(), found[0].lower()) for found in finder.finditer(text))


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("chartcite.cascade.presence").joinpath("data/versions.toml").read_text("utf-8"))


@lru_cache(maxsize=4)
def _finder(about: About) -> re.Pattern[str]:
    return re.compile("|".join(_data()["values"][about]), re.IGNORECASE)


@lru_cache(maxsize=2)
def _rows(lang: str) -> Sequence[tuple[About, re.Pattern[str]]]:
    questions = tomllib.loads(files("chartcite.cascade.presence").joinpath("data/questions.toml").read_text("utf-8"))
    who = questions[lang]["who"]
    rows: list[list[str]] = _data()[lang]["rows"]
    return [(cast("About", about), re.compile(row.replace("{who}", who), re.IGNORECASE)) for about, row in rows]
