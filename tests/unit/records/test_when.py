"""Days counted from the note's day or from an event: in the timeline and in the check; refused where unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.records.reading import Notes, told

from chartcite.core.documents import Document, Provenance, Sentence
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.core.time import When
from chartcite.records.timeline import read_values, timeline
from chartcite.records.when.reader import days_of_document
from chartcite.text.sentences import split_sentences
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

OP = "Date of surgery: 2022-03-07\n"
VALUES = {
    "a day of the operation": (OP + "On POD#1 creatinine was 1.3 mg/dL.", [("2022-03-08", "1.3 mg/dL")]),
    "the label of its line": ("POD#3: creatinine 1.3 mg/dL.", [("2022-03-10", "1.3 mg/dL")]),
    "a label that says which day": (OP + "POD#1: creatinine 1.3 mg/dL.", [("2022-03-08", "1.3 mg/dL")]),
    "no operation stated": ("On POD#1 creatinine was 1.3 mg/dL.", []),
    "two operations": (OP + "Date of surgery: 2022-03-09\nOn POD#1 creatinine was 1.3 mg/dL.", []),
    "admission": ("Admission date: 2022-03-06\nCreatinine on admission was 1.3 mg/dL.", [("2022-03-06", "1.3 mg/dL")]),
    "behind the number": (
        "Admission date: 2022-03-06\nCreatinine 1.3 mg/dL on admission.", [("2022-03-06", "1.3 mg/dL")]
    ),
    "all that a day leads": (
        "Admission date: 2022-03-06\nOn admission, potassium 5.1 mmol/L, creatinine 1.3 mg/dL.",
        [("2022-03-06", "1.3 mg/dL")],
    ),
    "yesterday": ("Creatinine 1.3 mg/dL yesterday.", [("2022-03-09", "1.3 mg/dL")]),
    "days ago": ("Creatinine 1.3 mg/dL 3 days ago.", [("2022-03-07", "1.3 mg/dL")]),
    "no single day": ("Creatinine 1.3 mg/dL 2 weeks ago.", []),
    "two Tuesdays": ("Creatinine 1.3 mg/dL last Tuesday.", []),
    "a hospital day": (
        "Admitted 2022-03-06.\nOn hospital day 3 creatinine was 1.3 mg/dL.", [("2022-03-08", "1.3 mg/dL")]
    ),
    "an admission of before": ("Previously admitted 2022-01-06.\nCreatinine on admission was 1.3 mg/dL.", []),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_the_counted_day_of_a_value(name: str) -> None:
    text, expected = VALUES[name]
    assert told(("2022-03-10", text)) == expected


class _Stay(Notes):
    """Notes of encounters: encounter and note type stand before the text."""

    def _text(self, key: int) -> str:
        return self.notes[key][1].split("|", 2)[2]

    def document(self, key: int) -> Document:
        return replace(super().document(key), text=self._text(key))

    def sentences(self, key: int) -> list[Sentence]:
        return list(split_sentences(self._text(key)))

    def documents(self) -> list[DocumentInfo]:
        found = []
        for info in super().documents():
            encounter, kind, _ = self.notes[info.key][1].split("|", 2)
            found.append(replace(info, encounter_id=encounter, note_type=kind))
        return found


def _counted(*notes: tuple[str, str]) -> list[tuple[str, str]]:
    values = [v for one in read_values(_Stay(notes)) for v in one.values]
    return [(v.day, v.rests.source.doc_id if v.rests and v.rests.source else "") for v in values]


ASKING = ("2022-03-10", "e1|Progress note|On POD#1 creatinine was 1.3 mg/dL.")
STAYS = {
    "another note of the stay states it": ([("2022-03-07", "e1|Note|\n" + OP)], [("2022-03-08", "d1")]),
    "the operation's own note": ([("2022-03-07", "e1|Operative note|Colectomy.")], [("2022-03-08", "d1")]),
    "a note of another stay": ([("2022-03-07", "e2|Note|\n" + OP)], []),
    "two days": ([("2022-03-07", "e1|Note|\n" + OP), ("2022-03-08", "e1|Note|\nDate of surgery: 2022-03-08\n")], []),
    "an operation of years ago": ([("2015-03-07", "e1|Note|\nDate of surgery: 2015-03-07\n")], []),
    "a day after the note": ([("2022-03-10", "e1|Note|\nDate of surgery: 2022-03-10\n")], []),
}


@pytest.mark.parametrize("name", STAYS)
def test_a_day_counted_from_an_event_of_the_stay(name: str) -> None:
    others, expected = STAYS[name]
    assert _counted(ASKING, *others) == expected


def test_what_a_day_rests_on_is_kept_beside_the_document(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d", OP + "On POD#1 creatinine was 1.3 mg/dL. BUN 20 mg/dL yesterday.", "2022-03-10"))
    with shelf.store.read(Scope.patient("p1")) as reader:
        read = timeline(reader).to_dict()
    rests = {one["analyte"]: one["values"][0]["rests"] for one in read["series"]}
    assert rests["creatinine"]["basis"] == "operation"
    assert rests["creatinine"]["source"]["quote"] == OP.strip()
    assert rests["blood urea nitrogen"] == {"basis": "document", "said": "yesterday", "source": None}


POD = Source("a", "On POD#1 hemoglobin was 8.2 g/dL.", day="2022-03-10", document="pn")
BASIS = Source("b", "Date of surgery: 2022-03-07", day="2022-03-07", document="op")
CLAIMS = {
    "with its basis": ("Hemoglobin was 8.2 g/dL on 2022-03-08.", [POD, BASIS], True),
    "without its basis": ("Hemoglobin was 8.2 g/dL on 2022-03-08.", [POD], False),
    "another day": ("Hemoglobin was 8.2 g/dL on 2022-03-09.", [POD, BASIS], False),
    "the note's day": ("Hemoglobin was 8.2 g/dL on 2022-03-10.", [POD, BASIS], False),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_of_a_counted_day_needs_its_basis(name: str) -> None:
    claim, sources, holds = CLAIMS[name]
    assert check_claim(claim, sources).verified is holds


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="POD#HD 0123456789/-.ago yesterday há2semanas\n[*]'º", max_size=120))
def test_any_text_is_read_and_spans_are_slices(text: str) -> None:
    document = Document(doc_id="d", text=text, source=Provenance("", "", ""), time=When.parse("2022-03-10"))
    for days in days_of_document(document, split_sentences(text)):
        last = 0
        for one in days:
            assert last <= one.span.start < one.span.end <= len(text)
            assert (one.reason is None) == bool(one.first)
            assert one.first <= one.last
            last = one.span.end
