from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers import csv_table

Read = Callable[..., tuple[list[Found], list[Problem]]]
HEADER = "doc_id,patient_id,time,note_type,text\n"


def test_a_table(read: Read) -> None:
    (found,), problems = read("n.csv", HEADER + 'd1,p1,2019-03-02 08:15:00,Note,"Line ""one"", a\r\nline two"\r\n')
    document = found.document
    assert not problems
    assert (document.doc_id, found.patient_id, str(document.time)) == ("d1", "p1", "2019-03-02T08:15:00")
    assert document.text == 'Line "one", a\r\nline two'
    assert document.source.format == "csv; charset=utf-8"


@pytest.mark.parametrize("header", ["patient_id,text,text", "Patient_ID,PATIENT_ID,text"], ids=["text", "patient"])
def test_two_columns_of_one_field_are_refused(read: Read, header: str) -> None:
    with pytest.raises(UnsupportedFormat, match="two columns of one name"):
        read("n.csv", f"{header}\np1,p2,K 5.8\n")


def test_two_columns_that_are_no_field_do_no_harm(read: Read) -> None:
    (found,), _ = read("n.csv", "patient_id,x,x,text\np1,1,2,K 5.8\n")
    assert (found.patient_id, found.document.text) == ("p1", "K 5.8")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(read: Read, delimiter: str) -> None:
    rows = io.StringIO()
    csv.writer(rows, delimiter=delimiter).writerows([["doc_id", "text"], ["d1", "a, b; c\td | e"]])
    (found,), _ = read("n.csv", rows.getvalue())
    assert found.document.text == "a, b; c\td | e"


def test_header_case_spaces_mark_and_map(read: Read) -> None:
    (found,), _ = read("n.tsv", "\ufeffDOC_ID\t Text \nd1\tx\n")
    assert (found.document.doc_id, found.document.text) == ("d1", "x")
    options = ReadOptions(columns={"text": "Note Body", "patient_id": "MRN"})
    (found,), _ = read("n.csv", "mrn;note body\n7;x, y\n", options)
    assert (found.patient_id, found.document.text, found.document.doc_id) == ("7", "x, y", "n.csv#2")


def test_latin_1_table_of_several_pieces(read: Read) -> None:
    rows = HEADER + "".join(f"d{n},p1,,Note,Dose 40 µg no. {n}\n" for n in range(50))
    found, _ = read("n.csv.gz", gzip.compress(rows.encode("latin-1")))
    assert found[-1].document.text == "Dose 40 µg no. 49"
    assert found[0].document.source.format == "csv; charset=windows-1252"


def test_rows_with_a_wrong_number_of_cells(read: Read) -> None:
    found, problems = read("n.csv", HEADER + "d1,p1,,N,ok\nd2,p1,N\n\nd3,p1,,N,too,many\nd4,p1,,N,ok\n")
    assert [f.document.doc_id for f in found] == ["d1", "d4"]
    assert [(p.where, str(p.error)) for p in problems] == [
        ("n.csv#3", "the row has 3 cells; the header has 5"),
        ("n.csv#5", "the row has 6 cells; the header has 5"),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        'd2,p1,,N,"never closed\n',
        'd2,p1,,N,"closed" but goes on\n',
        'd2,p1,,N,"never closed\nsecond line\n',
    ],
)
def test_an_open_quote_does_not_swallow_the_notes_after_it(read: Read, broken: str) -> None:
    rest = 'd3,p1,,N,"fine\nstill"\n' + "".join(f'd{n},p1,,N,"note {n}"\n' for n in range(4, 30))
    found, problems = read("n.csv", HEADER + "d1,p1,,N,ok\n" + broken + rest)
    assert [f.document.doc_id for f in found] == [f"d{n}" for n in range(1, 30) if n != 2]
    assert found[1].document.text == "fine\nstill"
    assert 1 <= len(problems) <= 2


def test_an_open_quote_in_the_last_row(read: Read) -> None:
    found, (problem,) = read("n.csv", HEADER + 'd1,p1,,N,ok\nd2,p1,,N,"never closed')
    assert len(found) == 1
    assert isinstance(problem.error, CorruptSource)


def test_a_note_larger_than_the_limit_of_the_csv_module(read: Read) -> None:
    before = csv.field_size_limit()
    (found,), _ = read("n.csv", HEADER + 'd1,p1,,N,"' + "word " * 100_000 + '"\n')
    assert len(found.document.text) == 500_000
    assert csv.field_size_limit() == before


def test_a_row_without_end_is_given_up(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_table, "MAX_RECORD_BYTES", 1000)
    found, problems = read("n.csv", HEADER + 'd1,p1,,N,"open\n' + "d2,p1,,N,ok\n" * 200)
    assert len(found) == 200
    assert [p.error.kind for p in problems] == ["LimitExceeded"]


def test_tables_that_cannot_be_notes(read: Read) -> None:
    with pytest.raises(UnsupportedFormat, match="no column 'text'") as caught:
        read("n.csv", "id,b\n1,2\n")
    assert "the columns are id, b" in caught.value.advice
    with pytest.raises(UnsupportedFormat) as caught:
        read("n.csv", "p1,Jane Doe has a fever of 39 degrees since yesterday\np2,x\n")
    assert "Jane" not in str(caught.value) + caught.value.advice
    with pytest.raises(UnsupportedFormat, match="no column 'body'"):
        read("n.csv", HEADER + "d1,p1,,N,ok\n", ReadOptions(columns={"text": "body"}))
    with pytest.raises(EmptySource):
        read("n.csv", HEADER)


CELL = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('",;\n\t'), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(CELL, min_size=1, max_size=5))
def test_what_python_writes_comes_back(read: Read, texts: list[str]) -> None:
    rows = io.StringIO()
    csv.writer(rows).writerows([["doc_id", "text"], *([str(n), text + "."] for n, text in enumerate(texts))])
    found, problems = read("n.csv", rows.getvalue())
    assert not problems
    assert [f.document.text for f in found] == [text + "." for text in texts]


def test_mimic_iv(read: Read) -> None:
    head = "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n"
    row = '10000032-DS-21,10000032,22595853,DS,21,2180-05-07 00:00:00,2180-05-09 15:26:00," \nName:  ___\n"\n'
    (found,), problems = read("discharge.csv.gz", gzip.compress((head + row).encode()))
    document = found.document
    assert not problems
    assert (document.doc_id, found.patient_id, document.encounter_id) == ("10000032-DS-21", "10000032", "22595853")
    assert (document.note_type, str(document.time)) == ("Discharge summary", "2180-05-07T00:00:00")
    assert document.text == " \nName:  ___\n"
    assert document.source.format == "mimic; charset=utf-8"
    (found,), _ = read("radiology.csv", head + row.replace("DS,21", "RR,1"))
    assert found.document.note_type == "Radiology report"


def test_mimic_iii(read: Read) -> None:
    columns = "ROW_ID SUBJECT_ID HADM_ID CHARTDATE CHARTTIME STORETIME CATEGORY DESCRIPTION CGID ISERROR TEXT"
    head = ",".join(f'"{column}"' for column in columns.split()) + "\n"
    rows = (
        '174,22532,167853,"2151-08-04",,,"Discharge summary","Report",,,"Admission [**2151-7-16**]"\n'
        '175,22532,,"2151-08-04","2151-08-04 10:30:00",,"Nursing ","Progress Note",,"1","wrong"\n'
    )
    (first, second), problems = read("NOTEEVENTS.csv", head + rows)
    assert not problems
    assert (first.document.doc_id, first.document.title, str(first.document.time)) == (
        "174",
        "Discharge summary",
        "2151-08-04",
    )
    assert first.document.status == "current"
    assert (second.document.note_type, second.document.title) == ("Nursing", "Progress Note")
    assert (str(second.document.time), second.document.status) == ("2151-08-04T10:30:00", "entered-in-error")


def test_a_truncated_mimic_file_names_its_damage(read: Read) -> None:
    head = "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n"
    data = gzip.compress((head + "".join(f"n{n},1,2,DS,1,2180-05-07,,{n * 7919}\n" for n in range(2000))).encode())
    with pytest.raises(CorruptSource, match="gzip"):
        read("discharge.csv.gz", data[:-500])


def test_a_first_row_that_is_a_note_is_not_taken_for_columns(read: Read) -> None:
    """A table without a header whose cells are single words: a name may be among them."""
    with pytest.raises(UnsupportedFormat) as caught:
        read("n.csv", "Zebulon,Silva,Aspirin\nMaria,Souza,Warfarin\n")
    assert "Zebulon" not in f"{caught.value} {caught.value.advice}"
    assert "must name the columns" in caught.value.advice
    with pytest.raises(UnsupportedFormat) as caught:
        read("n.csv", "MRN,remark\n1,No fever.\n")
    assert "MRN, remark" in caught.value.advice
