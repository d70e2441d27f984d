"""Grounding at three levels, what the judges are worth, and where each claim stands."""

from __future__ import annotations

from collections.abc import Iterator

from chartcite.lab.experiment.report.html import Markup, folded, join, number, section, spanned, table, tag
from chartcite.lab.studies.grounding_study.measured_judges import ALL_FALSE, ALL_TRUE, says_yes_to_all
from chartcite.lab.studies.grounding_study.report.rows import Rows
from chartcite.lab.studies.grounding_study.tables import JudgedRow, JudgeRow

_AGAINST = {
    "cited": "Strict citation: does the cited source support the claim?",
    "given": "General grounding: does any chunk support it that the writer was given?",
    "retrieved": "Wider: does any chunk support it that was retrieved? (the paper's figure)",
}
_HEAD = ("Strategy", "Judge", "Claims", "supported", "same, over queries", "Queries", "all supported", "mean share")


def grounding(rows: Rows) -> Markup:
    """The levels, by kind of evidence."""
    parts = [
        part
        for against in rows.against
        for part in (tag("h3", _AGAINST[against]), table(_HEAD, _lines(rows, against), left=2))
    ]
    return section(
        "Grounding",
        tag("p", f"Intervals {rows.level}. The exact one takes its units as independent; claims of one query are not, "
            "so the one over queries is the one to read for claims. When nothing went wrong only the exact one says "
            "something: 200 of 200 claims have 98.2 % as its lower end, 25 of 25 queries 86.3 %.", class_="note"),
        tag("p", "The rules writer's answers passed the rules' check before they were given, each against the sentence "
            "that it quotes; here the whole chunk speaks, also against it. So they are near 1 by construction. The "
            "judge “always” says yes to all; a figure that it reaches too says nothing.", class_="note"),
        *parts, anchor="grounding",
    )  # fmt: skip


def _lines(rows: Rows, against: str) -> Iterator[list[object]]:
    """A line a strategy and judge, its three levels side by side."""
    found = {(r.strategy, r.judge, r.level): r for r in rows.grounding if r.against == against}
    for name in rows.strategies:
        for judge in rows.judges:
            claim, query, whole = (found[name, judge, level] for level in ("claim", "query", "overall"))
            yield [
                name, judge, number(claim.n), spanned(claim.value, claim.exact_low, claim.exact_high, claim.reason),
                spanned(claim.value, claim.cluster_low, claim.cluster_high, claim.reason), number(query.n),
                spanned(query.value, query.exact_low, query.exact_high, query.reason),
                spanned(whole.value, whole.cluster_low, whole.cluster_high, whole.reason),
            ]  # fmt: skip


def judges(rows: Rows) -> Markup:
    """Sensitivity and specificity on planted claims."""
    if not rows.judged_kinds:
        return Markup("")
    found = {(r.judge, r.kind): r for r in rows.judged_kinds}
    kinds, first = list(dict.fromkeys(r.kind for r in rows.judged_kinds)), rows.judges[0]
    body = [
        [_KINDS.get(kind, kind), "true" if found[first, kind].planted_supported else "false",
         number(found[first, kind].n), *(_right(found[judge, kind]) for judge in rows.judges)]
        for kind in kinds
    ]  # fmt: skip
    silent = [f"{judge}: {n} replies without a verdict" for judge in rows.judges
              if (n := sum(found[judge, kind].inconclusive for kind in (ALL_TRUE, ALL_FALSE)))]  # fmt: skip
    warned = [
        tag("p", f"The judge “{name}” accepted every planted claim, the false ones too: its figures above say nothing.",
            class_="warn")
        for name in rows.judges
        if says_yes_to_all([r for r in rows.judged_kinds if r.judge == name])
    ]  # fmt: skip
    agreed = [
        [r.strategy, _AGAINST_SHORT[r.against], f"{r.first} and {r.second}", number(r.n), number(r.agreement),
         spanned(r.kappa, r.low, r.high, r.reason)]
        for r in rows.agreements
    ]  # fmt: skip
    return section(
        "What the judges are worth",
        tag("p", f"{len(rows.planted_claims):,} claims of known label were planted, each judged against what was given "
            f"for its query under {rows.strategies[0]}. Sensitivity: true ones accepted; specificity: false ones "
            "rejected. Intervals exact.", class_="note"),
        *warned,
        table(["Planted", "Label", "n", *(f"right: {judge}" for judge in rows.judges)], body, left=2),
        tag("p", "; ".join(silent), class_="note") if silent else "",
        folded("Agreement of judges", table(["Strategy", "Against", "Judges", "Claims", "Agreement", "kappa"], agreed,
                                            left=3)) if agreed else "",
        anchor="judges",
    )  # fmt: skip


def _right(row: JudgeRow) -> Markup:
    return spanned(row.value, row.low, row.high, row.reason)


_KINDS = {ALL_TRUE: "all true: sensitivity", ALL_FALSE: "all false: specificity"}
_AGAINST_SHORT = {"cited": "cited", "given": "given", "retrieved": "retrieved"}


def answers(rows: Rows) -> Markup:
    """The answers of the first strategy, claim by claim."""
    name = rows.strategies[0]
    verdicts: dict[tuple[str, int], list[JudgedRow]] = {}
    for judge, against in rows.judged_ways:
        for row in rows.judged_of(name, judge, against):
            verdicts.setdefault((row.query_id, row.claim), []).append(row)
    answered = {a.query_id: a for a in rows.answers_of(name)}
    parts = []
    for query, case in rows.cases.items():
        claims = [c for c in rows.claims_of(name) if c.query_id == query]
        said = [
            tag("li", c.text, " ", "".join(f"[{n}]" for n in c.sources), " ", _verdicts(verdicts[query, c.claim]))
            for c in claims
        ]  # fmt: skip
        answer = answered[query]
        why = tag("p", answer.answer or answer.reason, class_="soft") if not claims else ""
        fallbacks = tag("p", "; ".join(answer.fallbacks), class_="note") if answer.fallbacks else ""
        chunks = [c for c in rows.chunks_of(name) if c.query_id == query][: answer.given]
        shown = [
            [c.final_rank, number(c.original_rank), f"{c.source}{f', page {c.page}' if c.page else ''}", c.preview]
            for c in chunks
        ]
        parts.append(folded(
            f"{query}: {case.question} ({len(claims)} claims)", why, tag("ol", *said) if said else "", fallbacks,
            table(["Source", "Rank before", "Where", "Begins"], shown, left=0),
        ))  # fmt: skip
    return section(f"Answers of {name}", *parts, anchor="answers")


def _verdicts(rows: list[JudgedRow]) -> Markup:
    marks = [
        tag("span", f"{r.judge}, {_AGAINST_SHORT[r.against]}: {_word(r.supported)}", title=r.reason,
            class_={True: "yes", False: "no", None: "none"}[r.supported])
        for r in rows if r.judge != "always"
    ]  # fmt: skip
    return tag("span", join(marks, "; "), class_="note")


def _word(value: bool | None) -> str:
    return "no verdict" if value is None else "supported" if value else "not supported"
