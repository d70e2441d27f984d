"""Headers found against headers marked: on our own gold, on aci_bench's notes, and on notes joined from mts_dialog.

Usage: python benchmarks/section_headers.py own [--wrong]
       python benchmarks/section_headers.py aci_bench DATA [--split train]
       python benchmarks/section_headers.py mts_dialog DATA [--split train]

- own: `benchmarks/sections/` (its README says what is marked). A boundary is right if a header begins there and has the
  marked words; a path is right if it also has the marked depth: the same headers above it.
- aci_bench: a line is a header if it is in capitals or in title case, without a full stop, a figure or text behind a
  colon, a bullet or a number, with a blank line or the start of the note above it. This rule was compared with the
  train split by eye; it does not hold where a note has headers of another form, which then count as false.
- mts_dialog: its sections have a label and no header. Five sections in a row (by their order in the file, of different
  labels) are joined into a note, each under a wording of our own of its label, in one of six forms. What is measured:
  whether those are found, and whether text inside real sections is taken for a header.

`regexp`: the baseline, a line of capitals or of at most six words before a colon at its beginning. Intervals: 95 %,
bootstrap over notes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chartcite.text.sentences import split_sentences

GOLD = Path(__file__).parent / "sections"
_MARK = re.compile(r"⟦(\d) (.*?)⟧", re.DOTALL)
_BASELINE = re.compile(
    r"^[ \t]*(?:[A-Z][A-Z0-9 /&,()'-]{2,60}:?(?=[ \t]*$)|[A-Z][\w/&'-]*(?: [\w/&'()-]+){0,5}:)", re.MULTILINE
)
_WORDINGS = {
    "GENHX": "History of Present Illness", "CC": "Chief Complaint", "PASTMEDICALHX": "Past Medical History",
    "PASTSURGICAL": "Past Surgical History", "FAM/SOCHX": "Family and Social History", "ALLERGY": "Allergies",
    "MEDICATIONS": "Medications", "ROS": "Review of Systems", "EXAM": "Physical Examination", "LABS": "Laboratory Data",
    "IMAGING": "Imaging Studies", "ASSESSMENT": "Assessment", "DIAGNOSIS": "Diagnosis", "PLAN": "Plan",
    "DISPOSITION": "Disposition", "EDCOURSE": "Emergency Department Course", "IMMUNIZATIONS": "Immunizations",
    "PROCEDURES": "Procedures", "GYNHX": "Gynecologic History", "OTHER_HISTORY": "Other History",
}  # fmt: skip
_FORMS: tuple[Callable[[str], str], ...] = (
    lambda name: f"{name.upper()}:\n", lambda name: f"{name}:\n", lambda name: f"{name.upper()}\n\n",
    lambda name: f"{name}: ", lambda name: f"## {name}\n", lambda name: f"**{name}**\n",
)  # fmt: skip


class Marked(NamedTuple):
    """A note with its headers: (start, words, depth); depth 0 where it is not marked."""

    id: str
    text: str
    headers: tuple[tuple[int, str, int], ...]


def own() -> Iterator[Marked]:
    """Our own notes."""
    for path in sorted(GOLD.glob("*.txt")):
        for part in path.read_text("utf-8").split("%%% ")[1:]:
            name, marked = part.split("\n", 1)
            text, headers, end = "", [], 0
            for found in _MARK.finditer(marked):
                text += marked[end : found.start()]
                headers.append((len(text), _plain(found[2]), int(found[1])))
                text += found[2]
                end = found.end()
            yield Marked(name, text + marked[end:], tuple(headers))


def aci_bench(folder: Path, split: str) -> Iterator[Marked]:
    """Its notes, headers by the rule above."""
    for row in _rows(folder / "aci_bench" / "aci_bench.jsonl.gz"):
        if row["split"].startswith(split):
            text = row["note"].replace("\r\n", "\n")
            yield Marked(row["encounter_id"], text, tuple(_by_rule(text)))


def _by_rule(text: str) -> Iterator[tuple[int, str, int]]:
    at, blank = 0, True
    for line in text.split("\n"):
        said = line.strip()
        words = said.rstrip(":").split()
        is_name = bool(words) and len(words) <= 7 and not re.search(r"\d", said) and said[0].isalpha()
        is_name = is_name and not said.endswith((".", "!", "?", ";", ",")) and ": " not in said
        is_titled = said.isupper() or (all(w[0].isupper() or len(w) < 4 for w in words) and len(words) < 6)
        if is_name and is_titled and blank:
            yield at + line.index(said), _plain(said), 0
        blank = not said
        at += len(line) + 1


def mts_dialog(folder: Path, split: str) -> Iterator[Marked]:
    """Notes joined from its sections."""
    rows = [row for row in _rows(folder / "mts_dialog" / "mts_dialog.jsonl.gz") if row["split"].startswith(split)]
    while rows:
        note: list[dict[str, str]] = []
        for row in rows:
            if len(note) < 5 and row["section_header"] not in {r["section_header"] for r in note}:
                note.append(row)
        rows = [row for row in rows if row not in note]
        form = (
            _FORMS[int(note[0]["ID"].split("-")[-1] or 0) % len(_FORMS)] if note[0]["ID"][-1].isdigit() else _FORMS[0]
        )
        text, headers = "", []
        for row in note:
            name = _WORDINGS[row["section_header"]]
            said = form(name)
            headers.append((len(text), _plain(said), 0))
            text += said + row["section_text"].replace("\r\n", "\n").strip() + "\n\n"
        yield Marked(note[0]["ID"], text, tuple(headers))


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _plain(words: str) -> str:
    """A header without its marks."""
    first = words.strip().split("\n")[0]
    return re.sub(r"\s+", " ", first).strip(" #*_=:>[]").casefold()


def found(text: str) -> list[tuple[int, str, int]]:
    """What the splitter takes for headers."""
    return [
        (u.start, _plain(text[u.start : u.end]), len(u.section)) for u in split_sentences(text) if u.kind == "header"
    ]


def baseline(text: str) -> list[tuple[int, str, int]]:
    """What a simple rule takes for headers."""
    return [(m.start() + len(m[0]) - len(m[0].lstrip()), _plain(m[0]), 1) for m in _BASELINE.finditer(text)]


def counts(note: Marked, said: Sequence[tuple[int, str, int]], *, path: bool = False) -> tuple[int, int, int]:
    """(right, said, marked)."""
    marked = {h if path else h[:2] for h in note.headers}
    given = {h if path else h[:2] for h in said}
    return len(marked & given), len(given), len(marked)


def row(name: str, per_note: Sequence[tuple[int, int, int]]) -> str:
    """Precision, recall and F1 over all notes, F1 with its interval."""
    draw = random.Random(0)
    f1s = sorted(_f1([draw.choice(per_note) for _ in per_note])[2] for _ in range(1_000))
    p, r, f1 = _f1(per_note)
    right, given, marked = (sum(c[i] for c in per_note) for i in range(3))
    figures = f"P {p:.3f}  R {r:.3f}  F1 {f1:.3f} [{f1s[25]:.3f}-{f1s[975]:.3f}]"
    return f"{name:24} {figures}  ({right} of {marked}, {given} said)\n"


def _f1(per_note: Sequence[tuple[int, int, int]]) -> tuple[float, float, float]:
    right, given, marked = (sum(c[i] for c in per_note) for i in range(3))
    p, r = right / given if given else 0.0, right / marked if marked else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["own", "aci_bench", "mts_dialog"])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument(
        "--wrong", action="store_true", help="name what is false and what is missed (never of a test split)"
    )
    args = parser.parse_args()
    if args.what != "own" and (args.data is None or not (args.data / args.what).is_dir()):
        parser.exit(0, f"Skipped: DATA has no folder {args.what}.\n")
    if args.wrong and args.split != "train":
        parser.error("--wrong is for the train split")
    notes = list(
        own()
        if args.what == "own"
        else {"aci_bench": aci_bench, "mts_dialog": mts_dialog}[args.what](args.data, args.split)
    )
    ours = [counts(note, found(note.text)) for note in notes]
    sys.stdout.write(
        f"{len(notes)} notes\n" + row("ours", ours) + row("regexp", [counts(n, baseline(n.text)) for n in notes])
    )
    if args.what == "own":
        sys.stdout.write(row("ours, with depth", [counts(n, found(n.text), path=True) for n in notes]))
        for style in dict.fromkeys(n.id.rsplit("-", 1)[0] for n in notes):
            sys.stdout.write(row("  " + style, [c for c, n in zip(ours, notes, strict=True) if n.id.startswith(style)]))
    if args.wrong:
        for note in notes:
            marked, said = {h[:2] for h in note.headers}, {h[:2] for h in found(note.text)}
            lines = [f"  false {h[1]!r}" for h in sorted(said - marked)] + [
                f"  missed {h[1]!r}" for h in sorted(marked - said)
            ]
            if lines:
                sys.stdout.write(f"{note.id}\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
