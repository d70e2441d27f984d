"""The page of a run."""

from __future__ import annotations

from chartcite.lab.experiment.report.document import document
from chartcite.lab.experiment.report.html import Markup, folded, number, section, table, tag
from chartcite.lab.experiment.spec import LIMITS_ONLY
from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.grounding_study.annotation import KEY, SHEET
from chartcite.lab.studies.grounding_study.measured_judges import ALL_FALSE, ALL_TRUE
from chartcite.lab.studies.grounding_study.report import judged, tables
from chartcite.lab.studies.grounding_study.report.rows import Rows
from chartcite.library.settings import Settings


def page(ctx: Context) -> str:
    """One HTML document, complete in itself."""
    rows = Rows(ctx)
    parts = {
        "Found": tables.retrieval(rows), "Grounding": judged.grounding(rows), "Judges": judged.judges(rows),
        "Table I": tables.overall(rows), "Table II": tables.sources(rows), "Table III": tables.reranking(rows),
        "Table IV": tables.scores(rows), "Table V": tables.times(rows), "Paired tests": tables.paired(rows),
        "Answers": judged.answers(rows), "How it was made": _made(rows),
    }  # fmt: skip
    return document(rows.spec.name, _top(rows), parts)


def _top(rows: Rows) -> Markup:
    data = rows.manifest["data"]
    lead = (f"{data['documents']:,} PDFs of {data['pages']:,} pages in {data['chunks']:,} chunks, {data['queries']:,} "
            f"queries ({data['unanswerable']:,} of them known to have no answer there), {len(rows.strategies)} "
            "strategies.")  # fmt: skip
    return tag(
        "header", tag("h1", rows.spec.name), tag("p", lead, class_="lead"),
        tag("p", "Paper 003's evaluation, with what it leaves open: strict citation, judges measured on planted claims,"
            " baselines on the same queries, intervals.", class_="note"),
        tag("p", data["reading"], class_="warn") if data["reading"] else "", _glance(rows),
    )  # fmt: skip


def _glance(rows: Rows) -> Markup:
    said = []
    name = rows.strategies[0]
    for judge in rows.judges:
        own = [
            r
            for r in rows.grounding
            if (r.strategy, r.judge, r.level) == (name, judge, "claim") and r.value is not None
        ]
        shares = ", ".join(f"{r.supported:.0f} of {r.n} against what is {r.against}" for r in own)
        kinds = {r.kind: r for r in rows.judged_kinds if r.judge == judge and r.value is not None}
        worth = (f"; of planted claims it accepts {kinds[ALL_TRUE].right} of {kinds[ALL_TRUE].n} true ones and rejects "
                 f"{kinds[ALL_FALSE].right} of {kinds[ALL_FALSE].n} false ones"
                 if {ALL_TRUE, ALL_FALSE} <= set(kinds) else "")  # fmt: skip
        if shares:
            said.append(f"{name}, judge {judge}: supported {shares}{worth}.")
    return tag("ul", *(tag("li", s) for s in said)) if said else Markup("")


def _made(rows: Rows) -> Markup:
    manifest = rows.manifest
    stages = manifest["stages"]
    facts = {
        "Run": rows.folder, "Specification": manifest["spec_sha256"],
        "Encoders": ", ".join(manifest["models"].get("encoders", [])),
        "Cross-encoders": ", ".join(manifest["models"].get("rerankers", [])) or "none used",
        "Writers": ", ".join(sorted({a.by for s in rows.strategies for a in rows.answers_of(s) if a.by})),
        "Judges": ", ".join(manifest["models"].get("judges", [])), "Seed": rows.how.seed,
        "Sheet for people": f"{SHEET}, its key {KEY}; chartcite lab annotations reads it back",
        "Options": ", ".join(f"{k} {v}" for k, v in rows.options.model_dump().items()),
    }  # fmt: skip
    return section(
        "How it was made",
        table(["Strategy", "Settings that differ from the defaults"], _differences(rows), left=2),
        tag("dl", *(part for name, value in facts.items() for part in (tag("dt", name), tag("dd", value)))),
        folded("Documents", table(["PDF", "Title", "Pages", "Characters", "Chunks"], [
            [d.source, d.title, number(d.pages), number(d.characters), number(d.chunks)] for d in rows.documents
        ], left=2)),
        folded("Stages", table(["Stage", "Units", "Started", "Finished", "Taken from"], [
            [name, number(s.get("units", 0)), s.get("started", ""), s.get("finished", ""), s.get("taken_from", "")]
            for name, s in stages.items() if s.get("finished")
        ])),
        anchor="made",
    )  # fmt: skip


def _differences(rows: Rows) -> list[list[object]]:
    default = Settings()
    return [
        [s.name, ", ".join(
            f"{name} {value}" for name, value in s.settings.model_dump(mode="json").items()
            if name not in LIMITS_ONLY and value != getattr(default, name) and not name.endswith("_key")
        ) or "none"]
        for s in rows.spec.strategies
    ]  # fmt: skip
