"""What the scores need of `archehr-qa.xml`: the patient's message, the clinician's question, the note's sentences."""

from __future__ import annotations

from pathlib import Path

from chartcite.core.errors import ReadError
from chartcite.lab.errors import BadTable
from chartcite.readers.archehr_xml import ArchehrCase, read_cases


def read_xml(path: Path) -> dict[str, ArchehrCase]:
    """The cases by id.

    Raises:
        BadTable: the file cannot be read, or is not of the format.
    """
    try:
        return {case.id: case for case in read_cases(path.read_bytes())}
    except OSError as error:
        raise BadTable(f"{path.name} cannot be read ({error.strerror}).", "Check the path.") from None
    except ReadError as error:
        raise BadTable(f"{path.name}: {error}.", error.advice) from None
