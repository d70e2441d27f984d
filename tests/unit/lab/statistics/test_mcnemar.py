"""McNemar: the eight tables of the field case, what a CSV may look like, and what paper 001's counts really give."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.lab.errors import BadInput, BadTable
from chartcite.lab.statistics.mcnemar import mcnemar, mcnemar_of
from chartcite.lab.statistics.paired_table import read_paired


@pytest.mark.parametrize(
    ("b", "c", "chi2", "p_chi2", "corrected", "p_corrected", "exact", "mid"),
    [
        (89, 57, 7.013699, 0.008089, 6.582192, 0.0103, 0.010056, 0.008088),
        (0, 0, None, None, None, None, 1.0, 1.0),
        (1, 0, 1.0, 0.317311, 0.0, 1.0, 1.0, 0.5),
        (5, 15, 5.0, 0.025347, 4.05, 0.044171, 0.041389, 0.026604),
        (9, 11, 0.2, 0.654721, 0.05, 0.823063, 0.823803, 0.663624),
        (10, 10, 0.0, 1.0, 0.0, 1.0, 1.0, 0.823803),
        (10, 11, 0.047619, 0.827259, 0.0, 1.0, 1.0, 0.831812),
        (33, 18, 4.411765, 0.035692, 3.843137, 0.04995, 0.048874, 0.036483),
        (0, 6, 6.0, 0.014306, 4.166667, 0.041227, 0.03125, 0.015625),
    ],
)
def test_known_tables(
    b: int, c: int, chi2: float | None, p_chi2: float | None, corrected: float | None, p_corrected: float | None,
    exact: float, mid: float,
) -> None:  # fmt: skip
    found = mcnemar(b, c)
    ours = (found.chi2, found.p_chi2, found.chi2_corrected, found.p_corrected, found.p_exact, found.p_mid)
    for got, expected in zip(ours, (chi2, p_chi2, corrected, p_corrected, exact, mid), strict=True):
        assert got == (None if expected is None else pytest.approx(expected, abs=1e-5))
    assert (found.reason == "") == (b + c > 0)


def test_the_headline_is_exact_below_25_discordant_pairs_and_always_says_which_it_is() -> None:
    small, large = mcnemar(5, 15), mcnemar(89, 57)
    assert (small.headline_test, small.headline) == ("exact", small.p_exact)
    assert (large.headline_test, large.headline) == ("chi2", large.p_chi2)


def test_paper_001s_counts_from_its_table() -> None:
    # 266 both, 89 only BM25, 57 only dense, 88 neither: BM25 recall .71, as published; dense is .646, not .68.
    found = mcnemar(89, 57, both=266, neither=88)
    assert found.n == 500
    assert found.difference == pytest.approx(0.064)
    assert pytest.approx(0.71) == (266 + 89) / 500
    assert pytest.approx(0.646) == (266 + 57) / 500
    assert found.chi2 == pytest.approx(7.0137, abs=5e-5)
    assert found.chi2_corrected == pytest.approx(6.5822, abs=5e-5)
    assert found.p_chi2 is not None
    assert found.p_chi2 > 0.001  # the post says chi2 = 39.55, p < .001
    assert found.difference_low is not None
    assert found.difference_high is not None
    assert 0 < found.difference_low < 0.064 < found.difference_high < 0.12
    # "22.2 % of the queries BM25 solved" is 89 of 401; with its own recall it is 89 of 355.
    assert pytest.approx(0.222, abs=5e-4) == 89 / 401
    assert pytest.approx(0.251, abs=5e-4) == 89 / 355


def test_pairs_and_counts_are_the_same_test() -> None:
    pairs = [(True, False)] * 5 + [(False, True)] * 15 + [(True, True)] * 7 + [(False, False)] * 3
    assert mcnemar_of(pairs) == mcnemar(5, 15, both=7, neither=3)


def test_nothing_at_all_and_negative_counts() -> None:
    empty = mcnemar_of([])
    assert (empty.n, empty.difference, empty.p_exact) == (0, None, 1.0)
    with pytest.raises(BadInput):
        mcnemar(-1, 0)


def _write(path: Path, lines: list[str], header: str = "query_id,session1,session2") -> Path:
    path.write_text("\n".join([header, *lines]) + "\n", "utf-8")
    return path


def test_levels_are_matched_by_value_not_by_which_comes_first(tmp_path: Path) -> None:
    rows = ["p,f"] * 5 + ["f,p"] * 15 + ["f,f"] * 3 + ["p,p"] * 7
    table = read_paired(_write(tmp_path / "t.csv", [f"{i},{r}" for i, r in enumerate(rows)]))
    found = mcnemar_of(table.pairs.values())
    assert (found.b, found.c, found.both, found.neither, found.n) == (5, 15, 7, 3, 30)
    assert (table.right, table.wrong) == ("p", "f")
    assert (table.system_a, table.system_b) == ("session1", "session2")
    assert found.p_exact == pytest.approx(0.041389, abs=1e-6)


@pytest.mark.parametrize(
    "words", [("1", "0"), ("TRUE", "false"), ("Yes", "no"), ("correct", " Incorrect"), ("1.0", "0"), ("sim", "não")]
)
def test_words_for_right_and_wrong(tmp_path: Path, words: tuple[str, str]) -> None:
    right, wrong = words
    table = read_paired(_write(tmp_path / "t.csv", [f"1,{right},{wrong}", f"2,{wrong},{right}", f"3,{right},{wrong}"]))
    found = mcnemar_of(table.pairs.values())
    assert (found.b, found.c) == (2, 1)


def test_a_blank_answer_is_wrong_and_counted(tmp_path: Path) -> None:
    table = read_paired(_write(tmp_path / "t.csv", ["1,1,", "2, ,0", "3,1,1"]))
    assert table.pairs == {"1": (True, False), "2": (False, False), "3": (True, True)}
    assert (table.missing_a, table.missing_b) == (1, 1)


def test_unknown_words_need_to_be_told(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.csv", ["1,gold,tin", "2,tin,tin"])
    with pytest.raises(BadTable, match="which answer means right"):
        read_paired(path)
    assert read_paired(path, right="Gold").pairs["1"] == (True, False)
    with pytest.raises(BadTable, match="does not occur"):
        read_paired(path, right="silver")


def test_all_wrong_is_no_discordance(tmp_path: Path) -> None:
    table = read_paired(_write(tmp_path / "t.csv", ["1,0,0", "2,0,0"]))
    assert mcnemar_of(table.pairs.values()).neither == 2


@pytest.mark.parametrize(
    ("header", "lines", "says"),
    [
        ("query_id,a,b", [], "no question"),
        ("query_id,a", ["1,1"], "1 systems"),
        ("query_id,a,b,c", ["1,1,1,1"], "3 systems"),
        ("id,a,b", ["1,1,1"], "no column query_id"),
        ("query_id,a,b", ["1,1,0", "1,0,0"], "line 3: the query_id"),
        ("query_id,a,b", ["1,1,0", " ,0,0"], "line 3: the query_id"),
        ("query_id,a,b", ["1,1,0", "2,2,0"], "3 different answers"),
        ("query_id,a,b", ["1,1,0", "2,0"], "line 3: 2 cells"),
    ],
)
def test_damaged_tables_are_refused(tmp_path: Path, header: str, lines: list[str], says: str) -> None:
    with pytest.raises(BadTable, match=says):
        read_paired(_write(tmp_path / "t.csv", lines, header))
