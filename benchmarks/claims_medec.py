"""MEDEC's injected errors: are they flagged against the corrected note, and what is flagged without an error?

Usage: python benchmarks/claims_medec.py MEDEC_FOLDER [--split val|test] [--checker NAME...] [--json OUT]
       [--show-errors N]

Every sentence of a note is a source; a claim is one sentence. The rules:

- error: the erroneous sentence against the corrected note. Accepted is wrong. Flagged is anything else; contradicted is
  the stronger word, given where the checker says that the note says otherwise and not only that it does not say so.
- correction: the same the other way round, the corrected sentence against the erroneous note.
- unchanged: each sentence without an error against its own note (the corrected one), itself among the sources.
  Everything but `supported` is a false alarm. It stands there word for word: this is the least to be asked.
- rest: the same sentence against the note without it and its copies. What a note says it seldom says twice, so
  `unsupported` is right and no false alarm; but a note that is right does not contradict itself, so `contradicted` is.
  Without this row a checker that vetoes everything but the verbatim text would look perfect.

What MEDEC does not have is true restatements: that an honest paraphrase passes must be shown on other data. Sentences
without a letter are left out. Intervals are Wilson's over sentences; those of one note are not independent, so for
unchanged and rest they are too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from chartcite.core.errors import UsageError
from chartcite.lab.cases import SpoiltNote
from chartcite.lab.datasets.medec import DATASET
from chartcite.verification.verdicts import Source
from verification.checkers import Judged, judge, named
from verification.command import ended, parser_of, show_errors, write
from verification.figures import latency, share, shown
from verification.items import Item

CHECKS = ("error", "correction", "unchanged", "rest")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("medec", type=Path)
    parser.add_argument("--split", choices=("val", "test"), help="both without it: nothing here is tuned on either")
    parser.add_argument("--show-errors", type=int, default=0, metavar="N", help="print so many errors a check")
    args = parser.parse_args()
    notes = [n for n in DATASET.notes(args.medec) if args.split in (None, n.split)]
    placed = [n for n in notes if not n.spoilt or n.wrong_sentence is not None]
    if not placed:
        raise UsageError("No note has this split.", "Leave it out.")
    result: dict[str, Any] = {"notes": len(notes), "left_out": len(notes) - len(placed), "checkers": {}}
    print(f"{len(notes)} notes, {len(notes) - len(placed)} left out whose erroneous sentence is not in the note")
    for name, make in named(args.checker).items():
        result["checkers"][name] = {}
        print(f"\n{name}\n    {'':30} {'n':>5}  not supported %     contradicted %")
        for check in CHECKS:
            judged = judge(make, [item for note in placed for item in items(note, check)])
            result["checkers"][name][check] = figures(judged)
            print("\n".join(figure_lines(check, result["checkers"][name][check])), flush=True)
            show_errors(judged, args.show_errors if check != "rest" else 0)
            show_contradicted(judged, args.show_errors if check == "rest" else 0)
    write(args.json, result)


def items(note: SpoiltNote, check: str) -> Iterator[Item]:
    """The claims of one check on one note; see the module."""
    wrong = note.wrong_sentence
    right = [note.corrected if n == wrong else sentence for n, sentence in enumerate(note.sentences)]
    if check in ("error", "correction"):
        if note.spoilt:
            claim, texts = (note.wrong, right) if check == "error" else (note.corrected, list(note.sentences))
            yield _item(f"{note.id}:{wrong}", note.kind, check, claim, texts, note)
        return
    for n, claim in enumerate(right):
        if n != wrong and any(c.isalpha() for c in claim):
            others = [text for text in right if text.split() != claim.split()]
            yield _item(f"{note.id}:{n}", "", check, claim, others if check == "rest" else right, note)


def _item(identity: str, kind: str, check: str, claim: str, texts: Sequence[str], note: SpoiltNote) -> Item:
    sources = tuple(Source(str(n), text) for n, text in enumerate(texts) if text.strip())
    return Item(identity, kind, check == "unchanged", claim, sources, note.split, cluster=note.id)


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """By type of error, where there is one, and of all."""
    kinds = sorted({one.item.kind for one in judged} - {""})
    groups = {kind: [one for one in judged if one.item.kind == kind] for kind in kinds} | {"all": list(judged)}
    return {
        name: {
            "not_supported": share(not one.accepted for one in group),
            "contradicted": share(one.verdict == "contradicted" for one in group),
            "ms": latency([one.ms for one in group]),
        } for name, group in groups.items()
    }  # fmt: skip


def figure_lines(check: str, found: dict[str, Any]) -> Iterator[str]:
    for name, figure in found.items():
        title = f"{check}, {name}" if name != "all" else check
        both = f"{shown(figure['not_supported'])}  {shown(figure['contradicted'])}"
        yield f"    {title:30} {figure['not_supported']['n']:5}  {both}  ms {figure['ms']}"


def show_contradicted(judged: Sequence[Judged], count: int) -> None:
    """Sentences that the rest of their own note is said to contradict."""
    show_errors([one for one in judged if one.verdict == "contradicted"], count, all_of_them=True)


if __name__ == "__main__":
    ended(main)
