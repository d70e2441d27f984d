"""ONNX Runtime behind one door: a session of one thread, and a tokenizer without padding.

Dynamic int8 quantisation makes a vector depend on its batch-mates (cosine .9976 on average), so every text is a run of
its own; parallelism is threads that call the same session. Spinning is off: idle threads would take the cores that the
other runs need.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused
from chartcite.models.onnx_file import check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer


def load_tokenizer(path: Path, max_tokens: int | None) -> Tokenizer:
    """A tokenizer that never pads, and truncates only where it is told (`None`: nowhere)."""
    from tokenizers import Tokenizer  # noqa: PLC0415  (engines load when asked for)

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelRefused(f"{path.name} is not a tokenizer that can be read.", "Export it again.") from error
    tokenizer.no_padding()
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _runtime() -> Any:
    """ONNX Runtime without its telemetry.

    From 1.2x on it queues usage events under ~/.cache and looks for its maker's servers after some seconds. Only the
    variable stops that from the start; the call is for a program that has imported the library before us.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415

    onnxruntime.disable_telemetry_events()
    return onnxruntime


class OnnxSession:
    """One model, one thread a run, the CPU only.

    Attributes:
        weights: files beside the model that hold its weights.
    """

    def __init__(self, path: Path) -> None:
        self.weights = check(path)
        onnxruntime = _runtime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelRefused(f"{path.name} is not an ONNX model that can be run.", "Export it again.") from error
        self._inputs = {i.name for i in self._session.get_inputs()}

    def run(self, encoding: Encoding) -> NDArray[np.float32]:
        """The first output for one text, without the batch axis."""
        import numpy as np  # noqa: PLC0415

        ids = np.array([encoding.ids], dtype=np.int64)
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        output = self._session.run(None, {k: v for k, v in feeds.items() if k in self._inputs})[0][0]
        return np.asarray(output, dtype=np.float32)

    def run_tensor(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The first output for a model whose only input is one array."""
        import numpy as np  # noqa: PLC0415

        (only,) = self._inputs
        return np.asarray(self._session.run(None, {only: values})[0], dtype=np.float32)

    def metadata(self, key: str) -> str:
        """What the model's file says under a key of its own; empty where it says nothing."""
        return str(self._session.get_modelmeta().custom_metadata_map.get(key, ""))
