"""PDF: one document a file, with the offset of each page and the spans its reader cannot see."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.documents import Bibliography, Document, Provenance, Span
from chartcite.core.errors import CorruptSource, EmptySource, ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bibliography import split_authors
from chartcite.readers.bytes_in import bare_suffix
from chartcite.readers.embedded import Body
from chartcite.readers.front_matter import only_doi, read_head
from chartcite.readers.hyphens import hyphen_edits
from chartcite.readers.naming import parse_file_name

if TYPE_CHECKING:
    from chartcite.readers.pdf_engine import PdfFile

PAGE_END = "\n\f"
_HEADER_WITHIN = 1024
_HEADER = re.compile(rb"(?:^|[\r\n])%PDF-\d")
_JUNK_TITLE = re.compile(
    r"untitled.*|\W*|document\W*\d*|title|unknown|none|null|microsoft \w+ - .*|.*\.\w{2,4}|\S*[\\/]\S*"
    r"|(scan|img|fax)[\W_]*\d*",
    re.IGNORECASE | re.DOTALL,
)
_JUNK_AUTHOR = re.compile(
    r"\W*|unknown|author|none|null|anonymous|(?:pc |ms |office |microsoft )?(?:user|admin\w*|owner|office|root)\W*\d*"
    r"|.*[@\\/].*|\S*\d\S*",
    re.IGNORECASE | re.DOTALL,
)


class PdfReader:
    """Text layers through pdfium; scans are counted, and wait for OCR."""

    name = "pdf"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:
        """By suffix or by the header, before which some programs leave junk."""
        return bare_suffix(path) == ".pdf" or bool(_HEADER.search(head[:_HEADER_WITHIN]))

    def read(
        self,
        path: Path,
        name: str,
        sha256: str,
        options: ReadOptions,  # noqa: ARG002 - the limits are the sandbox's
    ) -> Iterator[Found | Problem]:
        """Yield the document, then a problem for pages that could not be used.

        Raises:
            EncryptedSource: a password is needed.
            CorruptSource: damaged, or no PDF.
            EmptySource: no page has text.
        """
        from chartcite.readers.pdf_engine import PdfFile  # noqa: PLC0415 - the engine, in the child only

        with path.open("rb") as stream:
            if b"%PDF-" not in stream.read(_HEADER_WITHIN):
                raise CorruptSource("the file is not a PDF, whatever its name says")
        file = PdfFile(path)
        pages = _read_pages(file)
        text, starts, hidden = pages.joined()
        named = parse_file_name(name)
        document = Document(
            doc_id=name,
            text=text,
            source=Provenance(name, sha256, "pdf"),
            title=_title(file.stated("Title")) or named.note_type or named.stem,
            note_type=named.note_type,
            time=named.time,
            pages=starts,
            hidden=hidden,
            bibliography=_bibliography(file.stated("Author"), file.stated("Subject"), text[: [*starts, len(text)][1]]),
        )
        yield Found(document, patient_id=None)
        yield from (Problem(name, error, skipped=isinstance(error, EmptySource)) for error in pages.left_out())


def read_pdf(data: bytes) -> Body:
    """The text of a PDF inside another format.

    Raises:
        EncryptedSource, CorruptSource, EmptySource: as for a file.
    """
    from chartcite.readers.pdf_engine import PdfFile  # noqa: PLC0415 - the engine, in the child only

    pages = _read_pages(PdfFile(data))
    text, starts, hidden = pages.joined()
    return Body(text, "application/pdf", starts, hidden, tuple(pages.left_out()))


def _read_pages(file: PdfFile) -> _Pages:
    pages = _Pages()
    for page in file.pages():
        if page is None:
            pages.add_broken()
        else:
            pages.add(page.text, page.hidden)
    pages.check()
    return pages


@dataclass(slots=True)
class _Pages:
    """Pages as they come, and what became of them."""

    texts: list[str] = field(default_factory=list)
    flags: list[bytes] = field(default_factory=list)
    without_text: int = 0
    garbled: int = 0
    broken: int = 0

    def add_broken(self) -> None:
        self._keep("", b"")
        self.broken += 1

    def add(self, text: str, hidden: bytes) -> None:
        if not any(not flag and not c.isspace() for c, flag in zip(text, hidden, strict=True)):
            self.without_text += 1
        elif _is_garbled(text):
            self.garbled += 1
            text, hidden = "", b""
        self._keep(text, hidden)

    def _keep(self, text: str, hidden: bytes) -> None:
        text = text.rstrip()
        self.texts.append(text)
        self.flags.append(hidden[: len(text)])

    def check(self) -> None:
        """Refuse a file without any text to see."""
        total = len(self.texts)
        if self.without_text + self.garbled + self.broken < total:
            return
        if self.broken and not self.garbled:
            raise CorruptSource(f"{self.broken:,} of {_pages(total)} cannot be read, and no other has text")
        if self.garbled:
            raise EmptySource(
                "the fonts do not say which characters they show, so the text cannot be read",
                "OCR would be needed; it is not available yet",
            )
        which = "the only page has no text" if total == 1 else f"none of the {total:,} pages has text"
        raise EmptySource(f"{which} that can be seen; it may be a scan", "OCR would be needed; it is not available yet")

    def left_out(self) -> Iterator[ReadError]:
        total = _pages(len(self.texts))
        if self.without_text:
            what = "has" if self.without_text == 1 else "have"
            advice = "they may be scans: OCR is not available yet"
            yield EmptySource(f"{self.without_text:,} of {total} {what} no text; {advice}")
        if self.garbled:
            yield EmptySource(f"{self.garbled:,} of {total} in fonts without characters: OCR is not available yet")
        if self.broken:
            yield CorruptSource(f"{self.broken:,} of {total} cannot be read")

    def joined(self) -> tuple[str, tuple[int, ...], tuple[Span, ...]]:
        """Text with hyphens mended and plain line ends; where pages start in it; hidden spans."""
        raw = PAGE_END.join(self.texts)
        flags = (b"\0" * len(PAGE_END)).join(self.flags)
        edits = hyphen_edits(raw) | {i: "" for i, c in enumerate(raw) if c == "\r"}
        gone = sorted(i for i, put in edits.items() if not put)
        text = "".join(edits.get(i, c) for i, c in enumerate(raw)) if edits else raw
        starts, at = [], 0
        for page in self.texts:
            starts.append(at - bisect_left(gone, at))
            at += len(page) + len(PAGE_END)
        spans = (Span(a - bisect_left(gone, a), b - bisect_left(gone, b)) for a, b in _runs(raw, flags))
        return text, tuple(starts), tuple(span for span in spans if span.end > span.start)


def _runs(text: str, flags: bytes) -> Iterator[tuple[int, int]]:
    """Runs of hidden characters; spaces that pdfium puts between two of them, inside a line, belong to them."""
    at, open_from, open_to = 0, -1, -1
    for flag, group in groupby(flags):
        end = at + sum(1 for _ in group)
        if flag and open_from >= 0 and not text[open_to:at].strip(" "):
            open_to = end
        elif flag:
            if open_from >= 0:
                yield open_from, open_to
            open_from, open_to = at, end
        at = end
    if open_from >= 0:
        yield open_from, open_to


def _is_garbled(text: str) -> bool:
    """Mostly controls, private or unassigned characters: a font without a character map."""
    shown = [c for c in text if not c.isspace() and c != "\ufffe"]
    strange = sum(unicodedata.category(c) in {"Cc", "Co", "Cn"} or c == "\ufffd" for c in shown)
    return strange * 3 > len(shown)


def _title(stated: str) -> str:
    """The title of the metadata, unless it is what programs put there by themselves."""
    title = " ".join(stated.replace("\0", " ").split())
    return "" if len(title) > 200 or _JUNK_TITLE.fullmatch(title) else title


def _bibliography(author: str, subject: str, first_page: str) -> Bibliography:
    """Authors and DOI of the metadata, else what the head of the first page says. Dates of a PDF are of the file."""
    head = read_head("\n".join(line for line in first_page.splitlines() if line.strip())).bibliography
    named = " ".join(author.replace("\0", " ").split())
    authors = () if not named or _JUNK_AUTHOR.fullmatch(named) else tuple(split_authors(named))
    return replace(head, authors=authors or head.authors, doi=only_doi(subject) or head.doi)


def _pages(count: int) -> str:
    return f"{count:,} page" + ("s" if count != 1 else "")


READER = PdfReader()
