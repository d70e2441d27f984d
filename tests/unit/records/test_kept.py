"""Findings that are kept: the same timeline as from reading, gone with their document, of no use under other rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.unit.records.reading import Notes

from chartcite.core.errors import StoreDamaged
from chartcite.core.scope import Scope
from chartcite.library.timelines import keep_findings
from chartcite.records import record
from chartcite.records.kept import packed, unpacked
from chartcite.records.reading import FactsReader
from chartcite.records.rules import rules
from chartcite.records.timeline import Timeline, timeline
from chartcite.records.topic import ALL, EVERYTHING, Topic

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

P1 = Scope.patient("p1")
NOTES = (
    ("2020-01-01", "Labs\nCreatinine 1.1 mg/dL (0.6-1.2). BP 130/80. Started lisinopril 10 mg daily."),
    ("2020-02-01", "Medications\nLisinopril 10 mg daily\nWarfarin 5 mg Mon/Wed/Fri, 2.5 mg other days\nMultivitamin"),
    ("2020-03-01", "Amended result: creatinine on 02/01/2020 was 1.4 mg/dL, not 1.9. Lisinopril was held."),
    ("2020-04-11", "Seen 04/11/2020. Creatinine 1.9 mg/dL on 05/02/2020."),
    ("2021-05-05", "Creatinina 2,0 mg/dL em 03/04/2021."),
)  # fmt: skip
TOPICS = {
    "all": EVERYTHING,
    "a value": Topic(frozenset(["creatinine"])),
    "a drug": Topic(frozenset(), frozenset(["warfarin"])),
    "both": Topic(frozenset(["blood pressure"]), frozenset(["lisinopril"])),
}  # fmt: skip


@pytest.fixture(name="full")
def full_shelf(shelf: Shelf, make_note: MakeNote) -> Shelf:
    shelf.put("p1", *(make_note(f"d{n}", text, day) for n, (day, text) in enumerate(NOTES)))
    shelf.put("p2", make_note("d", "Creatinine 3.3 mg/dL.", "2020-01-01"))
    return shelf


def of(shelf: Shelf, topic: Topic = EVERYTHING, as_of: str = "") -> Timeline:
    with shelf.store.read(P1, as_of) as reader:
        return timeline(reader, topic)


def kept(shelf: Shelf) -> list[tuple[object, ...]]:
    return shelf.rows("SELECT d.doc_id FROM findings f JOIN documents d ON d.id = f.document ORDER BY 1")


@pytest.mark.parametrize("name", TOPICS)
def test_the_timeline_is_the_same_from_what_is_kept(name: str, full: Shelf) -> None:
    read = [of(full, TOPICS[name], as_of) for as_of in ("", "2020-02-15T23:59:59")]
    assert any(one.series or one.courses for one in read)
    assert keep_findings(full.store, P1) == len(NOTES)
    assert [of(full, TOPICS[name], as_of) for as_of in ("", "2020-02-15T23:59:59")] == read


def test_what_is_kept_is_not_read_again(full: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = of(full)
    keep_findings(full.store, P1)
    monkeypatch.setattr(record, "read_document", None)
    assert of(full) == expected
    assert keep_findings(full.store, P1) == 0


def test_a_document_that_is_new_or_changed_is_read(full: Shelf, make_note: MakeNote) -> None:
    keep_findings(full.store, P1)
    full.put(
        "p1",
        make_note("d0", "Creatinine 9.9 mg/dL.", "2020-01-01"),
        make_note("new", "Lactate 2 mmol/L.", "2020-01-02"),
    )
    assert len(kept(full)) == len(NOTES) - 1
    days = {one.analyte: [(v.day, str(v.amount)) for v in one.values] for one in of(full).series}
    assert days["creatinine"][0] == ("2020-01-01", "9.9 mg/dL")
    assert days["lactate"] == [("2020-01-02", "2 mmol/L")]
    assert keep_findings(full.store, P1) == 2


def test_other_rules_make_them_anew(full: Shelf) -> None:
    keep_findings(full.store, P1)
    full.rows("UPDATE findings SET rules = 'of another version'")
    assert of(full).series
    assert keep_findings(full.store, P1) == len(NOTES)
    assert full.rows("SELECT DISTINCT rules FROM findings") == [(rules(),)]


def test_a_patient_keeps_nothing_of_another_and_takes_all_along(full: Shelf) -> None:
    for scope in (P1, Scope.patient("p2")):
        keep_findings(full.store, scope)
    assert len(kept(full)) == len(NOTES) + 1
    full.store.delete(P1)
    assert kept(full) == [("d",)]
    full.store.close()
    raw = b"".join(path.read_bytes() for path in full.store.folder.iterdir())
    assert b"warfarin" not in raw


def test_a_collection_has_no_timeline(full: Shelf, make_note: MakeNote) -> None:
    full.put(Scope.collection("c"), make_note("d", "Creatinine 3.3 mg/dL.", "2020-01-01"))
    assert keep_findings(full.store, Scope.collection("c")) == 0


def test_a_store_of_before_is_read_and_gets_the_table_when_first_written(full: Shelf) -> None:
    expected = of(full)
    full.rows("DROP TABLE findings")
    full.rows("PRAGMA user_version=4")
    assert of(full) == expected
    assert keep_findings(full.store, P1) == len(NOTES)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda data: data[:-9],
    "no list": lambda _: b"{}",
    "a span outside": lambda data: data.replace(b"[1,", b"[1,9999").replace(b"[2,", b"[2,9999"),
    "no number": lambda data: data.replace(b'"mg/dL"', b"[]").replace(b"[[11,10]", b"[[11,0]"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_and_shows_nothing(name: str) -> None:
    notes = Notes(NOTES)
    info = notes.documents()[0]
    data = DAMAGE[name](packed(record.read_document(info, notes, ALL, FactsReader())))
    with pytest.raises(StoreDamaged) as caught:
        unpacked(data, info, notes, ALL)
    assert "reatinine" not in f"{caught.value} {caught.value.advice}"


def test_wording_is_kept_as_places_in_the_document() -> None:
    notes = Notes(NOTES)
    for info in notes.documents():
        whole = json.loads(packed(record.read_document(info, notes, ALL, FactsReader())))
        assert "1.1 mg/dL (" not in str(whole)
        assert "Mon/Wed" not in str(whole)


def test_the_order_of_a_date_is_asked_of_the_rest_of_the_record() -> None:
    notes = [
        ("2020-04-11", "Seen 04/11/2020. Creatinine 1.9 mg/dL."),
        ("2020-06-01", "Creatinine on 05/02/2020 was 2.2 mg/dL."),
    ]
    assert [v.day for v in timeline(Notes(notes)).series[0].values] == ["2020-04-11", "2020-05-02"]
    assert [v.day for v in timeline(Notes(notes[1:])).series[0].values] == ["2020-02-05"]
    torn = [*notes, ("2020-08-25", "Seen 25/08/2020."), ("2020-09-26", "Seen 26/09/2020.")]
    assert "2020-02-05" in [v.day for v in timeline(Notes(torn)).series[0].values]
