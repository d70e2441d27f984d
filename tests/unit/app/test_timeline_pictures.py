"""Pictures and tables of timelines: nothing left out in silence, same bytes, odd records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.records.reading import Notes

from chartcite.app.render.layout import Paper
from chartcite.app.render.plot import draw
from chartcite.app.render.plot_history import MOST_ROWS, history_rows, most_stated, shortened
from chartcite.app.render.timeline import timeline_lines
from chartcite.records.timeline import Timeline, timeline

pytest.importorskip("matplotlib")
MANY = "; ".join(f"{n % 28 + 1} May {2000 + n // 28}: creatinine {1 + n % 7}.{n % 10} mg/dL" for n in range(60))
RECORDS = {
    "nothing": [("2020-01-01", "Seen.")],
    "one value": [("2020-01-01", "Creatinine 1.1 mg/dL.")],
    "many values": [(f"20{n:02}-03-04", MANY) for n in range(10, 12)],
    "mixed units": [("2020-01-01", "Creatinine 1.1 mg/dL."), ("2020-02-01", "Creatinine 97 umol/L."),
                    ("2020-03-01", "Creatinine 1.2 mEq/L.")],
    "a schedule": [("2020-01-01", "Warfarin 5 mg Mon/Wed/Fri and 2.5 mg other days."), ("2021-01-01", "Seen.")],
    "history": [("2020-01-01", "Problems:\nGout since 2004.\nCT excluded pneumonia.\n\n"
                 "Operations:\nColonoscopy 2019-05-03.\nCystoscopy 1999."),
                ("2020-05-05", "Operations:\nColonoscopy 2020-04-03.")],
    "Portuguese": [("2020-01-01", "Antecedentes:\n1. Fibrilação atrial desde 2003.\n\nCreatinina 1,3 mg/dL.")],
    "undated": [("", "Creatinine 1.1 mg/dL.")],
    "a long name": [("2020-01-01", "Problems:\nChronic inflammatory demyelinating polyradiculoneuropathy disease.")],
    "characters of formulas": [("2020-01-01", "Problems:\nPain $x_1^2$ disease.")],
}  # fmt: skip


def of(name: str) -> Timeline:
    return timeline(Notes(RECORDS[name]))


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_can_be_drawn(name: str, tmp_path: Path) -> None:
    draw(of(name), tmp_path / "x.svg")
    assert "Record of p" in (tmp_path / "x.svg").read_text()


@pytest.mark.parametrize(("name", "told"), [("nothing", "in the record."), ("undated", "in a document with a date.")])
def test_what_an_undated_note_may_state_is_not_called_nowhere(name: str, told: str) -> None:
    assert f"Nothing of it is stated {told}" in [line.plain for line in timeline_lines(of(name), Paper(96))]


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_timeline_gives_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        draw(of("history"), tmp_path / f"{name}.{suffix}")
    assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_the_picture_names_what_it_shows(tmp_path: Path) -> None:
    found = timeline(Notes([("2019-01-01", "Seen."), *RECORDS["history"]]))
    draw(found, tmp_path / "x.svg")
    drawn = (tmp_path / "x.svg").read_text()
    assert all(name in drawn for name in ("Gout", "pneumonia: ruled out", "Colonoscopy", "2020"))
    assert "Cystoscopy" not in drawn  # twenty years before the record begins
    draw(of("a schedule"), tmp_path / "y.svg")
    assert "varies" in (tmp_path / "y.svg").read_text()


def test_of_too_many_rows_the_title_tells_how_many_are_left_out(tmp_path: Path) -> None:
    names = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}q disease" for n in range(MOST_ROWS + 5)]
    text = "Problems:\n" + "\n".join(f"- {name}" for name in names) + "\n\nOperations:\nColonoscopy on 2020-01-01.\n"
    found = timeline(Notes([("2020-01-01", text)]))
    assert len(history_rows(found)) == MOST_ROWS + 6
    kept = most_stated(history_rows(found))
    assert len(kept) == MOST_ROWS
    assert kept[-1].name == "Colonoscopy"
    draw(found, tmp_path / "x.svg")
    assert "6 more are not drawn" in (tmp_path / "x.svg").read_text()


def test_long_names_are_cut() -> None:
    assert shortened("x" * 50) == "x" * 31 + "…"
    assert shortened("gout") == "gout"


def shown(name: str) -> str:
    return "\n".join(line.plain for line in timeline_lines(of(name), Paper(120)))


def test_the_table_shows_diagnoses_procedures_and_schedules() -> None:
    text = shown("history")
    assert re.search(r"2004 +Gout +active", text)
    assert re.search(r"pneumonia +ruled out", text)
    assert re.search(r"2019-05-03 +Colonoscopy", text)
    assert "5 mg Mon/Wed/Fri and 2.5 mg other days" in shown("a schedule")


def test_a_gap_and_an_unfinished_note_are_shown() -> None:
    notes = [("2020-01-01", "Lisinopril 10 mg daily."), ("2020-02-01", "Lisinopril was held."),
             ("2020-03-01", "Lisinopril 10 mg daily was resumed.")]  # fmt: skip
    text = "\n".join(line.plain for line in timeline_lines(timeline(Notes(notes)), Paper(120)))
    assert re.search(r"2020-02-01 +2020-03-01 +not taken", text)
