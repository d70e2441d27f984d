"""What a C-CDA document says of itself: whose it is, when and by whom it was written, what it replaces."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

from chartcite.core.documents import Status
from chartcite.core.errors import CorruptSource, ReadError
from chartcite.core.identity import Person
from chartcite.core.time import When
from chartcite.readers.hl7_time import parse_stamp
from chartcite.readers.xml_tree import at, attribute, each, text_of

_SOCIAL_SECURITY = "2.16.840.1.113883.4.1"


@dataclass(frozen=True, slots=True)
class Header:
    """`patient_id` is None where the document names nobody."""

    patient_id: str | None
    title: str
    kind: str
    time: When | None
    author: str
    lang: str
    encounter_id: str
    status: Status
    person: Person | None = None


def read_header(root: ET.Element, asides: list[ReadError]) -> Header:
    """Read it; what only describes and is broken goes to `asides`.

    Raises:
        CorruptSource: it is about more than one patient.
    """
    title = text_of(root.find("title"))
    code = root.find("code")
    kind = attribute(code, "", "displayName") or attribute(code, "translation", "displayName")
    replaces = any(node.get("typeCode") == "RPLC" for node in each(root, "relatedDocument"))
    return Header(
        patient_id=_patient(root),
        title=title or kind,
        kind=kind or title,
        time=_time(root, asides),
        author=_author(root),
        lang=attribute(root, "languageCode", "code"),
        encounter_id=_identifier(at(root, "componentOf/encompassingEncounter/id")),
        status="amended" if replaces else "current",
        person=_person(root),
    )


def identifier(extension: str, authority: str) -> str:
    """An identifier with who gave it: the same number of two hospitals is two patients.

    >>> identifier("998991", "2.16.840.1.113883.19.5"), identifier("", "be84a8e4"), identifier("7", "")
    ('998991@2.16.840.1.113883.19.5', 'be84a8e4', '7')
    """
    return "@".join(filter(None, (extension, authority)))


def _patient(root: ET.Element) -> str | None:
    roles = root.findall("recordTarget/patientRole")
    if len(roles) > 1:
        raise CorruptSource("the document is about more than one patient", "export one document a patient")
    if not roles:
        return None
    ids = [node for node in roles[0].findall("id") if not node.get("nullFlavor")]
    ids.sort(key=lambda node: node.get("root") == _SOCIAL_SECURITY)
    return next((found for node in ids if (found := _identifier(node))), None)


def _person(root: ET.Element) -> Person | None:
    """Who the patient is, for comparison; the first of several names."""
    patient = at(root, "recordTarget/patientRole/patient")
    name = at(patient, "name")
    return Person.of(
        attribute(patient, "birthTime", "value"),
        attribute(patient, "administrativeGenderCode", "code"),
        " ".join(name.itertext()) if name is not None else "",
    )


def _identifier(node: ET.Element | None) -> str:
    if node is None or node.get("nullFlavor"):
        return ""
    return identifier((node.get("extension") or "").strip(), (node.get("root") or "").strip())


def _time(root: ET.Element, asides: list[ReadError]) -> When | None:
    try:
        return parse_stamp(attribute(root, "effectiveTime", "value"))
    except ValueError:
        asides.append(CorruptSource("the document's effectiveTime was not understood and was left out"))
        return None


def _author(root: ET.Element) -> str:
    names = []
    for author in each(root, "author/assignedAuthor"):
        name = author.find("assignedPerson/name")
        said = " ".join(filter(None, map(text_of, name))) if name is not None and len(name) else text_of(name)
        names.append(said)
    return "; ".join(dict.fromkeys(filter(None, names)))
