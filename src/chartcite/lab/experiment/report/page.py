"""The page of a run: what was done, what came of it, and what that is worth."""

from __future__ import annotations

from chartcite.lab.experiment.report import answers, cases, provenance, retrieval
from chartcite.lab.experiment.report.document import document
from chartcite.lab.experiment.report.html import Markup, tag
from chartcite.lab.experiment.report.rows import Rows
from chartcite.lab.experiment.stage import Context


def page(ctx: Context) -> str:
    """One HTML document, complete in itself."""
    rows = Rows(ctx)
    parts = {
        "Retrieval": retrieval.retrieval(rows), "Complementarity": retrieval.complementarity(rows),
        "Paired tests": retrieval.paired(rows), "Answers": answers.answers(rows), "Claims": answers.claims(rows),
        "Annotators": answers.annotators(rows), "Cases": cases.cases(rows), "How it was made": provenance.made(rows),
        "Every figure": provenance.every_figure(rows),
    }  # fmt: skip
    return document(rows.spec.name, _top(rows), parts)


def _top(rows: Rows) -> Markup:
    data = rows.manifest["data"]
    asked = rows.spec.data
    limits = []
    if data["cases"] < data["cases_available"]:
        limits.append(f"{data['cases']:,} of {data['cases_available']:,} cases were taken, evenly spaced")
    answered = len({r.case_id for r in rows.answers})
    if 0 < answered < data["cases"]:
        limits.append(f"{answered:,} of them were answered too")
    if asked.corpus_limit:
        limits.append(f"the pool is {data['items']:,} items, a part of the data set's: finding is easier than in all")
    if data["documents"] < data["items"]:
        limits.append(f"{data['items'] - data['documents']:,} items of the pool could not be used")
    if data.get("relevant_missing"):
        limits.append(f"{data['relevant_missing']:,} relevant items are not in the pool and cannot be found")
    said = "; ".join(limits)
    preset = f", preset {rows.spec.preset}" if rows.spec.preset else ""
    lead = (f"{data['dataset']}{' ' + asked.split if asked.split else ''}: {data['cases']:,} cases in "
            f"{data['clusters']:,} clusters, {data['documents']:,} documents searched, {len(rows.strategies)} "
            f"strategies{preset}.")  # fmt: skip
    source = ". ".join(part for part in (data["paper"], f"Licence: {data['licence']}", data["note"]) if part)
    return tag(
        "header", tag("h1", rows.spec.name), tag("p", lead, class_="lead"), tag("p", source, class_="note"),
        tag("p", f"{said[:1].upper()}{said[1:]}.", class_="warn") if said else "", _glance(rows),
    )  # fmt: skip


def _glance(rows: Rows) -> Markup:
    """The main findings in sentences, each with its numbers."""
    said = []
    for r in rows.mcnemar[:1]:
        verdict = "a difference" if r.p is not None and r.p < 1 - rows.spec.statistics.level else "no difference shown"
        p = "" if r.p is None else f"p < 0.001, {verdict}" if r.p < 0.001 else f"p = {r.p:.3f}, {verdict}"
        said.append(
            f"{r.first} and {r.second} both solve {r.both:,} of {r.n:,} cases; {r.only_first:,} only {r.first}, "
            f"{r.only_second:,} only {r.second}, {r.neither:,} neither ({r.measure}; McNemar {p})."
        )
    significant = [r for r in rows.pairs if r.rejected]
    tests = rows.pairs[0].tests if rows.pairs else 0
    if tests:
        said.append(f"{len(significant)} of {tests} paired tests remain after Holm's correction.")
    return tag("ul", *(tag("li", s) for s in said)) if said else Markup("")
