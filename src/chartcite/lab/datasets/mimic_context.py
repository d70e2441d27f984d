"""Notes of MIMIC-III or MIMIC-IV alone: the context that paper 000 describes in its figures 6 and 7.

`patients.txt`, a `subject_id` a line, says whose; without it everybody's notes are read in the order of the files. With
it they come by patient and stay, in time order. There are no questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem
from chartcite.lab.datafiles import locate, read_text, wanted
from chartcite.lab.dataset import Card, Dataset
from chartcite.lab.mimic import TABLES, notes_of, stays_of, tables_of


class MimicContext(Dataset):
    """A corpus of dated notes with types and stays."""

    card = Card(
        "mimic_context",
        "PhysioNet Credentialed Health Data License 1.5.0",
        "physionet.org/content/mimiciii, physionet.org/content/mimic-iv-note",
        "Johnson et al., Scientific Data 2016 (MIMIC-III) and 2023 (MIMIC-IV)",
        note="Credentialed data: a run folder is as confidential as the records.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The notes, cleaned."""
        _wanted(folder)
        patients = locate(folder, "patients.txt")
        if patients is None:
            yield from notes_of(folder)
            return
        whose = {line.strip() for line in read_text(patients).splitlines()} - {""}
        for stay in stays_of(notes_of(folder, whose)):
            yield from stay.notes

    def cases(self, folder: Path) -> Iterator[Case]:
        """None: notes alone ask nothing."""
        _wanted(folder)
        return iter(())


def _wanted(folder: Path) -> None:
    if not tables_of(folder):
        wanted("mimic_context", folder, *TABLES)


DATASET = MimicContext()
