"""Tools: what the corridor from question to answer is given, engines and the settings that shape an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chartcite.core.calibration import JudgeCalibration
from chartcite.core.chat import ChatModel
from chartcite.core.listener import Listener
from chartcite.core.neural import Encoder, Reranker, SparseEncoder
from chartcite.core.retrieval import SearchSettings
from chartcite.retrieval.crosslingual import Crossing
from chartcite.retrieval.method import Method


@dataclass(frozen=True, slots=True)
class ByModel:
    """What a model does in place of the rules, and how it is asked.

    Attributes:
        stages: of `interpret`, `score`, `write` and `align`, those that it does.
        examples: invented examples in each prompt.
        temperature: where runs do not vote.
        votes: how often alignment is asked, each run with a seed of its own.
        votes_needed: runs that must have a link.
        vote_temperature: of runs that vote.
        sees_record: whether it is shown the notes around the evidence when it writes.
        drafts: drafts whose sources become the evidence before it writes; 0: none.
        score_most: sentences that it grades for one question, the best by the rules first.
    """

    stages: frozenset[str] = frozenset()
    examples: int = 3
    temperature: float = 0.0
    score_most: int = 200
    votes: int = 1
    votes_needed: int = 1
    vote_temperature: float = 0.7
    sees_record: bool = False
    drafts: int = 0


@dataclass(frozen=True, slots=True)
class Tools:
    """What the corridor is given.

    Attributes:
        writer: the model of the stages; None: the rules do everything.
        by_model: what it does.
        query_from: what is searched and shown to a model: `interpreted`, the person's own words (`raw`), or `both`.
        judge: the model that judges what is shown; None: nobody does.
        judge_record: what that judge was found to be worth; None: it is uncalibrated.
        listener: is told how far the question is; None: nobody listens.
        over_time: whether a question about time is answered from the record's timeline.
        across: from the question's language to that of the record, where it is another.
        readings: text to index terms, one a language of the record; empty: `analyse` alone.
    """

    encoder: Encoder
    reranker: Callable[[], Reranker]
    analyse: Callable[[str], Sequence[str]]
    query_terms: Callable[[str], Mapping[str, float]]
    method: Method
    search: SearchSettings
    answer_words: int
    order: str
    per_document: int
    skip_retrieval_sentences: int
    config: Callable[[], str]
    as_of: str | None = None
    writer: ChatModel | None = None
    judge: ChatModel | None = None
    judge_record: JudgeCalibration | None = None
    sparse: SparseEncoder | None = None
    by_model: ByModel = ByModel()
    query_from: str = "both"
    listener: Listener | None = None
    over_time: bool = True
    readings: Sequence[Callable[[str], Sequence[str]]] = ()
    across: Crossing | None = None

    @property
    def spoken(self) -> Callable[[str], str] | None:
        """A query to what the encoder is given; None: the query itself."""
        return self.across.spoken if self.across else None

    def model(self, stage: str) -> ChatModel | None:
        """The model of a stage; None where the rules do it."""
        return self.writer if stage in self.by_model.stages else None
