"""OBX segments to lines: one result a line, with unit, range, flag and what its status means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.time import When
from chartcite.readers.embedded import read_body, unbase64
from chartcite.readers.hl7_time import parse_stamp
from chartcite.readers.hl7v2_syntax import Segment
from chartcite.readers.html_text import html_to_text

_STANDINGS = {
    "": "", "F": "", "U": "", "V": "", "P": "preliminary result", "R": "preliminary result", "S": "preliminary result",
    "C": "corrected result", "A": "amended result", "B": "amended result",
}  # fmt: skip
_NO_RESULT = {"X": "no result can be obtained", "I": "no result yet"}
_DROPPED = {
    "D": "deleted by the sender", "W": "sent for the wrong patient or specimen", "N": "not asked for",
    "O": "only ordered",
}  # fmt: skip
_WITHDRAWN = {
    "D": "no result (an earlier one was deleted by the sender)",
    "W": "no result (an earlier one was of the wrong patient or specimen)",
}
_NARRATIVE = frozenset(("TX", "FT"))
_WORDS = frozenset(("ST", "", "CE", "CWE", "CNE", "CF", "IS", "ID", "TN", "NA"))
_TIMES = frozenset(("DT", "TS", "DTM"))


_TEN = re.compile(r"(?:^|[^\d.])10\Z")
_POWER = re.compile(r"-?\d{1,2}(?:\D.*)?")


@dataclass(slots=True)
class Results:
    """The lines of one report. `rows` are the numbers of lines that are one unit of citation."""

    lines: list[str] = field(default_factory=list)
    rows: set[int] = field(default_factory=set)
    standings: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    keys: set[tuple[str, str]] = field(default_factory=set)
    problems: list[ReadError] = field(default_factory=list)

    def add_row(self, text: str) -> None:
        """A line that is one unit."""
        self.rows.add(len(self.lines))
        self.lines.append(text)

    def add_text(self, text: str) -> None:
        """Lines of prose."""
        self.lines += text.split("\n")

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return not any(line.strip() for line in self.lines)


def add_result(found: Results, obx: Segment, reported: When | None) -> None:
    """Add what an OBX says; what it must not say is counted, what it cannot is a problem."""
    status = obx.text(11).upper()
    if status in _DROPPED:
        found.dropped[_DROPPED[status]] += 1
        found.keys.add(_key(obx))
        if status in _WITHDRAWN:
            found.add_row(f"{_name(obx) or 'Result'}: {_WITHDRAWN[status]}.")
        return
    if status not in _STANDINGS and status not in _NO_RESULT:
        found.problems.append(CorruptSource("a result has a status that is not one of HL7 v2"))
        return
    name = _name(obx)
    if status in _NO_RESULT:
        found.add_row(f"{name or 'Result'}: {_NO_RESULT[status]}.")
        if status == "X":
            found.keys.add(_key(obx))
        return
    try:
        _add_value(found, obx, name, _STANDINGS[status], reported)
    except ReadError as error:
        found.problems.append(error)
        return
    found.standings[_STANDINGS[status]] += 1
    found.keys.add(_key(obx))


def add_notes(found: Results, nte: Segment) -> None:
    """A comment on what stands before it."""
    text = "\n".join(nte.decoded(part) for part in nte.repeats(3))
    if text.strip():
        found.add_text(f"Note: {text.strip()}")


def results_of(segments: Iterable[Segment], reported: When | None) -> Results:
    """All results and notes of one report's segments."""
    found = Results()
    for segment in segments:
        if segment.name == "OBX":
            add_result(found, segment, reported)
        elif segment.name == "NTE":
            add_notes(found, segment)
    return found


def _key(obx: Segment) -> tuple[str, str]:
    return obx.raw(3), obx.raw(4)


def _name(obx: Segment) -> str:
    """What was observed: its name, else its code."""
    first = obx.raw(3).split(obx.marks.repetition, 1)[0]
    return next(filter(None, (obx.whole(first, n) for n in (2, 9, 5, 1))), "")


def _unit(obx: Segment) -> str:
    """OBX-6 as printed. Senders write `10^3/uL` with a bare component mark: its power is a part of the unit."""
    first, second = (obx.whole(obx.raw(6), n) for n in (1, 2))
    if _TEN.search(first) and _POWER.fullmatch(second):
        return f"{first}^{second}"
    return first or second


def _add_value(found: Results, obx: Segment, name: str, standing: str, reported: When | None) -> None:
    kind = obx.text(2).upper()
    if kind in _NARRATIVE:
        text = "\n".join(obx.decoded(part) for part in obx.repeats(5))
        found.add_text(_marked(text, standing))
    elif kind in ("NM", "SN"):
        for part in obx.repeats(5):
            value = obx.part(part, 1) if kind == "NM" else _structured(obx, part)
            if value:
                found.add_row(_measured(obx, name, value, standing, reported))
    elif kind in _WORDS or kind in _TIMES:
        for part in obx.repeats(5):
            value = _words(obx, part, kind)
            if value:
                _add_words(found, obx, name, value, standing, reported)
    elif kind == "ED":
        _add_embedded(found, obx)
    elif kind == "RP":
        raise UnsupportedFormat("a result is a pointer to another system; nothing outside the source is opened")
    else:
        raise UnsupportedFormat("a result is of a data type that is not said in words")


def _marked(text: str, standing: str) -> str:
    return f"({standing[:1].upper()}{standing[1:]})\n{text}" if standing and text.strip() else text


def _measured(obx: Segment, name: str, value: str, standing: str, reported: When | None) -> str:
    """`Potassium 5.8 mmol/L (3.5-5.1) H`, with its own day where that is not the report's."""
    unit, limits = _unit(obx), obx.text(7)
    flags = ",".join(filter(None, (obx.part(part, 1) for part in obx.repeats(8))))
    day = _own_day(obx, reported)
    words = [name, value, unit, day, f"({limits})" if limits else "", flags, f"({standing})" if standing else ""]
    return " ".join(filter(None, words))


def _own_day(obx: Segment, reported: When | None) -> str:
    try:
        moment = parse_stamp(obx.text(14))
    except ValueError:
        raise CorruptSource("the time of a result was not understood") from None
    if moment is None or len(moment.date) < 10 or (reported and reported.date == moment.date):
        return ""
    return f"on {moment.date}"


def _structured(obx: Segment, part: str) -> str:
    """SN: comparator, number, separator, number: `>100`, `1:128`, `10-20`."""
    comparator, first, joint, second = (obx.part(part, n) for n in range(1, 5))
    if comparator not in ("", "<", "<=", ">", ">=", "=", "<>"):
        raise CorruptSource("a structured number has an unknown comparator")
    if not first and (comparator or second):
        raise CorruptSource("a structured number lacks its number")
    return f"{'' if comparator == '=' else comparator}{first}{joint}{second}" if first else ""


def _words(obx: Segment, part: str, kind: str) -> str:
    if kind in ("CE", "CWE", "CNE", "CF"):
        return next(filter(None, (obx.whole(part, n) for n in (9, 2, 1))), "")
    if kind in _TIMES:
        try:
            moment = parse_stamp(obx.part(part, 1))
        except ValueError:
            raise CorruptSource("a result that is a time was not understood") from None
        return moment.text if moment else ""
    return obx.decoded("" if part == '""' else part).strip()


def _add_words(found: Results, obx: Segment, name: str, value: str, standing: str, reported: When | None) -> None:
    unit, limits, day = _unit(obx), obx.text(7), _own_day(obx, reported)
    flags = ",".join(filter(None, (obx.part(part, 1) for part in obx.repeats(8))))
    said = [f"{name}: {value}" if name else value, unit, day, f"({limits})" if limits else "", flags]
    text = " ".join(filter(None, [*said, f"({standing})" if standing else ""]))
    if "\n" in text:
        found.add_text(text)
    else:
        found.add_row(text)


def _add_embedded(found: Results, obx: Segment) -> None:
    """ED: source, type, subtype, encoding, data."""
    parts = obx.raw(5).split(obx.marks.component)
    kind, subtype, encoding = (obx.part(obx.raw(5), n).lower() for n in (2, 3, 4))
    data = obx.decoded(parts[4]) if len(parts) > 4 else ""
    if not data.strip():
        raise EmptySource("an embedded body is empty")
    mime = subtype if subtype in ("pdf", "rtf", "html") else f"{kind}/{subtype}" if subtype else kind
    if encoding == "base64":
        body = read_body(unbase64(data), mime)
        found.problems += body.problems
        if body.hidden:
            raise UnsupportedFormat("an embedded PDF has text that its reader cannot see")
        found.add_text(body.text[: body.running[0].start] if body.running else body.text)
    elif encoding in ("", "a"):
        found.add_text(html_to_text(data) if "html" in mime else data)
    else:
        raise UnsupportedFormat("an embedded body is in an encoding that is not read")
