"""What the user says of files that do not say it themselves: a pattern for their names, or a table of files.

A pattern such as `{patient}_{date}_{type}.txt` or `{patient}/{encounter}/{date:DD.MM.YYYY} {*}` is matched with as many
of the last parts of a name as it has. A name that it fits in two ways names nobody: identity is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat, UsageError
from chartcite.core.reading import Found, Problem, ReadOptions, Stated
from chartcite.core.time import When
from chartcite.readers.archive import INSIDE
from chartcite.readers.bytes_in import bare_stem, named_errors
from chartcite.readers.csv_table import charset_of, table_rows
from chartcite.readers.references import matched

FIELDS = ("patient", "encounter", "date", "time", "type", "title", "author", "*")
TABLE_COLUMNS = ("file", "patient_id", "time", "note_type", "title", "author", "encounter_id")
_FIELD = re.compile(r"\{(?P<name>[^{}:]*)(?::(?P<form>[^{}]*))?\}")
_FORMS = {"YYYY": r"(?P<Y>\d{4})", "MM": r"(?P<M>\d\d)", "DD": r"(?P<D>\d\d)"}
_ISO_DAY = r"(?:(?P<Y>\d{4})-(?P<M>\d\d)-(?P<D>\d\d)|(?P<Y2>\d{4})(?P<M2>\d\d)(?P<D2>\d\d))"
_CLOCK = r"(?P<h>\d\d)[-.]?(?P<m>\d\d)(?:[-.]?(?P<s>\d\d))?"


@dataclass(frozen=True, slots=True)
class NamePattern:
    """A pattern, ready to be matched: fields as short as they can be, and as long."""

    shortest: re.Pattern[str]
    longest: re.Pattern[str]
    parts: int
    has_suffix: bool
    fields: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> NamePattern:
        """Read a pattern.

        Raises:
            UsageError: it has an unknown field, one twice, a form of a date that is none, or no field at all.
        """
        names = [found["name"] for found in _FIELD.finditer(text)]
        if unknown := [name for name in names if name not in FIELDS]:
            raise UsageError(
                f"The name pattern has no field called {unknown[0]!r}.",
                "Fields: patient, encounter, date, time, type, title, author, *.",
            )
        once = [name for name in names if name != "*"]
        if not once or len(set(once)) < len(once) or set(_FIELD.sub("", text)) & set("{}"):
            raise UsageError(
                "The name pattern needs fields in braces, each at most once.",
                "For example: {patient}_{date}_{type}.txt",
            )
        last = text.rsplit("/", 1)[-1]
        return cls(
            re.compile(_regex(text, "+?"), re.S),
            re.compile(_regex(text, "+"), re.S),
            text.count("/") + 1,
            "." in _FIELD.sub("", last),
            frozenset(once),
        )

    def read(self, name: str) -> Stated:
        """What a source's name says.

        Raises:
            UnsupportedFormat: the name does not follow the pattern, or does in two ways.
            CorruptSource: its date or clock is none.
        """
        inside = name.replace("\\", "/").split("/")[-self.parts :]
        if not self.has_suffix:
            inside[-1] = bare_stem(inside[-1])
        whole = "/".join(inside)
        short, long = self.shortest.fullmatch(whole), self.longest.fullmatch(whole)
        if short is None or long is None:
            raise UnsupportedFormat(
                "the file's name does not follow the name pattern", "rename the file, or name it in a table (--files)"
            )
        said = short.groupdict()
        if said != long.groupdict():
            raise UnsupportedFormat(
                "the file's name follows the name pattern in two ways", "name the file in a table (--files)"
            )
        words = " ".join(re.split(r"[-_\s]+", said.get("type") or "")).strip()
        return Stated(
            patient_id=(said.get("patient") or "").strip(),
            encounter_id=(said.get("encounter") or "").strip(),
            time=_when(said),
            note_type=words[:1].upper() + words[1:],
            title=(said.get("title") or "").strip(),
            author=(said.get("author") or "").strip(),
        )


def _regex(pattern: str, repeat: str) -> str:
    parts, at = [], 0
    for found in _FIELD.finditer(pattern):
        parts.append(re.escape(pattern[at : found.start()]))
        parts.append(_group(found["name"], found["form"], repeat))
        at = found.end()
    return "".join([*parts, re.escape(pattern[at:])])


def _group(name: str, form: str | None, repeat: str) -> str:
    if form is not None and name != "date":
        raise UsageError("In a name pattern only a date has a form.", "For example: {date:DD.MM.YYYY}")
    if name == "date":
        return _ISO_DAY if form is None else _day_form(form)
    if name == "time":
        return _CLOCK
    return f"[^/]{repeat}" if name == "*" else f"(?P<{name}>[^/]{repeat})"


def _day_form(form: str) -> str:
    pieces = re.split("(YYYY|MM|DD)", form)
    if sorted(piece for piece in pieces if piece in _FORMS) != ["DD", "MM", "YYYY"]:
        raise UsageError("A date's form has YYYY, MM and DD, each once.", "For example: {date:DD.MM.YYYY}")
    return "".join(_FORMS.get(piece) or re.escape(piece) for piece in pieces)


def _when(said: Mapping[str, str | None]) -> When | None:
    day = "-".join(said.get(part) or said.get(f"{part}2") or "" for part in "YMD").strip("-")
    if not day:
        return None
    clock = ":".join(part for part in (said.get("h"), said.get("m"), said.get("s")) if part)
    try:
        return When.parse(f"{day}T{clock}" if clock else day)
    except ValueError as error:
        raise CorruptSource("the date in the file's name is not in the calendar", "rename the file") from error


def read_file_table(path: Path) -> dict[str, Stated]:
    """A table with a row a file: `file` and any of `patient_id, time, note_type, title, author, encounter_id`.

    Raises:
        ReadError: not a table, without the column `file`, a file twice, or a time that is none.
    """
    found: dict[str, Stated] = {}
    with named_errors():
        for row in table_rows(path, charset_of(path), frozenset(TABLE_COLUMNS)):
            if row.cells is None:
                raise row.error or CorruptSource(f"row {row.number} of the table of files is broken")
            cells = {column.lower(): cell.strip() for column, cell in row.cells.items()}
            if "file" not in cells:
                raise CorruptSource(
                    "the table of files has no column file", f"the columns are {', '.join(TABLE_COLUMNS)}"
                )
            name = cells["file"].replace("\\", "/").removeprefix("./")
            if not name or name in found:
                raise CorruptSource(
                    f"row {row.number} of the table of files names no file, or one that was named before",
                    "one row a file",
                )
            found[name] = _row(cells, row.number)
    if not found:
        raise EmptySource("the table of files has no row below a header")
    return found


def _row(cells: Mapping[str, str], number: int) -> Stated:
    try:
        time = When.parse(cells["time"]) if cells.get("time") else None
    except ValueError as error:
        raise CorruptSource(
            f"row {number} of the table of files has a time that was not understood",
            "write it as 2019-03-02 or 2019-03-02T08:15",
        ) from error
    return Stated(
        cells.get("patient_id", ""), cells.get("encounter_id", ""), time, cells.get("note_type", ""),
        cells.get("title", ""), cells.get("author", ""),
    )  # fmt: skip


def with_names(items: Iterator[Found | Problem], options: ReadOptions) -> Iterator[Found | Problem]:
    """The same items, with what table and pattern say of their files; the table goes before the pattern.

    Its patient is that of everything in a file; time, type and the like are those of the one document a file holds.
    """
    if not options.files and not options.name_pattern:
        yield from items
        return
    pattern = NamePattern.parse(options.name_pattern) if options.name_pattern else None
    for item in items:
        yield from _named(item, options, pattern) if isinstance(item, Found) else (item,)


def _named(item: Found, options: ReadOptions, pattern: NamePattern | None) -> Iterator[Found | Problem]:
    name = item.document.source.name
    stated = options.files.get(name)
    try:
        if stated is None and pattern is not None:
            stated = pattern.read(name)
        if stated is not None and stated.patient_id and item.patient_id not in (None, stated.patient_id):
            raise CorruptSource(
                "the file names another patient than its name or the table of files does", "see which of them is right"
            )
    except ReadError as error:
        is_lost = isinstance(error, CorruptSource) or (pattern and "patient" in pattern.fields and not item.patient_id)
        yield from () if is_lost else (item,)
        yield Problem(item.document.doc_id, error, skipped=not is_lost)
        return
    if stated is None:
        yield item
        return
    document = item.document
    if document.doc_id == name:
        document = _applied(document, stated)
    yield replace(item, document=document, patient_id=item.patient_id or stated.patient_id or None)


def _applied(document: Document, stated: Stated) -> Document:
    by_name = document.title in {document.note_type, bare_stem(document.source.name)}
    return replace(
        document,
        time=stated.time or document.time,
        note_type=stated.note_type or document.note_type,
        title=stated.title or (stated.note_type if by_name else "") or document.title,
        author=stated.author or document.author,
        encounter_id=stated.encounter_id or document.encounter_id,
    )


def naming(options: ReadOptions, name_pattern: str, table: Path | None, names: Sequence[str]) -> ReadOptions:
    """The options with a pattern, and with what a table says of the sources called `names`.

    Raises:
        UsageError: the pattern is none.
        ReadError: the table cannot be used.
    """
    if name_pattern:
        NamePattern.parse(name_pattern)
        options = replace(options, name_pattern=name_pattern)
    if table is not None:
        options = replace(options, files=by_source(read_file_table(table), names))
    return options


def by_source(table: Mapping[str, Stated], names: Sequence[str]) -> dict[str, Stated]:
    """Rows by the names of sources; a row of an archive's member stays under the name it has."""
    return {name: row for name, row in table.items() if INSIDE in name} | matched(table, names)
