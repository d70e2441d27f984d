"""RTF: one document a file, of what a reader of its pages sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix, read_all
from chartcite.readers.office_pages import OfficePages, office_document
from chartcite.readers.page_text import PageText
from chartcite.readers.rtf_text import RtfText

MAX_BYTES = 256 << 20
"""Room for pictures, which are half a byte a digit."""


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
        yield Found(office_document(made, name, sha256, "rtf"), patient_id=None)
        yield from (Problem(name, error, skipped=isinstance(error, UnsupportedFormat)) for error in made.problems)


def read_rtf(data: bytes) -> OfficePages:
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
    return OfficePages(text, tuple(page.units), title, author, created, (*problems, *page.asides()))


READER = RtfReader()
