"""The runtime's telemetry is off: it would queue events on disk and look for its maker's servers after some seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_runtime_leaves_nothing_at_home(tmp_path: Path) -> None:
    program = (
        "from chartcite.models.encoder.bge_small_en import load\n"
        "import os, time\n"
        "load().encode_query('warfarin')\n"
        "time.sleep(2)\n"
        "print(os.environ['ORT_DISABLE_TELEMETRY'])\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
    assert list(tmp_path.rglob("*")) == []
