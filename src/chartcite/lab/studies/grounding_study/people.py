"""What people's sheets say: their own shares, how far two of them agree, and how far the judges agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.statistics.cohen_kappa import Kappa
from chartcite.lab.studies.grounding_study.annotation import APPROPRIATE, SUPPORTED, Filled, Labels, between, share
from chartcite.lab.studies.grounding_study.stages.judge import NOTHING_CITED
from chartcite.lab.studies.grounding_study.tables import JudgedRow

Key = Mapping[str, Sequence[tuple[str, str, int]]]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """How many of the answered items got a yes, with Wilson's interval."""

    sheet: str
    question: str
    yes: int
    n: int
    value: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Agreement of two people, or of a judge (strict citation) and a person."""

    first: str
    second: str
    question: str
    n: int
    agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    ac1: float | None
    reason: str = ""


def agreements(filled: Sequence[Filled], key: Key, folder: RunFolder) -> dict[str, list[Any]]:
    """Rows `shares`, `people` and `judges`; a judge has one verdict an item only where its claims all got the same."""
    shares = [_share(sheet, question) for sheet in filled for question in (SUPPORTED, APPROPRIATE)]
    people = [
        _row(first.name, second.name, question, between(first.answers[question], second.answers[question]))
        for first, second in pairwise(filled)
        for question in (SUPPORTED, APPROPRIATE)
    ]
    verdicts = _verdicts(key, folder.read_table("judge", "", JudgedRow))
    judges = [
        _row(f"judge {judge}", sheet.name, SUPPORTED, between(said, sheet.answers[SUPPORTED]))
        for judge, said in verdicts.items()
        for sheet in filled
    ]
    return {"shares": shares, "people": people, "judges": judges}


def _verdicts(key: Key, rows: Sequence[JudgedRow]) -> dict[str, Labels]:
    """By judge and item, on what people saw: what the claim cites, or all that was given if it cites nothing."""
    cited = {(r.judge, r.strategy, r.query_id, r.claim): r for r in rows if r.against == "cited"}
    given = {(r.judge, r.strategy, r.query_id, r.claim): r for r in rows if r.against == "given"}
    found: dict[str, Labels] = {}
    for judge in dict.fromkeys(r.judge for r in rows):
        own = found.setdefault(judge, {})
        for item, claims in key.items():
            said = {_said(cited.get((judge, *claim)), given.get((judge, *claim))) for claim in claims}
            own[item] = said.pop() if len(said) == 1 else None
    return found


def _said(cited: JudgedRow | None, given: JudgedRow | None) -> bool | None:
    row = given if cited is None or cited.reason == NOTHING_CITED else cited
    return row.supported if row else None


def _share(sheet: Filled, question: str) -> PersonRow:
    p = share(sheet, question)
    return PersonRow(sheet.name, question, p.successes, p.n, p.value, p.low, p.high, p.reason)


def _row(first: str, second: str, question: str, k: Kappa) -> AgreementRow:
    return AgreementRow(
        first, second, question, k.n, k.observed_agreement, k.kappa, k.low, k.high, k.ac1, k.reason
    )  # fmt: skip
