"""What is read from an image says so in the timeline: in its form, its table; never where a source is written text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from tests.unit.records.reading import Notes

from chartcite.app.render.scanned import Reading, reading_of
from chartcite.core.documents import Document
from chartcite.core.layout import WordBox, WordBoxes
from chartcite.records.kept import packed, unpacked
from chartcite.records.reading import FactsReader
from chartcite.records.record import read_document
from chartcite.records.timeline import read_doses, read_values
from chartcite.records.topic import ALL


@dataclass
class Scans(Notes):
    """Notes of which some were read from images, each word with the confidence given."""

    read: dict[int, float] = field(default_factory=dict)

    def document(self, key: int) -> Document:
        document = super().document(key)
        if key not in self.read:
            return document
        words = WordBoxes.pack([WordBox(0, len(document.text), 1, 0.1, 0.1, 0.9, 0.2, self.read[key])])
        return replace(document, words=words)


NOTE = "Creatinine 1.3 mg/dL. Started metformin 500 mg BID."
READ: dict[str, tuple[dict[int, float], Reading]] = {
    "written": ({}, ""),
    "surely read": ({0: 0.98, 1: 0.98}, "read"),
    "hardly read": ({0: 0.4, 1: 0.6}, "unsure"),
    "once surely": ({0: 0.4, 1: 0.98}, "read"),
    "written as well": ({0: 0.4}, ""),
}


@pytest.mark.parametrize("case", READ)
def test_an_entry_says_how_it_was_read(case: str) -> None:
    read, said = READ[case]
    notes = Scans((("2031-01-01", NOTE), ("2031-01-01", NOTE)), read=read)
    (series,) = read_values(notes)
    assert [reading_of(value.sources) for value in series.values] == [said]
    (course,) = read_doses(notes)
    assert [reading_of(p.sources) for e in course.episodes for p in e.periods] == [said]
    shown = [source.get("ocr_confidence") for source in series.values[0].to_dict()["sources"]]
    assert shown == [pytest.approx(read[n], abs=0.01) if n in read else None for n in (0, 1)]


def test_what_is_kept_has_it_too() -> None:
    notes = Scans((("2031-01-01", NOTE),), read={0: 0.5})
    info = notes.documents()[0]
    found = read_document(info, notes, ALL, FactsReader())
    assert unpacked(packed(found), info, notes, ALL) == found
    kept = found.by_order.values()
    sources = [*(v.source for f in kept for v in f.values), *(d.source for f in kept for d in f.doses)]
    confidences = [source.ocr_confidence for source in sources]
    assert confidences == [pytest.approx(0.5, abs=0.01)] * 2
