"""What every data set owes: a card, one clear sentence where data is absent, and the counts it declares."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable
from pathlib import Path

import pytest

import chartcite.lab.datasets
from chartcite.lab.cases import Label
from chartcite.lab.dataset import Dataset, count
from chartcite.lab.errors import BadTable, MissingData

NAMES = sorted(m.name for m in pkgutil.iter_modules(chartcite.lab.datasets.__path__))
DATA = os.environ.get("CHARTCITE_DATA", "")
with_data = pytest.mark.skipif(not DATA, reason="CHARTCITE_DATA does not point to the shared data sets")


def _dataset(name: str) -> Dataset:
    dataset = importlib.import_module(f"chartcite.lab.datasets.{name}").DATASET
    assert isinstance(dataset, Dataset)
    return dataset


@pytest.mark.parametrize("name", NAMES)
def test_the_card_bears_the_files_name_and_states_a_licence_and_a_source(name: str) -> None:
    card = _dataset(name).card
    assert card.name == name
    assert card.licence
    assert card.source


@pytest.mark.parametrize("name", NAMES)
def test_absent_data_is_one_clear_sentence_and_exit_code_3(name: str, tmp_path: Path) -> None:
    dataset = _dataset(name)
    kinds = {e.kind for e in dataset.card.expected} or {"cases"}
    for kind in kinds:
        with pytest.raises(MissingData, match=f"The data set {name} is not in ") as caught:
            list(dataset.rows(kind, tmp_path))
        assert str(caught.value).count(". ") == 0
        assert caught.value.exit_code == 3


@pytest.mark.parametrize("content", [b"{", b"[1]\n", b"\xff\n", b'{"id": 1}\n'])
def test_another_files_content_is_a_named_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "meqsum.jsonl").write_bytes(content)
    with pytest.raises(BadTable):
        list(_dataset("meqsum").cases(tmp_path))


def test_a_damaged_archive_is_a_named_error(put: Callable[..., Path]) -> None:
    folder = put("meqsum.jsonl.gz", [{"_id": "1", "chq": "x" * 500, "summary": "s"}])
    path = folder / "meqsum.jsonl.gz"
    path.write_bytes(path.read_bytes()[:30])
    with pytest.raises(BadTable, match=r"meqsum.jsonl.gz cannot be read"):
        list(_dataset("meqsum").cases(folder))


@with_data
@pytest.mark.parametrize("name", [n for n in NAMES if _dataset(n).card.expected])
def test_the_shared_copies_hold_what_the_cards_declare(name: str) -> None:
    if not (Path(DATA) / name).is_dir():
        pytest.skip(f"there is no copy of {name}, which needs an agreement of one's own")
    found = count(_dataset(name), Path(DATA) / name)
    assert all(c.right for c in found), found


@with_data
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("scifact", {"supported": 456, "contradicted": 237, "not_enough": 416}),
        ("nli4ct", {"supported": 950, "contradicted": 950}),
        ("kqa", {"supported": 153, "contradicted": 12, "not_enough": 234}),
        ("expertqa_health", {"supported": 296, "partial": 133, "not_enough": 57, None: 30}),
    ],
)
def test_labels_of_the_shared_copies(name: str, expected: dict[Label | None, int]) -> None:
    found: dict[Label | None, int] = {}
    for claim in _dataset(name).claims(Path(DATA) / name):
        found[claim.label] = found.get(claim.label, 0) + 1
    assert found == expected


@with_data
def test_gold_positions_of_the_shared_copies_point_into_their_items() -> None:
    for name in ("scifact", "nli4ct"):
        dataset, folder = _dataset(name), Path(DATA) / name
        lengths = {item.id: len(item.sentences) for item in dataset.corpus(folder)}
        for claim in dataset.claims(folder):
            assert all(item in lengths for item in claim.items)
            assert all(0 <= e.sentence < lengths[e.item_id] for e in claim.evidence)


@with_data
def test_figures_known_of_the_shared_copies() -> None:
    folder = Path(DATA)
    good = [c for c in _dataset("medquad").cases(folder / "medquad") if any(r.grade for r in c.relevant)]
    assert len(good) == 60
    assert sum(len(c.summary.split()) <= 15 for c in _dataset("meqsum").cases(folder / "meqsum")) == 922
    statements = [s for c in _dataset("kqa").cases(folder / "kqa") for s in c.statements]
    assert (len(statements), sum(s.required for s in statements)) == (1589, 892)
    notes = list(_dataset("medec").notes(folder / "medec"))
    assert sum(n.spoilt for n in notes) == 630
    assert sum(n.spoilt and n.wrong_sentence is None for n in notes) <= 4
