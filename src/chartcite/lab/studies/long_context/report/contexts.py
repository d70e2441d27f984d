"""The sections on records and contexts: how long they are, and what a strategy keeps of the answer at what length."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from chartcite.lab.experiment.report.html import Markup, join, number, section, spanned, table, tag
from chartcite.lab.experiment.report.plots import INK, LINE, SERIES, SOFT, drawn
from chartcite.lab.studies.long_context.bins import BINS
from chartcite.lab.studies.long_context.report.rows import SETTINGS, Rows, find

_MARKS = ("o", "s", "^")
_LENGTHS = ("", "n", "Shortest", "Median", "Mean", "Longest", "All")


def records(rows: Rows) -> Markup:
    """How long notes and records are."""
    tokenizer = rows.manifest["models"].get("tokenizer", "the encoder")
    by_bin = Counter(r.bin for r in rows.records)
    types: dict[str, list[int]] = {}
    for note in rows.notes:
        types.setdefault(note.note_type or "(none)", []).append(note.tokens)
    return section(
        "Records",
        tag("p", f"Tokens are those of {tokenizer}; a language model's own tokenizer counts otherwise."),
        table(_LENGTHS, [
            _lengths("Notes", [n.tokens for n in rows.notes]), _lengths("Records", [r.tokens for r in rows.records])
        ]),
        drawn(lambda figure: _histograms(figure, rows), (10.0, 2.7), "Tokens of notes and of records"),
        table(["Tokens of the record", "Records", "Cases"],
              [[name, number(by_bin[name]), number(_cases_in(rows, name))] for name in BINS if by_bin[name]]),
        table(["Note type", *_LENGTHS[1:]],
              [_lengths(name, tokens) for name, tokens in sorted(types.items(), key=lambda t: (-len(t[1]), t[0]))]),
        anchor="records",
    )  # fmt: skip


def _lengths(name: str, tokens: Sequence[int]) -> list[object]:
    if not tokens:
        return [name, number(0), *(number(None) for _ in range(5))]
    middle, mean = round(statistics.median(tokens)), round(statistics.fmean(tokens))
    return [name, *(number(n) for n in (len(tokens), min(tokens), middle, mean, max(tokens), sum(tokens)))]


def _cases_in(rows: Rows, name: str) -> int:
    inside = {r.scope for r in rows.records if r.bin == name}
    return sum(case.patient_id in inside for case in rows.cases)


def _histograms(figure: Any, rows: Rows) -> None:
    left, right = figure.subplots(1, 2)
    for axes, tokens, name in (
        (left, [n.tokens for n in rows.notes], "notes"),
        (right, [r.tokens for r in rows.records], "records"),
    ):
        axes.hist(tokens, bins=min(30, max(5, len(tokens) // 4)), color=SERIES[0], alpha=0.9)
        axes.set_xlabel(f"tokens of {name}", color=SOFT)
        axes.set_ylabel(name, color=SOFT)
        axes.locator_params(axis="y", integer=True)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlim(left=0)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)


def contexts(rows: Rows) -> Markup:
    """Recall beside tokens, by note setting and strategy."""
    cells = rows.contexts()
    own = {(c.notes, c.strategy) for c in cells}
    order = [(n, s) for n in rows.options.notes for s in rows.strategies if (n, s) in own]

    def shown(notes: str, strategy: str, measure: str) -> Markup:
        c = find(cells, notes=notes, strategy=strategy, measure=measure)
        if c is None or c.value is None:
            return number(None, reason=c.reason if c else "")
        if measure == "tokens":
            low, high = (None if end is None else round(end) for end in (c.low, c.high))
            return spanned(round(c.value), low, high)
        return spanned(c.value, c.low, c.high)

    body = [[n, s, *(shown(n, s, m) for m in ("recall", "tokens", "share")), _cases(cells, n, s)] for n, s in order]
    return section(
        "Contexts",
        tag("p", "What each strategy puts before whoever answers. Recall: parts of the answer, where the data set says "
            "which sentence or note holds them, that the context holds whole. Share: its tokens as a share of those of "
            "all notes of the record up to the question's date."),
        tag("ul", *(tag("li", tag("b", name), f": {SETTINGS[name]}") for name in rows.options.notes)),
        table(["Notes", "Strategy", "Recall", "Tokens", "Share", "Cases"], body, left=2),
        drawn(lambda figure: _trade(figure, rows), (10.0, 4.2), "Recall of contexts by their share of the record")
        if any(c.value is not None for c in cells if c.measure == "recall") else "",
        _by_bin(rows),
        anchor="contexts",
    )  # fmt: skip


def _cases(cells: Sequence[Any], notes: str, strategy: str) -> Markup:
    found = find(cells, notes=notes, strategy=strategy, measure="recall")
    return number(found.n if found else 0)


def _trade(figure: Any, rows: Rows) -> None:
    """One point a strategy where all notes are included: share of the record's tokens, recall."""
    axes = figure.subplots()
    cells = rows.contexts()
    for n, strategy in enumerate(rows.strategies):
        recall = find(cells, notes="include_all", strategy=strategy, measure="recall")
        share = find(cells, notes="include_all", strategy=strategy, measure="share")
        if not recall or not share or recall.value is None or share.value is None:
            continue
        if recall.low is not None and recall.high is not None:
            axes.plot([share.value] * 2, [recall.low, recall.high], color=SERIES[n % len(SERIES)], linewidth=1.2)
        mark, colour = _MARKS[n // len(SERIES) % len(_MARKS)], SERIES[n % len(SERIES)]
        axes.plot(share.value, recall.value, mark, color=colour, markersize=7, label=strategy)
    axes.legend(loc="lower right", frameon=False, fontsize=9, labelcolor=INK)
    axes.set_xlim(0, 1.05)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("share of the record's tokens", color=SOFT)
    axes.set_ylabel("recall", color=SOFT)
    axes.grid(color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _by_bin(rows: Rows) -> Markup:
    cells = [c for c in rows.contexts("bin") if c.measure == "recall"]
    names = [name for name in BINS if any(c.name == name for c in cells)]
    if len(names) < 2:
        return Markup("")
    body = []
    for strategy in rows.strategies:
        own = [find(cells, strategy=strategy, name=name) for name in names]
        if any(own):
            body.append([strategy, *(spanned(c.value, c.low, c.high, c.reason) if c else number(None) for c in own)])
    counts = [max(c.n for c in cells if c.name == name) for name in names]
    head = [f"{name}, n {n}" for name, n in zip(names, counts, strict=True)]
    note = tag("p", "A question counts the record up to its own date.", class_="note")
    return join([table(["Recall by tokens of the record", *head], body), note])
