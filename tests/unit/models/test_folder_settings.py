"""Settings from the files that sentence-transformers writes: what they mean here, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chartcite.core.errors import ModelRefused
from chartcite.models.encoder import onnx_folder
from chartcite.models.folder_settings import EncoderSettings, read_settings

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeFolder

Files = dict[str, Any]


def module(kind: str, path: str = "") -> dict[str, str]:
    return {"type": f"sentence_transformers.models.{kind}", "path": path}


PLAIN = [module("Transformer"), module("Pooling", "1_Pooling"), module("Normalize", "2_Normalize")]


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, EncoderSettings()),
        ({"1_Pooling/config.json": {"pooling_mode_mean_tokens": True}}, EncoderSettings(pooling="mean")),
        (
            {"modules.json": PLAIN, "1_Pooling/config.json": {"pooling_mode_cls_token": True, "word": 3}},
            EncoderSettings(pooling="cls"),
        ),
        (
            {
                "modules.json": [module("Transformer"), module("Pooling", "pool")],
                "pool/config.json": {"pooling_mode": "max"},
                "sentence_bert_config.json": {"max_seq_length": 128, "do_lower_case": False},
                "tokenizer_config.json": {"model_max_length": 10**30},
                "config.json": {"max_position_embeddings": 512},
            },
            EncoderSettings(pooling="max", max_tokens=128),
        ),
        (
            {
                "1_Pooling/config.json": {"pooling_mode_mean_sqrt_len_tokens": True},
                "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
            },
            EncoderSettings("query: ", "passage: ", "mean"),
        ),
        (
            {
                "1_Pooling/config.json": {"pooling_mode": ["mean"]},
                "config_sentence_transformers.json": {"prompts": {"all": "x: "}, "default_prompt_name": "all"},
            },
            EncoderSettings("x: ", "x: ", "mean"),
        ),
        (
            {"1_Pooling/config.json": {"pooling_mode_mean_tokens": True}, "chartcite.json": {"max_tokens": 64}},
            EncoderSettings(max_tokens=64),
        ),
    ],
    ids=["nothing", "pooling alone", "modules", "windows", "prompts", "default prompt", "own file wins"],
)
def test_what_the_files_mean(files: Files, expected: EncoderSettings, tmp_path: Path) -> None:
    assert read_settings(write(tmp_path, files)) == expected


POOLED = {"pooling_mode_mean_tokens": True}


@pytest.mark.parametrize(
    "files",
    [
        {"modules.json": [*PLAIN, module("Dense", "2_Dense")], "1_Pooling/config.json": POOLED},
        {"modules.json": ["Transformer"], "1_Pooling/config.json": POOLED},
        {"modules.json": {}, "1_Pooling/config.json": POOLED},
        {"modules.json": PLAIN},
        {"1_Pooling/config.json": {}},
        {"1_Pooling/config.json": {**POOLED, "pooling_mode_cls_token": True}},
        {"1_Pooling/config.json": {"pooling_mode_lasttoken": True}},
        {"1_Pooling/config.json": {"pooling_mode": "weightedmean"}},
        {"1_Pooling/config.json": {**POOLED, "include_prompt": False}},
        {"1_Pooling/config.json": "{"},
        {"1_Pooling/config.json": POOLED, "sentence_bert_config.json": {"do_lower_case": True}},
        {"1_Pooling/config.json": POOLED, "config_sentence_transformers.json": {"prompts": {"query": 5}}},
        {"1_Pooling/config.json": POOLED, "config_sentence_transformers.json": {"prompts": ["query: "]}},
    ],
)
def test_what_cannot_be_done_here_is_refused(files: Files, tmp_path: Path) -> None:
    with pytest.raises(ModelRefused) as refused:
        read_settings(write(tmp_path, files))
    assert refused.value.advice


def test_a_folder_as_sentence_transformers_saves_it(model_folder: MakeFolder) -> None:
    folder = model_folder()
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    prompts = {"prompts": {"query": "query : ", "document": ""}}
    write(
        folder, {"modules.json": PLAIN, "1_Pooling/config.json": POOLED, "config_sentence_transformers.json": prompts}
    )
    encoder = onnx_folder.load(folder)
    passage = encoder.encode_passage("query : knee").vector
    assert np.array_equal(encoder.encode_query("knee").vector, passage)
    write(folder, {"1_Pooling/config.json": {"pooling_mode_max_tokens": True}})
    other = onnx_folder.load(folder)
    assert other.fingerprint != encoder.fingerprint
    assert not np.array_equal(other.encode_passage("query : knee").vector, passage)


def test_a_prefix_takes_room(model_folder: MakeFolder) -> None:
    settings = '{"passage_prefix": "query : ", "max_tokens": 7, "pooling": "mean"}'
    encoder = onnx_folder.load(model_folder(settings=settings))
    assert encoder.max_tokens == 3
    assert [encoder.encode_passage("knee " * n).cut for n in (3, 4, 30)] == [0, 1, 27]
    with pytest.raises(ModelRefused, match="room"):
        onnx_folder.load(model_folder("b", settings=settings.replace("7", "4")))
