"""How many tokens of context a server says that it gives a model: whatever of it the common servers tell.

| asked | by | field |
|---|---|---|
| `/props` | llama.cpp | `default_generation_settings.n_ctx` |
| `/api/ps` | Ollama, of models that are loaded | `context_length` |
| `/api/v0/models` | LM Studio | `loaded_context_length` |
| `/v1/models` | vLLM, SGLang, Groq, OpenRouter, Together | `max_model_len`, `context_window`, `context_length` |
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from chartcite.core.errors import EndpointFailed
from chartcite.models.http_json import Endpoint

_PATIENCE_S: Final = 10.0
_FIELDS: Final = ("loaded_context_length", "max_model_len", "context_window", "context_length")
_NAMES: Final = ("id", "name", "model", "key")


def told_context(endpoint: Endpoint, model: str) -> int | None:
    """Tokens of context; None where the server says nothing of it. Asks at most four times."""
    asked = replace(endpoint, timeout_s=min(_PATIENCE_S, endpoint.timeout_s), retries=0)
    settings = _got(asked, "/props", at_root=True).get("default_generation_settings")
    if isinstance(settings, dict) and (size := _size(settings.get("n_ctx"))):
        return size
    for path, at_root in (("/api/ps", True), ("/api/v0/models", True), ("/models", False)):
        listed = _got(asked, path, at_root=at_root)
        entries = listed.get("models") or listed.get("data")
        if size := _of_model(entries, model):
            return size
    return None


def _got(endpoint: Endpoint, path: str, *, at_root: bool) -> dict[str, Any]:
    try:
        found = endpoint.get(path, at_root=at_root)
    except EndpointFailed:
        return {}
    return found if isinstance(found, dict) else {}


def _of_model(entries: object, model: str) -> int | None:
    """The size that the entry of a model gives, or the only entry that there is."""
    listed = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    named = [entry for entry in listed if model in [entry.get(name) for name in _NAMES]]
    for entry in named or (listed if len(listed) == 1 else []):
        for name in _FIELDS:
            if size := _size(entry.get(name)):
                return size
    return None


def _size(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
