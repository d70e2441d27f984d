"""TREC files: round trip, the order written, and faults named by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.errors import BadTrec
from chartcite.lab.trec import read_qrels, read_run, write_qrels, write_run


def test_a_run_comes_back_exactly_and_is_written_in_the_order_it_is_scored(tmp_path: Path) -> None:
    run = {"q1": {"a": 0.1, "b": 1 / 3, "c": 0.1}, "q2": {"é": -2.0}}
    assert write_run(tmp_path / "r", run, "mine") == 4
    lines = (tmp_path / "r").read_text("utf-8").splitlines()
    assert [line.split()[2:4] for line in lines] == [["b", "1"], ["c", "2"], ["a", "3"], ["é", "1"]]
    assert read_run(tmp_path / "r") == run


def test_qrels_in_four_columns_and_in_beirs_three(tmp_path: Path) -> None:
    qrels = {"1": {"d2": 0, "d1": 2}, "3": {"d9": -1}}
    write_qrels(tmp_path / "q", qrels)
    assert read_qrels(tmp_path / "q") == qrels
    (tmp_path / "b.tsv").write_bytes(b"\xef\xbb\xbfquery-id\tcorpus-id\tscore\r\n1\td1\t2\r\n\r\n")
    assert read_qrels(tmp_path / "b.tsv") == {"1": {"d1": 2}}


@pytest.mark.parametrize(
    ("read", "content", "says"),
    [
        (read_run, b"", "empty"),
        (read_run, b"q Q0 d 1 0.5 t\nq Q0 d 2 0.4 t\n", "line 2: this query ranks"),
        (read_run, b"q Q0 d 1 0.5\n", "line 1: 5 fields"),
        (read_run, b"q Q0 d 1 x t\n", "line 1: the score"),
        (read_run, b"q Q0 d 1 nan t\n", "line 1: the score"),
        (read_run, b"q Q0 d 1 inf t\n", "line 1: the score"),
        (read_run, b"q Q0 d 1 1 t\nq Q0 \xff 2 1 t\n", "line 2: not UTF-8"),
        (read_qrels, b"", "empty"),
        (read_qrels, b"q 0 d 1\nq 0 d 2\n", "line 2: this query judges"),
        (read_qrels, b"q 0 d 1.5\n", "line 1: not a judgement"),
        (read_qrels, b"q 0 d e 1\n", "line 1: not a judgement"),
        (read_qrels, b"q\td\t1\nquery-id\tcorpus-id\tscore\n", "line 2: not a judgement"),
    ],
)
def test_a_damaged_file_is_refused_by_line(
    tmp_path: Path, read: Callable[[Path], Any], content: bytes, says: str
) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(content)
    with pytest.raises(BadTrec, match=says):
        read(path)


def test_a_missing_file_and_an_unwritable_id_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadTrec, match="no file"):
        read_run(tmp_path / "none")
    with pytest.raises(BadTrec, match="white space"):
        write_run(tmp_path / "r", {"a b": {"d": 1.0}})
    with pytest.raises(BadTrec, match="finite"):
        write_run(tmp_path / "r", {"a": {"d": float("nan")}})
