from __future__ import annotations

import importlib.resources

import pytest

PACKAGES = ("chartcite.facts.data", "chartcite.verification.data")
FILES = [(p, f.name) for p in PACKAGES for f in importlib.resources.files(p).iterdir() if f.name.endswith(".tsv")]


@pytest.mark.parametrize(("package", "name"), FILES)
def test_every_list_names_source_and_licence(package: str, name: str) -> None:
    first, *rest = importlib.resources.files(package).joinpath(name).read_text(encoding="utf-8").splitlines()
    assert first.startswith("# source: ")
    assert "licence: " in first
    rows = [line for line in rest if line.strip() and not line.startswith("#")]
    assert len(rows) == len(set(rows))
