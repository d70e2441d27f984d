"""How a user's encoder folder wants its text: from `chartcite.json`, or from the files of sentence-transformers.

`chartcite.json` wins. Without it `modules.json`, `1_Pooling/config.json`, `sentence_bert_config.json` and
`config_sentence_transformers.json` are read; what they ask for and an ONNX file alone cannot give (a further layer, a
pooling not known here) is refused, not left out in silence. With neither: the first token, 512 tokens, no prefix.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from chartcite.core.errors import ModelRefused

Pooling = Literal["cls", "mean", "max"]
POOLINGS = ("cls", "mean", "max")
LEAST_TOKENS = 2  # what special tokens take
_MODULES = {"Transformer", "Pooling", "Normalize"}
# What sentence-transformers calls them; a mean by the root of the length is the mean, once a vector has length one.
_POOLING_OF = {
    "cls": "cls", "cls_token": "cls", "mean": "mean", "mean_tokens": "mean", "mean_sqrt_len_tokens": "mean",
    "max": "max", "max_tokens": "max",
}  # fmt: skip
_ADVICE = "Say in chartcite.json how the model is to be used: query_prefix, passage_prefix, pooling, max_tokens."


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What a model expects around its text. `max_tokens` counts the special tokens."""

    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Pooling = "cls"
    max_tokens: int = 512


def read_settings(folder: Path) -> EncoderSettings:
    """The settings of a model folder.

    Raises:
        ModelRefused: a file cannot be read, or asks for something that is not done here.
    """
    own = folder / "chartcite.json"
    if own.is_file():
        return _own(own)
    if (folder / "modules.json").is_file() or (folder / "1_Pooling" / "config.json").is_file():
        return _sentence_transformers(folder)
    return EncoderSettings()


def read_json(path: Path, kind: type = dict) -> Any:
    """A JSON file that holds an object (or a list).

    Raises:
        ModelRefused: it does not.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelRefused(f"{path} cannot be used.", "Correct the file.") from error
    if not isinstance(found, kind):
        raise ModelRefused(f"{path} cannot be used.", "Correct the file.")
    return found


def _own(path: Path) -> EncoderSettings:
    try:
        settings = EncoderSettings(**read_json(path))
    except TypeError as error:
        raise ModelRefused(
            f"{path} cannot be used.", "Known keys: query_prefix, passage_prefix, pooling, max_tokens."
        ) from error
    texts = isinstance(settings.query_prefix, str) and isinstance(settings.passage_prefix, str)
    tokens = type(settings.max_tokens) is int and settings.max_tokens > LEAST_TOKENS
    if not texts or not tokens or settings.pooling not in POOLINGS:
        raise ModelRefused(
            f"{path}: prefixes must be text, pooling cls, mean or max, max_tokens a number above 2.",
            "Correct the file.",
        )
    return settings


def _sentence_transformers(folder: Path) -> EncoderSettings:
    query, passage = read_prompts(folder)
    return EncoderSettings(query, passage, _pooling(folder), _window(folder))


def _pooling(folder: Path) -> Pooling:
    place = folder / "1_Pooling"
    listed = folder / "modules.json"
    for module in read_json(listed, list) if listed.is_file() else []:
        kind = str(module.get("type", "")).rsplit(".", 1)[-1] if isinstance(module, dict) else ""
        if kind not in _MODULES:
            raise ModelRefused(f"{listed} lists a layer that the ONNX file does not hold ({kind[:40]}).", _ADVICE)
        if kind == "Pooling":
            place = folder / str(module.get("path", ""))
    if not (place / "config.json").is_file():
        raise ModelRefused(f"{folder} does not say how token vectors become one.", _ADVICE)
    config = read_json(place / "config.json")
    named = config.get("pooling_mode")
    marks = [key.removeprefix("pooling_mode_") for key, on in config.items() if on is True and "pooling_mode_" in key]
    modes = marks if named is None else [named] if isinstance(named, str) else list(named)
    pooling: Any = _POOLING_OF.get(str(modes[0])) if len(modes) == 1 else None
    if pooling is None or config.get("include_prompt") is False:
        raise ModelRefused(f"{place / 'config.json'} asks for a pooling that is not known here.", _ADVICE)
    found: Pooling = pooling
    return found


def _window(folder: Path) -> int:
    """The smallest of the limits that the files name."""
    limits = [512]
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        if (folder / name).is_file():
            limit = read_json(folder / name).get(key)
            if type(limit) is int and limit > LEAST_TOKENS:
                limits.append(limit)
    bert = folder / "sentence_bert_config.json"
    if bert.is_file() and read_json(bert).get("do_lower_case") is True:
        raise ModelRefused(f"{bert} wants its text in lower case, which would move the citations.", _ADVICE)
    return min(limits)


def read_prompts(folder: Path) -> tuple[str, str]:
    """What sentence-transformers puts in front of a query and of a passage.

    Raises:
        ModelRefused: the file cannot be read.
    """
    path = folder / "config_sentence_transformers.json"
    config = read_json(path) if path.is_file() else {}
    prompts = config.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
        raise ModelRefused(f"{path} holds prompts that are no text.", "Correct the file.")
    default = prompts.get(str(config.get("default_prompt_name") or ""), "")
    passage = prompts.get("document", prompts.get("passage", default))
    return str(prompts.get("query", default)), str(passage)
