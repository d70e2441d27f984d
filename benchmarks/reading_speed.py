"""How fast each format is read, beside its parser alone, in one run on the same files.

    python benchmarks/reading_speed.py [--files 100] [--notes 60] [--repeats 3] [--json OUT]

Files are invented (`benchmarks/mixed`): `--files` of each format, with `--notes` notes each. `parser`: processor time
of what the format needs at least: decoding, `csv`, `json.loads`, expat, splitting at delimiters, pdfium's text of a
page, unzip and expat, `html.parser`, one regular expression over the tokens of RTF. `reader`: the same for the reader
in this process. `ratio` is reader over parser. `wall_ms`: a file through the room's entry with one child for all, as in
an ingest, where hostile formats pass a pipe; `first_ms`: the first of them, which starts the child. The least of the
repeats counts, since others work on the machine.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import re
import tempfile
import time
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from chartcite.core.reading import ReadOptions
from chartcite.readers.bytes_in import read_head
from chartcite.readers.detect import read_source, reader_for
from chartcite.readers.sandbox import Sandbox
from mixed import clinical
from mixed.texts import note

_RTF_TOKEN = re.compile(rb"\\[a-z]+-?\d* ?|\\'[0-9a-f]{2}|[{}]|[^\\{}]+", re.IGNORECASE)


def sources(n: int, notes: int, rng: random.Random) -> dict[str, tuple[str, bytes]]:
    """A file of every format with the same notes, by format."""
    texts = [note(n * 1000 + k, rng).strip() for k in range(notes)]
    table = io.StringIO()
    rows = csv.writer(table)
    rows.writerow(["doc_id", "patient_id", "time", "note_type", "text"])
    rows.writerows([f"{n}-{k}", "p", "2031-03-01", "x", t] for k, t in enumerate(texts))
    lines = [json.dumps({"doc_id": f"{n}-{k}", "patient_id": "p", "text": t}) for k, t in enumerate(texts)]
    observations = [
        {"resourceType": "Observation", "id": f"o{n}-{k}", "status": "final", "code": {"text": "Potassium"},
         "subject": {"reference": "Patient/p"}, "effectiveDateTime": "2031-03-01",
         "valueQuantity": {"value": rng.randrange(30, 60) / 10, "unit": "mmol/L"}}
        for k in range(notes)
    ]  # fmt: skip
    items = "".join(f"<item>{t}</item>" for t in texts)
    cda = clinical.ccda(n, rng)[0][1].decode()
    hl7 = "".join(f"OBX|{k}|TX|K^K||{t}||||||F\r" for k, t in enumerate(texts, start=1))
    rtf = "\\par\n".join(texts)
    paragraphs = "".join(f"<p>{t}</p>" for t in texts)
    jats = clinical.jats(n, rng)[0][1].decode()
    return {
        "text": ("a.txt", "\n".join(texts).encode()),
        "csv": ("a.csv", table.getvalue().encode()),
        "jsonl": ("a.jsonl", "\n".join(lines).encode()),
        "fhir": ("a.ndjson", "\n".join(map(json.dumps, observations)).encode()),
        "ccda": ("a.xml", re.sub("<text>.*?</text>", f"<text><list>{items}</list></text>", cda).encode()),
        "hl7v2": ("a.hl7", f"MSH|^~\\&|L||||||ORU^R01|{n}\rPID|1||7^^^H\rOBR|1|||X\r{hl7}".encode()),
        "pdf": ("a.pdf", clinical.pdf_bytes("\n".join(texts))),
        "rtf": ("a.rtf", ("{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 " + rtf + "\\par}").encode()),
        "html": ("a.html", f"<!DOCTYPE html><html><body>{paragraphs}</body></html>".encode()),
        "docx": ("a.docx", clinical.docx_bytes(texts)),
        "jats": ("a.nxml", re.sub("<sec>.*</sec>", f"<sec><title>R</title>{paragraphs}</sec>", jats).encode()),
    }  # fmt: skip


def _pdfium(path: Path) -> None:
    document = pdfium.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_range()


def _unzipped(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        ET.fromstring(archive.read("word/document.xml"))


PARSERS: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.read_text("utf-8"),
    "csv": lambda path: list(csv.reader(path.open(newline="", encoding="utf-8"))),
    "jsonl": lambda path: [json.loads(line) for line in path.read_bytes().splitlines()],
    "fhir": lambda path: [json.loads(line) for line in path.read_bytes().splitlines()],
    "ccda": lambda path: ET.fromstring(path.read_bytes()),
    "hl7v2": lambda path: [line.split("|") for line in path.read_text("utf-8").split("\r")],
    "pdf": _pdfium,
    "rtf": lambda path: _RTF_TOKEN.findall(path.read_bytes()),
    "html": lambda path: HTMLParser().feed(path.read_text("utf-8")),
    "docx": _unzipped,
    "jats": lambda path: ET.fromstring(path.read_bytes()),
}


def seconds_of(paths: list[Path], work: Callable[[Path], object]) -> float:
    start = time.process_time()
    for path in paths:
        work(path)
    return time.process_time() - start


def through_the_entry(paths: list[Path]) -> tuple[float, float]:
    """Wall milliseconds of the first file and of one of the others."""
    with Sandbox() as sandbox:
        start = time.perf_counter()
        list(read_source(paths[0], paths[0].name, ReadOptions(), sandbox))
        first = time.perf_counter()
        for path in paths[1:]:
            list(read_source(path, path.name, ReadOptions(), sandbox))
        return 1000 * (first - start), 1000 * (time.perf_counter() - first) / max(len(paths) - 1, 1)


def measure(paths: list[Path], form: str, repeats: int) -> dict[str, Any]:
    reader = reader_for(paths[0], read_head(paths[0]))
    options = ReadOptions()
    reading = min(seconds_of(paths, lambda p: list(reader.read(p, p.name, "", options))) for _ in range(repeats))
    parsing = min(seconds_of(paths, PARSERS[form]) for _ in range(repeats))
    walls = [through_the_entry(paths) for _ in range(repeats)]
    kb = sum(path.stat().st_size for path in paths) / 1000
    return {
        "files": len(paths), "kb": round(kb), "parser_ms": round(1000 * parsing / len(paths), 3),
        "reader_ms": round(1000 * reading / len(paths), 3), "ratio": round(reading / max(parsing, 1e-9), 1),
        "mb_per_s": round(kb / 1000 / reading, 1), "first_ms": round(min(w[0] for w in walls), 1),
        "wall_ms": round(min(w[1] for w in walls), 2),
    }  # fmt: skip


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--notes", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rng, result = random.Random(5), {}
    with tempfile.TemporaryDirectory() as folder:
        made = [sources(n, args.notes, rng) for n in range(args.files)]
        for form in PARSERS:
            if form not in clinical.READ and form != "csv":
                continue  # no reader yet
            paths = []
            for n, one in enumerate(made):
                name, data = one[form]
                paths.append(Path(folder) / f"{n}-{name}")
                paths[-1].write_bytes(data)
            result[form] = measure(paths, form, args.repeats)
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
