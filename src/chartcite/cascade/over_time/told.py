"""What the timeline tells: sentences computed from it or quoted, or that it has nothing for the time asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chartcite.cascade.over_time.wording import Language, Said
from chartcite.records.entries import Source
from chartcite.store.reader import PartitionReader

Fallback = Callable[[str, int], None]
Analyse = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Record:
    """What a question is put to.

    Attributes:
        reader: of a patient, as of the question's date.
        analyse: text to index terms, by which an event's words are found.
        fallback: told what of the answer a reader has to know.
        today: the last day that counts.
        lang: of the question.
    """

    reader: PartitionReader
    analyse: Analyse
    fallback: Fallback
    today: str
    lang: Language = "en"


@dataclass(frozen=True, slots=True)
class Point:
    """A value, a dose or an event of one day, as it is said and as a machine reads it."""

    value: str
    day: str
    sources: tuple[Source, ...]
    unit: str = ""
    is_dated: bool = True


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the answer. `said` is None where its only source is quoted."""

    sources: tuple[Source, ...]
    said: Said | None = None
    computed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """The answer. `is_silent`: there is no answer for that time; the sentences quote what is there instead."""

    sentences: tuple[Sentence, ...]
    is_silent: bool = False


def quote(*sources: Source) -> tuple[Sentence, ...]:
    """Each source as its own quote."""
    return tuple(Sentence((source,)) for source in dict.fromkeys(sources))


def silent(*sources: Source) -> Told:
    """Nothing for that time, and what is there."""
    return Told(quote(*sources), is_silent=True)


def computed(kind: str, said: Said, name: str, points: Sequence[Point], **result: Any) -> Sentence:
    """A sentence with its machine form: each point with the numbers, from 1, of the sentence's citations for it."""
    numbers = {source: n for n, source in enumerate(said.sources, start=1)}
    rows = [
        {
            "value": point.value, "unit": point.unit or None, "day": point.day,
            "citations": [numbers[source] for source in point.sources if source in numbers],
        }
        for point in points
    ]  # fmt: skip
    return Sentence(said.sources, said, {"kind": kind, "name": name, "points": rows, "result": result or None})
