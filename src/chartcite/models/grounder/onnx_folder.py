"""Any BERT-like model of textual inference as a folder: `model.onnx`, `tokenizer.json` and `chartcite.json`.

`chartcite.json` names the outputs in their order, for example `{"labels": ["entailment", "neutral", "contradiction"]}`
for an NLI model or `{"labels": ["unsupported", "entailment"]}` for a MiniCheck-style one; one output is taken as the
logit of `entailment`. Optional: `"claim_first": true` for models that want the claim before the text, and `max_tokens`
(512).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.errors import ModelRefused
from chartcite.models.files import require_files, sha256_of
from chartcite.models.onnx_session import OnnxSession, load_tokenizer

ENTAILMENT = "entailment"


@dataclass(frozen=True, slots=True)
class GrounderSettings:
    """What a model of inference expects and gives back."""

    labels: tuple[str, ...]
    claim_first: bool = False
    max_tokens: int = 512


class OnnxGrounder:
    """Runs one pair at a time (see `onnx_session`); safe to call from several threads."""

    def __init__(self, name: str, folder: Path, settings: GrounderSettings) -> None:
        self.name = name
        self.settings = settings
        self._session = OnnxSession(folder / "model.onnx")
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", None)
        parts = [sha256_of(folder / name) for name in ("model.onnx", "tokenizer.json", "chartcite.json")]
        self.fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def entailment(self, claim: str, text: str) -> float | None:
        """Probability that the text entails the claim: a softmax over the labels, a sigmoid of a single output.

        None when the two are longer than the model reads: a part of the text says nothing of the whole.

        Raises:
            ModelRefused: the model gives another number of outputs than its settings name.
        """
        found = self.probabilities(claim, text)
        return None if found is None else found[ENTAILMENT]

    def probabilities(self, claim: str, text: str) -> dict[str, float] | None:
        """The probability of each label; else as `entailment`."""
        import numpy as np  # noqa: PLC0415

        pair = (claim, text) if self.settings.claim_first else (text, claim)
        encoding = self._tokenizer.encode(*pair)
        if len(encoding.ids) > self.settings.max_tokens:
            return None
        logits = self._session.run(encoding).reshape(-1).astype(np.float64)
        labels = self.settings.labels
        if len(logits) != len(labels):
            raise ModelRefused(
                f"{self.name} has {len(logits)} outputs a pair, chartcite.json names {len(labels)} labels.",
                "Name every output, in its order.",
            )
        if len(labels) == 1:
            return {labels[0]: float(1 / (1 + np.exp(-logits[0])))}
        weights = np.exp(logits - logits.max())
        return dict(zip(labels, (weights / weights.sum()).tolist(), strict=True))


def load(folder: Path) -> OnnxGrounder:
    """The model in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, or settings that cannot be read.
    """
    require_files(folder, ("model.onnx", "tokenizer.json", "chartcite.json"))
    return OnnxGrounder(f"onnx:{folder.name}", folder, _settings(folder / "chartcite.json"))


def _settings(path: Path) -> GrounderSettings:
    try:
        raw = json.loads(path.read_text("utf-8"))
        settings = GrounderSettings(**{**raw, "labels": tuple(raw["labels"])})
    except (ValueError, TypeError, KeyError) as error:
        raise ModelRefused(f"{path} cannot be used.", "Known keys: labels, claim_first, max_tokens.") from error
    labels_fit = all(isinstance(label, str) for label in settings.labels) and settings.labels.count(ENTAILMENT) == 1
    tokens_fit = type(settings.max_tokens) is int and settings.max_tokens > 8
    if not labels_fit or not tokens_fit or not isinstance(settings.claim_first, bool):
        raise ModelRefused(
            f"{path}: one of the labels must be {ENTAILMENT!r}, claim_first a boolean, max_tokens above 8.",
            "Correct the file.",
        )
    return settings
