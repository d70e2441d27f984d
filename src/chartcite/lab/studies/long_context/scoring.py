"""Measures of one system's answers, case by case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chartcite.lab.cases import Case
from chartcite.lab.experiment.metric_names import metric_of
from chartcite.lab.squad import normalised
from chartcite.lab.studies.long_context.located import NOTHING_LOCATED, Slice, parts_of, touched
from chartcite.lab.studies.long_context.systems import NO_WRITER
from chartcite.lab.studies.long_context.tables import AnsweredRow, ScoreRow, System

ANSWERED = "answered"
ACCURACY = "accuracy"
STATED = "reference_stated"
CITED = "evidence_cited"
ABSENCE = "absence"
MEASURES: Mapping[str, str] = {
    ANSWERED: "cases with an answer, right or wrong",
    ACCURACY: "multiple choice: the right option was chosen; no choice is wrong",
    STATED: "a reference answer stands in the answer word for word, after SQuAD's normalisation",
    CITED: "parts of the answer whose place in the record the citations touch, of those that the data set locates",
    ABSENCE: "of the questions that the record does not answer: no answer was given",
}
"""Measures of this study's own, beside the metrics that the experiment names."""
_NO_CITATIONS = "a direct answer cites nothing"


def scores(
    system: System, cases: Sequence[Case], rows: Mapping[str, AnsweredRow], metrics: Sequence[str]
) -> Iterator[ScoreRow]:
    """All measures of a system.

    Args:
        system: whose answers.
        cases: those it was asked.
        rows: its answers by case.
        metrics: names of metrics of texts; for the open and the span form.
    """
    if rows and all(row.reason == NO_WRITER for row in rows.values()):
        for measure in (ANSWERED, ACCURACY) if system.form == "choice" else (ANSWERED, *metrics):
            yield from (ScoreRow(*system, case.id, measure, "", None, NO_WRITER) for case in cases)
        return
    for case in cases:
        row = rows[case.id]
        yield ScoreRow(*system, case.id, ANSWERED, "", float(not row.abstained))
        if system.form == "choice":
            yield ScoreRow(*system, case.id, ACCURACY, "", float(row.choice == case.label))
        elif not case.answerable:
            yield ScoreRow(*system, case.id, ABSENCE, "", float(row.abstained))
        elif case.references:
            yield ScoreRow(*system, case.id, STATED, "", float(_states(row.text, case.references)))
        if case.answerable:
            yield _cited(system, case, row)
    if system.form != "choice":
        yield from _texts(system, [c for c in cases if c.answerable and c.references], rows, metrics)


def _texts(
    system: System, cases: Sequence[Case], rows: Mapping[str, AnsweredRow], metrics: Sequence[str]
) -> Iterator[ScoreRow]:
    gold = {case.id: case.references for case in cases}
    said = {case.id: rows[case.id].text for case in cases if not rows[case.id].abstained}
    for name in metrics:
        for value in metric_of(name).measure(gold, said).values:
            yield ScoreRow(*system, value.case_id, value.measure, "", value.value, value.reason)


def _cited(system: System, case: Case, row: AnsweredRow) -> ScoreRow:
    parts = len(parts_of(case))
    if system.answerer == "direct" or not parts:
        why = _NO_CITATIONS if system.answerer == "direct" else NOTHING_LOCATED
        return ScoreRow(*system, case.id, CITED, "", None, why)
    found = touched(case, [Slice(c.doc_id, c.start, c.end) for c in row.citations])
    return ScoreRow(*system, case.id, CITED, "", found / parts)


def _states(text: str, references: Sequence[str]) -> bool:
    said = f" {normalised(text)} "
    return any(f" {normalised(r)} " in said for r in references if normalised(r))
