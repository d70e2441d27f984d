"""The questions that chats are made of: of a file, or of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.stage import COLLECTION
from chartcite.lab.experiment.tables import CorpusRow
from chartcite.lab.rows import read_rows_jsonl


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, and the patient or the collection that it is put to."""

    question: str
    patient: str = ""
    collection: str = ""
    narrative: str = ""

    @property
    def unit(self) -> str:
        """What must not be split: the patient; of a collection the question."""
        return f"patient {self.patient}" if self.patient else f"{self.collection} {self.question}"


def of_file(path: Path) -> list[Asked]:
    """Questions of JSONL: `question`, `patient` or `collection`, perhaps `narrative`.

    Raises:
        BadTable: a line that is none.
        UsageError: one names neither or both.
    """
    found = list(read_rows_jsonl(path, Asked))
    for n, asked in enumerate(found, start=1):
        if bool(asked.patient) == bool(asked.collection) or not asked.question.strip():
            raise UsageError(f"Question {n} names no question, or not one of patient and collection.", "Name one.")
    return found


def of_run(folder: Path) -> tuple[Path, list[Asked]]:
    """The store of a run, and the questions that were put to it.

    Raises:
        RunDamaged: it is no run folder.
        UsageError: its first stage is not done.
    """
    run = RunFolder.open(folder)
    store = folder / "store"
    if not store.is_dir() or not run.is_finished("corpus"):
        raise UsageError(f"The run in {folder} has no store yet.", "Run the experiment first.")
    patients = {r.scope for r in run.read_table("corpus", "", CorpusRow) if r.kind == "patient"}
    return store, [
        Asked(c.question, c.patient_id, "", c.narrative) if c.patient_id in patients
        else Asked(c.question, "", COLLECTION, c.narrative)
        for c in run.read_table("corpus", "cases", Case)
    ]  # fmt: skip
