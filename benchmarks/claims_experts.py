"""Checkers beside physicians: K-QA's statements and ExpertQA's health claims, with kappa and AC1.

Usage: python benchmarks/claims_experts.py DATA [--only kqa|expertqa_health] [--checker NAME...] [--json OUT]
       [--show-errors N]

DATA holds the folders `kqa` and `expertqa_health`. Both are for evaluation only.

- kqa: a physician's statement is checked against the whole answer of a language model. Gold is the majority of three
  physicians: entailed, contradicted (12 statements) or neither. The physicians among themselves, pair by pair, are the
  yardstick: nobody agrees better with a majority than they do with each other.
- expertqa_health: a claim of a language model's answer is checked against the evidence it cites. Gold is supported for
  the expert's `Complete`; `Partial`, `Incomplete` and `Missing` are not. Left out and counted: claims that nobody
  judged, claims without evidence, and those whose evidence is bare addresses, which a checker cannot follow. Citation
  marks and asterisks are taken off the claim, the address off the evidence.

Agreement is on supported or not; for kqa on all three labels too; beside it what refusing everything would reach.
Intervals of kappa and AC1 resample questions, those of sensitivity and specificity are Wilson's, with claims taken as
independent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim
from chartcite.lab.datasets import expertqa_health, kqa
from chartcite.verification.verdicts import Source
from verification.checkers import Judged, judge, named
from verification.command import ended, parser_of, show_errors, write
from verification.confusion import LABELS, said
from verification.figures import Figure, latency, share, shown
from verification.items import Item
from verification.resampled import ac1, cells_of, clusters_of, kappa, resampled, shown_ratio

BINARY = ("supported", "not")
_RATED = {"Entailment": "supported", "Contradiction": "contradicted", "Neutral": "not_enough"}
_MARK = re.compile(r"\s*\[\d+\]|\*\*")
_ADDRESS = re.compile(r"^\s*\[\d+\]\s*\S+://\S+\s*")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=("kqa", "expertqa_health"))
    parser.add_argument("--show-errors", type=int, default=0, metavar="N", help="print so many errors a data set")
    args = parser.parse_args()
    result: dict[str, Any] = {}
    for name, items_of in (("kqa", kqa_items), ("expertqa_health", expertqa_items)):
        if args.only in (None, name):
            dataset = {"kqa": kqa.DATASET, "expertqa_health": expertqa_health.DATASET}[name]
            claims = list(dataset.claims(args.data / name))
            items, out = items_of(claims)
            print(f"\n{name}: {len(items)} claims; left out: {out or 'none'}")
            result[name] = {"n": len(items), "left_out": out, "always_not": floor(items), "checkers": {}}
            print("\n".join([f"{name}, always answering not supported", *agreement_lines(result[name]["always_not"])]))
            if name == "kqa":
                result[name]["physicians"] = physicians(claims)
            for checker, make in named(args.checker).items():
                judged = judge(make, items)
                result[name]["checkers"][checker] = figures(judged, three_labels=name == "kqa")
                print("\n".join([f"\n{name}, {checker}", *figure_lines(result[name]["checkers"][checker])]))
                show_errors(judged, args.show_errors)
    write(args.json, result)


def kqa_items(claims: Sequence[Claim]) -> tuple[list[Item], dict[str, int]]:
    """A statement against an answer; all are judged."""
    return [_item(claim, claim.claim, claim.context) for claim in claims], {}


def expertqa_items(claims: Sequence[Claim]) -> tuple[list[Item], dict[str, int]]:
    """Judged claims with text to check them against, and how many others there are."""
    out: Counter[str] = Counter()
    items = []
    for claim in claims:
        texts = [text for text in (_ADDRESS.sub("", t).strip() for t in claim.context) if text]
        if claim.label is None:
            out["not judged"] += 1
        elif not claim.context:
            out["no evidence"] += 1
        elif not texts:
            out["addresses only"] += 1
        else:
            items.append(_item(claim, _MARK.sub("", claim.claim).strip(), texts))
    return items, dict(out)


def _item(claim: Claim, text: str, texts: Sequence[str]) -> Item:
    sources = tuple(Source(str(n), t) for n, t in enumerate(texts, start=1))
    return Item(claim.id, claim.label or "", claim.label == "supported", text, sources, cluster=claim.cluster)


def physicians(claims: Sequence[Claim]) -> dict[str, Any]:
    """Each pair of raters, printed and returned."""
    found = {}
    clusters = {claim.id: claim.cluster for claim in claims}
    for a, b in combinations(range(3), 2):
        words = {c.id: (_RATED[c.ratings[a]], _RATED[c.ratings[b]]) for c in claims}
        found[f"{a + 1} and {b + 1}"] = agreement(words, clusters, three_labels=True)
        print("\n".join([f"\nphysicians {a + 1} and {b + 1}", *agreement_lines(found[f"{a + 1} and {b + 1}"])]))
    return found


def floor(items: Sequence[Item]) -> dict[str, dict[str, Figure]]:
    """What refusing everything agrees to: AC1 rewards it where few claims are supported, kappa is 0."""
    words = {item.id: (item.kind, "not_enough") for item in items}
    return agreement(words, {item.id: item.cluster for item in items}, three_labels=False)


def agreement(
    words: dict[str, tuple[str, str]], clusters: dict[str, str], *, three_labels: bool
) -> dict[str, dict[str, Figure]]:
    """Kappa and AC1 on supported or not, and on the three labels."""
    binary = {case: (_binary(one), _binary(other)) for case, (one, other) in words.items()}
    tables = {"supported or not": cells_of(binary, BINARY)}
    if three_labels:
        tables["three labels"] = cells_of(words, LABELS)
    return {
        name: {"kappa": resampled(cells, clusters, kappa), "ac1": resampled(cells, clusters, ac1)}
        for name, cells in tables.items()
    }


def _binary(label: str) -> str:
    return "supported" if label == "supported" else "not"


def figures(judged: Sequence[Judged], *, three_labels: bool) -> dict[str, Any]:
    words = {one.item.id: (one.item.kind, said(one)) for one in judged}
    counts = Counter((gold, word) for gold, word in words.values())
    return {
        "counts": {f"{gold}, said {word}": count for (gold, word), count in sorted(counts.items())},
        "agreement": agreement(words, clusters_of(judged), three_labels=three_labels),
        "sensitivity": share(one.accepted for one in judged if one.item.supported),
        "specificity": share(not one.accepted for one in judged if not one.item.supported),
        "ms": latency([one.ms for one in judged]),
    }


def figure_lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"    {found['counts']}"
    yield from agreement_lines(found["agreement"])
    for name in ("sensitivity", "specificity"):
        yield f"    {name}: {shown(found[name])} % (n {found[name]['n']})"
    yield f"    ms a claim: {found['ms']}"


def agreement_lines(found: dict[str, dict[str, Figure]]) -> Iterator[str]:
    for name, figure in found.items():
        k, a = figure["kappa"], figure["ac1"]
        yield f"    {name}: kappa {shown_ratio(k)}, AC1 {shown_ratio(a)} (n {k['n']}, {k['clusters']} questions)"


if __name__ == "__main__":
    ended(main)
