"""The gate for pages whose characters are not their glyphs, and what becomes of every PDF of a folder.

    python benchmarks/pdf_quality.py PDF_FOLDER JATS_PDFS [MORE_TEXT ...] [--seed 1]

JATS_PDFS is what `jats_pdf.py` made. Each page of both folders, and each 3,000 characters of the text files in
MORE_TEXT (`.gz` too), is one page: is it taken for garbled, how surprising are its letters (bits a pair). Then the
same pages with the alphabet shuffled, or 20, 14, 8 of its letters: how many are found. Counted among pages with 60
pairs of letters or more.

Prints a line a PDF of PDF_FOLDER as the reader has it, then one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import string
import time
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.pdf_engine import PdfFile
from chartcite.readers.pdf_order import reading_order
from chartcite.readers.pdf_quality import is_garbled, surprise
from chartcite.readers.sandbox import Sandbox

_PAGE = 3000
_LEAST_PAIRS = 60


def outcomes(folder: Path) -> Iterator[str]:
    """A row of a table a file."""
    with Sandbox() as sandbox:
        for path in sorted(folder.rglob("*.pdf")):
            start = time.monotonic()
            try:
                items = list(read_source(path, path.name, ReadOptions(), sandbox))
            except ReadError as error:
                yield f"| {path.name} | {type(error).__name__}: {error} | | |"
                continue
            document = next(item.document for item in items if isinstance(item, Found))
            said = "; ".join(str(item.error) for item in items if not isinstance(item, Found))
            places = len(document.words.to_bytes()) // max(len(document.pages), 1)
            seconds = time.monotonic() - start
            format_said = f"{document.source.format} {said}".strip()
            yield f"| {path.name} | {format_said} | {len(document.text)} | {places} B, {seconds:.2f} s |"


def pages(folders: list[Path], texts: list[Path]) -> Iterator[tuple[str, str]]:
    """Name and text of each page."""
    for folder in folders:
        for path in sorted(folder.rglob("*.pdf")):
            try:
                read = list(PdfFile(path).pages())
            except ReadError:
                continue
            for number, page in enumerate(read):
                if page is not None:
                    yield f"{path.name} {number + 1}", "\n".join(line.text for line in reading_order(page.words))
    for path in texts:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = data.decode("utf-8")[: 100 * _PAGE]
        for start in range(0, len(text), _PAGE):
            yield f"{path.name} {start}", text[start : start + _PAGE]


def shuffled(text: str, letters: int, chance: random.Random) -> str:
    """So many letters of the alphabet exchanged."""
    some = chance.sample(string.ascii_lowercase, letters)
    to = chance.sample(some, letters)
    return text.translate(
        str.maketrans("".join(some + [c.upper() for c in some]), "".join(to + [c.upper() for c in to]))
    )


def main() -> None:
    """Read, shuffle, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("jats", type=Path)
    parser.add_argument("texts", type=Path, nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("\n".join(outcomes(options.pdfs)))
    chance = random.Random(options.seed)
    every = list(pages([options.pdfs, options.jats], options.texts))
    prose = [(name, text) for name, text in every if surprise(text)[1] >= _LEAST_PAIRS]
    found = {
        letters: sum(is_garbled(shuffled(text, letters, chance)) for _, text in prose) for letters in (26, 20, 14, 8)
    }
    result = {
        "pages": len(every), "with_prose": len(prose), "garbled": [name for name, text in every if is_garbled(text)],
        "most_bits": sorted(((round(surprise(t)[0], 2), n) for n, t in prose), reverse=True)[:3],
        "found_shuffled": found,
    }  # fmt: skip
    print(json.dumps(result))


if __name__ == "__main__":
    main()
