"""C-CDA: the narrative of a clinical document under its section titles, or its unstructured body.

The narrative is the evidence; coded entries are not read, since the standard asks that the narrative say all they say.
Two things of them are, through the narrative's ids: an entry that is negated while the words it points at say no such
thing is marked in the text, and a row or item without a date gets that of its entry, in square brackets.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.layout import WordBoxes
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import read_all
from chartcite.readers.ccda_header import Header, read_header
from chartcite.readers.ccda_narrative import narrative_lines
from chartcite.readers.embedded import Body, read_body, unbase64
from chartcite.readers.fhir_fields import is_skipped
from chartcite.readers.hl7_time import parse_stamp
from chartcite.readers.page_text import PageText
from chartcite.readers.xml_tree import attribute, each, parse_xml, text_of

MAX_BYTES = 64 << 20
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?ClinicalDocument[\s/>]")
_DEEPEST = 6
_NEGATIVE = re.compile(
    r"\b(?:no|not|non|none|never|nil|denie[sd]|den(?:y|ying)|without|negative|absent|refuse[ds]|declin\w+|"
    r"ruled out|n't|unremarkable|free of|n[ãa]o|sem|nega\w*|nenhuma?)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:no|without|sem) (?:known )?(?:adverse |further )?"
    r"(?:reactions?|complications?|comments?|notes?|information|data|side effects?|reação|complicações)\b",
    re.IGNORECASE,
)
"""A `no` that says nothing of whether the vaccine was given or the procedure done."""
_DATED = re.compile(r"\b(?:19|20)\d\d|\b\d{1,2}/\d{1,2}/\d{2}\b")
MARK = " [not so: the source's entry for this is negated]"


class CcdaReader:
    """One document a file; gzip is looked through."""

    name = "ccda"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By the root element."""
        return _ROOT.search(head.replace(b"\0", b"")) is not None

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:  # noqa: ARG002
        """Yield the document, then what of it could not be used.

        Raises:
            CorruptSource: not well-formed, with a document type definition, or about several patients.
            EmptySource: there is no text in it.
            UnsupportedFormat: its body is in a format without reader.
            LimitExceeded: over 64 MiB, or nested without end.
        """
        root = parse_xml(read_all(path, MAX_BYTES, "export the record in several documents"))
        if root.tag != "ClinicalDocument":
            raise UnsupportedFormat("XML, but not a C-CDA document")
        asides: list[ReadError] = []
        header = read_header(root, asides)
        unstructured = root.find("component/nonXMLBody")
        made = _unstructured(unstructured) if unstructured is not None else _structured(root, asides)
        asides += made.problems
        document = _document(header, made, Provenance(name, sha256, f"ccda; {made.format}"))
        yield Found(document, header.patient_id, header.person)
        yield from (Problem(name, error, skipped=is_skipped(error)) for error in asides)


@dataclass(frozen=True, slots=True)
class _Made:
    text: str
    format: str
    units: tuple[Span, ...] = ()
    pages: tuple[int, ...] = ()
    hidden: tuple[Span, ...] = ()
    problems: tuple[ReadError, ...] = ()
    words: WordBoxes = field(default_factory=WordBoxes)
    running: tuple[Span, ...] = ()


def _document(header: Header, made: _Made, source: Provenance) -> Document:
    return Document(
        doc_id=source.name,
        text=made.text,
        source=source,
        title=header.title,
        note_type=header.kind,
        time=header.time,
        author=header.author,
        lang=header.lang,
        status=header.status,
        encounter_id=header.encounter_id,
        units=made.units,
        pages=made.pages,
        hidden=made.hidden,
        words=made.words,
        running=made.running,
    )


def _structured(root: ET.Element, asides: list[ReadError]) -> _Made:
    text, count = PageText(), Counter[str]()
    for section in each(root, "component/structuredBody/component/section"):
        _section(section, 1, text, count)
    if not text.has_body:
        raise EmptySource("no section of the document has a narrative")
    if count["without"]:
        asides.append(EmptySource(f"sections with coded entries and without a narrative: {count['without']:,}"))
    if count["negated"]:
        told = f"lines that their entry negates and that say no such thing themselves, marked so: {count['negated']:,}"
        asides.append(UnsupportedFormat(told))
    for kind in sorted(key for key in count if key.startswith("body ")):
        asides.append(UnsupportedFormat(f"bodies inside entries that are not read ({kind[5:]}): {count[kind]:,}"))
    if root.find("relatedDocument[@typeCode='RPLC']") is not None:
        asides.append(UnsupportedFormat("the document replaces another, which it does not name by file: see to both"))
    return _Made(text.text, "sections", tuple(text.units))


def _section(section: ET.Element, depth: int, text: PageText, count: Counter[str]) -> None:
    """A section with those inside it, each under a header of its depth."""
    if depth > _DEEPEST:
        raise CorruptSource("the sections are nested too deeply")
    title = text_of(section.find("title")) or attribute(section, "code", "displayName")
    narrative = section.find("text")
    lines = list(narrative_lines(narrative)) if narrative is not None else []
    negated, days = _negated(section), _days(section)
    if title:
        text.header(title, depth)
    for line in lines:
        said = line.text
        if negated & set(line.ids) and not _NEGATIVE.search(_BESIDE.sub("", said)):
            said += MARK
            count["negated"] += 1
        known = {day for identity in line.ids for day in days.get(identity, ())}
        if line.is_short and len(known) == 1 and not _DATED.search(said):
            said += f" [{known.pop()}]"
        text.line(said, is_unit=line.is_row)
    if not lines and section.find("entry") is not None:
        count["without"] += 1
    for value in section.iterfind("entry//*[@mediaType][@representation='B64']"):
        kind = (value.get("mediaType") or "").lower()
        count["body " + (kind if re.fullmatch(r"[\w.+-]{1,40}/[\w.+-]{1,80}", kind) else "unknown")] += 1
    for inner in each(section, "component/section"):
        _section(inner, depth + 1, text, count)


_POINTING = (
    "text/reference", "code/originalText/reference", "value/originalText/reference",
    "consumable/manufacturedProduct/manufacturedMaterial/code/originalText/reference",
    "participant/participantRole/playingEntity/code/originalText/reference",
)  # fmt: skip
"""Where an entry names its words. What hangs on it by `entryRelationship` may be the reason, and is not meant."""


def _negated(section: ET.Element) -> frozenset[str]:
    """The ids of narrative elements that the text of a negated entry of this section points at."""
    found = set()
    for entry in section.iterfind("entry//*[@negationInd]"):
        if (entry.get("negationInd") or "").strip() not in ("true", "1"):
            continue
        for path in _POINTING:
            for reference in entry.iterfind(path):
                found.add((reference.get("value") or "").removeprefix("#"))
    return frozenset(found - {""})


def _days(section: ET.Element) -> dict[str, set[str]]:
    """By the id of a narrative element, the days of the entries whose text points at it; `from` a day on for a span."""
    found: dict[str, set[str]] = {}
    for entry in section.iterfind("entry//*[effectiveTime]"):
        day = _day(attribute(entry, "effectiveTime", "value"))
        begun = _day(attribute(entry, "effectiveTime/low", "value"))
        said = day or (f"from {begun}" if begun else "")
        references = [*entry.iterfind("text/reference"), *entry.iterfind("code/originalText/reference")]
        for reference in references if said else ():
            found.setdefault((reference.get("value") or "").removeprefix("#"), set()).add(said)
    return found


def _day(stamp: str) -> str:
    try:
        moment = parse_stamp(stamp)
    except ValueError:
        return ""
    return moment.date if moment else ""


def _unstructured(body: ET.Element) -> _Made:
    held = body.find("text")
    if held is None:
        raise EmptySource("the document has no body")
    reference = held.find("reference")
    words = "".join(held.itertext())
    if not words.strip():
        if reference is not None:
            raise UnsupportedFormat(
                "the body is a reference to another file; chartcite opens nothing outside the source",
                "ingest that file itself, with --patient",
            )
        raise EmptySource("the document's body is empty")
    data = unbase64(words) if held.get("representation") == "B64" else words.strip().encode()
    made: Body = read_body(data, held.get("mediaType") or "text/plain")
    return _Made(
        made.text,
        made.format,
        pages=made.pages,
        hidden=made.hidden,
        problems=made.problems,
        words=made.words,
        running=made.running,
        units=made.units,
    )


READER = CcdaReader()
