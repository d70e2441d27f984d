"""Kappa's traps (undefined, paradox, weights, gaps), Krippendorff's published example, paper 001's 0.954."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.lab.errors import BadInput, BadTable
from chartcite.lab.statistics.cohen_kappa import cohen_kappa
from chartcite.lab.statistics.krippendorff_alpha import krippendorff_alpha
from chartcite.lab.statistics.ratings import read_ratings


def _pairs(*counts: tuple[str, str, int]) -> list[tuple[str, str]]:
    return [(a, z) for a, z, n in counts for _ in range(n)]


def test_one_label_in_use_is_undefined_not_zero_not_one() -> None:
    found = cohen_kappa(_pairs(("y", "y", 20)))
    assert (found.kappa, found.ac1, found.low, found.observed_agreement) == (None, None, None, 1.0)
    assert "one label" in found.reason
    assert cohen_kappa([]).reason == "there is no item"


def test_the_paradox_shows_raw_agreement_and_ac1_beside_a_negative_kappa() -> None:
    found = cohen_kappa(_pairs(("y", "y", 85), ("y", "n", 5), ("n", "y", 10)))
    assert found.observed_agreement == 0.85
    assert (found.kappa, found.ac1) == pytest.approx((-0.071429, 0.825835), abs=1e-5)


def test_paper_001s_kappa_is_reachable_with_two_disagreements() -> None:
    found = cohen_kappa(_pairs(("y", "y", 31), ("y", "n", 1), ("n", "y", 1), ("n", "n", 67)))
    assert (found.n, found.observed_agreement) == (100, 0.98)
    assert (found.kappa, found.ac1) == pytest.approx((0.954044, 0.964589), abs=1e-5)
    assert found.low is not None
    assert found.high is not None
    assert 0.88 < found.low < 0.954 < found.high <= 1


def test_weights_count_near_misses() -> None:
    first, second = "5544332115", "5443322125"
    pairs = list(zip(first, second, strict=True))
    assert cohen_kappa(pairs).kappa == pytest.approx(0.506173, abs=1e-5)
    assert cohen_kappa(pairs).ac1 == pytest.approx(0.50078, abs=1e-5)
    assert cohen_kappa(pairs, weights="linear").kappa == pytest.approx(0.75, abs=1e-5)
    assert cohen_kappa(pairs, weights="quadratic").kappa == pytest.approx(0.898477, abs=1e-5)


def test_a_constant_rater_gives_zero() -> None:
    found = cohen_kappa(_pairs(("y", "y", 2), ("n", "y", 2)))
    assert (found.kappa, found.ac1) == pytest.approx((0.0, 0.2))


def test_weights_on_words_need_their_order() -> None:
    pairs = [("low", "mid"), ("high", "high")]
    found = cohen_kappa(pairs, weights="linear")
    assert found.kappa is None
    assert "order" in found.reason
    assert cohen_kappa(pairs, weights="linear", levels=["low", "mid", "high"]).kappa is not None
    with pytest.raises(BadInput):
        cohen_kappa(pairs, levels=["low", "high"])


def test_perfect_agreement_has_no_interval() -> None:
    found = cohen_kappa(_pairs(("y", "y", 5), ("n", "n", 5)))
    assert (found.kappa, found.low, found.high) == (1.0, None, None)
    assert "standard error" in found.reason


def test_blanks_are_left_out_and_counted_and_spelling_makes_no_third_label(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,a,b\n0,y,y\n1,n,n\n2,y,n\n3,y,\n4,,\n5,n,n\n6,  ,\n7, y,Y\n", "utf-8")
    ratings = read_ratings(path)
    assert ratings.excluded == ("3", "4", "6")
    assert ratings.merged == (" y", "Y")
    found = cohen_kappa(ratings.pairs)
    assert (found.n, found.levels) == (5, ("n", "y"))
    assert found.kappa == pytest.approx(0.615385, abs=1e-5)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("item,a,b\n", "no item"),
        ("item,a\n1,y\n", "1 raters"),
        ("id,a,b\n1,y,y\n", "no column item"),
        ("item,a,b\n1,y,y\n1,n,n\n", "line 3: the item"),
    ],
)
def test_damaged_ratings_are_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(BadTable, match=says):
        read_ratings(path)


def test_krippendorffs_own_example() -> None:
    # Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C: four observers, gaps.
    a = ["1", "2", "3", "3", "2", "1", "4", "1", "2", None, None, None]
    b = ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", None, "3"]
    c = [None, "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", None]
    d = ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", None]
    units = list(zip(a, b, c, d, strict=True))
    assert krippendorff_alpha(units).alpha == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(units, scale="ordinal").alpha == pytest.approx(0.815, abs=5e-4)
    found = krippendorff_alpha(units, scale="interval")
    assert found.alpha == pytest.approx(0.849, abs=5e-4)
    assert (found.units, found.values, found.excluded) == (11, 40, 1)


def test_alpha_is_undefined_without_disagreement_to_expect() -> None:
    assert krippendorff_alpha([["y", "y"], ["y", None]]).alpha is None
    assert krippendorff_alpha([["y"], [None]]).reason == "no unit has two values"
    with pytest.raises(BadInput, match="ordinal"):
        krippendorff_alpha([["low", "high"]], scale="ordinal")
    assert krippendorff_alpha([["low", "high"], ["low", "low"]], scale="ordinal", levels=["low", "high"]).alpha == 0.0
