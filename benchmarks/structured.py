"""Structured formats: what becomes of every file of some folders, and how fast it is read beside the parser alone.

    python benchmarks/structured.py DATA/fhir_synthea10 DATA/ccda_examples DATA/ccda_vendor DATA/hl7v2
    python benchmarks/structured.py --attacks FOLDER
    python benchmarks/structured.py --timeline DATA/fhir_synthea10 [--limit 5000]
    python benchmarks/structured.py --words DATA/ccda_examples DATA/ccda_vendor
    python benchmarks/structured.py --speed DATA/fhir_synthea10 DATA/ccda_vendor

One JSON object. The first reads every file through the room's entry, as an ingest does, and says by format how many
files were read, in part or not at all and why, with documents, characters and patients; for FHIR and C-CDA also the
processor seconds beside those of `json.loads` a line and of expat. The second writes hostile XML and archives into
FOLDER and says for each how it was refused, in what time and with how much memory. The third reads
each MedicationRequest and the sentence made of it, and counts where the timeline's amount is that of the resource. The
fourth counts the words of C-CDA's narrative blocks and titles that are not words of the document made of them. The
fifth is the processor time of readers in this process, without a child, beside that of their parsers.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import resource
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers.bytes_in import open_maybe_gzip, read_head
from chartcite.readers.detect import read_source, reader_for
from chartcite.readers.sandbox import Sandbox
from chartcite.readers.xml_tree import parse_xml
from chartcite.records.doses_stated import doses_stated
from chartcite.records.entries import Source
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader


def files_of(folder: Path) -> list[Path]:
    """Every file below a folder but the note on where it came from."""
    return sorted(f for f in folder.rglob("*") if f.is_file() and f.name != "SOURCE")


def table(folders: list[Path]) -> dict[str, Any]:
    """By folder: outcomes of files, documents by format, reasons."""
    out: dict[str, Any] = {}
    with Sandbox() as sandbox:
        for folder in folders:
            outcomes, formats, reasons = Counter[str](), Counter[str](), Counter[str]()
            chars, patients, start = Counter[str](), defaultdict[str, set[str]](set), time.process_time()
            for path in files_of(folder):
                found, failed, skipped = 0, 0, 0
                try:
                    for item in read_source(path, path.name, sandbox=sandbox):
                        if isinstance(item, Found):
                            name = item.document.source.format.split(";charset")[0].split("; charset")[0]
                            found += 1
                            formats[name] += 1
                            chars[name] += len(item.document.text)
                            patients[name].add(item.patient_id or "")
                            assert all(item.document.text[slice(*u)].strip() for u in item.document.units)
                        else:
                            failed, skipped = failed + (not item.skipped), skipped + item.skipped
                            reasons[f"{item.error.kind}: {re.sub(r'[0-9][0-9,]*', 'N', str(item.error))}"] += 1
                except ReadError as error:
                    failed += 1
                    reasons[f"{error.kind}: {re.sub(r'[0-9][0-9,]*', 'N', str(error))}"] += 1
                outcomes["read" if found and not failed else "in part" if found else
                         "refused" if failed else "skipped"] += 1  # fmt: skip
            out[folder.name] = {
                "files": sum(outcomes.values()), "outcomes": dict(outcomes),
                "formats": {
                    n: {"documents": formats[n], "chars": chars[n], "patients": len(patients[n])}
                    for n in sorted(formats)
                },
                "reasons": dict(reasons.most_common()), "seconds": round(time.process_time() - start, 2),
                "parser": parser_alone(folder),
            }  # fmt: skip
    return out


def parser_alone(folder: Path) -> dict[str, Any]:
    """Processor seconds of the bare parser over the folder's JSON lines and XML."""
    seconds, size = defaultdict[str, float](float), Counter[str]()
    for path in files_of(folder):
        kind = "json" if "ndjson" in path.name else "xml" if path.suffix.lower() == ".xml" else ""
        if not kind:
            continue
        with open_maybe_gzip(path) as stream:
            data = stream.read()
        start = time.process_time()
        if kind == "json":
            for line in data.splitlines():
                json.loads(line)
        else:
            try:
                parse_xml(data)
            except ReadError:
                continue
        seconds[kind] += time.process_time() - start
        size[kind] += len(data)
    return {k: {"seconds": round(seconds[k], 3), "mb": round(size[k] / 1e6, 1)} for k in seconds}


def speed(folder: Path) -> dict[str, Any]:
    """Megabytes a second of processor time: the reader in this process, without a child, beside its parser."""
    seconds, size = defaultdict[str, float](float), Counter[str]()
    for path in files_of(folder):
        try:
            reader = reader_for(path, read_head(path))
        except ReadError:
            continue
        with open_maybe_gzip(path) as stream:
            size[reader.name] += len(stream.read())
        start = time.process_time()
        try:
            for _ in reader.read(path, path.name, "", ReadOptions()):
                pass
        except ReadError:
            pass
        seconds[reader.name] += time.process_time() - start
    return {n: {"mb": round(size[n] / 1e6, 1), "seconds": round(seconds[n], 2)} for n in sorted(seconds)}


def make_attacks(folder: Path) -> None:
    """Write the hostile files: some are large before they are packed, so this is a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    entities = '<!ENTITY e0 "spam">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    body = "<ClinicalDocument>{}</ClinicalDocument>"
    sources: dict[str, bytes] = {
        "bomb.xml": f"<!DOCTYPE z [{entities}]>{body.format('&e9;')}".encode(),
        "cyclic.xml": f'<!DOCTYPE z [<!ENTITY a "&b;"><!ENTITY b "&a;">]>{body.format("&a;")}'.encode(),
        "dtd.xml": f'<!DOCTYPE z SYSTEM "http://127.0.0.1:9/x.dtd">{body.format("")}'.encode(),
        "external.xml": f'<!DOCTYPE z [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>{body.format("&x;")}'.encode(),
        "external_file.xml": f'<!DOCTYPE z [<!ENTITY x SYSTEM "file:///etc/hostname">]>{body.format("&x;")}'.encode(),
        "parameter.xml": f'<!DOCTYPE z [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>{body.format("")}'.encode(),
        "quadratic.xml": f'<!DOCTYPE z [<!ENTITY a "{"x" * 3000}">]>{body.format("&a;" * 100_000)}'.encode(),
        "deep.xml": b"<ClinicalDocument>" + b"<a>" * 1_000_000,
        **{f"{name}.nxml": data for name, data in article_attacks(entities).items()},
        "deep.html": b"<html><body>" + b"<div>" * 1_000_000,
        "attributes.html": b"<html><body><p " + b" ".join(b"a%d=1" % n for n in range(300_000)) + b">x</p>",
        "cells.html": b"<html><body><table><tr><td colspan=99999999 rowspan=99999999>x</td></tr></table>",
        "many-cells.html": b"<table>" + b"<tr><td colspan=1000 rowspan=1000>x</td></tr>" * 5000 + b"</table>",
        "references.html": b"<html><body>" + b"&#x" * 500_000,
        "open.html": b"<html><body>" + b"<!--" * 500_000,
        "fetched.html": b'<html><head><base href="http://127.0.0.1:9/"><link rel=stylesheet href=a.css></head><body>'
        b'<img src="file:///etc/hostname"><iframe src="http://127.0.0.1:9/x"></iframe><object data="file:///etc/hostname">',
        "deep.rtf": b"{\\rtf1 " + b"{\\b " * 1_000_000,
        "binary.rtf": b"{\\rtf1 {\\pict\\bin2000000000 " + bytes(1000) + b"}x}",
        "long-word.rtf": b"{\\rtf1 \\" + b"a" * 2_000_000 + b"}",
        "unicode-skip.rtf": b"{\\rtf1\\uc2000000000 \\u8364 x}",
        "fetched.rtf": b'{\\rtf1{\\field{\\*\\fldinst INCLUDETEXT "file:///etc/hostname"}{\\fldrslt x}}'
        b"{\\object\\objocx{\\*\\objdata 0105}}}",
        **word_attacks(entities),
        "bomb.zip": zip_bomb(),
        "quine-like.zip": nested(10),
        "dotdot.zip": zipped({"../out.txt": b"x", "/etc/out.txt": b"x"}),
        "many.zip": zipped({f"{n}.txt": b"" for n in range(60_000)}),
        "link.tar": linked(),
        "bomb.tar.gz": tar_bomb(),
    }
    for name, data in sources.items():
        (folder / name).write_bytes(data)


def attacks(folder: Path) -> list[dict[str, Any]]:
    """Hostile files, each read in a process of its own."""
    me = [sys.executable, __file__]
    subprocess.run([*me, "--make", str(folder)], check=True, stdout=subprocess.DEVNULL)
    out = []
    for path in sorted(p for p in folder.iterdir() if p.name[0] != "."):
        done = subprocess.run([*me, "--one", str(path)], capture_output=True, text=True, check=True)
        out.append({"file": path.name, "bytes": path.stat().st_size, **json.loads(done.stdout)})
    return out


def one(path: Path) -> dict[str, Any]:
    """A hostile file in a process of its own, which has read a good one before: Python's imports are not the file's."""
    list(read_source(_plain(path.parent), "plain.html"))
    start = time.perf_counter()
    said, documents = [], 0
    try:
        for item in read_source(path, path.name):
            documents += isinstance(item, Found)
            if not isinstance(item, Found):
                said.append(f"{item.error.kind}: {item.error}")
    except ReadError as error:
        said.append(f"{error.kind}: {error}")
    seconds = round(time.perf_counter() - start, 2)
    return {"documents": documents, "said": said[:3], "seconds": seconds, "peak_mb": round(memory() / 1e6)}


def _plain(folder: Path) -> Path:
    path = folder / ".plain.html"
    path.write_text("<html><body>x</body></html>", "utf-8")
    return path


def article_attacks(entities: str) -> dict[str, bytes]:
    """The same set for an article, whose document type may be named, and is never loaded."""
    body = "<article><front><article-meta/></front><body><p>{}</p></body></article>"
    return {
        "bomb": f"<!DOCTYPE article [{entities}]>{body.format('&e9;')}".encode(),
        "cyclic": f'<!DOCTYPE article [<!ENTITY a "&b;"><!ENTITY b "&a;">]>{body.format("&a;")}'.encode(),
        "dtd": f'<!DOCTYPE article SYSTEM "http://127.0.0.1:9/x.dtd">{body.format("x")}'.encode(),
        "external": f'<!DOCTYPE article [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>{body.format("&x;")}'.encode(),
        "external_file": f'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]>{body.format("&x;")}'.encode(),
        "parameter": f'<!DOCTYPE article [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>{body.format("x")}'.encode(),
        "quadratic": f'<!DOCTYPE article [<!ENTITY a "{"x" * 3000}">]>{body.format("&a;" * 100_000)}'.encode(),
        "deep": b"<article><body>" + b"<sec>" * 1_000_000,
        "include": body.format(
            '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/hostname"/>x'
        ).encode(),
    }


def word_attacks(entities: str) -> dict[str, bytes]:
    """Office documents: entities in a part, a part that grows, a relation that leads out, a part without end."""
    space = "http://schemas.openxmlformats.org"
    word = f'xmlns:w="{space}/wordprocessingml/2006/main"'
    good = f"<w:document {word}><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>"
    relations = (
        f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{space}/officeDocument/2006/relationships/officeDocument" Target="{{}}"/></Relationships>'
    )

    def made(document: str, target: str = "word/document.xml", **more: bytes) -> bytes:
        types = f'<Types xmlns="{space}/package/2006/content-types"/>'
        parts = {"[Content_Types].xml": types.encode(), "_rels/.rels": relations.format(target).encode()}
        return zipped({**parts, "word/document.xml": document.encode(), **more})

    bombed = good.replace("<w:t>x", "<w:t>&e9;")
    return {
        "bomb.docx": made(f"<!DOCTYPE z [{entities}]>{bombed}"),
        "external.docx": made(f'<!DOCTYPE z [<!ENTITY e9 SYSTEM "file:///etc/hostname">]>{bombed}'),
        "out.docx": made(good, "../../../../etc/hostname"),
        "fetched.docx": made(good, "http://127.0.0.1:9/document.xml"),
        "large-part.docx": made(good.replace("<w:t>x", "<w:t>" + "x" * (200 << 20))),
        "deep.docx": made(f"<w:document {word}><w:body>" + "<w:p>" * 1_000_000),
    }


def memory() -> int:
    """The most that this process and its children held."""
    return 1024 * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def nested(depth: int) -> bytes:
    data = zipped({"a.txt": b"x"})
    for _ in range(depth):
        data = zipped({"inner.zip": data})
    return data


def linked() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        info = tarfile.TarInfo("a.txt")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/hostname"
        made.addfile(info)
    return out.getvalue()


def zip_bomb() -> bytes:
    """2 GiB of zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made, made.open("a.txt", "w", force_zip64=True) as member:
        for _ in range(2 << 10):
            member.write(bytes(1 << 20))
    return out.getvalue()


class _Zeros(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        return bytes(size)


def tar_bomb() -> bytes:
    """1 GiB of zeros."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as made:
        info = tarfile.TarInfo("a.txt")
        info.size = 1 << 30
        made.addfile(info, _Zeros())
    return out.getvalue()


def words(folders: list[Path]) -> dict[str, Any]:
    """Words of narrative blocks, those that are not in the text, and whether all of those head a column."""
    total, missing, documents, elsewhere = 0, Counter[str](), 0, Counter[str]()
    for path in (p for folder in folders for p in files_of(folder) if p.suffix.lower() == ".xml"):
        try:
            found = [item.document for item in read_source(path, path.name) if isinstance(item, Found)]
        except ReadError:
            continue
        root = parse_xml(path.read_bytes())
        if not found or root.find("component/structuredBody") is None:
            continue
        documents += 1
        blocks = [b for s in root.iter("section") for b in [*s.findall("title"), *s.findall("text")]]
        stated = Counter(w for b in blocks for w in re.findall(r"\w+", " ".join(b.itertext())))
        gone = stated - Counter(re.findall(r"\w+", found[0].text))
        heads = {w for b in blocks for th in b.iter("th") for w in re.findall(r"\w+", "".join(th.itertext()))}
        total += sum(stated.values())
        missing += gone
        elsewhere += Counter({w: n for w, n in gone.items() if w not in heads})
    return {"documents": documents, "words": total, "missing": sum(missing.values()),
            "not of a column's head": dict(elsewhere)}  # fmt: skip


def timeline(folder: Path, limit: int) -> dict[str, Any]:
    """Of each order whose name states one amount: whether the timeline reads that amount and drug of that day."""
    counts, facts_of, seen = Counter[str](), FactsReader(), set[str]()
    missed: Counter[str] = Counter()
    name = re.compile(
        r"^([A-Za-z][\w' -]*?) (\d+(?:\.\d+)?) (MG|UNT|MCG|UG)\b(?! */)(?!.*\d (?:MG|UNT))", re.IGNORECASE
    )
    for path in sorted(folder.glob("MedicationRequest*")):
        for item in read_source(path, path.name):
            if not isinstance(item, Found) or not item.document.time:
                continue
            text, day = item.document.text.split("\n")[0], item.document.time.date
            stated = name.match(item.document.title)
            if not stated or text in seen or len(seen) >= limit:
                continue
            seen.add(text)
            line = Line(text, Source(1, "d", 1, 0, len(text), day, quote=text), day)
            found = [(d.day, d.amount.digits if d.amount else "") for d in doses_stated(line, facts_of)]
            right = found == [(day, f"{float(stated[2]):g}")]
            counts["right" if right else "none" if not found else "other"] += 1
            if not right:
                missed[item.document.title] += 1
    return {"orders": len(seen), **counts, "missed": dict(missed.most_common(20))}


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--attacks", type=Path)
    parser.add_argument("--one", type=Path, help="used by --attacks")
    parser.add_argument("--make", type=Path, help="used by --attacks")
    parser.add_argument("--timeline", type=Path)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--limit", type=int, default=5000)
    args = parser.parse_args()
    if args.attacks:
        result: Any = attacks(args.attacks)
    elif args.make:
        make_attacks(args.make)
        result = None
    elif args.one:
        result = one(args.one)
    elif args.timeline:
        result = timeline(args.timeline, args.limit)
    elif args.words:
        result = words(args.folders)
    elif args.speed:
        result = {folder.name: {"reader": speed(folder), "parser": parser_alone(folder)} for folder in args.folders}
    else:
        result = table(args.folders)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
