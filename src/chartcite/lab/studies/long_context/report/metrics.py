"""The section on the measures: where they contradict each other, how they go together, whether judges agree."""

from __future__ import annotations

from chartcite.lab.experiment.report.html import Markup, join, number, section, spanned, table, tag
from chartcite.lab.studies.long_context.report.rows import FORMS, Rows

_RULES = {
    "contradicted": "a model of inference sees a contradiction (above .7) where the judge finds it correct (above .7)",
    "judges": "two judges differ by .5 or more",
    "spread": "one measure at or above its 60th percentile, another at or below its 40th",
}


def metrics(rows: Rows) -> Markup:
    """All answerers and forms that have two measures or more."""
    parts = [
        part
        for answerer, form in dict.fromkeys((r.answerer, r.form) for r in rows.counts)
        for part in (tag("h3", f"{FORMS[form]}, {answerer}"), _counts(rows, answerer, form),
                     _matrix(rows, answerer, form), _judges(rows, answerer, form))
    ]  # fmt: skip
    if not parts:
        return Markup("")
    says = tag("ul", *(tag("li", tag("b", name), f": {what}.") for name, what in _RULES.items()))
    return section("Metrics", tag("p", "Answers where all notes were included, all strategies together."), says, *parts,
                   anchor="metrics")  # fmt: skip


def _counts(rows: Rows, answerer: str, form: str) -> Markup:
    own = [r for r in rows.counts if (r.answerer, r.form) == (answerer, form)]
    body = [
        [r.rule, r.between, *map(number, (r.found, r.n, r.undefined)), spanned(r.share, r.low, r.high, r.reason)]
        for r in own
    ]
    return table(["Rule", "Between", "Found", "Of", "Undefined", "Share"], body, left=2)


def _matrix(rows: Rows, answerer: str, form: str) -> Markup:
    """Spearman above the diagonal, Pearson below it."""
    own = [r for r in rows.correlations if (r.answerer, r.form) == (answerer, form)]
    names = list(dict.fromkeys(name for r in own for name in (r.first, r.second)))
    found = {(r.first, r.second, r.kind): r for r in own}

    def cell(i: int, j: int) -> Markup:
        if i == j:
            return Markup("")
        first, second = names[min(i, j)], names[max(i, j)]
        r = found.get((first, second, "spearman" if i < j else "pearson"))
        if r is None or r.value is None:
            return number(None, reason=r.reason if r else "")
        ends = f", {r.low:.2f} to {r.high:.2f}" if r.low is not None and r.high is not None else ""
        return tag("span", number(r.value, 2), title=f"n {r.n}{ends}")

    body = [[name, *(cell(i, j) for j in range(len(names)))] for i, name in enumerate(names)]
    caption = "Correlation: Spearman above the diagonal, Pearson below"
    return table(["", *names], body, caption=caption) if own else Markup("")


def _judges(rows: Rows, answerer: str, form: str) -> Markup:
    body = [
        [f"{r.first} / {r.second}", number(r.n), number(r.difference), number(r.absolute_difference),
         spanned(r.kappa, r.low, r.high, r.reason), number(r.weighted_kappa)]
        for r in rows.judge_pairs if (r.answerer, r.form) == (answerer, form)
    ]  # fmt: skip
    head = ["Judges", "n", "Mean difference", "Mean distance", "Kappa", "Weighted kappa"]
    return table(head, body, caption="Agreement of judges on correctness, five bins") if body else join([])
