"""NLI4CT's statements about trials: entailed or contradicted, against the gold lines; and which lines are the evidence.

Usage: python benchmarks/claims_nli4ct.py NLI4CT_FOLDER [--split dev] [--checker NAME...] [--store STORE] [--json OUT]
       [--show-errors N]

For evaluation only: the repository states no licence, so nothing may be tuned on it. A statement is checked against its
gold lines, each a source under its trial's and section's name (`primary trial`, `Results`). Two figures, both over all
statements: accuracy with three verdicts, where neither entailed nor contradicted counts as wrong; and with two, where
everything that is not supported counts as contradicted, which is the only fair one for checkers without a third word.
Always answering the more frequent label has its own row.

With --store (made in a minute if it is not there) the evidence grades of the cascade pick lines of the statement's
sections, as in `claims_scifact.py`. The data set's own figure is the micro F1 over lines; picking all has .622 on dev.
Intervals: accuracy Wilson's, with statements taken as independent; F1 resamples primary trials.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim, CorpusItem
from chartcite.lab.datasets.nli4ct import DATASET
from chartcite.library.book import Book
from chartcite.verification.verdicts import Source
from verification.checkers import Judged, judge, named
from verification.command import ended, parser_of, show_errors, write
from verification.confusion import said
from verification.evidence import Lines, evidence_figures, evidence_lines, picks_within
from verification.figures import latency, share, shown
from verification.items import Item


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("nli4ct", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev",))
    parser.add_argument("--store", type=Path)
    parser.add_argument("--show-errors", type=int, default=0, metavar="N", help="print so many errors")
    args = parser.parse_args()
    claims = [claim for claim in DATASET.claims(args.nli4ct) if claim.split == args.split]
    named_items = {i for claim in claims for i in claim.items}
    corpus = {item.id: item for item in DATASET.corpus(args.nli4ct) if item.id in named_items}
    most, count = Counter(claim.label for claim in claims).most_common(1)[0]
    print(f"always {most}: {shown(share([True] * count + [False] * (len(claims) - count)))} % of {len(claims)}")
    result: dict[str, Any] = {"split": args.split, "statements": len(claims), "checkers": {}}
    for name, make in named(args.checker).items():
        judged = judge(make, list(items(claims, corpus)))
        result["checkers"][name] = figures(judged)
        print("\n".join([f"\n{name}", *figure_lines(result["checkers"][name])]))
        show_errors(judged, args.show_errors)
    if args.store:
        result["evidence_lines"] = gold_lines(args, claims, corpus)
    write(args.json, result)


def items(claims: Sequence[Claim], corpus: Mapping[str, CorpusItem]) -> Iterator[Item]:
    """A statement with its gold lines."""
    for claim in claims:
        names = dict(zip(claim.items, ("primary trial", "secondary trial"), strict=False))
        sources = tuple(
            Source(f"{e.item_id}:{e.sentence}", corpus[e.item_id].sentences[e.sentence].strip(),
                   (names[e.item_id], corpus[e.item_id].group))
            for e in claim.evidence
        )  # fmt: skip
        label = claim.label or ""
        yield Item(claim.id, label, label == "supported", claim.claim, sources, claim.split, cluster=claim.cluster)


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    labels = ("supported", "contradicted")
    counts = {gold: dict(Counter(said(one) for one in judged if one.item.kind == gold)) for gold in labels}
    return {
        "confusion": counts,
        "three_verdicts": share(said(one) == one.item.kind for one in judged),
        "two_verdicts": share(one.accepted == one.item.supported for one in judged),
        "sensitivity": share(one.accepted for one in judged if one.item.supported),
        "specificity": share(not one.accepted for one in judged if not one.item.supported),
        "ms": latency([one.ms for one in judged]),
    }


def figure_lines(found: dict[str, Any]) -> list[str]:
    names = ("three_verdicts", "two_verdicts", "sensitivity", "specificity")
    return [
        *(f"    gold {gold}: said {counts}" for gold, counts in found["confusion"].items()),
        *(f"    {name:15} {shown(found[name])} %  (n {found[name]['n']})" for name in names),
        f"    ms a statement: {found['ms']}",
    ]


def gold_lines(args: argparse.Namespace, claims: Sequence[Claim], corpus: Mapping[str, CorpusItem]) -> dict[str, Any]:
    """Lines picked of the sections that a statement is about."""
    lines = {name: Lines.of(item.sentences, "\n") for name, item in corpus.items()}
    gold = {c.id: {(e.item_id, e.sentence) for e in c.evidence} for c in claims}
    with Book(args.store) as book:
        ingest(book, corpus)
        picked = picks_within(book, "nli4ct", {c.id: (c.claim, c.items) for c in claims}, lines)
    clusters = {c.id: c.cluster for c in claims}
    found = {"sections of the statement": {how: evidence_figures(p, gold, clusters) for how, p in picked.items()}}
    print("\n".join(evidence_lines(found)))
    return found


def ingest(book: Book, corpus: Mapping[str, CorpusItem]) -> None:
    if any(p.scope.name == "nli4ct" for p in book.store.partitions("collection")):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nli4ct.jsonl"
        rows = ({"doc_id": name, "text": item.text} for name, item in corpus.items())
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        book.ingest(path, collection="nli4ct")


if __name__ == "__main__":
    ended(main)
