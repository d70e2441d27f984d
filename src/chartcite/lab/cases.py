"""The rows that data sets yield: what is searched, what is asked, what is claimed, what was spoilt.

Every type is frozen, holds only text, numbers and tuples of them, and so goes to CSV and JSONL and back
(`lab/rows.py`). `cluster` says which rows hang together (a patient, a question): resampling draws whole clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Label = Literal["supported", "contradicted", "not_enough", "partial"]
TaskForm = Literal["open", "choice", "span"]
"""How an answer is given: in words of one's own, as one of the options, as a stretch of a note."""


@dataclass(frozen=True, slots=True)
class CorpusItem:
    """One thing that can be retrieved. `sentences`, where the source has them, are its own units, in order.

    `time` (ISO 8601), `note_type` and `encounter_id` are a clinical note's; the store gets them with the text.
    """

    id: str
    text: str
    title: str = ""
    sentences: tuple[str, ...] = ()
    lang: str = "en"
    patient_id: str = ""
    group: str = ""
    time: str = ""
    note_type: str = ""
    encounter_id: str = ""


@dataclass(frozen=True, slots=True)
class Relevant:
    """A judged item: grade 0 is judged and not relevant, 1 and above relevant."""

    item_id: str
    grade: int = 1


@dataclass(frozen=True, slots=True)
class Statement:
    """One assertion that an answer must make, or may make."""

    text: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """Where an item says (a part of) the answer: half-open, in code points of the item's text.

    Spans of one `part` say the same: any one of them is enough. An answer needs all its parts.
    """

    item_id: str
    start: int
    end: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One question.

    Attributes:
        question: as asked, in the form the data set means to be searched with.
        narrative: the long message the question came in, where there is one.
        summary: a person's short form of it, the reference of the stage `interpret`.
        references: reference answers, each complete in itself.
        relevant: judged items of the corpus.
        statements: what a complete answer says.
        label: the expected short answer (`yes`, `no`, `maybe`, `B`), or empty.
        group: what results are broken down by (speciality, field, kind).
        cluster: rows with the same value are not independent; empty means the row's own id.
        as_of: ISO date; nothing written later may be used.
        choices: the options of a multiple-choice question, `A` first; `label` is the right one's letter.
        forms: in which forms it can be asked.
        spans: where the record says it.
        answerable: False where the right answer is that the record does not say it.
    """

    id: str
    question: str
    split: str = ""
    narrative: str = ""
    summary: str = ""
    references: tuple[str, ...] = ()
    relevant: tuple[Relevant, ...] = ()
    statements: tuple[Statement, ...] = ()
    label: str = ""
    group: str = ""
    lang: str = "en"
    patient_id: str = ""
    cluster: str = ""
    as_of: str = ""
    choices: tuple[str, ...] = ()
    forms: tuple[TaskForm, ...] = ("open",)
    spans: tuple[GoldSpan, ...] = ()
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A gold sentence: its position, from 0, in the item's `sentences`.

    Sentences of one `alternative` belong together; any one alternative is enough.
    """

    item_id: str
    sentence: int
    alternative: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """One assertion to be checked.

    Attributes:
        label: ours; `raw_label` is the data set's own word. None where nobody judged.
        items: items of the corpus to check it against (scifact: the cited abstracts; nli4ct: the trials' sections).
        context: texts that came with it, where there is no corpus.
        ratings: each rater's own word, in the raters' order.
        question, answer: what it was said in reply to, and in.
    """

    id: str
    claim: str
    split: str = ""
    label: Label | None = None
    raw_label: str = ""
    items: tuple[str, ...] = ()
    evidence: tuple[EvidenceSentence, ...] = ()
    context: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    question: str = ""
    answer: str = ""
    group: str = ""
    lang: str = "en"
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class SpoiltNote:
    """A note in which at most one sentence was made wrong.

    Attributes:
        sentences: the note in the data set's own numbered units.
        wrong_sentence: position (from 0) in `sentences`, or None when nothing is wrong or the position does not hold.
        wrong, corrected: the sentence as it stands and as it should be; empty when nothing is wrong.
    """

    id: str
    text: str
    sentences: tuple[str, ...]
    spoilt: bool
    split: str = ""
    wrong_sentence: int | None = None
    wrong: str = ""
    corrected: str = ""
    kind: str = ""
    cluster: str = ""


Row = CorpusItem | Case | Claim | SpoiltNote


def cluster_of(row: Case | Claim | SpoiltNote) -> str:
    """What a resampling draws together: the cluster, else the patient, else the row itself."""
    return row.cluster or getattr(row, "patient_id", "") or row.id
