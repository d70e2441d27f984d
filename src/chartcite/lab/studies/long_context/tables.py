"""Rows of this study's tables. A system is an answerer, a task form, a note setting and a strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chartcite.lab.experiment.tables import Cited


class System(NamedTuple):
    """What is compared."""

    answerer: str
    form: str
    notes: str
    strategy: str


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One note of a record with its length, by the tokenizer that the manifest names."""

    scope: str
    item_id: str
    note_type: str
    time: str
    tokens: int


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One record as a whole. `bin`: by its tokens (`bins.py`)."""

    scope: str
    notes: int
    tokens: int
    bin: str


@dataclass(frozen=True, slots=True)
class ContextRow:
    """What a strategy puts before whoever answers.

    Attributes:
        documents, passages, tokens: of the context.
        record_tokens: of all notes that the case may draw on at its date, whatever the note setting.
        share: tokens of the context as a share of those.
        bin: the bin of `record_tokens`.
        parts, held: parts of the answer that the data set locates, and how many of them the context holds whole.
        recall: held / parts; None with the reason.
    """

    notes: str
    strategy: str
    case_id: str
    documents: int
    passages: int
    tokens: int
    record_tokens: int
    share: float | None
    bin: str
    parts: int
    held: int
    recall: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredRow:
    """One answer. `text` is empty and `reason` says why, where there is none.

    Attributes:
        choice: letter of the option chosen.
        cut: passages of the context that did not fit into the model's window (direct answers).
        calls: of models.
        prompt_tokens: as the server counts, where it does.
        citations: what the answer rests on; a direct answer cites nothing.
        evidence: sentences that the answer was written from, and how many of them lie outside the context's passages:
            the cascade also looks at the ends of a record and at periods that the question names.
    """

    answerer: str
    form: str
    notes: str
    strategy: str
    case_id: str
    text: str
    choice: str
    abstained: bool
    reason: str
    cut: int = 0
    calls: int = 0
    prompt_tokens: int | None = None
    fallbacks: tuple[str, ...] = ()
    citations: tuple[Cited, ...] = ()
    evidence: int = 0
    outside: int = 0

    @property
    def system(self) -> System:
        """Whose answer it is."""
        return System(self.answerer, self.form, self.notes, self.strategy)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One measure of one answer, 0 to 1. `by`: the judge's name, for what a judge says."""

    answerer: str
    form: str
    notes: str
    strategy: str
    case_id: str
    measure: str
    by: str
    value: float | None
    reason: str = ""

    @property
    def system(self) -> System:
        """Whose answer it is."""
        return System(self.answerer, self.form, self.notes, self.strategy)


@dataclass(frozen=True, slots=True)
class CellRow:
    """One measure of one system over its cases, or those of one bin or group, with its interval.

    `scope` is `all`, `bin` or `group`, `name` which; `n` cases, of which `missing` had no answer and count as wrong.
    """

    answerer: str
    form: str
    notes: str
    strategy: str
    scope: str
    name: str
    measure: str
    by: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    missing: int
    reason: str = ""
