"""`kill -9` in the middle of an ingest; `benchmarks/kill_ingest.py` with more kills is the long version."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "kill_ingest.py"


@pytest.mark.timeout(600)  # of 10 s: it is no test of speed
def test_five_kills() -> None:
    command = [sys.executable, str(SCRIPT), "5", "--documents", "500", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=580)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["kills"] >= 5
    assert summary["problems"] == 0
    assert summary["acknowledged"] > 0
