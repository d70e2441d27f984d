"""RTF: one document a file, of what a reader of its pages sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix, read_all
from chartcite.readers.naming import parse_file_name
from chartcite.readers.page_text import PageText
from chartcite.readers.rtf_text import RtfText

MAX_BYTES = 256 << 20
"""Room for pictures, which are half a byte a digit."""


@dataclass(frozen=True, slots=True)
class RtfPages:
    """What an RTF holds: text, rows of tables, what it says of itself, and what is wrong with it or left out."""

    text: str
    units: tuple[Span, ...]
    title: str
    author: str
    created: str
    problems: tuple[ReadError, ...]


class RtfReader:
    """One document a file; gzip is looked through."""

    name = "rtf"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:
        """By how it begins, whatever it is called, or by suffix."""
        return head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf") or bare_suffix(path) == ".rtf"

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:  # noqa: ARG002
        """Yield the document, then what of it could not be used.

        Raises:
            CorruptSource: it is no RTF.
            EmptySource: there is no text in it.
            LimitExceeded: over 256 MiB, or groups in groups without end.
        """
        made = read_rtf(read_all(path, MAX_BYTES, "save it without pictures"))
        named = parse_file_name(name)
        document = Document(
            doc_id=name,
            text=made.text,
            source=Provenance(name, sha256, f"rtf{made.created and f'; created={made.created}'}"),
            title=made.title or named.note_type or named.stem,
            note_type=named.note_type,
            time=named.time,
            author=made.author,
            units=made.units,
        )
        yield Found(document, patient_id=None)
        yield from (Problem(name, error, skipped=isinstance(error, UnsupportedFormat)) for error in made.problems)


def read_rtf(data: bytes) -> RtfPages:
    """The pages of an RTF.

    Raises:
        CorruptSource, EmptySource, LimitExceeded: as for a file.
    """
    source = RtfText(data)
    page = PageText()
    page.put(source.run())
    page.left_out = source.left_out
    problems: list[ReadError] = []
    if source.is_cut:
        problems.append(CorruptSource("the RTF is cut short; what came before is read", "export it again"))
    if source.has_rest:
        problems.append(CorruptSource("something stands behind the end of the RTF, and is not read", "export it again"))
    if not page.has_body:
        raise problems[0] if problems else EmptySource("there is no text in it that can be seen")
    created = "-".join(f"{source.created[part]:02}" for part in ("yr", "mo", "dy") if part in source.created)
    text, title, author = page.text, " ".join(source.title.split()), " ".join(source.author.split())
    return RtfPages(text, tuple(page.units), title, author, created, (*problems, *page.asides()))


READER = RtfReader()
