"""What is loaded as a model, and what never is."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.models.encoder import bge_small_en, onnx_folder
from chartcite.models.files import bundled_folder, require_files, sha256_of, verify_hashes
from chartcite.models.projection import Projection
from chartcite.models.reranker import minilm_l12
from chartcite.models.reranker import onnx_folder as reranker_folder

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeFolder


class Bomb:
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return (pytest.fail, ("a pickle was loaded",))


def test_a_folder_of_one_s_own(model_folder: MakeFolder) -> None:
    encoder = onnx_folder.load(model_folder())
    assert (encoder.name, encoder.dims, encoder.token_dims, encoder.max_tokens) == ("onnx:model", 6, 0, 510)
    found = encoder.encode_passage("warfarin 5 mg")
    assert np.linalg.norm(found.vector) == pytest.approx(1)
    assert found.tokens.shape == (0, 0)


def test_settings_of_a_folder(model_folder: MakeFolder) -> None:
    plain = onnx_folder.load(model_folder("a"))
    mean = onnx_folder.load(model_folder("b", settings='{"pooling": "mean", "max_tokens": 4}'))
    assert mean.max_tokens == 2
    assert mean.fingerprint != plain.fingerprint
    cut, whole = (mean.encode_passage(t).vector for t in ("knee pain", "knee pain no warfarin mg"))
    assert np.array_equal(cut, whole)  # only so many tokens are read
    assert len(mean.offsets(["knee pain no warfarin mg"])[0]) == 5  # but all are counted
    query = onnx_folder.load(model_folder("c", settings='{"query_prefix": "query : ", "pooling": "mean"}'))
    assert not np.array_equal(query.encode_query("knee").vector, query.encode_passage("knee").vector)
    assert np.array_equal(query.encode_query("knee").vector, query.encode_passage("query : knee").vector)


@pytest.mark.parametrize(
    "settings",
    [
        "{", "[]", '"cls"', '{"pooling": "sum"}', '{"max_tokens": 2}', '{"max_tokens": "512"}', '{"unknown": 1}',
        '{"max_tokens": null}', '{"query_prefix": 5}', '{"max_tokens": true}', '{"max_tokens": 12.5}', "null",
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used(settings: str, model_folder: MakeFolder) -> None:
    with pytest.raises(ModelRefused) as refused:
        onnx_folder.load(model_folder(settings=settings))
    assert refused.value.advice


@pytest.mark.parametrize("load", [onnx_folder.load, reranker_folder.load, bge_small_en.load, minilm_l12.load])
def test_nothing_there(load: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        load(tmp_path / "nowhere")
    (tmp_path / "model.onnx").write_bytes(b"x")
    with pytest.raises((ModelMissing, ModelRefused)):
        load(tmp_path)


@pytest.mark.parametrize("suffix", [".bin", ".pt", ".pth", ".pkl", ".ckpt"])
@pytest.mark.parametrize("load", [onnx_folder.load, reranker_folder.load])
def test_pickled_weights_are_refused(load: Callable[[Path], Any], suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"pytorch_model{suffix}").write_bytes(pickle.dumps(Bomb()))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelRefused, match="run code"):
        load(tmp_path)


@pytest.mark.parametrize("content", [b"", b"x" * 100, pickle.dumps(Bomb()), b"\x08\x08"])
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "projection.npz"])
def test_other_bytes_under_a_good_name(name: str, content: bytes, model_folder: MakeFolder) -> None:
    folder = model_folder(projection=True)
    (folder / name).write_bytes(content)
    with pytest.raises(ModelRefused):
        onnx_folder.load(folder)


def test_a_projection_with_pickled_arrays_is_refused(model_folder: MakeFolder) -> None:
    folder = model_folder()
    np.savez(folder / "projection.npz", axes=np.array([Bomb()], dtype=object), scale=np.ones(4))
    with pytest.raises(ModelRefused):
        Projection.load(folder / "projection.npz")


@pytest.mark.parametrize(
    "arrays",
    [
        {"axes": np.ones((6, 4))}, {"axes": np.ones(6), "scale": np.ones(6)},
        {"axes": np.ones((6, 4)), "scale": np.ones(3)},
        {"axes": np.ones((5, 4)), "scale": np.ones(4)}, {"axes": np.ones((6, 4)), "scale": np.zeros(4)},
    ],
)  # fmt: skip
def test_a_projection_that_does_not_fit(arrays: dict[str, Any], model_folder: MakeFolder) -> None:
    folder = model_folder()
    np.savez(folder / "projection.npz", **arrays)
    with pytest.raises(ModelRefused):
        onnx_folder.load(folder)


def test_a_projection_with_another_hash(model_folder: MakeFolder) -> None:
    path = model_folder(projection=True) / "projection.npz"
    Projection.load(path, sha256_of(path))
    with pytest.raises(ModelRefused):
        Projection.load(path, "0" * 64)


@pytest.mark.parametrize("model", [{"pooled": True}, {"inputs": ("input_ids", "pixels")}, {"inputs": ("words",)}])
def test_a_model_of_another_kind(model: dict[str, Any], model_folder: MakeFolder) -> None:
    with pytest.raises(ModelRefused):
        onnx_folder.load(model_folder(**model))


def test_a_cross_encoder_with_many_outputs_is_refused(model_folder: MakeFolder) -> None:
    with pytest.raises(ModelRefused, match="not one"):
        reranker_folder.load(model_folder()).score("knee", ["pain"])
    assert len(reranker_folder.load(model_folder("one", hidden=1, pooled=True)).score("knee", ["pain", "no"])) == 2
    assert reranker_folder.load(model_folder("one")).score("knee", []) == []


def test_the_fingerprint_changes_with_every_file_that_shapes_a_vector(model_folder: MakeFolder) -> None:
    folder = model_folder(projection=True)
    seen = [onnx_folder.load(folder).fingerprint]
    assert onnx_folder.load(folder).fingerprint == seen[0]
    model = bytearray((folder / "model.onnx").read_bytes())
    model[model.index(b"table\x4a") + 20] ^= 1
    (folder / "model.onnx").write_bytes(model)  # in place, within one process
    seen.append(onnx_folder.load(folder).fingerprint)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, indent=1))
    seen.append(onnx_folder.load(folder).fingerprint)
    np.savez(folder / "projection.npz", axes=np.eye(6, 4, dtype=np.float32), scale=np.ones(4, np.float32))
    seen.append(onnx_folder.load(folder).fingerprint)
    (folder / "chartcite.json").write_text('{"pooling": "mean"}')
    seen.append(onnx_folder.load(folder).fingerprint)
    (folder / "projection.npz").unlink()
    seen.append(onnx_folder.load(folder).fingerprint)
    assert len(set(seen)) == len(seen)
    shutil.copytree(folder, folder.with_name("copy"))
    assert onnx_folder.load(folder.with_name("copy")).fingerprint == seen[-1]


@pytest.mark.parametrize(
    ("module", "name"), [(bge_small_en, "bge_small_en"), (minilm_l12, "reranker_en")], ids=["encoder", "reranker"]
)
@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_one_changed_byte_of_a_bundled_model_is_refused(module: Any, name: str, file: str, tmp_path: Path) -> None:
    for source in bundled_folder(name).iterdir():
        if source.name in module.SHA256:
            shutil.copyfile(source, tmp_path / source.name)
    verify_hashes(tmp_path, module.SHA256)
    data = bytearray((tmp_path / file).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / file).write_bytes(data)
    with pytest.raises(ModelRefused, match="sha256"):
        module.load(tmp_path)
    (tmp_path / file).unlink()
    with pytest.raises(ModelMissing):
        module.load(tmp_path)


def test_the_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chartcite.models.files.PACKAGE", "no_such_package")
    with pytest.raises(ModelMissing, match="not installed") as missing:
        bundled_folder("bge_small_en")
    assert "pip install" in missing.value.advice
    monkeypatch.undo()
    with pytest.raises(ModelMissing):
        bundled_folder("no_such_model")


def test_what_a_folder_must_hold(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    require_files(tmp_path, ("a",))
    with pytest.raises(ModelMissing, match="lacks b, c"):
        require_files(tmp_path, ("a", "b", "c"))
