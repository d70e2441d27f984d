"""PDF: one document a file, with the offset of each page and the spans its reader cannot see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.documents import Bibliography, Document, Provenance
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bibliography import split_authors
from chartcite.readers.bytes_in import bare_suffix
from chartcite.readers.embedded import Body
from chartcite.readers.front_matter import only_doi, read_head
from chartcite.readers.naming import parse_file_name
from chartcite.readers.ocr import ADVICE, DPI, MOST_PIXELS, PageOcr
from chartcite.readers.pdf_assembly import assemble
from chartcite.readers.pdf_order import reading_order
from chartcite.readers.pdf_quality import is_garbled
from chartcite.readers.pdf_words import Line

if TYPE_CHECKING:
    from chartcite.readers.pdf_engine import PdfFile

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
    """Text layers through pdfium; pages without one through OCR, where an engine is configured."""

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
        options: ReadOptions,
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
        pages = _read_pages(file, PageOcr(options))
        made = assemble(pages.lines)
        named = parse_file_name(name)
        first_page = made.text[: [*made.starts, len(made.text)][1]]
        document = Document(
            doc_id=name,
            text=made.text,
            source=Provenance(name, sha256, pages.format),
            title=_title(file.stated("Title")) or named.note_type or named.stem,
            note_type=named.note_type,
            time=named.time,
            pages=made.starts,
            hidden=made.hidden,
            running=made.running,
            words=made.words,
            bibliography=_bibliography(file.stated("Author"), file.stated("Subject"), first_page),
        )
        yield Found(document, patient_id=None)
        for error in pages.left_out():
            yield Problem(name, error, skipped=isinstance(error, EmptySource | LimitExceeded))


def read_pdf(data: bytes) -> Body:
    """The text of a PDF inside another format.

    Raises:
        EncryptedSource, CorruptSource, EmptySource: as for a file.
    """
    from chartcite.readers.pdf_engine import PdfFile  # noqa: PLC0415 - the engine, in the child only

    pages = _read_pages(PdfFile(data), PageOcr(ReadOptions()))
    made = assemble(pages.lines)
    return Body(
        made.text, "application/pdf", made.starts, made.hidden, tuple(pages.left_out()), made.words, made.running
    )


def _read_pages(file: PdfFile, ocr: PageOcr) -> _Pages:
    pages = _Pages(ocr)
    for number, page in enumerate(file.pages(), 1):
        if page is None:
            pages.add_broken()
            continue
        lines = reading_order(page.words)
        if ocr.is_on and _needs_ocr(lines):
            lines = reading_order(ocr.words(file.image(number - 1, DPI, MOST_PIXELS), number)) or lines
        pages.add(lines)
        pages.ocr_layer = pages.ocr_layer or page.ocr_layer
        pages.unlooked += page.unlooked
    pages.check()
    return pages


def _needs_ocr(lines: list[Line]) -> bool:
    seen = "\n".join(_seen(line) for line in lines)
    return not seen.strip() or is_garbled(seen)


@dataclass(slots=True)
class _Pages:
    """Pages as they come, and what became of them."""

    ocr: PageOcr
    lines: list[list[Line]] = field(default_factory=list)
    without_text: int = 0
    garbled: int = 0
    broken: int = 0
    unlooked: int = 0
    ocr_layer: bool = False

    @property
    def format(self) -> str:
        """Says where the text of a scan is what some program recognised: nobody knows how well."""
        if self.ocr.read:
            return f"pdf; read by OCR ({self.ocr.engine_name})"
        return "pdf; text layer of a scan" if self.ocr_layer else "pdf"

    def add_broken(self) -> None:
        self.lines.append([])
        self.broken += 1

    def add(self, lines: list[Line]) -> None:
        seen = "\n".join(_seen(line) for line in lines)
        if not seen.strip():
            self.without_text += 1
        elif is_garbled(seen):
            self.garbled += 1
            lines = []
        self.lines.append(lines)

    def check(self) -> None:
        """Refuse a file without any text to see."""
        total = len(self.lines)
        if self.without_text + self.garbled + self.broken < total:
            return
        if self.broken and not self.garbled:
            raise CorruptSource(f"{self.broken:,} of {_pages(total)} cannot be read, and no other has text")
        if self.garbled:
            raise EmptySource(
                "the fonts do not say which characters they show, so the text cannot be read; it needs OCR",
                self._advice,
            )
        which = "the only page has no text" if total == 1 else f"none of the {total:,} pages has text"
        if self.ocr.is_on:
            raise next(self.ocr.failures(), EmptySource(f"{which} that can be seen, and OCR found none"))
        raise EmptySource(f"{which} that can be seen; it may be a scan that needs OCR", self._advice)

    @property
    def _advice(self) -> str:
        return "" if self.ocr.is_on else ADVICE

    def left_out(self) -> Iterator[ReadError]:
        total = _pages(len(self.lines))
        if self.without_text:
            what = "has" if self.without_text == 1 else "have"
            if self.ocr.is_on:
                yield EmptySource(f"{self.without_text:,} of {total} {what} no text, and OCR found none")
            else:
                yield EmptySource(
                    f"{self.without_text:,} of {total} {what} no text; they may be scans that need OCR", ADVICE
                )
        if self.garbled:
            yield EmptySource(f"{self.garbled:,} of {total} in fonts without characters: they need OCR", self._advice)
        yield from self.ocr.said(total)
        if self.broken:
            yield CorruptSource(f"{self.broken:,} of {total} cannot be read")
        if self.unlooked:
            yield LimitExceeded(
                f"{self.unlooked:,} of {total} were not looked at for covered text: others took their turn",
                "split the file to have all of them looked at",
            )


def _seen(line: Line) -> str:
    return " ".join(
        "".join(c for c, flag in zip(word.text, word.hidden, strict=True) if not flag) for word in line.words
    )


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
