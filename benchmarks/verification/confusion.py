"""Three labels against three verdicts: supported, contradicted, not enough. An item's `kind` is its gold label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verification.checkers import Judged
from verification.figures import latency, share, shown
from verification.resampled import cells_of, clusters_of, mean_recall, resampled, shown_ratio

LABELS = ("supported", "contradicted", "not_enough")


def said(judged: Judged) -> str:
    """The verdict in the gold labels' words."""
    return "not_enough" if judged.verdict == "unsupported" else judged.verdict


def confusion(judged: Sequence[Judged]) -> dict[str, Any]:
    """Counts by gold label and verdict, balanced accuracy, and how well `supported` is told from the rest.

    Sensitivity: of the supported, how many are accepted. Specificity: of all others, how many are not.
    """
    pairs = {one.item.id: (one.item.kind, said(one)) for one in judged}
    counts = {gold: {word: list(pairs.values()).count((gold, word)) for word in LABELS} for gold in LABELS}
    return {
        "n": len(judged),
        "confusion": counts,
        "balanced_accuracy": resampled(cells_of(pairs, LABELS), clusters_of(judged), mean_recall),
        "sensitivity": share(one.accepted for one in judged if one.item.supported),
        "specificity": share(not one.accepted for one in judged if not one.item.supported),
        "ms": latency([one.ms for one in judged]),
    }


def confusion_lines(found: dict[str, Any]) -> list[str]:
    """The matrix and the figures below it."""
    lines = [f"    {'gold':14}" + "".join(f"{f'said {word}':>18}" for word in LABELS)]
    lines += [
        f"    {gold:14}" + "".join(f"{row[word]:18}" for word in LABELS) for gold, row in found["confusion"].items()
    ]
    balanced, good, strict = found["balanced_accuracy"], found["sensitivity"], found["specificity"]
    return [
        *lines,
        f"    balanced accuracy {shown_ratio(balanced)} (n {balanced['n']}, {balanced['clusters']} clusters)",
        f"    supported: sensitivity {shown(good)} % (n {good['n']}), specificity {shown(strict)} % (n {strict['n']})",
        f"    ms a claim: {found['ms']}",
    ]
