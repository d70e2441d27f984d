"""What metrics are given: rankings, cited sentences and texts of one strategy, and the gold beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartcite.lab.cases import Case
from chartcite.lab.dataset import qrels_of
from chartcite.lab.experiment.stage import Context
from chartcite.lab.experiment.stages.answer import asked
from chartcite.lab.experiment.tables import AnswerRow, RetrievedRow, VerifyRow
from chartcite.lab.metrics.citation import CitedSentence
from chartcite.lab.sari import Revision


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One metric's input for one strategy. `reason`: why there is none."""

    gold: Mapping[str, Any]
    predicted: Mapping[str, Any]
    reason: str = ""


class Scores:
    """The saved rows of a run, by strategy."""

    def __init__(self, ctx: Context) -> None:
        self.cases: tuple[Case, ...] = ctx.cases
        self._asked = asked(ctx)
        self._retrieved = ctx.rows("retrieve", RetrievedRow)
        self._answers = ctx.rows("answer", AnswerRow)
        self._verified = ctx.rows("verify", VerifyRow)
        self._depth = ctx.spec.depth

    def ranking(self, strategy: str) -> Evaluated:
        """Judgements and rankings. Scores are made from ranks: the order that was given is the order that counts."""
        predicted: dict[str, dict[str, float]] = {}
        for row in self._retrieved:
            if row.strategy == strategy and row.rank is not None:
                predicted.setdefault(row.case_id, {})[row.item_id] = float(self._depth + 1 - row.rank)
        gold = qrels_of(self.cases)
        return Evaluated(gold, predicted, "" if gold else "the data set judges no item")

    def citations(self, strategy: str, verifier: str) -> Evaluated:
        """Who is asked, and the answers' sentences as one verifier sees them; abstentions are answers without any."""
        found: dict[str, list[VerifyRow]] = {}
        for row in self._verified:
            if (row.strategy, row.verifier) == (strategy, verifier):
                found.setdefault(row.case_id, []).append(row)
        gold = {case.id: None for case in self._asked if verifier != "gold" or case.relevant}
        judged = [r for rows in found.values() for r in rows]
        if not gold:
            return Evaluated({}, {}, "no answers were asked for")
        if judged and all(r.supported is None for r in judged):
            return Evaluated({}, {}, judged[0].reason)
        unjudged = {case for case, rows in found.items() if any(r.supported is None for r in rows)}
        unjudged |= self._rightly_silent(strategy)
        predicted: dict[str, list[CitedSentence]] = {
            row.case_id: [] for row in self._of(strategy) if row.case_id not in unjudged
        }
        for case, rows in found.items():
            if case not in unjudged:
                predicted[case] = [CitedSentence(bool(r.supported), tuple(map(bool, r.supports))) for r in rows]
        kept = {case: value for case, value in gold.items() if case not in unjudged}
        return Evaluated(kept, predicted, "" if kept else "no case could be judged")

    def texts(self, strategy: str) -> Evaluated:
        """Reference answers and answer texts; an abstention is no prediction."""
        gold = {case.id: case.references for case in self._asked if case.references}
        said: dict[str, list[str]] = {}
        for row in self._of(strategy):
            if row.sentence:
                said.setdefault(row.case_id, []).append(row.text)
        if not gold:
            why = "there are no reference answers" if self._asked else "no answers were asked for"
            return Evaluated({}, {}, why)
        return Evaluated(gold, {case: " ".join(parts) for case, parts in said.items()})

    def revisions(self, strategy: str) -> Evaluated:
        """As `texts`, the gold with its source: the message that the question came in, or the question."""
        texts = self.texts(strategy)
        sources = {case.id: case.narrative or case.question for case in self.cases}
        gold = {case: Revision(sources[case], tuple(references)) for case, references in texts.gold.items()}
        return Evaluated(gold, texts.predicted, texts.reason)

    def answered(self, strategy: str) -> dict[str, float]:
        """By case that was asked: 1 if there is an answer, 0 for an abstention."""
        answered = {row.case_id for row in self._of(strategy) if row.sentence}
        return {case.id: float(case.id in answered) for case in self._asked}

    def _rightly_silent(self, strategy: str) -> set[str]:
        """Abstentions where the data set, which judges items, knows no relevant one: there was nothing to cite."""
        if not any(case.relevant for case in self.cases):
            return set()
        silent = {row.case_id for row in self._of(strategy) if row.abstained}
        return {case.id for case in self._asked if not any(r.grade > 0 for r in case.relevant)} & silent

    def _of(self, strategy: str) -> Sequence[AnswerRow]:
        return [row for row in self._answers if row.strategy == strategy]
