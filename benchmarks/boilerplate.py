"""How many sentences of some files are boilerplate, by kind.

    python benchmarks/boilerplate.py PATH... [--show]

Each file is read as `chartcite ingest` reads it. One JSON object: documents, sentences without headers, those of each
kind. `--show` prints each distinct sentence that is marked, to be read by eye.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.text.boilerplate import boilerplate
from chartcite.text.stated import units_of


def _read(file: Path) -> Iterator[Found]:
    """The documents of a file; what cannot be read is left out."""
    try:
        for found in read_source(file, file.name, ReadOptions()):
            if not isinstance(found, Problem):
                yield found
    except ReadError:
        return


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    marked: dict[tuple[str, str], int] = {}
    files = [
        f for path in asked.paths for f in ([path] if path.is_file() else sorted(path.rglob("*.*"))) if f.is_file()
    ]
    for file in files:
        for found in _read(file):
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
        for (name, said), n in sorted(marked.items()):
            print(f"{n:>5} {name:<12} {' '.join(said.split())[:200]}")
    print(json.dumps({**counts, "distinct": len(marked)}))


if __name__ == "__main__":
    main()
