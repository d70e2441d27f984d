"""Tiny invented files in each data set's form."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Write a file below the test's folder: rows as JSONL (packed if the name says so), an object as JSON, or text."""

    def _put(name: str, content: Iterable[dict[str, Any]] | dict[str, Any] | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            text = content
        elif isinstance(content, dict):
            text = json.dumps(content, ensure_ascii=False)
        else:
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return tmp_path

    return _put
