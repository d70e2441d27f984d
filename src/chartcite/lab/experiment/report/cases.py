"""The section on single cases: where each strategy found the first relevant item, and what it answered."""

from __future__ import annotations

from chartcite.lab.cases import Case
from chartcite.lab.experiment.report.html import Markup, join, number, section, table, tag
from chartcite.lab.experiment.report.rows import Rows
from chartcite.lab.experiment.tables import AnswerRow, ValueRow, VerifyRow

MOST = 200
_QUESTION_CHARS = 300


def cases(rows: Rows) -> Markup:
    """The first cases; all of them are in the tables."""
    shown = rows.cases[:MOST]
    found = _Found(rows)
    rest = f" The first {MOST} of {len(rows.cases):,}; all are in the run's tables." if len(rows.cases) > MOST else ""
    note = "Behind each question, the rank of its first relevant item by strategy, in the order of the tables above."
    return section(
        "Cases", tag("p", note + rest, class_="note"), *(_case(case, rows, found) for case in shown), anchor="cases"
    )


class _Found:
    """Rows by case."""

    def __init__(self, rows: Rows) -> None:
        relevant = {case.id: {r.item_id for r in case.relevant if r.grade > 0} for case in rows.cases}
        self.first: dict[tuple[str, str], int] = {}
        for r in rows.retrieved:
            if r.rank is not None and r.item_id in relevant.get(r.case_id, ()):
                key = (r.strategy, r.case_id)
                self.first[key] = min(r.rank, self.first.get(key, r.rank))
        self.answers: dict[tuple[str, str], list[AnswerRow]] = {}
        for a in rows.answers:
            self.answers.setdefault((a.strategy, a.case_id), []).append(a)
        self.verified: dict[tuple[str, str, int], list[VerifyRow]] = {}
        for v in rows.verified:
            self.verified.setdefault((v.strategy, v.case_id, v.sentence), []).append(v)
        self.values: dict[str, list[ValueRow]] = {}
        for value in rows.values:
            self.values.setdefault(value.case_id, []).append(value)


def _case(case: Case, rows: Rows, found: _Found) -> Markup:
    question = case.question if len(case.question) <= _QUESTION_CHARS else f"{case.question[:_QUESTION_CHARS]}…"
    ranks = [str(found.first.get((s, case.id), "–")) for s in rows.strategies]
    head = join([
        tag("b", case.id), " ", question, " ",
        tag("span", " · ".join(ranks) + (f" · {case.group}" if case.group else ""), class_="ranks"),
    ])  # fmt: skip
    said = [part for s in rows.strategies for part in _answer(s, found.answers.get((s, case.id), []), found)]
    return tag("details", tag("summary", head), _values(case, rows, found), *said, class_="case")


def _values(case: Case, rows: Rows, found: _Found) -> Markup:
    own = found.values.get(case.id, [])
    measures = list(dict.fromkeys((v.measure, v.by) for v in own))
    by = {(v.strategy, v.measure, v.by): v for v in own}

    def cell(strategy: str, measure: tuple[str, str]) -> Markup:
        v = by.get((strategy, *measure))
        return number(v.value, 2, v.reason) if v else number(None)

    titles = {(m, who): f"{m} ({who})" if who else m for m, who in measures}
    return table(["Measure", *rows.strategies], [[titles[m], *(cell(s, m) for s in rows.strategies)] for m in measures])


def _answer(strategy: str, sentences: list[AnswerRow], found: _Found) -> list[Markup]:
    if not sentences:
        return []
    if sentences[0].abstained:
        return [tag("p", tag("b", strategy), ": no answer (", sentences[0].reason, ")")]
    parts = [tag("p", tag("b", strategy))]
    for a in sentences:
        sources = ", ".join(dict.fromkeys(c.doc_id for c in a.citations))
        judged = found.verified.get((a.strategy, a.case_id, a.sentence), [])
        marks = [m for v in judged for m in (" ", _mark(v))]
        parts.append(tag("blockquote", a.text, " ", tag("span", f"[{sources}]", *marks, class_="ranks")))
    return parts


def _mark(v: VerifyRow) -> Markup:
    words = {True: ("yes", "✓"), False: ("no", "✗"), None: ("none", "–")}
    style, sign = words[v.supported]
    return tag("span", f"{v.verifier} {sign}", class_=style, title=v.reason)
