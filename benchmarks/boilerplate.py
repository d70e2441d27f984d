"""How many sentences of some files are boilerplate, by kind.

    python benchmarks/boilerplate.py PATH... [--show]

Each file is read as `chartcite ingest` reads it. One JSON object: documents, sentences without headers, those of each
kind. `--show` prints each distinct sentence that is marked, to be read by eye.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from chartcite.core.reading import Problem, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.text.boilerplate import boilerplate
from chartcite.text.stated import units_of


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    marked: dict[tuple[str, str], int] = {}
    files = [f for path in asked.paths for f in ([path] if path.is_file() else sorted(p for p in path.rglob("*.*")))]
    for file in files:
        for found in read_source(file, file.name, ReadOptions()) if file.is_file() else ():
            if isinstance(found, Problem):
                continue
            counts["documents"] += 1
            text = found.document.text
            for unit in units_of(text, found.document.units):
                if unit.kind == "header":
                    continue
                said = text[unit.start : unit.end]
                kind = boilerplate(said)
                counts["sentences"] += 1
                if kind:
                    counts[kind] += 1
                    marked[kind, said] = marked.get((kind, said), 0) + 1
    if asked.show:
        for (kind, said), n in sorted(marked.items()):
            print(f"{n:>5} {kind:<12} {' '.join(said.split())[:200]}")
    print(json.dumps({**counts, "distinct": len(marked)}))


if __name__ == "__main__":
    main()
