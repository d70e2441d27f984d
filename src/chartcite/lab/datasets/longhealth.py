"""LongHealth: 20 fictional patients with long records, 20 five-option questions each (Adams et al., 2025).

`benchmark_v5.json` maps a patient to texts, birthday, diagnosis and questions. `answer_location` names the texts that
hold the answer; what else it says of places is a share of the text and is not read. A question without any such text is
one that the record does not answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.choices import letter_of
from chartcite.lab.datafiles import read_object, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field
from chartcite.lab.errors import BadTable

_OPTIONS = "abcde"


class Longhealth(Dataset):
    """Corpus (the texts, by patient) and cases."""

    card = Card(
        "longhealth",
        "Apache-2.0",
        "github kbressem/LongHealth",
        "Adams et al., Journal of Healthcare Informatics Research 2025, LongHealth",
        expected=(Expected("cases", 400),),
        note="Fictional patients; the texts carry no date of their own, so their order is that of the file.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The texts, `PATIENT/text_0` and so on."""
        for patient, row in _patients(folder):
            for name, text in field(row, "texts", "longhealth").items():
                yield CorpusItem(f"{patient}/{name}", text, patient_id=patient, note_type=name)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions; the right answer's words are the reference of the open form."""
        for patient, row in _patients(folder):
            for n, asked in enumerate(field(row, "questions", "longhealth")):
                choices = tuple(str(field(asked, f"answer_{option}", "longhealth")) for option in _OPTIONS)
                number = asked.get("No", n)
                where = f"longhealth, {patient}, question {number}"
                right = letter_of(str(field(asked, "correct", "longhealth")), choices, where)
                texts = [f"{patient}/{name}" for name in asked.get("answer_location") or {}]
                yield Case(
                    f"{patient}/q{number}", field(asked, "question", "longhealth"),
                    references=(choices["ABCDE".index(right)],), relevant=tuple(map(Relevant, texts)), label=right,
                    patient_id=patient, choices=choices, forms=("choice", "open"), answerable=bool(texts),
                )  # fmt: skip


def _patients(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    path = wanted("longhealth", folder, "benchmark_v5.json", "data/benchmark_v5.json")
    for patient, row in read_object(path).items():
        if not isinstance(row, dict):
            raise BadTable(f"{path.name}: {patient} is no object.", "Fetch the file again.")
        yield patient, row


DATASET = Longhealth()
