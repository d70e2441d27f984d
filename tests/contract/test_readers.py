"""What every reader owes: the port's promises, checked on a good source, a damaged one and foreign ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pickle
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
from tests.scans import OCR_ENGINE, needs_ocr, png

from chartcite.core.errors import ChartciteError, ReadError
from chartcite.core.reading import Found, Problem, Reader, ReadOptions
from chartcite.readers import detect
from chartcite.readers.sandbox import Sandbox

CANARY = "Zebulon Canary, wife of the mayor"
PDF = (
    b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n"
    b"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font"
    b"/Subtype/Type1/BaseFont/Helvetica>>>>>>>> endobj\n4 0 obj <</Length 70>>\nstream\n"
    b"BT /F1 12 Tf 20 300 Td (" + CANARY.encode() + b") Tj ET      \nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF"
)
FHIR = {
    "resourceType": "DiagnosticReport", "id": "r", "status": "final", "code": {"text": "X-ray"},
    "subject": {"reference": "Patient/p", "display": CANARY}, "conclusion": CANARY,
}  # fmt: skip
CDA = (
    '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget>'
    '<patientRole><id extension="p"/></patientRole></recordTarget>'
    f"<component><structuredBody><component><section><text>{CANARY}</text></section></component></structuredBody>"
    "</component></ClinicalDocument>"
)
CASES = (
    '<annotations><case id="1"><patient_narrative>x</patient_narrative><patient_question><phrase>x</phrase>'
    "</patient_question><clinician_question>x</clinician_question>"
    f"<note_excerpt>{CANARY}</note_excerpt><note_excerpt_sentences><sentence id='1'>{CANARY}</sentence>"
    "</note_excerpt_sentences></case></annotations>"
)
JATS = f'<!DOCTYPE article PUBLIC "x" "y.dtd"><article article-type="x"><body><p>{CANARY}</p></body></article>'


def docx() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        said = f"<w:document><w:body><w:p><w:r><w:t>{CANARY}</w:t></w:r></w:p></w:body></w:document>"
        package.writestr(zipfile.ZipInfo("word/document.xml"), said)
    return made.getvalue()


@dataclass(frozen=True)
class Sample:
    """A format's module, and one source of it with one note."""

    module: str
    name: str
    data: bytes
    packs: bool = True  # whether gzip is looked through
    ocr: str = ""

    @property
    def options(self) -> ReadOptions:
        return ReadOptions(ocr=self.ocr)


SAMPLES = (
    Sample("text", "note.txt", CANARY.encode()),
    Sample("jsonl", "notes.jsonl", json.dumps({"doc_id": "d", "patient_id": "p", "text": CANARY}).encode()),
    Sample("csv_table", "notes.csv", f'doc_id,patient_id,text\nd,p,"{CANARY}"\n'.encode()),
    Sample(
        "mimic", "discharge.csv",
        f'note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\nd,p,1,DS,1,2180-05-07,,"{CANARY}"\n'.encode(),
    ),
    Sample("omop", "NOTE.csv", f'NOTE_ID,PERSON_ID,NOTE_DATE,NOTE_TEXT\nd,p,2031-03-02,"{CANARY}"\n'.encode()),
    Sample("fhir", "bundle.json", json.dumps({"resourceType": "Bundle", "entry": [{"resource": FHIR}]}).encode()),
    Sample("pdf", "letter.pdf", PDF, packs=False),
    Sample("hl7v2", "result.hl7", f"MSH|^~\\&|L||||||ORU^R01|1\rPID|1||p\rOBR|1\rOBX|1|TX|||{CANARY}\r".encode()),
    Sample("ccda", "summary.xml", CDA.encode()),
    Sample("archehr", "cases.xml", CASES.encode()),
    Sample("jats", "article.nxml", JATS.encode()),
    Sample("docx", "letter.docx", docx()),
    Sample("rtf", "letter.rtf", f"{{\\rtf1 {CANARY}\\par}}".encode()),
    Sample("html", "page.html", f"<html><body><p>{CANARY}</p></body></html>".encode()),
    Sample("image", "scan.png", png(CANARY), packs=False, ocr=OCR_ENGINE),
)  # fmt: skip

each = pytest.mark.parametrize(
    "sample",
    [pytest.param(s, marks=needs_ocr if s.ocr else [], id=s.module) for s in SAMPLES],
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as child:
        yield child


def reader_of(sample: Sample) -> Reader:
    reader: Reader = import_module(f"chartcite.readers.{sample.module}").READER
    return reader


def test_every_format_has_a_sample() -> None:
    assert {sample.module for sample in SAMPLES} == {*detect._MODULES, *detect._BY_ROOT, *detect._BY_START}


@each
def test_the_reader_bears_the_name_of_its_file(sample: Sample) -> None:
    assert reader_of(sample).name == sample.module.removesuffix("_table")


@each
def test_a_good_source(sample: Sample, tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / sample.name
    path.write_bytes(sample.data)
    assert detect.reader_for(path, sample.data[:4096]) is reader_of(sample)
    name = f"folder/{sample.name}"
    items = list(detect.read_source(path, name, sample.options, sandbox))
    (found,) = items
    assert isinstance(found, Found)
    document = found.document
    assert document.text.strip() == CANARY
    assert all(document.text[slice(*unit)].strip() for unit in document.units)
    assert document.doc_id
    assert document.source.name == name
    assert document.source.sha256 == hashlib.sha256(sample.data).hexdigest()
    assert document.source.format.split(";")[0] == reader_of(sample).name
    assert found.patient_id in {"p", "archehr-1", None}
    assert list(detect.read_source(path, name, sample.options, sandbox)) == items


@each
def test_gzip_is_looked_through_or_refused(sample: Sample, tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / f"{sample.name}.gz"
    path.write_bytes(gzip.compress(sample.data))
    if not sample.packs:
        with pytest.raises(ReadError):
            list(detect.read_source(path, path.name, sample.options, sandbox))
        return
    (found,) = detect.read_source(path, path.name, sample.options, sandbox)
    assert isinstance(found, Found)
    assert found.document.text.strip() == CANARY


@each
@pytest.mark.parametrize("damage", ["cut", "zeros", "noise", "empty", "one byte"])
def test_damage_is_named_without_content(sample: Sample, damage: str, tmp_path: Path, sandbox: Sandbox) -> None:
    data = {
        "cut": sample.data[: len(sample.data) * 3 // 4],
        "zeros": sample.data[: len(sample.data) // 2] + bytes(100),
        "noise": sample.data[: len(sample.data) // 2] + bytes(range(256)) + sample.data[len(sample.data) // 2 :],
        "empty": b"",
        "one byte": sample.data[:1],
    }[damage]
    path = tmp_path / sample.name
    path.write_bytes(data)
    errors: list[ChartciteError] = []
    try:
        items = list(detect.read_source(path, sample.name, sample.options, sandbox))
        errors = [item.error for item in items if isinstance(item, Problem)]
    except ReadError as raised:
        errors = [raised]
    for error in errors:
        assert isinstance(error, ReadError)
        assert error.args[0]
        assert "Zebulon" not in f"{error} {error.advice}"
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.advice) == (type(error), str(error), error.advice)


@each
def test_a_problem_in_the_source_never_hides_behind_a_traceback(
    sample: Sample, tmp_path: Path, sandbox: Sandbox
) -> None:
    """Every sample under every other name is read or refused by name."""
    for other in SAMPLES:
        path = tmp_path / other.name
        path.write_bytes(sample.data)
        said = ""
        try:
            list(detect.read_source(path, other.name, sample.options, sandbox))
        except ReadError as error:
            said = f"{error} {error.advice}"
        assert "Zebulon" not in said


@each
@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_in_an_archive_it_reads_the_same(sample: Sample, kind: str, tmp_path: Path, sandbox: Sandbox) -> None:
    plain, packed = tmp_path / sample.name, tmp_path / f"all.{kind}"
    plain.write_bytes(sample.data)
    with zipfile.ZipFile(packed, "w") if kind == "zip" else tarfile.open(packed, "w:gz") as made:
        made.write(plain, sample.name) if isinstance(made, zipfile.ZipFile) else made.add(plain, sample.name)
    (alone,) = detect.read_source(plain, sample.name, sample.options, sandbox)
    (inside,) = detect.read_source(packed, packed.name, sample.options, sandbox)
    assert isinstance(alone, Found)
    assert isinstance(inside, Found)
    assert (inside.document.text, inside.patient_id) == (alone.document.text, alone.patient_id)
    assert inside.document.source.name == f"all.{kind}!/{sample.name}"
    assert inside.document.source.sha256 == alone.document.source.sha256
