"""`kill -9` in the middle of an ingest; `benchmarks/kill_ingest.py` with more kills is the long version."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "kill_ingest.py"


def test_five_kills() -> None:
    command = [sys.executable, str(SCRIPT), "5", "--documents", "500", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["kills"], summary["problems"]) == (5, 0)
    assert summary["acknowledged"] > 0
