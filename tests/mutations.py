"""Good sources of every reader's format, and damaging them: bytes, pieces, values of JSON, elements of XML."""

# ruff: noqa: E501 - sources as they stand, a line each

from __future__ import annotations

import io
import json
import random
import re
import xml.etree.ElementTree as ET
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from tests.contract.test_readers import CANARY, SAMPLES
from tests.unit.readers.conftest import pdf_bytes
from tests.unit.readers.test_docx import docx

_PIECES = re.compile(rb"[A-Za-z0-9_]+|\s+|[^A-Za-z0-9_\s]")
_ODD = (
    b"", b"\0", b"\r", b"\n\n", b"\xff", b"\xef\xbb\xbf", b'"', b"'", b"<", b">", b"&", b"&amp;", b"{", b"}", b"[", b"]", b"\\",
    b"|", b"^", b"~", b",", b"\t", b"-1", b"0", b"99999999999999999999", b"1e999", b"NaN", b"null", b"true", b"2031-02-30",
    b"%PDF-1.4", b"PK\x03\x04", b"\x1f\x8b", b"\xc3\x28", b"\xed\xa0\x80", b"\\u0000", b"\\ud800", b"&#0;", b"<!--", b"<![CDATA[",
    b"../../etc/passwd", b"http://127.0.0.1:9/x", b"a" * 3000, b"(" * 300, b"{\\b" * 200, b"<p>" * 200,
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", " ", "x", "2031-13-45", "Patient/nobody", [], {}, [[]], [None], {"a": 1},
    "http://elsewhere/Patient/p", "\ud800", "\0", CANARY, {"reference": "#"}, {"coding": [{}]},
)  # fmt: skip


def _fhir() -> bytes:
    who = {"reference": "Patient/p", "display": CANARY}
    code = {"text": CANARY, "coding": [{"system": "http://loinc.org", "code": "1", "display": "Potassium in Serum"}]}
    narrative = {"status": "generated", "div": f'<div xmlns="http://www.w3.org/1999/xhtml"><p>{CANARY}</p></div>'}
    dose = {"text": "one daily", "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}},
            "route": {"text": "oral"}, "doseAndRate": [{"doseQuantity": {"value": 5, "unit": "mg"}}]}  # fmt: skip
    resources: list[dict[str, Any]] = [
        {"resourceType": "Patient", "id": "p", "name": [{"family": CANARY}], "birthDate": "1950-03", "gender": "male"},
        {"resourceType": "Observation", "status": "final", "code": code, "valueQuantity": {"value": 5.80, "unit": "mmol/L"},
         "referenceRange": [{"low": {"value": 3.5}, "high": {"value": 5.1}}], "interpretation": [{"text": "H"}],
         "component": [{"code": code, "valueString": CANARY}], "effectiveDateTime": "2031-03-01T08:15:00-05:00"},
        {"resourceType": "MedicationRequest", "status": "active", "intent": "order", "dosageInstruction": [dose],
         "medicationCodeableConcept": code, "authoredOn": "2031-03-01"},
        {"resourceType": "Condition", "code": code, "onsetDateTime": "2031", "verificationStatus": {"coding": [{"code": "confirmed"}]}},
        {"resourceType": "AllergyIntolerance", "code": code, "reaction": [{"manifestation": [code], "severity": "severe"}]},
        {"resourceType": "Procedure", "status": "completed", "code": code, "performedPeriod": {"start": "2031-03-01"}},
        {"resourceType": "Immunization", "status": "completed", "vaccineCode": code, "occurrenceDateTime": "2031-03-01"},
        {"resourceType": "Encounter", "status": "finished", "class": {"code": "IMP"}, "period": {"start": "2031-03-01"}},
        {"resourceType": "DiagnosticReport", "status": "final", "code": code, "text": narrative, "conclusion": CANARY},
        {"resourceType": "Composition", "status": "final", "title": CANARY, "section": [{"title": "x", "text": narrative}]},
        {"resourceType": "DocumentReference", "status": "current",
         "content": [{"attachment": {"contentType": "text/plain", "data": "WmVidWxvbg=="}}]},
    ]  # fmt: skip
    for n, resource in enumerate(resources[1:]):
        resource |= {
            "id": f"r{n}",
            ("patient" if resource["resourceType"] in {"AllergyIntolerance", "Immunization"} else "subject"): who,
        }
    return json.dumps(
        {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in resources]}
    ).encode()


_CCDA = (
    '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>T</title><effectiveTime value="20310301"/><recordTarget><patientRole>'
    '<id root="1.2" extension="p"/><patient><name><family>Zebulon</family></name><birthTime value="1950"/></patient>'
    "</patientRole></recordTarget><component><structuredBody><component><section><title>Results</title><text>"
    f'<list><item ID="a">{CANARY}</item><item>no</item></list><table><thead><tr><th>a</th><th>b</th><th>c</th></tr></thead>'
    f'<tbody><tr ID="r"><td rowspan="2">K</td><td colspan="2">{CANARY}</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>'
    '<content revised="delete">x</content></text><entry><observation negationInd="true"><text><reference value="#a"/></text>'
    '<effectiveTime><low value="203102"/></effectiveTime></observation></entry></section></component></structuredBody>'
    "</component></ClinicalDocument>"
)
_HL7 = (
    f"FHS|^~\\&|L\rMSH|^~\\&|L||||20310301||ORU^R01|1|P|2.5||||||UNICODE UTF-8\rPID|1||7^^^H^MR~8^^^I||{CANARY}^A||1950|M\r"
    f"PV1|1|I\rOBR|1|2|F|K^Potassium||20310301|||||||||||||||||F\rOBX|1|NM|K^K||5.8|mmol/L|3-5|H|||F\rNTE|1||{CANARY}\r"
    f"OBX|2|FT|T||a\\.br\\b\\H\\c\\N\\ \\X41\\ {CANARY}||||||C\rOBX|3|ED|X||^TEXT^^Base64^WmVidWxvbg==\rMSH|^~\\&|L||||||MDM^T02|2\r"
    f"PID|1||7^^^H\rTXA|1|DS|TX|20310301||||||||d1|||||AU\rOBX|1|TX|||{CANARY}\r"
)
_PDF = pdf_bytes(
    f"BT /F1 12 Tf 20 300 Td ({CANARY}) Tj 0 -14 Td (No fever. 40 mg.) Tj ET 3 Tr BT /F1 9 Tf 20 20 Td (hidden) Tj ET",
    "BT /F1 12 Tf 20 300 Td (second page) Tj ET", rotate=90, info=f"/Title ({CANARY})",
)  # fmt: skip
_CSV = f'doc_id,patient_id,time,note_type,text\r\na,p,2031-03-01,x,"{CANARY}\n""no"" fever"\r\nb,p,,,{CANARY}\r\n'
_HTML = (
    f'<html lang="en"><head><title>T</title><meta charset="utf-8"/><style>p {{display:none}}</style></head><body><h1>A</h1>'
    f'<p style="display:none">hidden</p><p>{CANARY} &lt;0.01 <sup>2</sup> x<br/>y</p><ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>'
    '<table><caption>c</caption><tr><th colspan="2">K</th><th>d</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr>'
    "<tr><td>4</td></tr></table><pre>x\n y</pre><script>1</script><!-- no --></body></html>"
)
_RTF = (
    "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset2 Symbol;}}{\\colortbl;\\red255\\green0\\blue0;}"
    "{\\info{\\title T}}{\\*\\generator x;}\\pard\\b A\\b0\\par "
    + CANARY
    + " \\'b5 \\u181? 40 \\'b5g {\\v hidden}\\par\n"
    "\\trowd\\cellx1000\\cellx2000 a\\cell b\\cell\\row{\\pict\\pngblip 8950}{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt x}}\\uc2\\u8364??\\par}"
)
_JATS = (
    '<article xml:lang="en"><front><journal-meta><journal-title>J</journal-title></journal-meta><article-meta><article-id '
    f'pub-id-type="doi">10.1/x</article-id><title-group><article-title>{CANARY}</article-title></title-group><contrib-group>'
    "<contrib contrib-type='author'><name><surname>S</surname><given-names>A</given-names></name></contrib></contrib-group>"
    "<pub-date><year>2031</year></pub-date><abstract><p>Abs <sup>2</sup></p></abstract></article-meta></front><body><sec><title>R</title>"
    f'<p>{CANARY} <xref ref-type="bibr" rid="b1">1</xref></p><table-wrap><label>T1</label><table><thead><tr><th>a</th><th>b</th></tr>'
    '</thead><tbody><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table></table-wrap><list><list-item><p>i</p>'
    "</list-item></list></sec></body><back><ref-list><ref><mixed-citation>x</mixed-citation></ref></ref-list></back></article>"
)
_DOCX = (
    f"<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>A</w:t></w:r></w:p><w:p><w:r><w:t>{CANARY}</w:t><w:tab/><w:br/></w:r>"
    "<w:ins><w:r><w:t>in</w:t></w:r></w:ins><w:del><w:r><w:delText>out</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>h</w:t>"
    "</w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p><w:tbl><w:tr>"
    "<w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>K</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>"
    "<w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
)
RICH: dict[str, bytes] = {
    "fhir": _fhir(), "ccda": _CCDA.encode(), "hl7v2": _HL7.encode(), "pdf": _PDF, "csv_table": _CSV.encode(),
    "docx": docx(_DOCX).getvalue(), "html": _HTML.encode(), "rtf": _RTF.encode(), "jats": _JATS.encode(),
}  # fmt: skip
"""Longer sources of some formats, by the reader's module; of the others the contract's sample is taken."""


def good_sources() -> dict[str, tuple[str, bytes]]:
    """By the reader's module: a name and content; every reader there is has one."""
    return {s.module: (s.name, RICH.get(s.module, s.data)) for s in SAMPLES}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The source with one to four changes of one kind."""
    ways: list[Callable[[bytes, random.Random], bytes]] = [_bytes, _pieces, _cut]
    if data[:1] in b"{[":
        ways += [_json, _json]
    elif data[:1] == b"<":
        ways += [_xml, _xml]
    elif data[:2] == b"PK":
        ways += [_zip] * 12  # what is changed outside of a part is mostly a wrong checksum
    way = chance.choice(ways)
    for _ in range(chance.randint(1, 4)):
        data = way(data, chance) or data[:1]
    return data


def _bytes(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(chance.randint(0, 3)) + data[at + chance.randint(0, 2) :]


def _pieces(data: bytes, chance: random.Random) -> bytes:
    """A word or sign dropped, doubled, exchanged with another, or replaced by something odd."""
    pieces = _PIECES.findall(data) or [data]
    at, other = chance.randrange(len(pieces)), chance.randrange(len(pieces))
    match chance.randrange(4):
        case 0:
            pieces[at] = b""
        case 1:
            pieces[at] *= chance.choice((2, 2, 50))
        case 2:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        case _:
            pieces[at] = chance.choice(_ODD)
    return b"".join(pieces)


def _cut(data: bytes, chance: random.Random) -> bytes:
    """A stretch left out, doubled, or all behind a place."""
    start, end = sorted((chance.randrange(len(data)), chance.randrange(len(data))))
    return chance.choice((data[:start] + data[end:], data[:end] + data[start:end] + data[end:], data[:end]))


def _json(data: bytes, chance: random.Random) -> bytes:
    """One value of the first line dropped, or another in its place."""
    first, _, rest = data.partition(b"\n")
    try:
        whole = json.loads(first)
    except ValueError:
        return _bytes(data, chance)
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key, inner in (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        ):
            places.append((value, key))
            walk(inner)

    walk(whole)
    if places:
        holder, key = chance.choice(places)
        if chance.random() < 0.3:
            del holder[key]
        else:
            holder[key] = chance.choice((*_VALUES, chance.choice(places)[0]))
    try:
        return json.dumps(whole).encode() + (b"\n" + rest if rest else b"")
    except (ValueError, RecursionError):
        return _bytes(data, chance)  # a value inside itself


def _xml(data: bytes, chance: random.Random) -> bytes:
    """One element dropped, doubled, moved, emptied, or with another attribute."""
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError):
        return _bytes(data, chance)
    parents = [(parent, child) for parent in root.iter() for child in parent]
    if not parents:
        return _bytes(data, chance)
    parent, child = chance.choice(parents)
    match chance.randrange(5):
        case 0:
            parent.remove(child)
        case 1:
            parent.append(child)
        case 2:
            child.text = chance.choice(("", CANARY, "9" * 40, "\u2028"))
        case 3:
            child.clear()
        case _:
            child.set(
                chance.choice([*child.attrib, "ID", "value", "colspan", "nullFlavor"]),
                chance.choice(("", "-1", "99999", "#a", "UNK")),
            )
    return ET.tostring(root)


def _zip(data: bytes, chance: random.Random) -> bytes:
    """One part of an office document changed, and packed again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError):
        return _bytes(data, chance)
    if not parts:
        return data
    name = chance.choice(sorted(parts))
    way = chance.choice((_xml, _xml, _pieces, _cut, lambda *_: b""))
    parts[name] = way(parts[name], chance) if parts[name] else b"x"
    if chance.random() < 0.05:
        del parts[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for part, content in parts.items():
            made.writestr(zipfile.ZipInfo(part), content)
    return out.getvalue()
