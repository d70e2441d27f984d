"""Plain text and Markdown: one document a file, every byte kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.core.time import When
from chartcite.readers.bytes_in import HEAD_BYTES, bare_suffix, read_all
from chartcite.readers.decoding import decode, find_charset
from chartcite.readers.front_matter import read_head
from chartcite.readers.naming import parse_file_name

MAX_BYTES = 64 << 20
_SUFFIXES = {".txt", ".text", ".md", ".markdown"}
_TITLE = re.compile(r"#[ \t]+(?P<title>\S.*?)[ \t]*#*[ \t]*$")


class TextReader:
    """Text in any usual encoding; the one found shows in `Provenance.format`."""

    name = "text"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:
        """By suffix, else whatever looks like text and does not claim to be data."""
        suffix = bare_suffix(path)
        if suffix in _SUFFIXES or suffix == ".json":
            return suffix != ".json"
        try:
            find_charset([head[:-8] if len(head) == HEAD_BYTES else head])
        except UnsupportedFormat:
            return False
        return True

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield the one document.

        Raises:
            EmptySource: nothing but white space.
            UnsupportedFormat: binary data.
        """
        data = read_all(path, MAX_BYTES, "split it into one file a note, or into JSON Lines")
        text, charset = decode(data, options.encoding)
        if not text.strip():
            raise EmptySource("the file holds no text")
        named, head = parse_file_name(name), read_head(text)
        if not text[head.end :].strip():
            raise EmptySource("the file holds nothing but a block of metadata")
        yield Found(
            Document(
                doc_id=name,
                text=text,
                source=Provenance(name, sha256, f"text; charset={charset.name}"),
                title=head.title or _markdown_title(text[head.end :]) or named.note_type or named.stem,
                note_type=named.note_type,
                time=named.time or _date(head.date),
                hidden=head.hidden,
                bibliography=head.bibliography,
            ),
            patient_id=None,
        )
        yield from (Problem(name, error, skipped=True) for error in head.problems)


def _date(stated: str) -> When | None:
    try:
        return When.parse(stated) if stated else None
    except ValueError:
        return None  # its year has been complained of


def _markdown_title(text: str) -> str:
    """A `# Title` that opens the text. Further down a `#` numbers a problem list as often as it titles."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    found = _TITLE.match(first)
    return found["title"] if found else ""


READER = TextReader()
