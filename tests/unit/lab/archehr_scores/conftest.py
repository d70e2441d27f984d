"""Files written for a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.lab.archehr_scores.files import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes an object as JSON, or a string as it is."""

    def written(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return written
