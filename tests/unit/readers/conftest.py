"""Files made for the tests: tiny PDFs written by hand, and reading through the room's one entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chartcite.core.documents import Document
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.sandbox import Sandbox

MakePdf = Callable[..., bytes]
Read = Callable[..., tuple[list[Found], list[Problem]]]


def pdf_bytes(
    *contents: str, rotate: int = 0, extra: str = "", info: str = "", page: str = "", catalog: str = "",
    resources: str = "", more: str = "", fonts: str = "", box: str = "", pages: str = "",
) -> bytes:  # fmt: skip
    """A PDF of one page a content stream, with Helvetica as /F1; `extra` and `more` are further objects."""
    count = len(contents)
    kids = " ".join(f"{10 + 2 * n} 0 R" for n in range(count))
    objects = [
        f"1 0 obj <</Type/Catalog/Pages 2 0 R{catalog}>> endobj",
        f"2 0 obj <</Type/Pages/Kids[{kids}]/Count {count}{pages}>> endobj",
        "3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>> endobj",
        f"4 0 obj <<{info}>> endobj",
    ]
    for n, content in enumerate(contents):
        objects.append(
            f"{10 + 2 * n} 0 obj <</Type/Page/Parent 2 0 R{box or '/MediaBox[0 0 400 400]'}/Rotate {rotate}"
            f"/Contents {11 + 2 * n} 0 R/Resources<</Font<</F1 3 0 R{fonts}>>/XObject<</Im 90 0 R>>{resources}>>"
            f"{page}>> endobj"
        )
        body = content.encode("cp1252")
        objects.append(f"{11 + 2 * n} 0 obj <</Length {len(body)}>>\nstream\n{content}\nendstream endobj")
    objects += [one for one in (extra, more) if one]
    data = b"%PDF-1.4\n"
    offsets: dict[int, int] = {}
    for text in objects:
        offsets[int(text.split()[0])] = len(data)
        data += text.encode("cp1252") + b"\n"
    start = len(data)
    data += b"xref\n0 1\n0000000000 65535 f \n"
    for number in sorted(offsets):
        data += f"{number} 1\n{offsets[number]:010d} 00000 n \n".encode()
    trailer = f"trailer <</Root 1 0 R/Info 4 0 R/Size {max(offsets) + 1}>>\nstartxref\n{start}\n%%EOF\n"
    return data + trailer.encode()


@pytest.fixture(name="make_pdf")
def make_pdf_fixture() -> MakePdf:
    return pdf_bytes


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as child:
        yield child


@pytest.fixture
def read(tmp_path: Path, sandbox: Sandbox) -> Read:
    """Write bytes (or JSON values) under a name and read them: documents and problems, in order."""

    def go(name: str, data: Any, options: ReadOptions | None = None) -> tuple[list[Found], list[Problem]]:
        path = tmp_path / name
        if not isinstance(data, bytes):
            data = data.encode() if isinstance(data, str) else json.dumps(data).encode()
        path.write_bytes(data)
        items = list(read_source(path, name, options, sandbox))
        return [i for i in items if isinstance(i, Found)], [i for i in items if isinstance(i, Problem)]

    return go


@pytest.fixture
def read_one(read: Read) -> Callable[..., Document]:
    """The same for a source that must give one document and no problem."""

    def go(name: str, data: Any, options: ReadOptions | None = None) -> Document:
        found, problems = read(name, data, options)
        assert not problems
        assert len(found) == 1
        return found[0].document

    return go
