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
from chartcite.cascade.presence.forms import Form, Forms
from chartcite.cascade.presence.sense import Sense, sense_of
from chartcite.cascade.presence.words import find
from chartcite.core.documents import Document, Sentence, Span
from chartcite.core.presence import About
from chartcite.facts.dates import find_dates
from chartcite.retrieval.candidates import start_with_header
from chartcite.retrieval.probe import Probe

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ASIDE = re.compile(r"nurs|telephone|phone|portal|message|instruct|handout|enferm|telef|mensagem|\blab", re.IGNORECASE)
_HEAD_WORDS = 2
_STATES = re.compile(
    r"\b(?:diagnos\w+|history of|h/o|hx|pmh|known|denie[sd]|deny|report\w*|complain\w*|c/o|positive for|negative for|bothered by|describes|"
    r"presents? with|underwent|status post|s/p|allerg\w+|reaction to|started|prescribed|takes|taking|refere|queixa\w*|nega|"
    r"hist[óo]ria|hist[óo]rico|diagn[óo]stic\w+|submetid\w+|em uso|presen[çc]a|al[ée]rgic\w+|desde)\b",
    re.IGNORECASE,
)
_NOTHING_BELOW = re.compile(
    r"\W*(?:none|no\b|denie[sd]|negative|n/?a\b|nil|unremarkable|nega\b|n[ãa]o\b|nenhum|ausente|sem\b)", re.IGNORECASE
)


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


def mentions(forms: Forms, about: About, probe: Probe, inquiry: Inquiry) -> list[Mention]:
    """The sentences that have a thing, in the order of the record."""
    found: dict[tuple[int, int], Mention] = {}
    known: dict[tuple[str, tuple[str, ...]], _Read] = {}
    for passage in map(int, np.flatnonzero(_holders(forms, probe))):
        for key, start, end in inquiry.index.places(passage):
            for one in _in_place(key, start, end, forms, about, inquiry, known):
                found.setdefault((one.key, one.start), one)
    return sorted(found.values(), key=lambda m: (m.order, m.start))


def _holders(forms: Forms, probe: Probe) -> NDArray[np.bool_]:
    """Bool [n_passages]: which have all terms of one form of each slot of a pattern, or of a kind."""
    held: dict[str, NDArray[np.bool_]] = {}

    def of_form(form: Form) -> NDArray[np.bool_]:
        for term in form.terms:
            if term not in held:
                held[term] = probe.holding(term)
        return np.all([held[term] for term in form.terms], axis=0) if form.terms else none

    none = np.zeros(probe.index.size, dtype=np.bool_)
    out = none.copy()
    for slots in forms.patterns:
        parts = [np.any([none, *map(of_form, slot)], axis=0) for slot in slots]
        out |= np.all(parts, axis=0)
    for kind in forms.kinds:
        out |= of_form(kind)
    return out


def _in_place(
    key: int, start: int, end: int, forms: Forms, about: About, inquiry: Inquiry,
    known: dict[tuple[str, tuple[str, ...]], _Read],
) -> Iterator[Mention]:  # fmt: skip
    shelf = inquiry.shelf
    document, sentences = shelf.document(key), shelf.sentences(key)
    for i, unit in enumerate(sentences):
        if unit.end <= start or unit.start >= end:
            continue
        following = sentences[i + 1] if i + 1 < len(sentences) else None
        if unit.kind == "header" and not _stands_alone(document, unit, following):
            continue
        first = start_with_header(document.text, sentences[i - 1] if i else None, unit)
        text = document.text[first : unit.end]
        at = (text, unit.section)
        if at not in known:
            known[at] = _read(text, unit.section, forms, about, inquiry)
        read = known[at]
        if read is not None:
            day = document.time.date if document.time else ""
            yield Mention(
                key, unit, first, unit.end, text, day, document.time.sort_key if document.time else "",
                shelf.order(key), read[0], read[1], read[2] + _weight_of_note(shelf.info(key).note_type, about),
            )  # fmt: skip


def _read(text: str, section: Sequence[str], forms: Forms, about: About, inquiry: Inquiry) -> _Read:
    found = find(forms, text, inquiry.tools.analyse)
    if found is None:
        return None
    return sense_of(text, found.span, section, about), found.is_kind, _weight_of_words(text, found.span, about)


def _weight_of_note(note_type: str, about: About) -> int:
    return 0 if about != "test" and _ASIDE.search(note_type) else 1


def _weight_of_words(text: str, span: Span, about: About) -> int:
    is_head = len(text[: span.start].split()) <= _HEAD_WORDS and not text[span.end :].lstrip().startswith(":")
    states = bool(_STATES.search(text)) or (about == "test" and any(c.isdigit() for c in text[span.end :]))
    return 2 * states + is_head


def _stands_alone(document: Document, header: Sentence, following: Sentence | None) -> bool:
    """Whether a header says something: below it stands more than `none`, and not on its own line."""
    if following is None:
        return True
    between = document.text[header.end : following.start]
    return "\n" in between and not _NOTHING_BELOW.match(document.text[following.start : following.end])
