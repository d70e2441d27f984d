"""Every file of a folder of pages or articles: read or refused, with its characters, rows, sections and reasons.

Usage: python benchmarks/pages_by_eye.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Problem
from chartcite.readers.detect import read_source
from chartcite.readers.sandbox import Sandbox


def main(folder: Path) -> None:
    print("| file | documents | characters | rows | headers | reasons |\n|---|---|---|---|---|---|")
    with Sandbox() as sandbox:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "SOURCE"):
            said: list[str] = []
            documents = []
            try:
                for item in read_source(path, path.name, sandbox=sandbox):
                    if isinstance(item, Problem):
                        said.append(str(item.error))
                    elif isinstance(item, Found):
                        documents.append(item.document)
            except ReadError as error:
                said.append(f"refused: {error}")
            chars, rows = sum(len(d.text) for d in documents), sum(len(d.units) for d in documents)
            headers = sum(line.startswith("#") for d in documents for line in d.text.split("\n"))
            name = path.relative_to(folder)
            print(f"| {name} | {len(documents)} | {chars:,} | {rows} | {headers} | {'; '.join(said)} |")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
