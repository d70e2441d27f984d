"""Time to import and to help, against the bare interpreter, in one run; and the size of the base installation.

Usage: python benchmarks/startup.py [--json OUT]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROUNDS = 15


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    script = str(Path(sys.executable).parent / "chartcite")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import chartcite": [sys.executable, "-c", "import chartcite"],
        "import chartcite.library.book": [sys.executable, "-c", "import chartcite.library.book"],
        "chartcite --version": [script, "--version"],
        "chartcite --help": [script, "--help"],
    }
    rows: dict[str, dict[str, float]] = {}
    for _ in range(2):
        for command in commands.values():
            seconds(command)  # files into the cache
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(seconds(command))
    bare = median(times["python -c pass"])
    for name, spent in times.items():
        rows[name] = {"median_s": round(median(spent), 3), "over_bare_s": round(median(spent) - bare, 3)}
        print(f"{name:32s} {rows[name]}")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
