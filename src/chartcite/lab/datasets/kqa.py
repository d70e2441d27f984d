"""K-QA: patients' questions, physicians' answers split into statements, and statements judged against LLM answers.

Manes et al., BioNLP 2024. Cases: 201 questions with 1,589 statements, of which 892 an answer must make. Claims: 399
(answer, statement) pairs, each labelled by three physicians whether the answer entails it; 12 contradictions only.
Here the *answer* is the context and the physicians' statement the claim. A claim's cluster is its question.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, Claim, Label, Statement
from chartcite.lab.datafiles import locate, read_cells, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

_LABELS: dict[str, Label] = {
    "Entailment": "supported", "Contradiction": "contradicted", "Neutral": "not_enough"
}  # fmt: skip
_CSV = "NLI_medical_annotator.csv"
_COLUMNS = ("Question", "llm_x", "answer", "claim", "category_x", "majority_label", "label_0", "label_1", "label_2")


class Kqa(Dataset):
    """Cases with statements, claims with three ratings; ids count from 0 in the files' order."""

    card = Card(
        "kqa",
        "MIT",
        "github Itaymanes/K-QA",
        "Manes et al., BioNLP 2024, K-QA: A Real-World Medical Q&A Benchmark",
        expected=(Expected("cases", 201, "q0", "q200"), Expected("claims", 399, "c0", "c398")),
        note="Two of the judged questions differ in spelling from the list of questions.",
    )

    def cases(self, folder: Path) -> Iterator[Case]:
        """Questions with the physicians' answer as reference."""
        path = wanted("kqa", folder, "questions_w_answers.jsonl", "dataset/questions_w_answers.jsonl")
        for n, row in enumerate(read_objects(path)):
            said = [
                Statement(text.strip(), required)
                for name, required in (("Must_have", True), ("Nice_to_have", False))
                for text in row.get(name) or ()
            ]
            yield Case(
                f"q{n}", field(row, "Question", "kqa"), references=(field(row, "Free_form_answer", "kqa"),),
                statements=tuple(said), group=row.get("ICD_10_diag") or "",
            )  # fmt: skip

    def claims(self, folder: Path) -> Iterator[Claim]:
        """Statements to be checked against an LLM's answer."""
        for n, row in enumerate(_judged(folder)):
            words = [str(field(row, name, "kqa")) for name in _COLUMNS]
            question, model, answer, claim, category, majority, *ratings = words
            yield Claim(
                f"c{n}", claim, "", _LABELS.get(majority), majority, context=(answer,), ratings=tuple(ratings),
                question=question, answer=answer, group=f"{model}/{category}", cluster=question,
            )  # fmt: skip


def _judged(folder: Path) -> Iterator[dict[str, Any]]:
    shared = locate(folder, "nli_physician_labels.jsonl")
    if shared is not None:
        return read_objects(shared)
    return read_cells(wanted("kqa", folder, "nli_physician_labels.jsonl", _CSV, f"dataset/{_CSV}"), _COLUMNS)


DATASET = Kqa()
