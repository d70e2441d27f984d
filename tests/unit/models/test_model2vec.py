"""A static model: the mean of the rows of a text's tokens, and files that do not hold one."""

from __future__ import annotations

import json
import pickle
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
from tests.contract.encoder_makers import write_safetensors
from tests.unit.models.conftest import VOCABULARY, tokenizer

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.models.encoder import model2vec
from chartcite.models.safetensors_file import read_tensors

N = len(VOCABULARY)
TABLE = np.random.default_rng(2).standard_normal((N, 5)).astype(np.float32)
KNEE, PAIN = VOCABULARY.index("knee"), VOCABULARY.index("pain")


def make(folder: Path, **arrays: np.ndarray) -> Path:
    folder.mkdir(exist_ok=True)
    tokenizer().save(str(folder / "tokenizer.json"))
    write_safetensors(folder / "model.safetensors", **(arrays or {"embeddings": TABLE}))
    return folder


def unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / np.linalg.norm(vector))


def test_the_mean_of_the_rows(tmp_path: Path) -> None:
    encoder = model2vec.load(make(tmp_path / "m"))
    expected = unit((TABLE[KNEE] + TABLE[PAIN]) / 2)
    assert encoder.encode_passage("knee pain").vector == pytest.approx(expected, abs=1e-6)
    assert encoder.encode_query("knee unheard-of pain").vector == pytest.approx(expected, abs=1e-6)  # or unknown words
    assert encoder.encode_passage("").vector == pytest.approx(unit(TABLE.mean(axis=0)), abs=1e-6)
    assert encoder.encode_passage("unheard").vector.tobytes() == encoder.encode_passage("").vector.tobytes()


@pytest.mark.parametrize("name", ["embeddings", "embedding.weight"])
def test_a_quantised_vocabulary(name: str, tmp_path: Path) -> None:
    mapping = np.arange(N, dtype=np.int64) % 3
    weights = np.linspace(0.5, 2, N).astype(np.float32)
    small = TABLE[:3].astype(np.float16)
    encoder = model2vec.load(make(tmp_path / "m", **{name: small}, mapping=mapping, weights=weights))
    rows = small.astype(np.float64)
    expected = unit(rows[mapping[KNEE]] * weights[KNEE] + rows[mapping[PAIN]] * weights[PAIN])
    assert encoder.encode_passage("knee pain").vector == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "arrays",
    [
        {"other": TABLE}, {"embeddings": TABLE[:5]}, {"embeddings": TABLE[0]}, {"embeddings": TABLE * np.nan},
        {"embeddings": TABLE[:3], "mapping": np.full(N, 3)}, {"embeddings": TABLE[:3], "mapping": np.full(N, -1)},
        {"embeddings": TABLE[:3], "mapping": np.zeros(2, np.int64)},
        {"embeddings": TABLE, "weights": np.ones(2, np.float32)}, {"embeddings": np.zeros((N, 5), np.float32)},
    ],
)  # fmt: skip
def test_a_table_that_does_not_fit(arrays: dict[str, np.ndarray], tmp_path: Path) -> None:
    with pytest.raises(ModelRefused):
        model2vec.load(make(tmp_path / "m", **arrays))


def test_weights_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    folder = make(tmp_path / "m")
    first = model2vec.load(folder).fingerprint
    shutil.copytree(folder, tmp_path / "copy")
    assert model2vec.load(tmp_path / "copy").fingerprint == first
    make(folder, embeddings=TABLE + np.float32(0.01))
    assert model2vec.load(folder).fingerprint != first


@pytest.mark.parametrize("place", ["", "2_Dense"])
@pytest.mark.parametrize("name", ["pytorch_model.bin", "weights.pkl", "model.pt"])
def test_pickled_weights_are_refused(place: str, name: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "m")
    (folder / place).mkdir(exist_ok=True)
    (folder / place / name).write_bytes(pickle.dumps({"a": 1}))
    if place:
        with pytest.raises(ModelRefused, match="run code"):
            model2vec.load(folder)
    else:
        model2vec.load(folder)  # the safetensors beside it are what is read
        (folder / "model.safetensors").unlink()
        with pytest.raises(ModelRefused, match="run code"):
            model2vec.load(folder)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        model2vec.load(tmp_path / "nowhere")
    with pytest.raises(ModelMissing, match=r"model\.safetensors"):
        model2vec.load(tmp_path)


def header(size: int, **entry: object) -> bytes:
    head = json.dumps({"a": entry}).encode()
    return struct.pack("<Q", len(head)) + head + bytes(size)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x00" * 8, struct.pack("<Q", 1 << 60) + b"{}", struct.pack("<Q", 2) + b"[]", pickle.dumps([1] * 99),
        header(8, dtype="BF16", shape=[2, 2], data_offsets=[0, 8]),
        header(8, dtype="F32", shape=[2], data_offsets=[0, 4]),
        header(4, dtype="F32", shape=[2], data_offsets=[0, 8]), header(8, dtype="F32", shape=[2], data_offsets=[-8, 0]),
        header(8, shape=[2], data_offsets=[0, 8]), header(8, dtype="F32", shape="x", data_offsets=[0, 8]),
    ],
)  # fmt: skip
def test_what_is_no_safetensors_file(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.safetensors").write_bytes(content)
    with pytest.raises(ModelRefused):
        read_tensors(tmp_path / "m.safetensors", ("a",))
