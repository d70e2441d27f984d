r"""HL7 v2's grammar: messages, segments, fields, repetitions, components; escapes decoded after all splitting.

Delimiters are those of the message's own MSH. A line that begins no segment goes on with the field above it: senders
break long reports, though the standard forbids it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chartcite.core.errors import CorruptSource
from chartcite.readers.decoding import decode

_CHARSETS = {
    "UNICODE UTF-8": "utf-8", "UTF-8": "utf-8", "UNICODE UTF-16": "utf-16", "UNICODE UTF-32": "utf-32",
    "GB 18030-2000": "gb18030", "BIG-5": "big5", "ISO IR87": "iso2022_jp",
} | {f"8859/{n}": f"iso-8859-{n}" for n in range(1, 17)}  # fmt: skip
_BREAKS = re.compile(r"\r\n|\r|\n")
_FRAMES = str.maketrans({"\x0b": "\r", "\x1c": "\r"})
_HEAD = re.compile(rb"(?:MSH|FHS|BHS)(.)[^\r\n]*")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}\Z")
_LONGEST_ESCAPE = 200
_TO_LINE = frozenset((".br", ".ce"))
_SKIP = re.compile(r"\.(?:sp|sk)(?:[+-]?(\d{1,2}))?\Z")
_LAYOUT = re.compile(r"\.(?:in|ti)[+-]?\d{0,3}\Z|\.(?:fi|nf)\Z")
_HEX = re.compile(r"X((?:[0-9A-Fa-f]{2})+)\Z")


@dataclass(frozen=True, slots=True)
class Delimiters:
    """The characters that a message's MSH names."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"
    charset: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment; fields count from 1 as in the standard, MSH's included."""

    name: str
    fields: tuple[str, ...]
    marks: Delimiters

    def raw(self, number: int) -> str:
        """A field as it stands; empty where there is none, or where it is the explicit null."""
        value = self.fields[number - 1] if number <= len(self.fields) else ""
        return "" if value == '""' else value

    def repeats(self, number: int) -> list[str]:
        """The repetitions of a field, as they stand."""
        value = self.raw(number)
        return value.split(self.marks.repetition) if value else []

    def text(self, number: int, component: int = 1, subcomponent: int = 1) -> str:
        """A component of the first repetition, decoded, on one line."""
        first = self.raw(number).split(self.marks.repetition, 1)[0]
        return self.part(first, component, subcomponent)

    def part(self, repetition: str, component: int, subcomponent: int = 1) -> str:
        """A component of a repetition, decoded, on one line."""
        parts = repetition.split(self.marks.component)
        part = parts[component - 1] if component <= len(parts) else ""
        inner = part.split(self.marks.subcomponent)
        value = inner[subcomponent - 1] if subcomponent <= len(inner) else ""
        return " ".join(self.decoded("" if value == '""' else value).split())

    def whole(self, repetition: str, component: int) -> str:
        """A component of a type that has no parts, on one line: a bare `&` in it is a sender's, and costs no word."""
        parts = repetition.split(self.marks.component)
        part = parts[component - 1] if component <= len(parts) else ""
        return " ".join(self.decoded("" if part == '""' else part).split())

    def decoded(self, text: str) -> str:
        """Text with its escapes resolved: marks, line breaks, hexadecimal characters; highlighting is dropped."""
        return unescape(text, self.marks)


def messages(data: bytes, declared: str = "") -> Iterator[list[Segment] | CorruptSource]:
    """The messages of a file, and its batch segments (`FHS`, `BHS`, `BTS`, `FTS`) each as a list of its own.

    A header that cannot be read costs its own message, which comes as the error.

    Raises:
        CorruptSource: no message begins in it.
    """
    head = _HEAD.search(data)
    label = declared or (_declared(head[0], head[1]) if head else "")
    text, charset = decode(data, label) if label and _decodes(data, label) else decode(data, declared)
    current: list[Segment] = []
    marks: Delimiters | None = None
    is_lost = False
    for lines in _logical(text):
        name = lines[:3]
        if name in ("MSH", "FHS", "BHS"):
            if current:
                yield current
            current, is_lost = [], False
            try:
                marks = _delimiters(lines, charset.codec)
            except CorruptSource as error:
                is_lost = True
                yield error
            else:
                current = [_segment(lines, marks)]
        elif is_lost:
            continue  # of a message whose delimiters are not known
        elif marks is None:
            raise CorruptSource("the file does not begin with a header segment (MSH, FHS or BHS)")
        elif name in ("BTS", "FTS"):
            if current:
                yield current
            yield [_segment(lines, marks)]
            current = []
        else:
            current.append(_segment(lines, marks))
    if current:
        yield current


def unescape(text: str, marks: Delimiters) -> str:
    r"""Resolve the escapes of text that has been split already.

    >>> unescape(r"Heart \T\ lung\.br\4\F\5 \X2E\ \H\high\N\ C:\E\x", Delimiters())
    'Heart & lung\n4|5 . high C:\\x'
    """
    escape = marks.escape
    if not escape or escape not in text:
        return text
    found, at = [], 0
    while (start := text.find(escape, at)) >= 0:
        end = text.find(escape, start + 1)
        known = _escaped(text[start + 1 : end], marks) if 0 <= end - start <= _LONGEST_ESCAPE else None
        if known is None:
            found.append(text[at : start + 1])
            at = start + 1
            continue
        found += [text[at:start], known]
        at = end + 1
    return "".join(found) + text[at:]


def _escaped(code: str, marks: Delimiters) -> str | None:
    """What an escape stands for; None when it is none, so that it stays as it is."""
    plain = {
        "F": marks.field, "S": marks.component, "T": marks.subcomponent, "R": marks.repetition, "E": marks.escape,
        "H": "", "N": "", "P": "#",
    }  # fmt: skip
    if code in plain:
        return plain[code]
    return _layout(code.lower()) if code.startswith(".") else _hexadecimal(code, marks)


def _layout(code: str) -> str | None:
    """A formatting command of FT: only its line breaks are kept."""
    if code in _TO_LINE:
        return "\n"
    if skip := _SKIP.match(code):
        return "\n" * min(int(skip[1] or 1), 9)
    if not _LAYOUT.match(code):
        return None
    return "\n" if code.startswith((".ti", ".fi", ".nf")) else ""


def _hexadecimal(code: str, marks: Delimiters) -> str | None:
    found = _HEX.match(code)
    try:
        text = bytes.fromhex(found[1]).decode(marks.charset) if found else None
    except (UnicodeDecodeError, LookupError):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n") if text is not None else None


def _logical(text: str) -> Iterator[str]:
    """Segments, each with the broken lines that belong to it."""
    current = ""
    field = ""
    for line in _BREAKS.split(text.translate(_FRAMES)):
        if line[:3] in ("MSH", "FHS", "BHS") and len(line) > 8 and _is_mark(line[3]):
            field = line[3]
        begins = _SEGMENT.match(line[:3]) and (line[3:4] in (field, "") if field else len(line) > 3)
        if begins:
            if current:
                yield current
            current = line
        elif current:
            current += "\n" + line
        elif line.strip():
            current = line
    if current:
        yield current


def _is_mark(char: str) -> bool:
    return not (char.isalnum() or char.isspace())


def _segment(line: str, marks: Delimiters) -> Segment:
    name, *fields = line.rstrip("\n").split(marks.field)
    if name in ("MSH", "FHS", "BHS"):
        fields = [marks.field, *fields]
    return Segment(name, tuple(fields), marks)


def _delimiters(line: str, codec: str) -> Delimiters:
    if len(line) < 8 or not _is_mark(line[3]):
        raise CorruptSource("the header segment names no delimiters")
    said = line[4:].split(line[3], 1)[0]
    if len(said) == 5 and said[2] == said[3]:
        said = said[:3] + said[4]  # an escape character that some programming language doubled
    defaults = "^~\\&"
    used = [said[n] if n < len(said) else defaults[n] for n in range(4)]
    if len({line[3], *used}) < 5 or any(mark.isalnum() or mark.isspace() for mark in used):
        raise CorruptSource("the header segment names one delimiter twice, or a letter as one")
    component, repetition, escape, subcomponent = used
    return Delimiters(line[3], component, repetition, escape, subcomponent, codec)


def _declared(head: bytes, field: bytes) -> str:
    fields = head.split(field)
    label = fields[17].split(b"~")[0].decode("ascii", "replace").strip().upper() if len(fields) > 17 else ""
    return _CHARSETS.get(label, "")


def _decodes(data: bytes, label: str) -> bool:
    """Whether the bytes are what they say: a wrong label must not cost the message."""
    try:
        data.decode(label)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
