"""The answer and its parts: one object for every door. `Answer.to_dict` is the schema `chartcite.answer/1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from chartcite.core.chat import Usage
from chartcite.core.copies import AlsoIn
from chartcite.core.documents import Bibliography
from chartcite.core.layout import PageBox
from chartcite.core.presence import Presence
from chartcite.core.scope import Scope

SCHEMA = "chartcite.answer/1"

UNSURE_OCR = 0.9
"""Below it, a word that was read from an image is told as unsure (docs/ocr.md says what that finds, and what not)."""
Kept = Literal[
    "strict", "lenient", "fallback", "correction", "neighbour", "stated", "timeline", "presence", "given", "cited"
]
VerdictWord = Literal["supported", "contradicted", "unsupported"]
Reason = Literal["empty_record", "not_mentioned", "weak_evidence", "not_verified", "nothing_then"]
"""`nothing_then`: the record has it, but not of the time asked about; the evidence is what it has."""
Audience = Literal["clinician", "patient"]
QuestionKind = Literal["fact", "latest", "first", "absence"]
Lang = Literal["en", "pt"]
Identity = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a question asks for.

    Attributes:
        query: at most 15 words; retrieval uses it.
        kind: which rule orders the evidence.
        focus: the words an answer cannot do without, in the order of the question.
        wants_number: asks for a dose, level, count or date.
        period: the start of an ISO date in which the question asks (`2021`, `2021-06`, `2021-06-14`), or empty.
        is_open_range: the question names a time only as the begin or end of a longer one (`since 2015`).
        story: the message or narrative around the question, its spelling mended; searched beside the query.
        other_questions: how many more questions were asked in one breath.
        readings: misspelt words as written, and as they were read.
        said: the question with its narrative in the person's own words, where the query is not all of it.
        lang: the language it is asked in.
    """

    query: str
    kind: QuestionKind = "fact"
    focus: tuple[str, ...] = ()
    wants_number: bool = False
    period: str = ""
    is_open_range: bool = False
    story: str = ""
    other_questions: int = 0
    readings: tuple[tuple[str, str], ...] = ()
    said: str = ""
    lang: Lang = "en"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the record with its relevance 1-5 and why it was kept.

    `start` and `end` may begin at the header that stands on the sentence's own line, so that the quote is complete.
    `key` is the store's number of the document; `same_text` counts further documents with equal text; `is_item` marks
    a list item, whose marker is not part of what it says.
    """

    key: int
    doc_id: str
    sentence: int
    start: int
    end: int
    quote: str
    sort_key: str
    relevance: int
    probability: float
    kept: Kept | None = None
    section: tuple[str, ...] = ()
    same_text: int = 0
    is_item: bool = False


@dataclass(frozen=True, slots=True)
class TableHead:
    """The line that names the columns of a cited row: `quote` is the document's `text[start:end]`.

    It begins at the column of the page at which the row begins, and so may begin with blanks. `columns` are the cells
    of the row, each behind what its column is called, as written.
    """

    start: int
    end: int
    quote: str
    columns: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        columns = [list(pair) for pair in self.columns]
        return {"start": self.start, "end": self.end, "quote": self.quote, "columns": columns}


@dataclass(frozen=True, slots=True)
class Citation:
    """Where an answer sentence comes from. Its identity is (doc_id, start, end, sha256 of the text, quote).

    `head` of a table's row names its columns: without it nobody knows of which day a number is.
    """

    doc_id: str
    sentence: int
    start: int
    end: int
    quote: str
    title: str
    note_type: str
    time: str | None
    page: int | None
    sha256: str
    section: tuple[str, ...] = ()
    same_text: int = 0
    bibliography: Bibliography = field(default_factory=Bibliography)
    boxes: tuple[PageBox, ...] = ()
    also_in: AlsoIn | None = None
    head: TableHead | None = None
    ocr_confidence: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form.

        Only where there is more to say: `boxes` (pages with places), `also_in` (copies), `head` (a table's row),
        `ocr_confidence` (text read from an image: that of its least sure word).
        """
        head = {"head": self.head.to_dict()} if self.head else {}
        places: dict[str, Any] = {"boxes": [box.to_dict() for box in self.boxes]} if self.boxes else {}
        if self.ocr_confidence is not None:
            places["ocr_confidence"] = self.ocr_confidence
        return {
            "doc_id": self.doc_id, "sentence": self.sentence, "start": self.start, "end": self.end,
            "quote": self.quote, **head, "title": self.title, "note_type": self.note_type, "time": self.time,
            "page": self.page, **places, "sha256": self.sha256, "section": list(self.section),
            "same_text": self.same_text, **({"also_in": self.also_in.to_dict()} if self.also_in else {}),
            **self.bibliography.to_dict(),
        }  # fmt: skip


def is_unsure(citation: Citation) -> bool:
    """Whether a word of its quote could hardly be read in its image."""
    return citation.ocr_confidence is not None and citation.ocr_confidence < UNSURE_OCR


@dataclass(frozen=True, slots=True)
class SourceShare:
    """What one document of a collection gave to an answer.

    Attributes:
        passages: of those retrieved.
        evidence: kept sentences.
        cited: sentences of the answer that cite it.
    """

    doc_id: str
    title: str
    bibliography: Bibliography
    passages: int
    evidence: int
    cited: int

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "doc_id": self.doc_id, "title": self.title, **self.bibliography.to_dict(), "passages": self.passages,
            "evidence": self.evidence, "cited": self.cited,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One claim with its citations and what the check said of it.

    `grounded` stays None until a model has scored it, `judged` until a judge was asked, `plain` unless it is said to a
    patient and plain words for it pass the same check.

    Attributes:
        places: (offset in the text, index in `citations`) of what bears out the words that end there; a citation
            without a place stands at the end.
        computed: the machine form of a sentence that was computed from the timeline (`cascade/over_time`); else None.
    """

    text: str
    citations: tuple[Citation, ...]
    verdict: VerdictWord = "unsupported"
    verified: bool = False
    vetoes: tuple[Mapping[str, Any], ...] = ()
    why: str = ""
    grounded: Mapping[str, Any] | None = None
    judged: Mapping[str, Any] | None = None
    plain: str | None = None
    places: tuple[tuple[int, int], ...] = ()
    computed: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; `places` and `computed` only where there are any."""
        shown: dict[str, Any] = {
            "text": self.text, "verdict": self.verdict, "verified": self.verified,
            "vetoes": [dict(v) for v in self.vetoes], "why": self.why,
            "grounded": dict(self.grounded) if self.grounded else None,
            "judged": dict(self.judged) if self.judged else None,
            "citations": [c.to_dict() for c in self.citations],
        }  # fmt: skip
        if self.places:
            shown["places"] = [{"at": at, "citation": index + 1} for at, index in self.places]
        if self.computed is not None:
            shown["computed"] = dict(self.computed)
        return shown

    def pieces(self, numbers: Mapping[Identity, int]) -> list[tuple[str, tuple[int, ...]]]:
        """The text in pieces, each with the numbers that stand right behind it; joined they are the text.

        Args:
            numbers: of each citation, by its identity.
        """
        own = [numbers[identity(c)] for c in self.citations]
        at: dict[int, list[int]] = {offset: [] for offset, _ in sorted(self.places)}
        for offset, index in self.places:
            at[offset].append(own[index])
        placed = {index for _, index in self.places}
        at.setdefault(len(self.text), []).extend(n for index, n in enumerate(own) if index not in placed)
        ends = list(at)
        return [
            (self.text[start:end], tuple(dict.fromkeys(at[end])))
            for start, end in zip([0, *ends], ends, strict=False)
            if start < end or at[end]
        ]


@dataclass(frozen=True, slots=True)
class Searched:
    """What an answer, or its absence, rests on.

    Attributes:
        passages: distinct texts.
        terms: the words looked for.
        missing: those of them that no passage has, in any form.
        undated: documents without a time.
    """

    documents: int
    passages: int
    first: str | None
    last: str | None
    terms: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    undated: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "documents": self.documents, "passages": self.passages, "first": self.first, "last": self.last,
            "terms": list(self.terms), "missing": list(self.missing), "undated": self.undated,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """Question to cited sentences, or a reason why there are none. Same input, same bytes.

    `sources` is the share of each document, most cited first. Of a collection only: a patient's record is one source.
    `llm_calls` counts what was asked of models, even where the store knew the reply; `usage` says by stage what
    it cost. `lenient` are sentences of a model that its evidence does not bear out but other sentences of the same
    notes do; they are no part of the answer, and only looked for where the writer was shown the notes. `readability`
    is measured for a patient only, of the text as shown and as quoted. `lang` is the language of the question.
    `presence` is what the record says of a thing of which it was asked whether it is there.
    """

    question: str
    query: str
    scope: Scope
    kind: QuestionKind
    sentences: tuple[AnswerSentence, ...]
    evidence: tuple[Evidence, ...]
    searched: Searched
    reason: Reason | None
    fallbacks: tuple[Mapping[str, Any], ...]
    config: str
    partition_seq: int
    as_of: str | None = None
    conflicts: tuple[Mapping[str, Any], ...] = ()
    sources: tuple[SourceShare, ...] = ()
    llm_calls: int = 0
    writer: Mapping[str, Any] | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)
    lenient: tuple[AnswerSentence, ...] = ()
    audience: Audience = "clinician"
    readability: Mapping[str, Any] | None = None
    lang: Lang = "en"
    presence: Presence | None = None

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return not self.sentences

    @property
    def text(self) -> str:
        """The sentences with their numbers, `[1]`, `[2]`, as a person reads them."""
        numbers = {identity(c): i for i, c in enumerate(self.citations, start=1)}
        return " ".join(marked(s, numbers) for s in self.sentences)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations, each once, in order of first use: number 1 is the first."""
        found = {identity(c): c for s in self.sentences for c in s.citations}
        return tuple(found.values())

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """The stable JSON form.

        `timings` adds times and what the calls cost, which differ from run to run.
        """
        shown: dict[str, Any] = {
            "schema": SCHEMA, "question": self.question, "query": self.query, "scope": self.scope.to_dict(),
            "lang": self.lang,
            "as_of": self.as_of, "abstained": self.abstained, "reason": self.reason, "kind": self.kind,
            "sentences": [s.to_dict() for s in self.sentences],
            "conflicts": [dict(c) for c in self.conflicts],
            "evidence": [
                {"doc_id": e.doc_id, "start": e.start, "end": e.end, "relevance": e.relevance, "kept": e.kept}
                for e in self.evidence
            ],
            "sources": [s.to_dict() for s in self.sources],
            "searched": self.searched.to_dict(), "fallbacks": [dict(f) for f in self.fallbacks],
            "llm_calls": self.llm_calls, "writer": dict(self.writer) if self.writer else None,
            "config": self.config, "partition_seq": self.partition_seq,
        }  # fmt: skip
        if self.presence is not None:
            shown["presence"] = self.presence.to_dict()
        if self.lenient:
            shown["lenient"] = [s.to_dict() for s in self.lenient]
        if self.audience == "patient":
            shown["audience"] = self.audience
            shown["readability"] = dict(self.readability or {})
            for sentence, said in zip(shown["sentences"], self.sentences, strict=True):
                sentence["plain"] = said.plain
        if timings:
            shown["timings_ms"] = dict(self.timings_ms)
            shown["usage"] = {stage: used.to_dict() for stage, used in self.usage.items()}
        return shown


def marked(sentence: AnswerSentence, numbers: Mapping[Identity, int]) -> str:
    """The sentence with the numbers of its citations: `... from 1.1 mg/dL (2018-03-02) [1] to ...`."""
    return "".join(
        piece + (f" {''.join(f'[{n}]' for n in own)}" if own else "") for piece, own in sentence.pieces(numbers)
    )


def identity(citation: Citation) -> Identity:
    """What makes two citations the same one."""
    return citation.doc_id, citation.start, citation.end, citation.sha256
