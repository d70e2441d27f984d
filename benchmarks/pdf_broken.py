"""Broken and mutated PDFs through the sandbox: what becomes of them, how long it takes, how much memory.

    python benchmarks/pdf_broken.py PDF_FOLDER OUT_FOLDER [--good 20] [--each 50]

The good files are the first of PDF_FOLDER, in the order of their names, that are read and are smaller than 100 kB. Of
each, `--each` mutations (1 to 12 places flipped, deleted or inserted, fixed seeds); then 60 files broken in ways of
their own: cut, without objects, with cycles, with lengths and counts that lie, with nonsense for streams, encrypted.

One JSON object: files, those with a document, those refused by class of error, crashes named, the slowest (s), the
peak of a child (MiB). Exit status 1 if anything else happened.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pypdf

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.sandbox import Sandbox

_SMALL = 100_000


def mutated(data: bytes, seed: int) -> bytes:
    """Some places flipped, deleted or inserted."""
    chance, out = random.Random(seed), bytearray(data)
    for _ in range(chance.randint(1, 12)):
        at, kind = chance.randrange(len(out)), chance.randrange(3)
        if kind == 0:
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del out[at : at + chance.randint(1, 20)]
        else:
            out[at:at] = chance.randbytes(chance.randint(1, 20))
    return bytes(out)


def broken(data: bytes) -> Iterator[bytes]:
    """One good file broken in twenty ways."""
    for share in (0.02, 0.2, 0.5, 0.8, 0.95):
        yield data[: int(len(data) * share)]
    yield data[len(data) // 3 :]
    yield data[: len(data) // 2] * 2
    for name in (b"/Contents", b"/Resources", b"/MediaBox", b"/Kids", b"/Type", b"endobj", b"xref"):
        yield data.replace(name, b"/" + b"X" * (len(name) - 1))
    yield re.sub(rb"/Parent \d+ 0 R", b"/Parent 1 0 R", data)
    yield re.sub(rb"(/Kids ?\[ ?)\d+ 0 R", rb"\g<1>1 0 R", data)
    yield re.sub(rb"/Length \d+", b"/Length 2147483647", data)
    yield re.sub(rb"/Count \d+", b"/Count -5", data)
    yield re.sub(rb"/MediaBox ?\[[^\]]*\]", b"/MediaBox[0 0 1e30 -1e30]", data)
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user_password="secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    yield out.getvalue()


def outcome(path: Path, sandbox: Sandbox) -> str:
    """`document`, or the class of the refusal; what is neither is left to end the run."""
    try:
        items = list(read_source(path, path.name, ReadOptions(), sandbox))
    except ReadError as error:
        return type(error).__name__
    document = next(item.document for item in items if isinstance(item, Found))
    document.text.encode()
    if any(not 0 <= word.start < word.end <= len(document.text) for word in document.words):
        raise AssertionError(f"a word outside the text of {path.name}")
    return "document"


def main() -> int:
    """Make, read, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--good", type=int, default=20)
    parser.add_argument("--each", type=int, default=50)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "one.pdf"
    counts: dict[str, Counter[str]] = {"mutated": Counter(), "broken": Counter()}
    slowest = 0.0
    with Sandbox() as sandbox:
        good = []
        for candidate in sorted(options.pdfs.rglob("*.pdf")):
            if candidate.stat().st_size < _SMALL and outcome(candidate, sandbox) == "document":
                good.append(candidate.read_bytes())
        files = [
            ("mutated", mutated(d, 1000 * n + k))
            for n, d in enumerate(good[: options.good])
            for k in range(options.each)
        ]
        files += [("broken", data) for source in good[:3] for data in broken(source)]
        for kind, data in files:
            path.write_bytes(data)
            start = time.monotonic()
            counts[kind][outcome(path, sandbox)] += 1
            slowest = max(slowest, time.monotonic() - start)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(json.dumps({"good": min(len(good), options.good), **{k: dict(sorted(c.items())) for k, c in counts.items()},
                      "slowest_s": round(slowest, 2), "peak_mib": peak}, indent=1))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
