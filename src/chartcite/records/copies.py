"""Where a record repeats itself: of each sentence all documents that have it, from marks kept beside the documents.

Only documents of one reader, so of one patient, as of its day. Linear in the sentences of the record: some milliseconds
for ten thousand notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from chartcite.core.copies import AlsoIn, CopiedShare, Occurrence
from chartcite.core.documents import Document, Sentence
from chartcite.core.stored import DocumentInfo
from chartcite.text.marks import NO_MARK, mark, marks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CopiesReader(Protocol):
    """What this needs of a store's reader."""

    def documents(self) -> list[DocumentInfo]:
        """All that may be evidence, oldest first."""

    def document(self, key: int) -> Document:
        """One with its text."""

    def sentences(self, key: int) -> list[Sentence]:
        """Its sentences."""

    def marks(self) -> Mapping[int, bytes]:
        """What is kept of documents, by key."""


class Copies:
    """The repeats of one record. What is not kept is read, to the same result."""

    def __init__(self, reader: CopiesReader) -> None:
        self._reader = reader

    def of(self, key: int, quote: str, sentence: Sentence) -> AlsoIn | None:
        """Where else a sentence of a document stands; None where it stands nowhere else.

        Args:
            key: of its document.
            quote: its text.
            sentence: itself.
        """
        import numpy as np  # noqa: PLC0415

        own = mark(quote, sentence)
        if own == NO_MARK:
            return None
        every, owners, infos = self._all
        found = np.unique(owners[every == np.frombuffer(own, dtype="<u8")[0]])
        order = [n for n in found.tolist() if infos[n].key != key]
        if not order:
            return None
        at = next((n for n, info in enumerate(infos) if info.key == key), -1)
        every_one = sorted([*order, *([at] if at >= 0 else [])])
        return AlsoIn(
            len(order), _occurrence(infos[every_one[0]]), _occurrence(infos[every_one[-1]]), sum(n > at for n in order)
        )

    def share(self) -> CopiedShare:
        """How many sentences an earlier document has too."""
        import numpy as np  # noqa: PLC0415

        every, owners, _ = self._all
        own = every != np.frombuffer(NO_MARK, dtype="<u8")[0]
        every, owners = every[own], owners[own]
        _, starts, place = np.unique(every, return_index=True, return_inverse=True)
        return CopiedShare(len(every), int((owners > owners[starts][place]).sum()) if len(every) else 0)

    @cached_property
    def _all(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], list[DocumentInfo]]:
        """The marks of all sentences, the place of the document of each, and the documents, oldest first."""
        import numpy as np  # noqa: PLC0415

        kept, infos = self._reader.marks(), self._reader.documents()
        of_each = [kept[info.key] if info.key in kept else self._read(info.key) for info in infos]
        every = np.frombuffer(b"".join(of_each), dtype="<u8")
        return every, np.repeat(np.arange(len(infos)), [len(one) // 8 for one in of_each]), infos

    def _read(self, key: int) -> bytes:
        return marks(self._reader.document(key).text, self._reader.sentences(key))


def _occurrence(info: DocumentInfo) -> Occurrence:
    return Occurrence(info.doc_id, info.time.date if info.time else None)
