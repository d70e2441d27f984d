"""Makes the records that `open.toml` and `choice.toml` ask about, from 8,000 to 75,000 tokens each.

Usage: python benchmarks/long_context/make.py FOLDER    (FOLDER/lc and FOLDER/lc2 are made)

`lc`: eight patients of longchart, seed 43, a quarter of the default size. `lc2`: three of them, of the split dev.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from chartcite.lab.longchart import generate

FEW = ("lc-en-04", "lc-en-05", "lc-en-08")


def main() -> None:
    folder = Path(sys.argv[1])
    generate(8, 43, {"en": 1.0}, folder / "lc", formats=("jsonl",), scale=0.25)
    (folder / "lc2").mkdir()
    for name in ("notes.jsonl", "questions.jsonl"):
        lines = (folder / "lc" / name).read_text("utf-8").splitlines(keepends=True)
        own = [line for line in lines if json.loads(line)["patient_id"] in FEW]
        (folder / "lc2" / name).write_text("".join(own), "utf-8")


if __name__ == "__main__":
    main()
