"""Server-sent events: the data of each, as it comes (WHATWG HTML, 9.2). Comments, names and numbers are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def event_data(lines: Iterable[bytes]) -> Iterator[str]:
    """The data of each event. One that the stream breaks off in is no event.

    Raises:
        UnicodeDecodeError: bytes that are no UTF-8.
    """
    data: list[str] = []
    for raw in lines:
        if not raw.endswith(b"\n"):
            return
        line = raw.decode().rstrip("\r\n")
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data:  # some servers leave out the empty line at the end
        yield "\n".join(data)
