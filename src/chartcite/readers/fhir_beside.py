"""Attachments that an export keeps beside its notes: a `Binary` in a file of Binaries, or a file in the same folder.

Only the folder of the source and what is below it; no hidden file, no link that leads out, nothing by address.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from chartcite.core.errors import LimitExceeded, ReadError
from chartcite.readers.bytes_in import open_maybe_gzip
from chartcite.readers.fhir_access import Node
from chartcite.readers.json_lines import json_lines, parse_object

MAX_FILE_BYTES = 64 << 20
MAX_BINARIES_BYTES = 256 << 20


@dataclass(slots=True)
class Beside:
    """What lies beside one source; files of Binaries are read once, when the first is asked for."""

    source: Path
    _binaries: dict[str, Node] | None = field(default=None)

    def binary(self, identity: str) -> Node | None:
        """The Binary of an id, from `Binary*.ndjson` in the folder; None when there is none.

        Raises:
            LimitExceeded: those files hold more than 256 MiB.
        """
        if self._binaries is None:
            self._binaries = {}
            for path in sorted(self.source.parent.glob("Binary*.ndjson*")):
                if path.is_file() and path != self.source:
                    self._learn(path, self._binaries)
        return self._binaries.get(identity)

    def file(self, url: str) -> Node | None:
        """A file at a relative path, as a Binary without a type; None when it is not there or not to be opened.

        Raises:
            LimitExceeded: it holds more than 64 MiB.
        """
        parts = PurePosixPath(url).parts
        if not parts or url.startswith("/") or "\\" in url or "\0" in url or any(p.startswith(".") for p in parts):
            return None
        folder = self.source.parent.resolve()
        path = folder.joinpath(*parts).resolve()
        if not path.is_relative_to(folder) or not path.is_file() or path == self.source.resolve():
            return None
        with open_maybe_gzip(path) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise LimitExceeded(f"the attachment beside the source holds more than {MAX_FILE_BYTES >> 20} MiB")
        return Node({"data": base64.b64encode(data).decode("ascii")}, "the attachment beside the source")

    def _learn(self, path: Path, into: dict[str, Node]) -> None:
        size = 0
        for _, line in json_lines(path):
            try:
                node = Node(parse_object(line)[0], "the Binary")
                kind, identity = node.text("resourceType"), node.text("id")
            except ReadError:
                continue  # a ledger line of that file itself
            size += len(line or b"")
            if size > MAX_BINARIES_BYTES:
                limit = f"{MAX_BINARIES_BYTES >> 20} MiB"
                raise LimitExceeded(f"the Binaries beside the source hold more than {limit}", "export them inline")
            if kind == "Binary" and identity:
                into[identity] = node
