"""What passes between this process and a child that parses: length-prefixed pickles of plain classes.

The child is not trusted: an answer may name only the classes listed here, and may not be longer than the limit.
"""

from __future__ import annotations

import io
import pickle
import struct
from dataclasses import dataclass
from typing import BinaryIO

from chartcite.core import documents, errors, identity, layout, reading, time
from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, PagePicture, Problem, ReadOptions, Working

_LENGTH = struct.Struct(">Q")
_PLAIN: dict[tuple[str, str], type] = {
    (kind.__module__, kind.__name__): kind
    for kind in (
        reading.Found, reading.PagePicture, reading.Problem, reading.Working, documents.Document, documents.Provenance,
        documents.Bibliography, documents.Span, identity.Person, layout.WordBoxes, time.When,
        *(e for e in vars(errors).values() if isinstance(e, type)),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """One file to read in the child; `module` holds the reader as `READER`."""

    module: str
    path: str
    name: str
    sha256: str
    options: ReadOptions


@dataclass(frozen=True, slots=True)
class Done:
    """The file has been read to its end; travels as None."""


Reply = Found | PagePicture | Problem | Working | ReadError | Done


class WireBroken(Exception):
    """The other side is gone, or does not speak this language."""


def send(pipe: BinaryIO, message: Request | Reply) -> None:
    """Write one message and flush."""
    body = pickle.dumps(None if isinstance(message, Done) else message, protocol=5)
    pipe.write(_LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive_request(pipe: BinaryIO) -> Request | None:
    """The next request, which comes from our own parent; None at the end."""
    try:
        request = pickle.loads(_frame(pipe, limit=1 << 26))  # noqa: S301 - written by the parent
    except WireBroken:
        return None
    return request if isinstance(request, Request) else None


def receive_reply(pipe: BinaryIO, limit: int) -> Reply:
    """The next answer of a child.

    Raises:
        WireBroken: the child is gone, or sent what it must not.
    """
    try:
        reply = _Plain(io.BytesIO(_frame(pipe, limit))).load()
    except WireBroken:
        raise
    except Exception as error:
        raise WireBroken("an answer that is not one") from error
    if reply is None:
        return Done()
    if not isinstance(reply, Found | PagePicture | Problem | Working | ReadError):
        raise WireBroken("an answer of another kind")
    return reply


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        try:
            return _PLAIN[module, name]
        except KeyError:
            raise WireBroken("an answer that names a class it must not") from None


def _frame(pipe: BinaryIO, limit: int) -> bytes:
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise WireBroken("the pipe ended")
    (length,) = _LENGTH.unpack(head)
    if length > limit:
        raise WireBroken("an answer over the limit")
    body = pipe.read(length)
    if len(body) < length:
        raise WireBroken("the pipe ended")
    return body
