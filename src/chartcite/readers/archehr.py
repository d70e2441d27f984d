"""ArchEHR-QA's XML as records: each case is a patient of its own, whose only document is the note excerpt.

The excerpt's numbered sentences are the document's units of citation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import CorruptSource, EmptySource
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.archehr_xml import ArchehrCase, is_archehr, read_cases
from chartcite.readers.bytes_in import read_all

MAX_BYTES = 256 << 20
NOTE_TYPE = "note excerpt"


def patient_of(case_id: str) -> str:
    """The patient that a case is kept as."""
    return f"archehr-{case_id}"


def document_of(case: ArchehrCase, source: Provenance) -> Document:
    """A case's excerpt."""
    units = tuple(sentence.span for sentence in case.sentences)
    return Document(doc_id=patient_of(case.id), text=case.note, source=source, note_type=NOTE_TYPE, units=units)


class ArchehrReader:
    """Notes of `archehr-qa.xml`."""

    name = "archehr"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By the root element."""
        return is_archehr(head)

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:  # noqa: ARG002
        """Yield a document a case, and what each case lacks.

        Raises:
            CorruptSource, LimitExceeded: as `read_cases`.
        """
        cases = read_cases(read_all(path, MAX_BYTES, "split it into files of some cases each"))
        for case in cases:
            where = f"{name}#{case.id}"
            if not case.note:
                yield Problem(where, EmptySource("the case has no note excerpt"), skipped=True)
                continue
            yield Found(document_of(case, Provenance(name, sha256, "archehr")), patient_of(case.id))
            yield from (Problem(where, CorruptSource(problem), skipped=True) for problem in case.problems)


READER = ArchehrReader()
