"""All sentences of a record that have a form of a thing, each with the sense in which it has it.

Index terms sieve the passages; every place of those is read, not only what a ranking would find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.presence.forms import Form, Forms, Reading
from chartcite.cascade.presence.patterns import pattern
from chartcite.cascade.presence.sense import Sense, sense_of
from chartcite.cascade.presence.words import Found, find
from chartcite.core.documents import Document, Sentence, Span
from chartcite.core.presence import About
from chartcite.core.unseen import seen
from chartcite.facts.dates import find_dates
from chartcite.retrieval.candidates import start_with_header
from chartcite.retrieval.probe import Probe

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEAD_WORDS = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that has a thing.

    Attributes:
        day: the note's ISO date, as far as it goes; empty of an undated one.
        weight: how much it is a statement of the thing, by its kind of note and its words; the greatest are shown.
    """

    key: int
    sentence: Sentence
    start: int
    end: int
    quote: str
    day: str
    sort_key: str
    order: int
    sense: Sense
    is_kind: bool
    weight: int

    @property
    def status(self) -> str:
        """The word for its sense."""
        return self.sense.status

    def is_of(self, period: str) -> bool:
        """Whether its note was written then, or it names that day, month or year."""
        return self.day.startswith(period) or any(form.startswith(period) for _, _, form in find_dates(self.quote))


_Read = tuple[Sense, bool, int] | None


def mentions(readings: Sequence[Reading], about: About, probe: Probe, inquiry: Inquiry) -> list[Mention]:
    """The sentences that have a thing, in the order of the record."""
    found: dict[tuple[int, int], Mention] = {}
    known: dict[tuple[str, tuple[str, ...]], _Read] = {}
    holders = np.any([_holders(reading.forms, probe, inquiry) for reading in readings], axis=0)
    for passage in map(int, np.flatnonzero(holders)):
        for key, start, end in inquiry.index.places(passage):
            for one in _in_place(key, start, end, readings, about, inquiry, known):
                found.setdefault((one.key, one.start), one)
    return sorted(found.values(), key=lambda m: (m.order, m.start))


def _holders(forms: Forms, probe: Probe, inquiry: Inquiry) -> NDArray[np.bool_]:
    """Bool [n_passages]: which have all terms of one form of each slot of a pattern, or of a kind."""
    held: dict[str, NDArray[np.bool_]] = {}

    def of_form(form: Form) -> NDArray[np.bool_]:
        if not form.terms:
            return _with_text(form.exact, inquiry)
        for term in form.terms:
            if term not in held:
                held[term] = probe.holding(term)
        return np.asarray(np.all([held[term] for term in form.terms], axis=0))

    none = np.zeros(probe.index.size, dtype=np.bool_)
    out = none.copy()
    for slots in forms.patterns:
        parts = [np.any([none, *map(of_form, slot)], axis=0) for slot in slots]
        out |= np.all(parts, axis=0)
    for kind in forms.kinds:
        out |= of_form(kind)
    return out


def _with_text(word: str, inquiry: Inquiry) -> NDArray[np.bool_]:
    """Bool [n_passages]: which have a word as written, where the index has no term for it."""
    shelf, index = inquiry.shelf, inquiry.index
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    texts = (shelf.text(shelf.place(index, passage)) for passage in range(index.size))
    return np.fromiter((whole.search(seen(text)) is not None for text in texts), np.bool_, index.size)


def _in_place(
    key: int, start: int, end: int, readings: Sequence[Reading], about: About, inquiry: Inquiry,
    known: dict[tuple[str, tuple[str, ...]], _Read],
) -> Iterator[Mention]:  # fmt: skip
    shelf = inquiry.shelf
    document, sentences = shelf.document(key), shelf.sentences(key)
    for i, unit in enumerate(sentences):
        if unit.end <= start or unit.start >= end:
            continue
        quote = _quote(document, sentences, i)
        if quote is None:
            continue
        text = seen(document.text[quote.start : quote.end])
        at = (text, unit.section)
        if at not in known:
            known[at] = _read(text, unit.section, readings, about)
        read = known[at]
        if read is not None:
            day = document.time.date if document.time else ""
            yield Mention(
                key, unit, *quote, text, day, document.time.sort_key if document.time else "",
                shelf.order(key), read[0], read[1], read[2] + _weight_of_note(shelf.info(key).note_type, about),
            )  # fmt: skip


def _read(text: str, section: Sequence[str], readings: Sequence[Reading], about: About) -> _Read:
    every = [found for one in readings if (found := find(one.forms, text, one.analyse)) is not None]
    if not every:
        return _aside(text, readings, about)
    found = max(every, key=lambda one: (one.is_as_asked, not one.is_kind))
    return sense_of(text, found.span, section, about), found.is_kind, _weight_of_words(text, found, about)


def _aside(text: str, readings: Sequence[Reading], about: About) -> _Read:
    """`Hepatitis B vaccine given`: the thing is named, but as what is guarded against."""
    if about not in ("thing", "own_or_family") or not pattern("guarded").search(text):
        return None
    is_named = any(find(one.forms, text, one.analyse, is_masked=False) for one in readings)
    return (Sense("other_sense"), False, 0) if is_named else None


def _weight_of_note(note_type: str, about: About) -> int:
    return 0 if about != "test" and pattern("aside_notes").search(note_type) else 1


def _weight_of_words(text: str, found: Found, about: About) -> int:
    span = found.span
    is_head = len(text[: span.start].split()) <= _HEAD_WORDS and not text[span.end :].lstrip().startswith(":")
    states = bool(pattern("states").search(text)) or (about == "test" and any(c.isdigit() for c in text[span.end :]))
    return 2 * (states + found.is_as_asked) + is_head


def _quote(document: Document, sentences: Sequence[Sentence], i: int) -> Span | None:
    """What is quoted for a unit: with the header on its line, and with what it goes on from; None: it is quoted below.

    A header on a line of its own says something, but with `none` below it the contrary.
    """
    unit, before = sentences[i], sentences[i - 1] if i else None
    if unit.kind == "header" or seen(document.text[unit.start : unit.end]).rstrip().endswith(":"):
        following = sentences[i + 1] if i + 1 < len(sentences) else None
        if following is None:
            return Span(unit.start, unit.end)
        if unit.kind == "header" and "\n" not in document.text[unit.end : following.start]:
            return None
        if pattern("nothing_below").match(seen(document.text[following.start : following.end])):
            return Span(unit.start, following.end)
        if unit.kind == "header":
            return Span(unit.start, unit.end)
    start = start_with_header(document.text, before, unit)
    goes_on = unit.kind == "sentence" and start == unit.start and document.text[start : start + 1].islower()
    if goes_on and before is not None and before.kind == "sentence":
        between = document.text[before.end : start]
        start = before.start if between.count("\n") < 2 else start
    return Span(start, unit.end)
