"""The sections on answers: citations by verifier, verifiers on labelled claims, two annotators."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from chartcite.lab.cases import Label
from chartcite.lab.experiment.report.charts import metric_bars
from chartcite.lab.experiment.report.html import Markup, join, number, section, spanned, table, tag
from chartcite.lab.experiment.report.retrieval import pivot
from chartcite.lab.experiment.report.rows import Rows
from chartcite.lab.experiment.tables import SummaryRow

_MEASURES_ABREAST = 5  # a table that is wider does not fit on a page
_WHAT = {
    "rules": "chartcite's check of everything a sentence says. Its own answers passed it before they were given, so "
    "on them it finds no fault by construction; it tells something on the claims below.",
    "bm25_ngram": "the baseline of paper 001: a BM25 threshold and n-gram overlap. It measures shared words: topic, "
    "not truth.",
    "gold": "does the citation lie where the data set says the evidence is? The one independent of all the others.",
    "prompt": "a language model is asked.",
}


def answers(rows: Rows) -> Markup:
    """What was answered, and whether it stands on what it cites."""
    if not rows.spec.answers:
        return Markup("")
    cited = [s for s in rows.overall() if s.by]
    asked = len({r.case_id for r in rows.answers})
    macro = [s for s in cited if s.measure.endswith("macro.f1")]
    return section(
        "Answers and citations",
        tag("p", f"Each strategy was asked {asked:,} cases. Citation recall is the share of answer sentences that are "
            "supported by what they cite, precision the share of citations that support, F1 their harmonic mean. Macro "
            "is the mean over cases, where an abstention counts 0; micro pools the sentences of all answers."),
        _texts(rows),
        _answered(rows),
        tag("h3", "Who judges"),
        tag("ul", *(tag("li", tag("b", v), ": ", _WHAT.get(v, "")) for v in rows.spec.verifiers)),
        metric_bars(macro, rows.strategies, "Citation F1, macro, by verifier"),
        *(_verifier(cited, v, rows) for v in rows.spec.verifiers),
        anchor="answers",
    )  # fmt: skip


def _texts(rows: Rows) -> Markup:
    """The scores of answer texts, a few abreast, and what exactly each is."""
    found = [s for s in rows.of_answers() if s.measure != "answered"]
    measures = list(dict.fromkeys(s.measure for s in found))
    parts = [measures[i : i + _MEASURES_ABREAST] for i in range(0, len(measures), _MEASURES_ABREAST)]
    forms = rows.forms()
    tables = [pivot([s for s in found if s.measure in part], rows.strategies) for part in parts]
    if not forms:
        return join(tables)
    listed = tag("ul", *(tag("li", tag("b", name), ": ", form) for name, form in forms.items()))
    return join([*tables, tag("h3", "What these scores are"), listed])


def _verifier(cited: list[SummaryRow], verifier: str, rows: Rows) -> Markup:
    own = [s for s in cited if s.by == verifier]
    if not own:
        return Markup("")
    if all(s.value is None for s in own):
        return tag("p", tag("b", verifier), f": no figure. {own[0].reason}")
    found = {(s.strategy, s.measure): s for s in own}
    names = [*(f"citation.micro.{part}" for part in ("precision", "recall", "f1")), "citation.macro.f1"]

    def cells(strategy: str) -> list[object]:
        shown = [found.get((strategy, name)) for name in names]
        return [
            strategy, *(number(s.n) if s else "" for s in (shown[0], shown[1], shown[3])),
            *(spanned(s.value, s.low, s.high, s.reason) if s else number(None) for s in shown),
        ]  # fmt: skip

    head = ["Strategy", "Citations", "Sentences", "Cases", "Precision", "Recall", "F1", "F1, macro"]
    return table(head, [cells(s) for s in rows.strategies], caption=f"Judged by {verifier}")


def _answered(rows: Rows) -> Markup:
    """The share of cases with an answer, and the reasons of abstentions."""
    reasons = {s: Counter(r.reason for r in rows.answers if r.strategy == s and r.abstained) for s in rows.strategies}
    kinds = sorted({reason for counted in reasons.values() for reason in counted})
    share = {s.strategy: s for s in rows.of_answers() if s.measure == "answered"}
    body = [
        [name, number(s.n), spanned(s.value, s.low, s.high, s.reason), *(number(reasons[name][k]) for k in kinds)]
        for name, s in share.items()
    ]
    return table(["Strategy", "Cases", "Answered", *(f"abstained: {k}" for k in kinds)], body)


def claims(rows: Rows) -> Markup:
    """Verifiers on claims that people have labelled."""
    if not rows.claims:
        return Markup("")
    present = {r.label for r in rows.claims}
    labels = [label for label in get_args(Label) if label in present]
    found = {(r.verifier, r.label): r for r in rows.claims}

    def cell(verifier: str, label: str) -> Markup:
        r = found.get((verifier, label))
        if r is None or r.value is None:
            return number(None, reason=r.reason if r else "")
        counted = tag("span", number(r.accepted), " of ", number(r.n), class_="span")
        return join([spanned(r.value, r.low, r.high), counted])

    return section(
        "Verifiers on labelled claims",
        tag("p", "What each verifier accepts among the data set's own claims, checked against their gold sentences (or "
            "the whole cited items where none are named). It should accept the supported and no other: accepting "
            f"everything would fill every column. {rows.level} Wilson intervals."),
        table(["Verifier", *(f"accepted of {label}" for label in labels)],
              [[v, *(cell(v, label) for label in labels)] for v in rows.spec.verifiers]),
        anchor="claims",
    )  # fmt: skip


def annotators(rows: Rows) -> Markup:
    """Agreement of two people."""
    if not rows.kappa:
        return Markup("")
    body = [
        [f"{k.rater_a} / {k.rater_b}", number(k.n), number(k.excluded), number(k.observed_agreement),
         spanned(k.kappa, k.low, k.high, k.reason), number(k.ac1), k.reason]
        for k in rows.kappa
    ]  # fmt: skip
    head = ["Annotators", "Items", "Left out", "Agreement", "Cohen's kappa", "AC1", ""]
    return section("Annotators", table(head, body), anchor="annotators")
