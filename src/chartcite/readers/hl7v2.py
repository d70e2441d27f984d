"""HL7 v2: results (ORU) and documents (MDM) of messages and batches; a document an order, or a transcription.

Whose it is comes from PID-3 of its message, with who assigned the number. A message that corrects an earlier one of
the same source replaces it where it repeats all of its results; else both stay, and the new one says what it corrects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chartcite.core.documents import Document, Provenance, Span, Status
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.identity import Person
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.core.time import When
from chartcite.readers.bytes_in import read_all
from chartcite.readers.ccda_header import identifier
from chartcite.readers.fhir_fields import is_skipped
from chartcite.readers.hl7_time import parse_stamp
from chartcite.readers.hl7v2_results import Results, results_of
from chartcite.readers.hl7v2_syntax import Segment, messages

MAX_BYTES = 256 << 20
_STARTS = (b"MSH", b"FHS", b"BHS")
_BATCH = frozenset(("FHS", "BHS", "BTS", "FTS"))
_OF_ORDERS: dict[str, Status] = {
    "P": "preliminary", "A": "preliminary", "R": "preliminary", "I": "preliminary", "S": "preliminary",
    "O": "preliminary", "C": "amended",
}  # fmt: skip
_OF_DOCUMENTS: dict[str, Status] = {
    "DI": "preliminary", "DO": "preliminary", "IP": "preliminary", "IN": "preliminary", "PA": "preliminary",
}  # fmt: skip
_ROW_CHARS = 1000


class Hl7v2Reader:
    """Messages in any line ends, alone, in batches, or as they came over the wire; gzip is looked through."""

    name = "hl7v2"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By its first segment."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\x0b\r\n \t\xff\xfe").replace(b"\0", b"")[:4]
        return start[:3] in _STARTS and not start[3:4].isalnum()

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield the documents of all messages in order, then what was left out.

        Raises:
            CorruptSource: there is no message in it.
            LimitExceeded: more than 256 MiB.
        """
        data = read_all(path, MAX_BYTES, "split the batch")
        run = _Run(name, sha256)
        for number, message in enumerate(messages(data, options.encoding), start=1):
            if isinstance(message, CorruptSource):
                run.messages += 1
                yield Problem(f"{name}#{number}", message)
                continue
            if message[0].name in _BATCH:
                run.batch(message[0])
                continue
            run.messages += 1
            try:
                yield from run.message(message, number)
            except ReadError as error:
                yield Problem(f"{name}#{number}", error, skipped=is_skipped(error))
        yield from run.left_out()


@dataclass(slots=True)
class _Report:
    """One order or transcription of a message, with the patient it stands under."""

    head: Segment
    patient: Segment | None
    visit: Segment | None
    segments: list[Segment] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    """One source while it is read."""

    name: str
    sha256: str
    messages: int = 0
    stated: list[int] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    open_batches: int = 0
    earlier: dict[tuple[str, ...], tuple[str, set[tuple[str, str]]]] = field(default_factory=dict)

    def batch(self, segment: Segment) -> None:
        """Take note of how many messages a batch says it has."""
        self.open_batches += {"FHS": 1, "FTS": -1}.get(segment.name, 0)
        if segment.name == "BTS" and segment.text(1).isdecimal():
            self.stated.append(int(segment.text(1)[:9]))

    def message(self, message: list[Segment], number: int) -> Iterator[Found | Problem]:
        """The documents of one message."""
        header = message[0]
        kind, event = header.text(9), header.text(9, 2)
        if kind not in ("ORU", "MDM"):
            self.others[kind if kind.isalnum() and len(kind) == 3 else ""] += 1
            return
        if kind == "MDM" and event == "T11":
            raise UnsupportedFormat("the message cancels a document that was sent before")
        reports = list(_reports(message, "OBR" if kind == "ORU" else "TXA", self.dropped))
        if not reports:
            raise EmptySource("the message holds no report")
        for n, report in enumerate(reports, start=1):
            where = f"{self.name}#{number}" + (f".{n}" if len(reports) > 1 else "")
            try:
                found, problems = self._document(report, header, where)
            except ReadError as error:
                yield Problem(where, error, skipped=is_skipped(error))
                continue
            yield found
            yield from (Problem(where, error, skipped=is_skipped(error)) for error in problems)

    def _document(self, report: _Report, header: Segment, where: str) -> tuple[Found, list[ReadError]]:
        problems: list[ReadError] = []
        is_order = report.head.name == "OBR"
        moments = [report.head.text(7), report.head.text(22)] if is_order else [report.head.text(n) for n in (6, 4)]
        when = _first_time([*moments, header.text(7)], problems)
        found = results_of(report.segments, when)
        self.dropped.update(found.dropped)
        status = _order_status(report.head, found) if is_order else _document_status(report.head)
        if found.is_empty:
            raise next(iter(found.problems), EmptySource("the report holds no text"))
        patient = _patient(report.patient)
        replaces = self._replaced(report.head, patient, where, found, status)
        title = _title(report.head)
        text, units = _joined(found)
        document = Document(
            doc_id=where,
            text=text,
            source=Provenance(self.name, self.sha256, f"hl7v2; {header.text(9)}; charset={header.marks.charset}"),
            title=title,
            note_type=title,
            time=when,
            author=_author(report.head),
            status=status,
            replaces=replaces,
            encounter_id=report.visit.text(19) if report.visit else "",
            units=units,
        )
        return Found(document, patient, _person(report.patient)), problems + found.problems

    def _replaced(
        self, head: Segment, patient: str | None, where: str, found: Results, status: Status
    ) -> tuple[str, ...]:
        """The earlier message of the same order in this source, where this one repeats all of its results."""
        number = head.raw(3) or head.raw(2) if head.name == "OBR" else head.raw(13) or head.raw(12)
        own = head.raw(12) if head.name == "TXA" else number
        if not number:
            return ()
        what = f"{head.raw(4)} {head.raw(7)}" if head.name == "OBR" else ""  # another sample is no correction
        key = (head.name, patient or "", number, what)
        before = self.earlier.get(key)
        kept = (head.name, patient or "", own, what)
        self.earlier[kept] = where, found.keys
        if before is None or status == "preliminary" or not before[1] <= found.keys:
            return ()
        return (before[0],)

    def left_out(self) -> Iterator[Problem]:
        """What was left out on purpose, a line a reason; and what is missing."""
        for kind, count in sorted(self.others.items()):
            called = f"messages of type {kind}" if kind else "messages without a known type"
            yield self._problem(UnsupportedFormat(f"{called}, which are not read: {count:,}"), skipped=True)
        for reason, count in sorted(self.dropped.items()):
            yield self._problem(UnsupportedFormat(f"results left out, {reason}: {count:,}"), skipped=True)
        if self.stated and sum(self.stated) != self.messages:
            told = f"the batch says that it has {sum(self.stated):,} messages, and has {self.messages:,}"
            yield self._problem(CorruptSource(told, "fetch the batch again"), skipped=False)
        elif self.open_batches > 0:
            yield self._problem(CorruptSource("the batch has no end: it may be cut", "fetch it again"), skipped=False)

    def _problem(self, error: ReadError, *, skipped: bool) -> Problem:
        return Problem(self.name, error, skipped=skipped)


def _reports(message: list[Segment], head: str, dropped: Counter[str]) -> Iterator[_Report]:
    """The reports of a message; PID and PV1 hold until the next. Results under none are counted in `dropped`."""
    patient: Segment | None = None
    visit: Segment | None = None
    current: _Report | None = None
    for segment in message[1:]:
        if segment.name in ("PID", head):
            if current:
                yield current
            current = None
        if segment.name == "PID":
            patient, visit = segment, None
        elif segment.name == "PV1":
            visit = segment
        elif segment.name == head:
            current = _Report(segment, patient, visit)
        elif current is not None:
            current.segments.append(segment)
        elif segment.name == "OBX":
            dropped["under no order"] += 1
    if current:
        yield current


def _patient(pid: Segment | None) -> str | None:
    """The medical record number of PID-3, else its first; else PID-2. With who assigned it."""
    if pid is None:
        return None
    listed = [part for part in pid.repeats(3) or pid.repeats(2) if pid.part(part, 1)]
    if not listed:
        return None
    chosen = next((part for part in listed if pid.part(part, 5) == "MR"), listed[0])
    return identifier(pid.part(chosen, 1), pid.part(chosen, 4, 2) or pid.part(chosen, 4, 1))


def _person(pid: Segment | None) -> Person | None:
    """Who PID says the patient is, for comparison; the first of several names."""
    if pid is None:
        return None
    return Person.of(pid.text(7), pid.text(8), pid.text(5, 1), pid.text(5, 2), pid.text(5, 3))


def _order_status(head: Segment, found: Results) -> Status:
    code = head.text(25).upper()
    if code == "X":
        raise UnsupportedFormat("the order was cancelled, there are no results")
    if code in _OF_ORDERS:
        return _OF_ORDERS[code]
    standings = {standing for standing, count in found.standings.items() if count}
    if standings == {"preliminary result"}:
        return "preliminary"
    return "amended" if standings & {"corrected result", "amended result"} else "current"


def _document_status(head: Segment) -> Status:
    if head.text(19).upper() == "OB":
        return "superseded"
    return _OF_DOCUMENTS.get(head.text(17).upper(), "current")


def _title(head: Segment) -> str:
    number = 4 if head.name == "OBR" else 2
    return head.text(number, 2) or head.text(number, 1)


def _author(head: Segment) -> str:
    """Family and given name of the interpreter, or of who dictated."""
    if head.name == "TXA":
        return " ".join(filter(None, (head.text(9, 3), head.text(9, 2))))
    family, given = head.text(32, 1, 2), head.text(32, 1, 3)
    return " ".join(filter(None, (given, family))) or " ".join(filter(None, (head.text(32, 3), head.text(32, 2))))


def _first_time(stamps: list[str], problems: list[ReadError]) -> When | None:
    for stamp in stamps:
        try:
            found = parse_stamp(stamp)
        except ValueError:
            problems.append(CorruptSource("a time was not understood and was left out"))
            continue
        if found:
            return found
    return None


def _joined(found: Results) -> tuple[str, tuple[Span, ...]]:
    units, at = [], 0
    lines = [line.rstrip() for line in found.lines]
    for number, line in enumerate(lines):
        if number in found.rows and line.strip() and len(line) <= _ROW_CHARS:
            units.append(Span(at + len(line) - len(line.lstrip()), at + len(line)))
        at += len(line) + 1
    return "\n".join(lines) + "\n", tuple(units)


READER = Hl7v2Reader()
