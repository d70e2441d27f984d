"""MEDEC, the MS part: clinical notes, about half with one planted error and its correction (Ben Abacha et al., 2025).

`Sentences` numbers the lines of the note; a blank or unnumbered line belongs to the sentence before it. In a few notes
the error's sentence is not, word for word, the numbered one: `wrong_sentence` is then None and `wrong` still there.
Read: the shared JSONL, and the published CSVs (`MEDEC-MS-*.csv`, the split from the name).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import SpoiltNote
from chartcite.lab.datafiles import locate, read_cells, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

_NUMBERED = re.compile(r"(\d+) ?(.*)", re.DOTALL)
_COLUMNS = (
    "Text ID", "Text", "Sentences", "Error Flag", "Error Type", "Error Sentence ID", "Error Sentence",
    "Corrected Sentence",
)  # fmt: skip


class Medec(Dataset):
    """Spoilt notes; splits `val` and `test`."""

    card = Card(
        "medec",
        "CC BY 4.0",
        "github abachaa/MEDEC",
        "Ben Abacha et al., 2025, MEDEC: A Benchmark for Medical Error Detection and Correction",
        expected=(
            Expected("notes", 574, "ms-val-0", "ms-val-573", "val"),
            Expected("notes", 597, "ms-test-0", "ms-test-596", "test"),
        ),
        note="630 of the 1,171 notes are spoilt.",
    )

    def notes(self, folder: Path) -> Iterator[SpoiltNote]:
        """Notes, the unspoilt ones too."""
        for row in _rows(folder):
            values = [str(field(row, name, "medec")) for name in _COLUMNS]
            note, text, numbered, flag, kind, place, wrong, corrected = values
            spoilt, sentences = flag == "1", _sentences(numbered)
            at = int(place) if spoilt and place.isdigit() else -1
            holds = 0 <= at < len(sentences) and _same(sentences[at], wrong)
            yield SpoiltNote(
                note, text, sentences, spoilt, str(row.get("split") or ""), at if holds else None,
                wrong if spoilt else "", corrected if spoilt else "", kind if spoilt else "",
            )  # fmt: skip


def _sentences(numbered: str) -> tuple[str, ...]:
    """Lines that begin with the next number in turn start a sentence; others continue the one before."""
    found: list[str] = []
    for line in numbered.replace("\r", "").split("\n"):
        parts = _NUMBERED.fullmatch(line)
        if parts and int(parts[1]) == len(found):
            found.append(parts[2])
        elif found and line.strip():
            found[-1] += f"\n{line}"
    return tuple(found)


def _same(a: str, b: str) -> bool:
    return a.split() == b.split()


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    shared = locate(folder, "medec_ms.jsonl")
    tables = sorted(folder.glob("MEDEC-MS-*.csv"))
    if shared is not None or not tables:
        yield from read_objects(shared or wanted("medec", folder, "medec_ms.jsonl", "MEDEC-MS-*.csv"))
        return
    for path in tables:
        low = path.name.casefold()
        split = next((s for s in ("train", "val", "test") if s in low.removeprefix("medec-ms-")), "")
        yield from (cells | {"split": split} for cells in read_cells(path, _COLUMNS))


DATASET = Medec()
