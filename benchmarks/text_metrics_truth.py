"""Do scores of shared words see a wrong dose? Each text metric on planted edits: right claims against wrong ones.

Usage: python benchmarks/text_metrics_truth.py PLANTED_EDITS_FOLDER [--split test] [--json OUT]

The folder is made by `chartcite lab generate planted_edits`. A claim's score is that of the claim against the sentences
that it cites; the figure is the area under the curve: how probable it is that a right claim scores above a wrong one
(.5: the metric says nothing), with a 95 % interval from resampling template families. English claims; nothing is tuned.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.cases import Claim
from chartcite.lab.datasets.planted_edits import DATASET
from chartcite.lab.experiment.metric_names import form_of, metric_of
from chartcite.lab.extras import need

METRICS = ("token_f1", "rouge_1", "rouge_l", "bleu", "chrf", "meteor_stem", "meteor")
KINDS = ("negation", "value", "side", "drug_swap")
RESAMPLES, SEED = 1000, 0
Values = NDArray[np.float64]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    claims = [c for c in DATASET.claims(args.folder) if c.split == args.split and c.lang == "en"]
    right = sum(c.label == "supported" for c in claims)
    families = len({c.cluster for c in claims})
    print(f"{args.split}: {right} right and {len(claims) - right} wrong claims, {families} families\n")
    rows = [measure(name, claims) for name in METRICS]
    for row in rows:
        if row["auc"] is None:
            print(f"{row['metric']:<12} - ({row['reason']})")
            continue
        kinds = "  ".join(f"{k} {v:.3f}" for k, v in row["kinds"].items())
        print(f"{row['metric']:<12} {row['auc']:.3f} [{row['low']:.3f}, {row['high']:.3f}]  {kinds}")
    if args.json:
        args.json.write_text(json.dumps({"split": args.split, "claims": len(claims), "rows": rows}, indent=2) + "\n")
    return 0


def measure(name: str, claims: Sequence[Claim]) -> dict[str, Any]:
    """One metric: its area, interval, and the area for the wrong claims of some kinds against all right ones."""
    metric = metric_of(name)
    found = metric.measure({c.id: [" ".join(c.context)] for c in claims}, {c.id: c.claim for c in claims})
    if found[metric.name].value is None:
        return {"metric": name, "auc": None, "reason": found[metric.name].reason}
    scores = found.per_case(metric.name)
    values = np.array([scores[c.id] for c in claims], dtype=np.float64)
    right = np.array([c.label == "supported" for c in claims])
    low, high = interval(values, right, [c.cluster for c in claims])
    kinds = {}
    for kind in KINDS:
        chosen = right | np.array([c.group == kind for c in claims])
        if not right[chosen].all():
            kinds[kind] = area(values[chosen], right[chosen])
    return {
        "metric": name,
        "form": form_of(metric),
        "auc": area(values, right),
        "low": low,
        "high": high,
        "kinds": kinds,
    }


def area(values: Values, right: NDArray[np.bool_]) -> float:
    """The Mann-Whitney share: equal scores count half."""
    ranks = need("scipy.stats").rankdata(values)
    n, m = int(right.sum()), int((~right).sum())
    return float((ranks[right].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def interval(values: Values, right: NDArray[np.bool_], clusters: Sequence[str]) -> tuple[float, float]:
    """Percentiles over resampled families."""
    names = sorted(set(clusters))
    members = {name: np.array([i for i, c in enumerate(clusters) if c == name]) for name in names}
    generator = np.random.Generator(np.random.PCG64(SEED))
    found = []
    for _ in range(RESAMPLES):
        drawn = np.concatenate([members[names[i]] for i in generator.integers(0, len(names), len(names))])
        found.append(area(values[drawn], right[drawn]))
    low, high = np.nanquantile(found, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    sys.exit(main())
