"""MedAlign: clinicians' instructions about long records in XML (Fleming et al., AAAI 2024).

A record is `ehrs/NAME.xml`: visits, days, notes and coded events. Each note is one item. The coded events of a day
make one more, a line each, with their clock time and without their code, since that is what a reader would see of
them. Instructions and answers are `clinician-instruction-responses.tsv`; an instruction that several clinicians
answered is one case with several references. A time is read as US dates are written, and left out where it is none.
"""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem
from chartcite.lab.datafiles import read_text, wanted
from chartcite.lab.dataset import Card, Dataset, Expected
from chartcite.lab.errors import BadTable, MissingData

_CODE = re.compile(r"\[[^\[\]/\s]+/[^\[\]\s]+\]\s*")
_FORMS = ("%m/%d/%Y %I:%M %p", "%m/%d/%Y %H:%M", "%m/%d/%Y")
_RESPONSES = "clinician-instruction-responses"


class Medalign(Dataset):
    """Corpus (notes and days of events, by patient) and cases."""

    card = Card(
        "medalign",
        "MedAlign Research Data Use Agreement",
        "medalign.stanford.edu, format samples at github som-shahlab/medalign",
        "Fleming et al., AAAI 2024, MedAlign",
        expected=(Expected("cases", 303),),
        note="303 is the number of instructions with a clinician's response. Credentialed data.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The records in the order of their file names."""
        records = sorted((folder / "ehrs").glob("*.xml")) or sorted(folder.glob("*.xml"))
        if not records:
            raise MissingData(f"The data set medalign is not in {folder}: there is no record (*.xml).")
        for path in records:
            yield from _items(path)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The instructions in the order of the table."""
        path = wanted("medalign", folder, f"{_RESPONSES}.tsv", f"{_RESPONSES}.csv")
        found: dict[str, Case] = {}
        separator = "\t" if ".tsv" in path.name else ","
        for n, row in enumerate(csv.DictReader(read_text(path).splitlines(keepends=True), delimiter=separator), 2):
            own, question = row.get("instruction_id") or "", row.get("question") or row.get("instruction") or ""
            if not own or not question:
                raise BadTable(f"{path.name}, row {n}: no instruction_id or no question.")
            said = (row.get("clinician_response") or "").strip()
            before = found[own].references if own in found else ()
            patient = (row.get("filename") or row.get("person_id") or "").removesuffix(".xml")
            references = tuple(dict.fromkeys((*before, said))) if said else before
            found[own] = Case(own, question.strip(), references=references, patient_id=patient)
        yield from found.values()


def _items(path: Path) -> Iterator[CorpusItem]:
    patient = path.stem
    try:
        root = ET.fromstring(read_text(path).encode())  # noqa: S314  (a file the user chose; expat bounds entities)
    except ET.ParseError:
        raise BadTable(f"{path.name} is not XML.", "Fetch the file again.") from None
    note = 0
    for v, visit in enumerate(root.iter("visit"), start=1):
        for d, day in enumerate(visit.iter("day"), start=1):
            stay = f"{patient}/v{v}"
            events = list(_events(day))
            if events:
                yield CorpusItem(
                    f"{stay}/d{d}", "\n".join(events), patient_id=patient, time=_time(day.get("start"))[:10],
                    note_type="Coded events", encounter_id=stay,
                )  # fmt: skip
            for node in day.iter("note"):
                note += 1
                text = "\n".join(line.strip() for line in (node.text or "").strip().splitlines())
                if text:
                    yield CorpusItem(
                        f"{patient}/n{note}", text, patient_id=patient, time=_time(node.get("start")),
                        note_type=_named(node.get("type")) or "Note", encounter_id=stay,
                    )  # fmt: skip


def _events(day: ET.Element) -> Iterator[str]:
    """A line an event: what kind, when, and what the code says."""
    for node in day:
        if node.tag == "note":
            continue
        clock = _time(node.get("start"))[11:16]
        kind = node.tag.replace("_", " ")
        if node.tag == "person":
            said = [" ".join(line.split()) for line in (node.text or "").splitlines() if line.strip()]
        else:
            said = [" ".join(_CODE.sub("", code.text or "").split()) for code in node.iter("code")]
        for one in filter(None, said):
            yield f"{kind.capitalize()}{' ' + clock if clock else ''}: {one}"


def _time(text: str | None) -> str:
    """ISO 8601 to the minute or the day; empty where it is no date.

    >>> _time("10/08/2018 9:00 PM"), _time("soon")
    ('2018-10-08T21:00', '')
    """
    for form in _FORMS:
        try:
            return datetime.strptime((text or "").strip(), form).isoformat()[: 16 if "M" in form[8:] else 10]
        except ValueError:
            continue
    return ""


def _named(kind: str | None) -> str:
    return "" if kind in (None, "NULL") else str(kind).strip()


DATASET = Medalign()
