from __future__ import annotations

import importlib.resources

import pytest

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.measurements import analyte_names
from chartcite.facts.phrases import listed
from chartcite.facts.units import parse_unit

COLUMNS = {
    "measurements.tsv": 3, "routes.tsv": 1, "dose_forms.tsv": 1, "dose_times.tsv": 1, "drug_changes.tsv": 1,
    "directions.tsv": 1, "order_cues.tsv": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", [*COLUMNS, "drug_names.tsv"])
def test_a_list_names_its_source_and_licence(name: str) -> None:
    first = importlib.resources.files(FACTS).joinpath(name).read_text("utf-8").splitlines()[0]
    assert first.startswith("# source: ")
    assert "licence: " in first


@pytest.mark.parametrize("name", sorted(COLUMNS))
def test_a_spelling_means_one_thing(name: str) -> None:
    meanings: dict[str, set[str]] = {}
    for spelling, row in listed(read_rows(FACTS, name), COLUMNS[name]):
        assert spelling == spelling.strip() != ""
        meanings.setdefault(spelling, set()).add(row[0])
    double = {spelling for spelling, rows in meanings.items() if len(rows) > 1}
    # Hematocrit in Portuguese, height in English: the unit tells.
    assert double == ({"Ht*"} if name == "measurements.tsv" else set())


def test_the_list_of_measurements_is_long_and_its_units_are_known() -> None:
    assert len(analyte_names()) >= 200
    for name, kind, units, _ in read_rows(FACTS, "measurements.tsv"):
        assert kind in ("lab", "vital", "measure", "score")
        for unit in filter(None, units.split("|")):
            assert parse_unit(unit).name, name
