"""Own gold of tables and lab panels: values right, wrong and lost, by layout, as the timeline reads them.

Usage: python benchmarks/lab_panels.py [FOLDER] [--wrong] [--json OUT]

The gold (`benchmarks/lab_panels/README.md`) names each value of a table with its day, unit and analyte. `right`: the
timeline has that analyte, day and number, and the unit where the table states one. `wrong`: the timeline has a value
for an analyte, day or number that the gold does not have: this is what harms. `lost`: no such value. `unit`: right but
for the unit. `free`: gold values without a day, where nothing need be said.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.documents import Document, Provenance
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.core.time import When
from chartcite.facts.line import read_line
from chartcite.facts.measurements import find_names
from chartcite.facts.units import parse_unit
from chartcite.records.reading import FactsReader
from chartcite.records.record import read_document
from chartcite.records.topic import Wish
from chartcite.text.sentences import split_sentences

GOLD = Path(__file__).parent / "lab_panels"


@dataclass(frozen=True)
class Panel:
    """One note with its values: (day or `?`, number, unit or empty, analyte)."""

    id: str
    written: str
    text: str
    values: tuple[tuple[str, str, str, str], ...]


def read_gold(path: Path) -> Iterator[Panel]:
    """The panels of one layout."""
    for part in path.read_text("utf-8").split("%%% ")[1:]:
        head, body = part.split("\n", 1)
        text, _, gold = body.partition(">>>\n")
        values = []
        for line in gold.splitlines():
            day, number, unit, name = line.split(" ", 3)
            values.append((day, number, "" if unit == "-" else parse_unit(unit).name or unit, name))
        name, written = head.split()
        yield Panel(name, written, text, tuple(values))


class _Reader:
    """What `read_document` asks of a store, over one note."""

    scope = Scope("patient", "p")

    def __init__(self, text: str) -> None:
        self._text = text

    def document(self, key: int) -> Document:
        return Document(doc_id="d", text=self._text, source=Provenance("", "", ""))

    def sentences(self, key: int) -> list[object]:
        return list(split_sentences(self._text))


def told(panel: Panel) -> list[tuple[str, str, str, str]]:
    """What is read of a panel, in the gold's form."""
    when = When.parse(panel.written)
    info = DocumentInfo(0, "d", "", "", when, when.sort_key, "current", "")
    found = read_document(info, _Reader(panel.text), Wish(values=frozenset()), FactsReader()).read_by("")  # type: ignore[arg-type]
    return [(v.day, v.amount.comparator + v.amount.digits, v.amount.unit, v.analyte) for v in found.values]


def score(panel: Panel) -> tuple[Counter[str], list[str]]:
    """Counts of right, unit, wrong, lost and free, and what was wrong or lost in words."""
    gold = [(d, _plain(n), u, _canonical(name)) for d, n, u, name in panel.values]
    said = list(dict.fromkeys(told(panel)))
    counts: Counter[str] = Counter(gold=len(gold))
    notes = []
    known = {(d, n, a): u for d, n, u, a in gold}
    free = {(n, a) for d, n, _, a in gold if d == "?"}
    seen = set()
    for day, number, unit, name in said:
        key = (day, _plain(number), name)
        if key in known:
            seen.add(key)
            is_right = known[key] == unit or (name == "blood pressure" and not known[key])  # mm Hg go without saying
            counts["right" if is_right else "unit"] += 1
            if not is_right:
                notes.append(f"unit {key} {unit!r} for {known[key]!r}")
        elif (key[1], name) in free:
            counts["free"] += 1
            seen.add(("?", key[1], name))
        else:
            counts["wrong"] += 1
            notes.append(f"WRONG {key} {unit}")
    missing = [key for key in known if key not in seen and key[0] != "?"]
    counts["lost"] += len(missing)
    return counts, notes + [f"lost {key}" for key in missing]


def _plain(number: str) -> str:
    head = number[:1] if number[:1] in "<>" else ""
    return head + "/".join(f"{float(part):g}" for part in number.lstrip("<>").split("/"))


def _canonical(name: str) -> str:
    for spelling in (name, name.upper()):  # `INR` is known in capitals only
        found = find_names(read_line(spelling))
        if found:
            return found[0].values[0].name
    return name


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=GOLD)
    parser.add_argument("--wrong", action="store_true", help="name each value that is not right")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    total: Counter[str] = Counter()
    rows = {}
    for path in sorted(args.folder.glob("*.txt")):
        counts: Counter[str] = Counter()
        for panel in read_gold(path):
            found, notes = score(panel)
            counts += found + Counter(tables=1)
            if args.wrong and notes:
                sys.stdout.write(f"{panel.id}: " + "; ".join(notes) + "\n")
        total += counts
        rows[path.stem] = counts
    columns = ("tables", "gold", "right", "unit", "wrong", "lost", "free")
    for name, row in [*rows.items(), ("all", total)]:
        sys.stdout.write(f"{name:16}" + "".join(f"{c} {row[c]:4}  " for c in columns) + "\n")
    if args.json:
        table = {name: {c: row[c] for c in columns} for name, row in [*rows.items(), ("all", total)]}
        args.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
