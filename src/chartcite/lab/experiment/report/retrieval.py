"""The sections on rankings: figures, groups, complementarity, paired tests."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.experiment.report.charts import complementarity_bars, metric_bars
from chartcite.lab.experiment.report.html import Markup, folded, join, number, p_value, section, spanned, table, tag
from chartcite.lab.experiment.report.rows import Rows
from chartcite.lab.experiment.tables import McNemarRow, PairRow, SummaryRow

_OPEN_GROUPS = 2
_MEASURES_ABREAST = 4  # a table that is wider does not fit on a page


def retrieval(rows: Rows) -> Markup:
    """What each strategy found."""
    found = rows.ranking()
    if not any(s.value is not None for s in found):
        why = found[0].reason if found else "no metric of rankings was asked for"
        return section("Retrieval", tag("p", f"No figure: {why}."), anchor="retrieval")
    n = max(s.n for s in found)
    clusters = max(s.clusters for s in found)
    missing = max(s.missing for s in found)
    return section(
        "Retrieval",
        tag("p", f"{n:,} cases with a judged item, in {clusters:,} independent clusters. Below each figure its "
            f"{rows.level} interval, from resampling whole clusters; the highest figure of a measure is bold, whether "
            "or not the difference is real (see the paired tests)."),
        tag("p", f"In up to {missing:,} cases a strategy found nothing; they count as not found.") if missing else "",
        metric_bars(found, rows.strategies, "Retrieval measures by strategy"),
        pivot(found, rows.strategies),
        _groups(rows),
        anchor="retrieval",
    )  # fmt: skip


def pivot(summaries: Sequence[SummaryRow], strategies: Sequence[str]) -> Markup:
    """Strategies down, measures across."""
    measures = list(dict.fromkeys((s.measure, s.by) for s in summaries))
    by = {(s.strategy, s.measure, s.by): s for s in summaries}
    best = {m: _best([s.value for s in summaries if (s.measure, s.by) == m and s.value is not None]) for m in measures}

    def cell(strategy: str, measure: tuple[str, str]) -> Markup:
        s = by.get((strategy, *measure))
        if s is None:
            return number(None)
        shown = spanned(s.value, s.low, s.high, s.reason)
        return tag("span", shown, class_="best") if s.value is not None and s.value == best[measure] else shown

    head = ["Strategy", *(_titled(m) for m in measures)]
    return table(head, [[s, *(cell(s, m) for m in measures)] for s in strategies])


def _best(values: Sequence[float]) -> float | None:
    """The highest, unless all are the same."""
    return max(values) if len(set(values)) > 1 else None


def _titled(measure: tuple[str, str]) -> Markup:
    name, by = measure
    return join([name, tag("span", f"by {by}", class_="span")]) if by else join([name])


def _groups(rows: Rows) -> Markup:
    """A heat table a measure: groups down, strategies across."""
    own = [s for s in rows.summaries if s.group and not s.by and s.value is not None]
    if not own:
        return Markup("")
    parts: list[Markup] = []
    for measure in dict.fromkeys(s.measure for s in own):
        found = {(s.group, s.strategy): s for s in own if s.measure == measure}
        groups = list(dict.fromkeys(group for group, _ in found))
        n = {group: s.n for (group, _), s in found.items()}
        body = [[g, number(n[g]), *(_heat(found.get((g, s))) for s in rows.strategies)] for g in groups]
        parts.append(table(["Group", "n", *rows.strategies], body, caption=measure))
    rest = [folded("The other measures by group", *parts[_OPEN_GROUPS:])] if parts[_OPEN_GROUPS:] else []
    note = "A stronger colour is a higher figure. Groups are small: read the intervals before the colours."
    return join([tag("h3", "By group"), tag("p", note, class_="note"), *parts[:_OPEN_GROUPS], *rest])


def _heat(s: SummaryRow | None) -> Markup:
    if s is None or s.value is None:
        return number(None)
    shade = min(max(s.value, 0.0), 1.0)
    return tag("span", spanned(s.value, s.low, s.high), class_="heat", style=f"--v:{shade:.3f}")


def complementarity(rows: Rows) -> Markup:
    """Who solves what the other does not."""
    found = rows.mcnemar
    if not found:
        return Markup("")
    measure = found[0].measure
    return section(
        "Complementarity",
        tag("p", f"A case is solved when a relevant item is among the first {measure.partition('@')[2]} ({measure}). "
            "Only the cases that exactly one of the two solved (b and c) speak for a difference; the p value to quote "
            "is the exact one when there are fewer than 25 of them, else chi-square. Holm corrects for all "
            f"{found[0].tests:,} tests of this table."),
        complementarity_bars(found, "Cases solved by both, one or neither strategy"),
        table(
            ["First", "Second", "n", "Both", "Only first (b)", "Only second (c)", "Neither", "Difference", "p",
             "p, Holm"],
            [_mcnemar(r) for r in found], left=2,
        ),
        folded("All forms of McNemar's test", table(
            ["First", "Second", "Chi-square", "p", "Corrected", "p", "Exact p", "Mid-p", ""],
            [[r.first, r.second, number(r.chi2), p_value(r.p_chi2), number(r.chi2_corrected), p_value(r.p_corrected),
              p_value(r.p_exact), p_value(r.p_mid), r.reason] for r in found], left=2,
        )),
        anchor="complementarity",
    )  # fmt: skip


def _mcnemar(r: McNemarRow) -> list[object]:
    test = "exact" if r.test == "exact" else "chi-square"
    p = join([p_value(r.p), tag("span", test, class_="span")])
    return [
        r.first, r.second, number(r.n), number(r.both), number(r.only_first), number(r.only_second), number(r.neither),
        spanned(r.difference, r.low, r.high, sign=True), p, _significant(r.p_holm, r.rejected),
    ]  # fmt: skip


def paired(rows: Rows) -> Markup:
    """Are differences real?"""
    found = rows.pairs
    if not found:
        return Markup("")
    tested = next((r for r in found if r.p is not None), None)
    how = rows.spec.statistics
    kind = "all exchanges counted" if tested and tested.exact else f"{how.resamples:,} exchanges drawn, seed {how.seed}"
    return section(
        "Paired tests",
        tag("p", "The mean difference (first less second) on the same cases, with its "
            f"{rows.level} interval from {how.resamples:,} resamples of whole clusters, and a randomisation test "
            f"({kind}). Holm corrects for all {found[0].tests:,} tests of this table, so one that "
            "stays below the mark (bold) would seldom do so by chance anywhere in it."),
        _paired_table(found),
        anchor="paired",
    )  # fmt: skip


def _paired_table(found: Sequence[PairRow]) -> Markup:
    """Pairs down, measures across, a few in each table; in each cell the difference, its interval and both p."""
    measures = list(dict.fromkeys((r.measure, r.by) for r in found))
    by = {(r.first, r.second, r.measure, r.by): r for r in found}
    pairs = list(dict.fromkeys((r.first, r.second) for r in found))
    return join(
        table(
            ["First", "Second", *(_titled(m) for m in some)],
            [[*pair, *(_paired_cell(by[*pair, *m]) for m in some)] for pair in pairs],
            left=2,
        )
        for some in (measures[i : i + _MEASURES_ABREAST] for i in range(0, len(measures), _MEASURES_ABREAST))
    )


def _paired_cell(r: PairRow) -> Markup:
    if r.difference is None:
        return number(None, reason=r.reason)
    p = tag("span", "p ", _significant(r.p, False), ", Holm ", _significant(r.p_holm, r.rejected), class_="span")
    n = tag("span", "n ", number(r.n), ", clusters ", number(r.clusters), class_="span")
    return join([spanned(r.difference, r.low, r.high, r.reason, sign=True), p, n])


def _significant(p: float | None, rejected: bool) -> Markup:
    return tag("span", p_value(p), class_="sig") if rejected else p_value(p)
