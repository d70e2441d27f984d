"""What a timeline is asked for: measured things and drugs by any of their names, and where a record names them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from chartcite.core.errors import UsageError
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names


class UnknownTopic(UsageError):
    """No measured thing and no drug of that name is known."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Canonical names; both empty asks for everything."""

    analytes: frozenset[str] = frozenset()
    drugs: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.analytes or self.drugs)


EVERYTHING = Topic()


def topic_of(words: str) -> Topic:
    """The measured things and drugs that some words name; `potassium` is both.

    Raises:
        UnknownTopic: none is known by that name.
    """
    line = read_line(words)
    drugs, names = find_drugs(line), find_names(line)
    kept = [d for d in drugs if not any(m.span != d.span and overlap(m.span, d.span) for m in names)]
    found = Topic(
        frozenset(value.name for match in names for value in match.values), frozenset(drug.name for drug in kept)
    )
    if not found:
        raise UnknownTopic(
            "The lists know no measured thing and no drug of that name.",
            "Ask for `creatinine`, `HbA1c`, `metformin`; without a name all are shown.",
        )
    return found


@lru_cache(maxsize=256)
def pattern(topic: Topic) -> re.Pattern[str] | None:
    """Where a text may name a measured thing of the topic; None where every line must be read.

    Only a sieve: what it lets through is read by the facts room. Vital signs need no name (`120/80`).
    """
    if not topic.analytes or topic.drugs:
        return None
    spellings: set[str] = set()
    for name, kind, _, spelt in read_rows(FACTS, "measurements.tsv"):
        if name in topic.analytes:
            if kind != "lab":
                return None
            spellings |= {s.removesuffix("*") for s in spelt.split("|")}
    parts = sorted(({_loose(s) for s in spellings}), key=lambda s: (-len(s), s))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})", re.IGNORECASE)


def _loose(spelling: str) -> str:
    """A spelling with whatever stands between its words, its accents optional."""
    return r"[\W_]+".join("".join(_letter(c) for c in word) for word in re.findall(r"[^\W_]+", spelling)) or re.escape(
        spelling
    )


def _letter(char: str) -> str:
    return re.escape(char) if char.isascii() else "."
