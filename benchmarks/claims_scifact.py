"""SciFact's claims against their abstracts: support, refute or not enough; and which sentences are the evidence.

Usage: python benchmarks/claims_scifact.py SCIFACT_FOLDER [--split dev|train] [--checker NAME...] [--store STORE]
       [--json OUT] [--show-errors N]

A case is a claim with one abstract that it cites. Its label is that of the claim where the abstract has rationale
sentences, else not enough (SciFact's own reading). It is checked twice:

- evidence: against the rationale sentences of the abstract, all rationales together, each sentence a source. An
  abstract without any gives the two sentences that share most of the claim's words, as SciFact's authors chose
  sentences for `not enough`; fewer words in common would make the label too easy.
- abstract: against all its sentences, each a source.

With --store (as of `benchmarks/scifact.py`, made in minutes if it is not there) the evidence grades of the cascade pick
sentences, nothing tuned here: in the abstract given, those of grade 4 or more (strict), of 3 or more (lenient), of 2 or
more (weak), beside all of them; and in the open, what `ask` keeps as evidence of the whole collection. Micro F1 over
sentences; one is picked when half of it, or half of what was cited of it, is. Intervals resample claims. Tune on
`train`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim, CorpusItem
from chartcite.lab.datasets.scifact import DATASET
from chartcite.library.book import Book
from chartcite.verification.verdicts import Source
from verification.baselines import words_of
from verification.checkers import judge, named
from verification.command import ended, parser_of, show_errors, write
from verification.confusion import confusion, confusion_lines
from verification.evidence import Lines, evidence_figures, evidence_lines, open_picks, picks_within
from verification.items import Item

TEXTS = ("evidence", "abstract")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--store", type=Path)
    parser.add_argument("--show-errors", type=int, default=0, metavar="N", help="print so many errors a text")
    args = parser.parse_args()
    corpus = {item.id: item for item in DATASET.corpus(args.scifact)}
    claims = [claim for claim in DATASET.claims(args.scifact) if claim.split == args.split]
    result: dict[str, Any] = {"split": args.split, "claims": len(claims), "checkers": {}}
    for name, make in named(args.checker).items():
        result["checkers"][name] = {}
        for text in TEXTS:
            judged = judge(make, list(items(claims, corpus, text)))
            result["checkers"][name][text] = confusion(judged)
            print("\n".join([f"\n{name}, against: {text}", *confusion_lines(result["checkers"][name][text])]))
            show_errors(judged, args.show_errors)
    if args.store:
        result["evidence_sentences"] = sentences(args, claims, corpus)
    write(args.json, result)


def items(claims: Sequence[Claim], corpus: Mapping[str, CorpusItem], text: str) -> Iterator[Item]:
    """A case for each abstract that a claim cites."""
    for claim in claims:
        for doc in dict.fromkeys(claim.items):
            found = corpus[doc].sentences
            gold = sorted({e.sentence for e in claim.evidence if e.item_id == doc})
            label = (claim.label or "") if gold else "not_enough"
            chosen = range(len(found)) if text == "abstract" else gold or nearest(claim.claim, found)
            sources = tuple(Source(f"{doc}:{n}", found[n]) for n in chosen)
            yield Item(
                f"{claim.id}/{doc}", label, label == "supported", claim.claim, sources, claim.split, cluster=claim.id
            )


def nearest(claim: str, sentences: Sequence[str], count: int = 2) -> list[int]:
    """The sentences with most of the claim's words; of equals the first."""
    words = set(words_of(claim))
    order = sorted(range(len(sentences)), key=lambda n: (-len(words & set(words_of(sentences[n]))), n))
    return sorted(order[:count])


def sentences(args: argparse.Namespace, claims: Sequence[Claim], corpus: Mapping[str, CorpusItem]) -> dict[str, Any]:
    """Evidence sentences: in the abstracts with evidence, in all cited ones, in the whole collection."""
    from scifact import ingest  # noqa: PLC0415 - the models are loaded for this part alone

    gold = {claim.id: {(e.item_id, e.sentence) for e in claim.evidence} for claim in claims}
    lines = {doc: Lines.of(item.sentences, " ", f"{item.title}\n\n") for doc, item in corpus.items()}
    with Book(args.store) as book:
        ingest(args.scifact, book)
        cited = {c.id: (c.claim, tuple(dict.fromkeys(c.items))) for c in claims}
        proven = {c.id: (c.claim, tuple(dict.fromkeys(e.item_id for e in c.evidence))) for c in claims if c.evidence}
        within = picks_within(book, "scifact", cited, lines)
        opened = open_picks(book, "scifact", {c.id: c.claim for c in claims}, lines)
    clusters = {claim.id: claim.id for claim in claims}
    found = {
        "abstracts with evidence": {
            how: evidence_figures(
                {c: {p for p in picked[c] if p[0] in proven[c][1]} for c in proven}, gold, clusters
            ) for how, picked in within.items()
        },
        "all cited abstracts": {how: evidence_figures(picked, gold, clusters) for how, picked in within.items()},
        "open": {"ask": evidence_figures(opened, gold, clusters)},
    }  # fmt: skip
    print("\n".join(evidence_lines(found)))
    return found


if __name__ == "__main__":
    ended(main)
