"""The benchmarks are scripts: their shared package lies beside them, not in chartcite."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
