"""Tables I to V of the paper for each strategy, and the paired tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chartcite.lab.experiment.report.charts import metric_bars
from chartcite.lab.experiment.report.html import Markup, folded, number, p_value, section, spanned, table, tag
from chartcite.lab.experiment.tables import SummaryRow
from chartcite.lab.studies.grounding_study.report.rows import Rows
from chartcite.lab.studies.grounding_study.tables import OverallRow

_STAGES = {
    "corpus": "Reading, chunking and encoding the PDFs", "retrieve": "Retrieval of candidates",
    "rerank": "Duplicates out and reranking", "answer": "Answers from the chunks given", "claims": "Claims",
    "plant": "Planting claims", "judge": "Judging", "measure": "Figures", "compare": "Paired tests",
}  # fmt: skip


def overall(rows: Rows) -> Markup:
    """Table I."""
    first = [r for r in rows.overall if (r.judge, r.against) == rows.judged_ways[0]]
    body = [
        [r.strategy, number(r.queries), number(r.chunks), number(r.chunks_mean, 1), number(r.given_mean, 1),
         number(r.claims), number(r.claims_mean, 1), f"{r.claims_min} to {r.claims_max}", number(r.removed)]
        for r in first
    ]  # fmt: skip
    head = ["Strategy", "Queries", "Chunks kept", "a query", "given a query", "Claims", "a query", "range", "Removed"]
    removed = Counter((row.strategy, row.why) for name in rows.strategies for row in rows.removed_of(name))
    left_out = [[name, why, number(n)] for (name, why), n in removed.items()]
    return section(
        "Table I: claims",
        table(head, body, caption="A claim is one sentence of an answer."),
        tag("p", "Removed before counting are fragments, headings, table rows and sentences that say there is no "
            "answer. Leaving them out makes every share below look better than it is.", class_="note"),
        table(["Strategy", "Removed", "Pieces"], left_out, left=2) if left_out else "",
        folded("Supported claims, as the paper counts them", _accuracy(rows)),
        anchor="table-i",
    )  # fmt: skip


def _accuracy(rows: Rows) -> Markup:
    def line(r: OverallRow) -> Sequence[object]:
        return [
            r.strategy, r.judge, _AGAINST[r.against], number(r.supported, reason=r.reason),
            number(r.unsupported, reason=r.reason), number(r.accuracy, reason=r.reason),
            f"{r.full_queries} of {r.queries}" if r.full_queries is not None else number(None, reason=r.reason),
        ]  # fmt: skip

    head = ["Strategy", "Judge", "Against", "Supported", "Unsupported", "Share", "Queries with all supported"]
    return table(head, [line(r) for r in rows.overall], left=3)


_AGAINST = {"cited": "what it cites", "given": "all that was given", "retrieved": "all that was retrieved"}


def sources(rows: Rows) -> Markup:
    """Table II."""
    parts: list[Markup] = []
    for name in rows.strategies:
        body = [
            [r.source, number(r.chunks), _percent(r.share), number(r.given), _percent(r.collection_share)]
            for r in rows.sources if r.strategy == name
        ]  # fmt: skip
        made = table(["Document", "Chunks kept", "share", "given to the writer", "share of all chunks"], body)
        parts.append(folded(name, made) if parts else tag("div", tag("h3", name), made))
    return section(
        "Table II: where the chunks come from",
        tag("p", "A share far above the document's share of all chunks says that the queries are about it.",
            class_="note"),
        *parts, anchor="table-ii",
    )  # fmt: skip


def reranking(rows: Rows) -> Markup:
    """Table III."""
    body = [
        [r.strategy, number(r.chunks), number(r.unchanged, reason=r.reason), _percent(r.unchanged_share, r.reason),
         number(r.top_mean, 1, r.reason), _range(r.top_min, r.top_max, r.reason),
         number(r.top_in_first_3, reason=r.reason), number(r.top_outside_first_10, reason=r.reason), number(r.tops)]
        for r in rows.reranks
    ]  # fmt: skip
    head = ["Strategy", "Chunks", "unchanged", "share", "First ones: rank before", "from, to", "within 3", "beyond 10",
            "of"]  # fmt: skip
    gone = [(d.same_chunk, d.same_text) for d in rows.duplicates]
    why = "; ".join(f"{r.strategy}: {r.reason}" for r in rows.reranks if r.reason)
    return section(
        "Table III: what reranking changed",
        table(head, body),
        tag("p", f"Duplicates removed before reranking: {sum(a for a, _ in gone):,} with the same chunk id, "
            f"{sum(b for _, b in gone):,} with the same text. {f'No figures: {why}.' if why else ''}", class_="note"),
        anchor="table-iii",
    )  # fmt: skip


def scores(rows: Rows) -> Markup:
    """Table IV."""
    body = [
        [r.strategy, r.score, number(r.n), number(r.mean, reason=r.reason), number(r.sd, reason=r.reason),
         number(r.low, reason=r.reason), number(r.high, reason=r.reason)]
        for r in rows.scores
    ]  # fmt: skip
    return section(
        "Table IV: scores",
        table(["Strategy", "Score", "n", "Mean", "SD", "Least", "Greatest"], body, left=2),
        tag("p", "Scores of different strategies and of different components are on different scales; reranking scores "
            "are the cross-encoder's logits.", class_="note"),
        anchor="table-iv",
    )  # fmt: skip


def times(rows: Rows) -> Markup:
    """Table V, from the manifest: sums of the units' times, whoever else used the machine."""
    body = []
    for name, what in _STAGES.items():
        ms = rows.manifest["stages"].get(name, {}).get("ms", {})
        body += [
            [what, who, number(t["units"]), number(t["total"] / 1000, 1), number(float(t["median"]), 1)]
            for who, t in ms.items() if "total" in t
        ]  # fmt: skip
    machine = rows.manifest["stages"].get("judge", {}).get("machine", {})
    return section(
        "Table V: times",
        table(["Stage", "Of", "Units", "Seconds in all", "Median ms a unit"], body, left=2),
        tag("p", "On this machine: " + ", ".join(f"{k} {v}" for k, v in machine.items() if v != "") + ". The machine "
            "may have been shared.", class_="note"),
        anchor="table-v",
    )  # fmt: skip


def retrieval(rows: Rows) -> Markup:
    """What is known of the queries: whether the right chunk was found, and whether the answer says it."""
    known = [s for s in rows.summaries if not s.by]
    if not known:
        return Markup("")
    found = {(s.measure, s.strategy): s for s in known}
    measures = list(dict.fromkeys(s.measure for s in known))
    body = [[name, *(_summary(found.get((m, name))) for m in measures)] for name in rows.strategies]
    return section(
        "Found and answered",
        tag("p", "gold@k: a chunk of the expected document that holds the expected phrase is among the first k; "
            "gold_mrr: the reciprocal of its rank; answer_has_phrase: the answer holds the phrase word for word; "
            f"abstained: no claim where nothing answers. Intervals {rows.level}, over queries.", class_="note"),
        table(["Strategy", *measures], body),
        metric_bars(known, rows.strategies, "Found and answered, by strategy"),
        anchor="found",
    )  # fmt: skip


def paired(rows: Rows) -> Markup:
    """Differences with their tests."""
    if not rows.pairs and not rows.mcnemar:
        return Markup("")
    body = [
        [r.first, r.second, f"{r.measure} ({r.by})" if r.by else r.measure,
         spanned(r.difference, r.low, r.high, r.reason, sign=True), p_value(r.p), p_value(r.p_holm), number(r.n)]
        for r in rows.pairs
    ]  # fmt: skip
    head = ["First", "Second", "Measure", "First less second", "p", "p (Holm)", "Queries"]
    discordant = [
        [r.first, r.second, r.measure, number(r.both), number(r.only_first), number(r.only_second), number(r.neither),
         p_value(r.p), p_value(r.p_holm)]
        for r in rows.mcnemar
    ]  # fmt: skip
    tests = rows.pairs[0].tests if rows.pairs else 0
    left = sum(r.rejected for r in rows.pairs)
    return section(
        "Baselines: paired tests",
        tag("p", f"{left} of {tests} differences remain after Holm's correction over all of them. With so few queries "
            "no difference shown is not no difference."),
        table(["First", "Second", "Queries with", "both", "only first", "only second", "neither", "p", "p (Holm)"],
              discordant, left=3, caption="McNemar"),
        folded(f"All {len(body)} differences", table(head, body, left=3)),
        anchor="paired",
    )  # fmt: skip


def _summary(row: SummaryRow | None) -> Markup:
    return spanned(row.value, row.low, row.high, row.reason) if row else number(None, reason="no such query")


def _percent(value: float | None, reason: str = "") -> Markup:
    if value is None:
        return number(None, reason=reason)
    return tag("data", f"{100 * value:.1f} %", value=repr(value))


def _range(low: int | None, high: int | None, reason: str) -> Markup:
    return number(None, reason=reason) if low is None or high is None else tag("span", f"{low}, {high}")
