"""CliniQG4QA's test set: questions on MIMIC-III notes, made or checked by three clinicians (Yue et al., BIBM 2021).

Only the 1,287 questions of the test set are people's; by the publishers' own scripts those with an id up to 999 were
machine-made and checked (`verified`), the others written by the clinicians (`generated`). The group says which.
With MIMIC-III's `NOTEEVENTS.csv` in the folder, and notes that are named by their ROW_ID, other notes of the patients
are context.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import wanted
from chartcite.lab.dataset import Card, Dataset, Expected
from chartcite.lab.mimic import notes_of, patients_of
from chartcite.lab.squad_files import Paragraph, paragraphs

_LAST_VERIFIED = 999


class Cliniqg4qa(Dataset):
    """Corpus (the notes) and cases."""

    card = Card(
        "cliniqg4qa",
        "PhysioNet Credentialed Health Data License 1.5.0",
        "physionet.org/content/mimic-iii-question-answer, with mimiciii",
        "Yue et al., BIBM 2021, CliniQG4QA",
        expected=(Expected("cases", 1287),),
        note="Test set only. Credentialed data.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The notes asked about; then the other notes of their patients, where the table is there."""
        found = list(_paragraphs(folder))
        whose = patients_of(folder, {p.document_id for p in found})
        for p in found:
            yield CorpusItem(p.document_id, p.text, patient_id=whose.get(p.document_id, p.document_id))
        if whose:
            yield from notes_of(folder, set(whose.values()), whose)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, note by note."""
        found = list(_paragraphs(folder))
        whose = patients_of(folder, {p.document_id for p in found})
        for p in found:
            for asked in p.asked:
                own = asked.id.isdecimal() and int(asked.id) <= _LAST_VERIFIED
                yield Case(
                    asked.id, asked.question, "test", references=asked.texts, relevant=(Relevant(p.document_id),),
                    group="verified" if own else "generated", patient_id=whose.get(p.document_id, p.document_id),
                    cluster=p.document_id, forms=("span",), spans=asked.spans, answerable=asked.answerable,
                )  # fmt: skip


def _paragraphs(folder: Path) -> Iterator[Paragraph]:
    """The name of a note is its title where each has one paragraph, as the published file has it."""
    return paragraphs(wanted("cliniqg4qa", folder, "test.json"), "cliniqg4qa")


DATASET = Cliniqg4qa()
