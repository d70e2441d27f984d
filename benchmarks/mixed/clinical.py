"""Invented files of clinical formats, archives and documents, good, damaged and locked."""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import tarfile
import zipfile
import zlib
from datetime import UTC, datetime

from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from chartcite.readers import detect
from mixed.expected import Expected, read, refused
from mixed.texts import File, note, patient

READ = frozenset((*detect._MODULES, *detect._BY_ROOT, *detect._BY_START))


def fhir(n: int, rng: random.Random, broken: int = 0) -> list[File]:
    text = note(n, rng).strip()
    who = f"fhir{n % 11}"
    report = {"resourceType": "DiagnosticReport", "id": f"r{n}", "status": "final", "code": {"text": "X-ray"},
              "subject": {"reference": f"Patient/{who}"}, "conclusion": text}  # fmt: skip
    wrong = {**report, "id": f"w{n}", "subject": {"reference": "Patient/nobody"}, "status": 7}
    people = {"resourceType": "Patient", "id": who}
    entries = [{"resource": r} for r in (people, report, *[wrong] * broken)]
    right = Expected("partial" if broken else "read", {"fhir": 1}, {who: 1}, len(text), broken)
    data = json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()
    return [(f"exports/bundle-{n}.json", data, right)]


def broken_fhir(n: int, rng: random.Random) -> list[File]:
    return fhir(n, rng, broken=1)


def ndjson(n: int, rng: random.Random) -> list[File]:
    who = f"fhir{n % 11}"
    rows = [
        {"resourceType": "Observation", "id": f"o{n}-{k}", "status": "final", "code": {"text": "Potassium"},
         "subject": {"reference": f"Patient/{who}"}, "effectiveDateTime": f"2031-03-0{k + 1}",
         "valueQuantity": {"value": rng.randrange(30, 60) / 10, "unit": "mmol/L"}}
        for k in range(3)
    ]  # fmt: skip
    data = "\n".join(map(json.dumps, rows)).encode()
    return [(f"exports/observations-{n}.ndjson", data, Expected("read", {"fhir": 3}, {who: 3}))]


def ccda(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng).strip()
    data = (
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>'
        f'<id root="1.2.3" extension="{n % 13}"/></patientRole></recordTarget><component><structuredBody><component>'
        f"<section><text>{text}</text></section></component></structuredBody></component></ClinicalDocument>"
    )
    return [(f"exports/summary-{n}.xml", data.encode(), read("ccda", f"{text}\n", f"{n % 13}@1.2.3"))]


def hl7(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng).strip()
    data = f"MSH|^~\\&|L||||||ORU^R01|{n}\rPID|1||{n % 8}^^^LAB^MR\rOBR|1|||X\rOBX|1|TX|||{text}\r"
    return [(f"exports/result-{n}.hl7", data.encode(), Expected("read", {"hl7v2": 1}, {f"{n % 8}@LAB": 1}))]


def cut_short(n: int, rng: random.Random) -> list[File]:
    """Good files of which the end is missing."""
    name, data, _ = (ccda, fhir)[n % 2](n, rng)[0]
    return [(name.replace("-", "-cut-"), data[: len(data) // 2], refused("CorruptSource"))]


def pdf_bytes(text: str) -> bytes:
    made = FPDF()
    made.set_creation_date(datetime(2031, 3, 2, tzinfo=UTC))
    made.add_page()
    if text:
        made.set_font("Helvetica", size=11)
        made.multi_cell(0, 6, text)
    return bytes(made.output())


def pdf(n: int, rng: random.Random) -> list[File]:
    return [(f"{patient(n)}/letter-{n}.pdf", pdf_bytes(note(n, rng)), Expected("read", {"pdf": 1}, {patient(n): 1}))]


def locked(n: int, rng: random.Random) -> list[File]:
    """Behind a password, whether of a PDF or of an archive's member; or with the owner's password alone."""
    who = patient(n)
    if n % 3 == 2:
        out = bytearray(zipped({f"{who}/x.txt": note(n, rng).encode()}))
        for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            out[out.index(mark) + at] |= 1
        return [(f"packed/locked-{n}.zip", bytes(out), refused("EncryptedSource"))]
    writer = PdfWriter(PdfReader(io.BytesIO(pdf_bytes(note(n, rng)))))
    writer.encrypt("secret" if n % 3 else "", "owner", algorithm="RC4-128")
    data = io.BytesIO()
    writer.write(data)
    right = refused("EncryptedSource") if n % 3 else Expected("read", {"pdf": 1}, {who: 1})
    return [(f"{who}/locked-{n}.pdf", data.getvalue(), right)]


def broken_pdf(n: int, rng: random.Random) -> list[File]:
    """A page without text, and a file without any object."""
    data = pdf_bytes("") if n % 2 else b"%PDF-1.7\n" + rng.randbytes(400)
    return [(f"{patient(n)}/broken-{n}.pdf", data, refused("EmptySource", "CorruptSource", "MissingExtra"))]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def archive(n: int, rng: random.Random) -> list[File]:
    """Notes of two patients, one member that leads out, one that is nothing."""
    texts = {f"z{(n + k) % 6}/note-{n}-{k}.txt": note(n * 10 + k, rng) for k in range(2)}
    members = {name: text.encode() for name, text in texts.items()} | {"../out.txt": b"x", "z0/none.txt": b""}
    if n % 2:
        data, name = zipped(members), f"all-{n}.zip"
    else:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as made:
            for member, content in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(content)
                made.addfile(info, io.BytesIO(content))
        data, name = out.getvalue(), f"all-{n}.tar.gz"
    people = {m.split("/")[0]: 1 for m in texts}
    right = Expected("partial", {"text": 2}, people, sum(map(len, texts.values())), failed=1, skipped=1)
    return [(name, data, right)]


def packed(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng)
    return [(f"{patient(n)}/note-{n}.txt.gz", gzip.compress(text.encode(), mtime=0), read("text", text, patient(n)))]


def image(n: int, rng: random.Random) -> list[File]:  # noqa: ARG001 - as all makers
    """A white PNG of eight by eight."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + b"\xff" * 8 for _ in range(8)))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return [(f"{patient(n)}/scan-{n}.png", data, refused("UnsupportedFormat", "EmptySource", "MissingExtra"))]


def _office(form: str, name: str, data: bytes, who: str) -> list[File]:
    if form in READ:
        return [(name, data, Expected("read", {form: 1}, {who: 1}))]
    return [(name, data, refused("UnsupportedFormat"))]


def rtf(n: int, rng: random.Random) -> list[File]:
    data = "{\\rtf1\\ansi {\\fonttbl\\f0 Arial;}\\f0 " + note(n, rng).strip() + "\\par}"
    return _office("rtf", f"{patient(n)}/letter-{n}.rtf", data.encode(), patient(n))


def html(n: int, rng: random.Random) -> list[File]:
    data = f"<!DOCTYPE html><html><head><title>Letter</title></head><body><p>{note(n, rng).strip()}</p></body></html>"
    return _office("html", f"{patient(n)}/letter-{n}.html", data.encode(), patient(n))


def docx_bytes(texts: list[str]) -> bytes:
    """A document of some paragraphs."""
    paragraphs = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in texts)
    space = "http://schemas.openxmlformats.org"
    of = "application/vnd.openxmlformats-"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{space}/package/2006/content-types">'
        f'<Default Extension="rels" ContentType="{of}package.relationships+xml"/><Override '
        f'PartName="/word/document.xml" ContentType="{of}officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" Type='
        f'"{space}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{space}/wordprocessingml/2006/main"><w:body>{paragraphs}</w:body>'
        "</w:document>",
    }
    return zipped({name: f"<?xml version='1.0'?>{part}".encode() for name, part in parts.items()})


def docx(n: int, rng: random.Random) -> list[File]:
    return _office("docx", f"{patient(n)}/letter-{n}.docx", docx_bytes([note(n, rng).strip()]), patient(n))


def jats(n: int, rng: random.Random) -> list[File]:
    data = (
        '<?xml version="1.0"?><article article-type="research-article"><front><article-meta><title-group>'
        f"<article-title>Study {n}</article-title></title-group></article-meta></front><body>"
        f"<sec><title>Results</title><p>{note(n, rng).strip()}</p></sec></body></article>"
    )
    return _office("jats", f"{patient(n)}/article-{n}.nxml", data.encode(), patient(n))
