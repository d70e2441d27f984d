"""A model folder made in the test: an ONNX graph of one Gather, written byte by byte, and a word-level tokenizer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

MakeFolder = Callable[..., Path]
VOCABULARY = ["[UNK]", "[CLS]", "[SEP]", "warfarin", "5", "mg", "knee", "pain", "no", ".", "query", ":"]


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: int | str | bytes) -> bytes:
    """One field of a protobuf message: a varint, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def value_info(name: str, kind: int, dims: list[int | str]) -> bytes:
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def gather_model(table: np.ndarray, pooled: bool = False, inputs: tuple[str, ...] = ("input_ids",)) -> bytes:
    """`last_hidden_state = table[input_ids]`; `pooled` reduces the token axis away."""
    tensor = b"".join(field(1, int(d)) for d in table.shape) + field(2, 1) + field(8, "table")
    tensor += field(9, struct.pack(f"<{table.size}f", *table.ravel().tolist()))
    gather = field(1, "table") + field(1, inputs[0]) + field(2, "hidden") + field(4, "Gather")
    graph = field(1, gather)
    if pooled:
        attribute = field(1, "axes") + field(20, 7) + field(8, 1)
        keep = field(1, "keepdims") + field(20, 2) + field(3, 0)
        graph += field(
            1, field(1, "hidden") + field(2, "out") + field(4, "ReduceMean") + field(5, attribute) + field(5, keep)
        )
    graph += field(2, "g") + field(5, tensor)
    graph += b"".join(field(11, value_info(name, 7, [1, "n"])) for name in inputs)
    output = value_info("out", 1, [1, table.shape[1]]) if pooled else value_info("hidden", 1, [1, "n", table.shape[1]])
    graph += field(12, output)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def tokenizer() -> Tokenizer:
    made = Tokenizer(WordLevel({word: i for i, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    return made


def make_folder(folder: Path, hidden: int = 6, projection: bool = False, settings: str = "", **model: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    table = rng.standard_normal((len(VOCABULARY), hidden)).astype(np.float32)
    (folder / "model.onnx").write_bytes(gather_model(table, **model))  # type: ignore[arg-type]
    tokenizer().save(str(folder / "tokenizer.json"))
    if projection:
        axes = np.linalg.qr(rng.standard_normal((hidden, hidden)))[0][:, :4].astype(np.float32)
        np.savez(folder / "projection.npz", axes=axes, scale=np.full(4, 1 / 127, np.float32))
    if settings:
        (folder / "chartcite.json").write_text(settings)
    return folder


@pytest.fixture
def model_folder(tmp_path: Path) -> MakeFolder:
    return lambda name="model", **how: make_folder(tmp_path / name, **how)
