"""What an ONNX file may reach for: weights in its own folder, standard operators, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.unit.models.conftest import field, gather_model, value_info

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.models.encoder import onnx_folder
from chartcite.models.files import bundled_folder
from chartcite.models.onnx_file import check, needs_of

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeFolder

ROWS, DIMS = 12, 6  # words of the test tokenizer, width


def external_model(location: str) -> bytes:
    """As `gather_model`, its table in another file."""
    entry = b"".join(field(13, field(1, key) + field(2, value)) for key, value in [("location", location)])
    tensor = field(1, ROWS) + field(1, DIMS) + field(2, 1) + field(8, "table") + entry + field(14, 1)
    gather = field(1, "table") + field(1, "input_ids") + field(2, "hidden") + field(4, "Gather")
    graph = field(1, gather) + field(2, "g") + field(5, tensor)
    graph += field(11, value_info("input_ids", 7, [1, "n"])) + field(12, value_info("hidden", 1, [1, "n", DIMS]))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def in_subgraph(location: str) -> bytes:
    """A tensor with weights elsewhere, deep in an attribute of a node."""
    tensor = field(8, "t") + field(13, field(1, "location") + field(2, location))
    inner = field(1, field(4, "Constant") + field(5, field(1, "value") + field(5, tensor)))
    return field(7, field(1, field(4, "If") + field(5, field(1, "then_branch") + field(6, inner))))


def weights() -> bytes:
    return np.random.default_rng(1).standard_normal((ROWS, DIMS)).astype("<f4").tobytes()


def test_weights_in_a_file_beside_the_model(model_folder: MakeFolder) -> None:
    folder = model_folder()
    (folder / "model.onnx").write_bytes(external_model("weights.data"))
    with pytest.raises(ModelMissing, match=r"weights\.data"):
        onnx_folder.load(folder)
    (folder / "weights.data").write_bytes(weights())
    encoder = onnx_folder.load(folder)
    assert encoder.dims == DIMS
    changed = bytearray(weights())
    changed[5] ^= 1
    (folder / "weights.data").write_bytes(changed)
    assert onnx_folder.load(folder).fingerprint != encoder.fingerprint


@pytest.mark.parametrize(
    "location", ["../secret", "/etc/passwd", "a/../../b", "..", "", "..\\secret", "C:\\secret", "C:secret"]
)
@pytest.mark.parametrize("model", [external_model, in_subgraph])
def test_weights_outside_the_folder_are_refused(location: str, model: object, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(weights())
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(model(location))  # type: ignore[operator]
    with pytest.raises(ModelRefused, match="outside"):
        check(folder / "model.onnx")


@pytest.mark.parametrize("where", ["opset", "node", "function"])
def test_operators_of_a_library_are_refused(where: str, tmp_path: Path) -> None:
    node = field(1, field(4, "Trick") + field(7, "evil.ops"))
    model = {
        "opset": gather_model(np.ones((2, 2), np.float32)) + field(8, field(1, "evil.ops") + field(2, 1)),
        "node": field(7, node),
        "function": field(25, field(7, field(4, "Trick") + field(7, "evil.ops"))),
    }[where]
    (tmp_path / "model.onnx").write_bytes(model)
    with pytest.raises(ModelRefused, match=r"evil\.ops"):
        check(tmp_path / "model.onnx")


def test_the_bundled_models_need_nothing() -> None:
    for name in ("bge_small_en", "reranker_en"):
        needs = needs_of(bundled_folder(name) / "model.onnx")
        assert not needs.files
        assert set(needs.domains) <= {"com.microsoft"}


def test_damaged_files_are_refused_or_read(tmp_path: Path) -> None:
    whole = external_model("weights.data")
    path = tmp_path / "model.onnx"
    rng = random.Random(11)
    refused = 0
    for _ in range(300):
        data = bytearray(whole[: rng.randrange(len(whole) + 1)])
        for _ in range(rng.randrange(3)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            needs_of(path)
        except ModelRefused:
            refused += 1
    assert 0 < refused < 300


def test_graphs_without_end_are_refused(tmp_path: Path) -> None:
    graph = b""
    for _ in range(60):
        graph = field(1, field(5, field(6, graph)))
    (tmp_path / "model.onnx").write_bytes(field(7, graph))
    with pytest.raises(ModelRefused):
        check(tmp_path / "model.onnx")
