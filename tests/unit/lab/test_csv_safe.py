"""CSV: exact round trip, no formula, no NaN; foreign tables with faults are refused by line."""

from __future__ import annotations

import csv
import os
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chartcite.lab.cases import Case, Claim, EvidenceSentence, Relevant, Statement
from chartcite.lab.csv_safe import Cell, read_own, read_table, replace_text, write_csv
from chartcite.lab.errors import BadTable, NotWritable
from chartcite.lab.rows import read_rows_jsonl, write_rows_csv, write_rows_jsonl

AWKWARD = [
    "plain", "", " ", "a,b", 'say "so"', "two\nlines", "two\r\nlines", "\ttab", "=1+1", "=cmd|' /C calc'!A0", "+1 555",
    "-0.5", "-5 mg", "@SUM(A1)", "'=1", "''=1", "'tis", "-", "=", "\ufeff=1", "\u200b=1", " =1", "＝1", "−1 mg", "😀",
    "40 µg", "\ufeffBOM", "1e5", "00123", "\x00", "\u2028", '"=1"', "'\"=1", "%0A", "a;=1",
]  # fmt: skip


def _round_trip(path: Path, texts: list[str]) -> list[str]:
    write_csv(path, ["text", "n"], [{"text": t, "n": i} for i, t in enumerate(texts)])
    return [row["text"] for row in read_own(path)]


def test_awkward_cells_come_back_exactly(tmp_path: Path) -> None:
    assert _round_trip(tmp_path / "t.csv", AWKWARD) == AWKWARD


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(AWKWARD), max_size=4))
def test_any_text_comes_back_exactly(tmp_path: Path, texts: list[str]) -> None:
    assert _round_trip(tmp_path / "t.csv", texts) == texts


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.text(st.sampled_from("=+-@'\" \t\ufeff\u200b1.ae＝"), max_size=6))
def test_no_cell_starts_a_formula_unless_it_is_a_number(tmp_path: Path, text: str) -> None:
    write_csv(tmp_path / "t.csv", ["text"], [{"text": text}])
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        cell = list(csv.reader(file))[1][0]
    bare = cell.strip(' \t\ufeff\u200b"')
    if bare.startswith(("=", "+", "-", "@", "＝")):
        float(cell)
    assert cell in (text, f"'{text}")


def test_every_text_is_quoted_and_numbers_are_bare(tmp_path: Path) -> None:
    rows: list[dict[str, Cell]] = [{"text": "a;b", "score": -0.5, "n": 3, "right": True, "why": None}]
    write_csv(tmp_path / "t.csv", list(rows[0]), rows)
    assert (tmp_path / "t.csv").read_bytes() == b'"text","score","n","right","why"\n"a;b",-0.5,3,"true",""\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused_and_leaves_the_old_file(tmp_path: Path, value: float) -> None:
    path = tmp_path / "t.csv"
    write_csv(path, ["score"], [{"score": 1.0}])
    with pytest.raises(NotWritable, match="score"):
        write_csv(path, ["score"], [{"score": value}])
    with pytest.raises(NotWritable):
        write_rows_jsonl(tmp_path / "t.jsonl", [{"score": value}])
    assert read_own(path) == [{"score": "1.0"}]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no header"),
        (b"\n\n", "no header"),
        (b"a,a,c\n1,2,3\n", "line 1: a column name"),
        (b"a,,c\n1,2,3\n", "line 1: a column name"),
        (b"a,b\n1,2\n", "line 1: no column c"),
        (b"a,b,c\n1,2,3\n1,2\n", "line 3: 2 cells"),
        (b"a,b,c\n1,2,3,4\n", "line 2: 4 cells"),
        (b'a,b,c\n"x\ny",2,3\n1\n', "line 4: 1 cells"),
        (b'a,b,c\n1,2,"3\n', "not CSV"),
        (b'a,b,c\n1,"2"x,3\n', "line 2: not CSV"),
        (b"a,b,c\n1,2,3\n\xff,2,3\n", "line 3: not UTF-8"),
        (b"a;b;c\n1;2;3\n", "line 1: no column a, b, c"),
        ("a,b,c\n1,2,3\n".encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_damaged_table_is_refused_by_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(BadTable, match=says):
        list(read_table(path, ["a", "b", "c"]))


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\r\n\r\n1,=2\r\n")
    assert [(r.line, dict(r.cells)) for r in read_table(path)] == [(3, {"a": "1", "b": "=2"})]


def test_typed_rows_come_back_from_jsonl_as_they_were(tmp_path: Path) -> None:
    rows = [
        Case("1", "What is the dose?", references=("5 mg",), relevant=(Relevant("d1", 2),), patient_id="p"),
        Case("2", "É verdade?", statements=(Statement("sim", required=False),), lang="pt"),
    ]
    assert write_rows_jsonl(tmp_path / "c.jsonl", rows) == 2
    assert list(read_rows_jsonl(tmp_path / "c.jsonl", Case)) == rows
    claim = Claim("c", "x\ud800", label="supported", evidence=(EvidenceSentence("d", 3, 1),))
    write_rows_jsonl(tmp_path / "k.jsonl", [claim])
    assert b"\\ud800" in (tmp_path / "k.jsonl").read_bytes()


def test_nested_values_stand_in_csv_as_json(tmp_path: Path) -> None:
    write_rows_csv(tmp_path / "c.csv", Case, [Case("1", "q", relevant=(Relevant("d1", 2),))])
    assert read_own(tmp_path / "c.csv")[0]["relevant"] == '[{"item_id": "d1", "grade": 2}]'


def test_a_wrong_jsonl_line_is_named_without_its_content(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "1", "question": "q"}\n\n{"id": "2", "question": 7}\n', "utf-8")
    with pytest.raises(BadTable, match="line 3: question") as caught:
        list(read_rows_jsonl(path, Case))
    assert "7" not in str(caught.value)


@dataclass(frozen=True)
class _Two:
    a: str
    b: frozenset[str]


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_rows_jsonl(tmp_path / name, [_Two("a", frozenset("zyxw"))])
    assert (tmp_path / "x").read_text("utf-8") == '{"a": "a", "b": ["w", "x", "y", "z"]}\n'
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()


def test_a_link_is_followed_and_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old", "utf-8")
    link.symlink_to(target)
    replace_text(link, "new")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "new"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    replace_text(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "pipe", "target.csv"]
