"""The page of a run: records, contexts, answers, hand labels, single cases, and how it was made."""

from __future__ import annotations

from chartcite.lab.experiment.report.document import document
from chartcite.lab.experiment.report.html import Markup, folded, number, section, spanned, table, tag
from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.long_context.report.answers import answers
from chartcite.lab.studies.long_context.report.contexts import contexts, records
from chartcite.lab.studies.long_context.report.made import made
from chartcite.lab.studies.long_context.report.metrics import metrics
from chartcite.lab.studies.long_context.report.rows import Rows
from chartcite.lab.studies.long_context.sheet import CATEGORIES
from chartcite.lab.studies.long_context.tables import AnsweredRow

MOST_CASES = 60
_QUESTION_CHARS = 200


def page(ctx: Context) -> str:
    """One HTML document, complete in itself."""
    rows = Rows(ctx)
    parts = {
        "Records": records(rows), "Contexts": contexts(rows), "Answers": answers(rows), "Metrics": metrics(rows),
        "Categories": categories(rows), "Cases": cases(rows), "How it was made": made(rows),
    }  # fmt: skip
    return document(rows.spec.name, _top(rows), parts)


def _top(rows: Rows) -> Markup:
    data = rows.manifest["data"]
    split = f" {rows.spec.data.split}" if rows.spec.data.split else ""
    lead = (
        f"{data['dataset']}{split}: {data['cases']:,} of {data['cases_available']:,} cases on {len(rows.records):,} "
        f"records with {len(rows.notes):,} notes; {len(rows.options.notes)} note settings, {len(rows.strategies)} "
        "strategies."
    )
    source = ". ".join(part for part in (data["paper"], f"Licence: {data['licence']}", data["note"]) if part)
    return tag("header", tag("h1", rows.spec.name), tag("p", lead, class_="lead"), tag("p", source, class_="note"))


def categories(rows: Rows) -> Markup:
    """Which of two systems people found better, by category of question."""
    sheet = rows.options.sheet
    if not sheet.first:
        return Markup("")
    says = f"{sheet.first} (first) and {sheet.second} (second), open questions, all notes included"
    if not rows.categories:
        note = tag("p", f"sheet.csv holds questions with the answers of {says}, to be labelled by a person.")
        return section("Categories", note, anchor="categories")
    body = [
        [r.category, CATEGORIES.get(r.category, ""), *(number(n) for n in (r.n, r.first, r.second, r.both, r.neither)),
         spanned(r.first_share, r.low, r.high, r.reason)]
        for r in rows.categories
    ]  # fmt: skip
    notes = "; ".join(f"{r.category}: {r.reason}" for r in rows.categories if r.reason)
    return section(
        "Categories", tag("p", f"Labelled by hand, blinded: {says}."),
        table(["Category", "What", "n", "First better", "Second better", "Both", "Neither", "First, of those"],
              body, left=2),
        tag("p", notes, class_="note") if notes else "", anchor="categories",
    )  # fmt: skip


def cases(rows: Rows) -> Markup:
    """What was answered, for the first cases."""
    by_case: dict[str, list[AnsweredRow]] = {}
    for row in rows.answers:
        by_case.setdefault(row.case_id, []).append(row)
    shown = [case for case in rows.cases if case.id in by_case][:MOST_CASES]
    return section("Cases", *(
        folded(
            f"{case.id}: {case.question[:_QUESTION_CHARS]}",
            tag("p", "Reference: ", " / ".join(case.references) or "the record does not say", class_="note"),
            table(["Notes", "Strategy", "By", "Form", "Answer"], [
                [r.notes, r.strategy, r.answerer, r.form,
                 f"{r.choice}. {r.text}" if r.choice else r.text or tag("span", f"none: {r.reason}", class_="soft")]
                for r in by_case[case.id]
            ], left=5),
        )
        for case in shown
    ), anchor="cases")  # fmt: skip
