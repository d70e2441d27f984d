"""RadQA: physicians' questions about radiology reports, answered by spans of one section (Soni et al., 2022).

Each question is put to both sections of its report, so a case is a question and a section; 3,509 of the 6,148 have an
answer there. With MIMIC-III's `NOTEEVENTS.csv` in the folder the patient's other notes are context; the report itself,
of which both sections are copies, is left out of them. Without it each report stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import locate, wanted
from chartcite.lab.dataset import Card, Dataset, Expected
from chartcite.lab.mimic import notes_of, patients_of
from chartcite.lab.squad_files import Paragraph, paragraphs

_SPLITS = ("train", "dev", "test")
_REPORT = re.compile(r"\d+")


class Radqa(Dataset):
    """Corpus (sections of reports, and other notes of their patients) and cases."""

    card = Card(
        "radqa",
        "PhysioNet Credentialed Health Data License 1.5.0",
        "physionet.org/content/radqa, with mimiciii",
        "Soni, Gudala, Pajouhi and Roberts, LREC 2022, RadQA",
        expected=(Expected("cases", 3509, answerable=True), Expected("cases", 2639, answerable=False)),
        note="Cases without an answer in their section are among the cases: answerable is false. Credentialed data.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The sections; then the other notes of the patients, where the table is there."""
        whose = _patients(folder)
        for _, paragraph in _paragraphs(folder):
            report = _report(paragraph)
            yield CorpusItem(
                paragraph.document_id, paragraph.text, patient_id=whose.get(report, report), note_type="Radiology",
            )  # fmt: skip
        if whose:
            yield from notes_of(folder, set(whose.values()), whose)

    def cases(self, folder: Path) -> Iterator[Case]:
        """A question and a section each."""
        whose = _patients(folder)
        for split, paragraph in _paragraphs(folder):
            report = _report(paragraph)
            for asked in paragraph.asked:
                yield Case(
                    asked.id, asked.question, split, references=asked.texts,
                    relevant=(Relevant(paragraph.document_id),) if asked.answerable else (),
                    patient_id=whose.get(report, report), cluster=report, forms=("span",), spans=asked.spans,
                    answerable=asked.answerable,
                )  # fmt: skip


def _report(paragraph: Paragraph) -> str:
    """MIMIC's number of the report, which begins the section's id; else the id itself."""
    number = _REPORT.match(paragraph.document_id)
    return number[0] if number else paragraph.document_id


def _patients(folder: Path) -> dict[str, str]:
    """Whose report it is, by the report's number; empty without MIMIC's table."""
    return patients_of(folder, {_report(paragraph) for _, paragraph in _paragraphs(folder)})


def _paragraphs(folder: Path) -> Iterator[tuple[str, Paragraph]]:
    wanted("radqa", folder, *(f"{split}.json" for split in _SPLITS))
    for split in _SPLITS:
        if path := locate(folder, f"{split}.json"):
            yield from ((split, paragraph) for paragraph in paragraphs(path, "radqa"))


DATASET = Radqa()
