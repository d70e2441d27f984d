"""What a claim cites, as one thing: the sentences of all cited texts in order, with global positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.cues import Cue
from chartcite.facts.sides import Side
from chartcite.verification.analysis import Analysed, Measure, Word
from chartcite.verification.clauses import binds


class Place(NamedTuple):
    """Where a token stands: in which cited source, at which offsets of its text."""

    source_id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Some cited sentences. Token, segment and clause numbers run through all of them.

    Attributes:
        texts: of each token, folded.
        places: of each token.
        sentences: of each token, the number of its sentence.
        clauses: of each token.
        is_header: of each token, whether it stands before the colon that opens its sentence.
        is_led: of each token, whether it, or a word before it in its segment, names something: its own subject.
        dates: of each token, the token of the date that holds for it: its segment's, else the last in its sentence.
        is_past: of each sentence.
        cues: with the tokens each governs.
    """

    parts: tuple[tuple[str, Analysed], ...]
    texts: tuple[str, ...]
    places: tuple[Place, ...]
    sentences: tuple[int, ...]
    segments: tuple[int, ...]
    clauses: tuple[int, ...]
    words: tuple[Word, ...]
    measures: tuple[Measure, ...]
    sides: tuple[Side, ...]
    cues: tuple[tuple[Cue, tuple[int, ...]], ...]
    is_header: tuple[bool, ...]
    is_led: tuple[bool, ...]
    dates: tuple[int | None, ...]
    is_past: tuple[bool, ...]

    @property
    def content(self) -> tuple[Word, ...]:
        """The words that say something."""
        return tuple(word for word in self.words if word.is_content)

    def is_one_source(self, here: int, there: int) -> bool:
        """Whether two tokens stand in one cited text; between two texts the order of writing is unknown."""
        return self.places[here].source_id == self.places[there].source_id

    def span(self, measure: Measure) -> Place:
        """Where a quantity stands; it may be longer than its token."""
        return Place(self.places[measure.at].source_id, measure.quantity.span)


@lru_cache(maxsize=512)
def alone(source_id: str, sentence: Analysed) -> Evidence:
    """One sentence as evidence; kept for a while, as the sentence itself is."""
    return join([(source_id, sentence)])


def join(parts: Sequence[tuple[str, Analysed]]) -> Evidence:
    """Put sentences together; each keeps its own segments, so that nothing binds across a boundary by itself."""
    texts: list[str] = []
    places: list[Place] = []
    sentences: list[int] = []
    segments: list[int] = []
    clauses: list[int] = []
    words: list[Word] = []
    measures: list[Measure] = []
    sides: list[Side] = []
    cues: list[tuple[Cue, tuple[int, ...]]] = []
    headers: list[bool] = []
    led: list[bool] = []
    dates: list[int | None] = []
    segment_base = clause_base = 0
    for number, (source_id, sentence) in enumerate(parts):
        base, start = len(texts), sentence.span.start
        moved = {w: _moved(w, base, segment_base, clause_base) for w in sentence.words}
        words += moved.values()
        measures += [_moved_measure(m, moved, base, segment_base, start) for m in sentence.measures]
        sides += [replace(s, at=s.at + base, first=s.first + base, last=s.last + base) for s in sentence.sides]
        for cue, scope in zip(sentence.assertions.cues, sentence.assertions.scopes, strict=True):
            shifted = cue._replace(first=cue.first + base, last=cue.last + base)
            cues.append((shifted, tuple(i + base for i in scope)))
        texts += [t.text for t in sentence.tokens]
        places += [Place(source_id, Span(start + t.start, start + t.end)) for t in sentence.tokens]
        sentences += [number] * len(sentence.tokens)
        headers += _header(sentence)
        led += _led(sentence)
        dates += [None if at is None else at + base for at in _dates(sentence)]
        segments += [s + segment_base for s in sentence.layout.segments]
        clauses += [c + clause_base for c in sentence.layout.clauses]
        segment_base += max(sentence.layout.segments, default=-1) + 1
        clause_base += len(sentence.layout.is_bound)
    return Evidence(
        tuple(parts), tuple(texts), tuple(places), tuple(sentences), tuple(segments), tuple(clauses), tuple(words),
        tuple(measures), tuple(sides), tuple(cues), tuple(headers), tuple(led), tuple(dates),
        tuple(sentence.is_past for _, sentence in parts),
    )  # fmt: skip


def _header(sentence: Analysed) -> list[bool]:
    colon = next((i for i, token in enumerate(sentence.tokens[:8]) if token.text == ":"), 0)
    return [i < colon for i in range(len(sentence.tokens))]


def _led(sentence: Analysed) -> list[bool]:
    names = {word.at for word in sentence.content if not binds(word.text)} | {side.at for side in sentence.sides}
    out: list[bool] = []
    is_led, last = False, -1
    for i, segment in enumerate(sentence.layout.segments):
        if segment != last:
            is_led, last = False, segment
        is_led = is_led or i in names
        out.append(is_led)
    return out


def _dates(sentence: Analysed) -> list[int | None]:
    """For each token the date of its segment, else the last one before it."""
    own: dict[int, int] = {}
    for measure in sentence.measures:
        if measure.quantity.kind == "date":
            own.setdefault(measure.segment, measure.at)
    out: list[int | None] = []
    last: int | None = None
    for segment in sentence.layout.segments:
        last = own.get(segment, last)
        out.append(last)
    return out


def _moved(word: Word, base: int, segment: int, clause: int) -> Word:
    if not base:
        return word
    return replace(word, at=word.at + base, segment=word.segment + segment, clause=word.clause + clause)


def _moved_measure(measure: Measure, moved: dict[Word, Word], base: int, segment: int, start: int) -> Measure:
    span = measure.quantity.span
    quantity = replace(measure.quantity, span=Span(start + span.start, start + span.end)) if start else measure.quantity
    return replace(
        measure, quantity=quantity, at=measure.at + base, segment=measure.segment + segment,
        owners=tuple(moved[w] for w in measure.owners),
        next_word=moved[measure.next_word] if measure.next_word else None,
    )  # fmt: skip
