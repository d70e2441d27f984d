"""Rules of disagreement at their edges, correlations and judges with gaps, counts with intervals, tables in and out."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.lab.analysis.analyse import Asked, analyse, write_analysis
from chartcite.lab.analysis.correlation import correlations
from chartcite.lab.analysis.counts import count
from chartcite.lab.analysis.disagreement import contradicted, judges_apart, spread
from chartcite.lab.analysis.judges import judge_agreement
from chartcite.lab.analysis.standardise import percentile, z_scores
from chartcite.lab.analysis.table import MetricTable, read_metrics, table_of
from chartcite.lab.errors import BadInput, BadTable


def table(columns: Mapping[str, Sequence[float | None]], clusters: Mapping[str, str] | None = None) -> MetricTable:
    """Items are a, b, c ..."""
    return table_of(
        [("abcdefghij"[i], name, value) for name, column in columns.items() for i, value in enumerate(column)],
        clusters,
    )


def test_contradicted_is_strict_on_both_sides() -> None:
    given = table({"nli": [0.71, 0.7, 0.9, 0.9, None], "judge": [0.8, 0.8, 0.7, None, 0.9]})
    found = contradicted(given, "nli", "judge")
    assert [d.item for d in found.items] == ["a"]
    assert (found.items[0].high, found.items[0].low, found.items[0].low_value) == ("judge", "nli", 0.71)
    assert (found.count.found, found.count.n, found.count.undefined) == (1, 3, 2)


def test_judges_are_apart_from_one_half_on() -> None:
    given = table({"one": [0.8, 0.75, 0.0, 1.0], "two": [0.3, 0.26, 1.0, None], "three": [0.8, 0.8, 0.8, 0.8]})
    first, second, third = judges_apart(given, ["one", "two", "three"])
    assert [d.item for d in first.items] == ["a", "c"]  # .8 - .3 is .5, whatever binary fractions make of it
    assert (first.items[1].high, first.items[1].low) == ("two", "one")
    assert (first.between, second.between, third.between) == (("one", "two"), ("one", "three"), ("two", "three"))
    assert first.count.undefined == 1
    assert second.count.undefined == 0


def test_spread_wants_one_metric_up_and_another_down() -> None:
    up = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]  # percentiles 40 and 60: 3 and 4
    given = table({"m": up, "n": up[::-1]})
    assert [d.item for d in spread(given, ["m", "n"]).items] == ["a", "b", "c", "d", "e", "f"]
    same = table({"m": up, "n": up})
    assert spread(same, ["m", "n"]).items == ()
    # Four is at the 60th percentile, three at the 40th: both ends count.
    edge = table({"m": up, "n": [0.0, 0.0, 9.0, 0.0, 9.0, 9.0]})
    found = {d.item: (d.high, d.low) for d in spread(edge, ["m", "n"]).items}
    assert found == {"c": ("n", "m"), "d": ("m", "n")}


def test_spread_leaves_out_what_is_always_the_same_and_items_with_one_value() -> None:
    given = table({"m": [1.0, 2.0, 3.0, None], "n": [3.0, None, 1.0, None], "same": [0.5] * 4})
    found = spread(given, ["m", "n", "same"])
    assert [d.item for d in found.items] == ["a", "c"]
    assert (found.count.n, found.count.undefined) == (2, 2)
    with pytest.raises(BadInput):
        spread(given, ["m", "m"])


def test_the_pair_shown_is_the_one_furthest_apart() -> None:
    given = table({"m": [0.0, 1.0, 2.0, 3.0, 90.0], "n": [5.0, 4.0, 3.0, 2.0, 1.0], "o": [1.0, 2.0, 3.0, 4.0, 5.0]})
    found = {d.item: (d.high, d.low) for d in spread(given, ["m", "n", "o"]).items}
    assert found["e"] == ("m", "n")


def test_z_scores_and_percentiles() -> None:
    assert z_scores({"a": 2.0, "b": 4.0, "c": None, "d": 6.0})["d"] == pytest.approx(1.5**0.5)
    assert z_scores({"a": 0.1, "b": 0.1, "c": 0.1}) == {"a": None, "b": None, "c": None}
    assert z_scores({"a": None}) == {"a": None}
    assert percentile({"a": 1.0, "b": 2.0, "c": None}, 40) == pytest.approx(1.4)
    assert percentile({"a": None}, 40) is None


def test_correlations_take_the_items_that_have_both() -> None:
    given = table({"m": [1.0, 2.0, 3.0, 4.0, None], "n": [1.0, 4.0, 9.0, 16.0, 5.0], "same": [1.0] * 5})
    found = {(c.first, c.second, c.kind): c for c in correlations(given)}
    assert found["m", "n", "spearman"].value == pytest.approx(1)
    assert found["m", "n", "pearson"].n == 4
    pearson = found["m", "n", "pearson"]
    assert pearson.low is not None
    assert pearson.value is not None
    assert pearson.low < pearson.value < 1
    assert found["m", "same", "pearson"].value is None
    assert "same" in found["m", "same", "pearson"].reason
    few = correlations(table({"m": [1.0, 2.0], "n": [2.0, 1.0]}))
    assert [c.value for c in few] == [None, None]


def test_judges_agree_on_bins_and_on_numbers() -> None:
    given = table({"one": [0.0, 0.25, 0.5, 0.75, 1.0, None], "two": [0.1, 0.25, 0.55, 0.75, 0.7, 1.0]})
    found = judge_agreement(given, ["one", "two"])
    (pair,) = found.pairs
    assert pair.n == 5
    assert pair.kappa.observed_agreement == pytest.approx(4 / 5)
    assert pair.difference == pytest.approx((-0.1 - 0.05 + 0.3) / 5)
    assert pair.absolute_difference == pytest.approx(0.45 / 5)
    assert found.alpha.units == 5
    assert found.alpha.alpha is not None
    assert 0.8 < found.alpha.alpha < 1
    for wrong in (["one"], ["one", "one"]):
        with pytest.raises(BadInput):
            judge_agreement(given, wrong)


@pytest.mark.parametrize("value", [-0.1, 1.5, 70.0])
def test_thresholds_refuse_percent(value: float) -> None:
    given = table({"nli": [value, 0.5], "judge": [0.1, 0.2]})
    for rule in (
        lambda: contradicted(given, "nli", "judge"),
        lambda: judges_apart(given, ["nli", "judge"]),
        lambda: judge_agreement(given, ["nli", "judge"]),
    ):
        with pytest.raises(BadInput, match="outside"):
            rule()


def test_counts_have_an_interval_by_what_hangs_together() -> None:
    judged: dict[str, bool | None] = {str(i): i % 2 == 0 for i in range(20)}
    alone = count({**judged, "gap": None}, {})
    assert (alone.found, alone.n, alone.undefined, alone.by) == (10, 20, 1, "wilson")
    together = count(judged, {item: str(int(item) % 2) for item in judged})
    assert (together.by, together.clusters) == ("cluster bootstrap", 2)
    assert alone.low is not None
    assert together.low is not None
    assert together.low < alone.low
    one = count(judged, dict.fromkeys(judged, "p"))
    assert (one.low, one.share) == (None, 0.5)
    assert "single cluster" in one.reason
    nothing = count({"a": None}, {})
    assert (nothing.n, nothing.share, nothing.undefined) == (0, None, 1)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=10), st.randoms())
def test_order_of_items_and_columns_changes_no_finding(rows: list[tuple[float, ...]], rng: object) -> None:
    columns = {name: [row[i] for row in rows] for i, name in enumerate("xyz")}
    one = table(columns)
    turned = MetricTable(one.items[::-1], dict(reversed(list(one.columns.items()))))
    for names in (["x", "y"], ["x", "y", "z"]):
        first, second = spread(one, names), spread(turned, names[::-1])
        assert {d.item for d in first.items} == {d.item for d in second.items}
        assert first.count == second.count


def test_a_table_is_read_analysed_and_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "item,cluster,judge1,judge2,nli,meteor\nq1,p1,0.9,0.2,0.8,0.1\nq2,p1,0.5,0.5,0.1,0.5\nq3,p2,0.1,,0.2,0.9\n"
    )
    given = read_metrics(path)
    assert given.items == ("q1", "q2", "q3")
    assert given.clusters == {"q1": "p1", "q2": "p1", "q3": "p2"}
    assert given.columns["judge2"]["q3"] is None
    found = analyse(given, Asked(("judge1", "meteor"), ("judge1", "judge2"), "nli", "judge1"))
    assert [(r.rule, r.count.found) for r in found.rules] == [("contradicted", 1), ("judges", 1), ("spread", 2)]
    written = write_analysis(tmp_path / "out", given, found)
    with written[0].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["rule"], r["item"], r["high"]) for r in rows] == [
        ("contradicted", "q1", "judge1"), ("judges", "q1", "judge1"), ("spread", "q1", "judge1"),
        ("spread", "q3", "meteor"),
    ]  # fmt: skip
    before = [path.read_bytes() for path in written]
    assert [path.read_bytes() for path in write_analysis(tmp_path / "out", given, found)] == before


@pytest.mark.parametrize(
    "text",
    ["item\nq1\n", "item,m\n", "q,m\nq1,1\n", "item,m\nq1,1\nq1,2\n", "item,m\n,1\n", "item,m\nq1,high\n",
     "item,m\nq1,nan\n"],
    ids=["no metric", "no line", "no item", "twice", "blank item", "word", "nan"],
)  # fmt: skip
def test_tables_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(BadTable):
        read_metrics(path)


def test_columns_are_named_and_values_stated_once() -> None:
    with pytest.raises(BadInput, match="no column"):
        table({"m": [1.0]}).column("n")
    with pytest.raises(BadInput, match="two values"):
        table_of([("a", "m", 1.0), ("a", "m", 1.0)])
    with pytest.raises(BadInput, match="finite"):
        table({"m": [float("inf")]})
    assert table_of([("a", "m", 1.0), ("b", "n", 2.0)]).columns["n"] == {"a": None, "b": 2.0}
