"""Options on records where the nearest words are of another side, drug, action, person or unit: none is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.pipeline.test_small_records import note, put

from chartcite.library.book import Book

NONE = "None of the above"
KNEE = "Right knee MRI shows a torn meniscus. Left knee is normal."
DRUGS = "Stopped lisinopril because of cough. Continue warfarin 5 mg every evening."
CASES = [
    ("Takes two 2.5 mg warfarin tablets every evening.", "What is the warfarin dose?", ("5 mg", "10 mg", NONE),
     (None,)),
    ("Takes two 2.5 mg warfarin tablets every evening.", "What is the warfarin dose?",
     ("7 mg", "10 mg", "cannot be determined"), (None,)),
    ("Metoprolol 25 mg twice daily.", "What is the daily dose of metoprolol?", ("50 mg", "100 mg", NONE), (None,)),
    ("Metoprolol 25 mg twice daily.", "What is the total daily dose of metoprolol?", ("25 mg", "100 mg"), (None,)),
    ("Creatinine 1.24 mg/dL.", "What was the creatinine?", ("110 µmol/L", "200 µmol/L", NONE), ("110 µmol/L",)),
    ("Allergic to penicillin.", "What is the patient allergic to?", ("Sulfa", "Beta-lactam antibiotics", NONE),
     (None, "Beta-lactam antibiotics")),
    (KNEE, "Which knee has the torn meniscus?", ("Left", "Right", "Both"), (None, "Right")),
    (KNEE, "Which knee has the torn meniscus?", ("Left", "Right"), ("Right",)),
    (KNEE, "What was found on the left knee?", ("Torn meniscus", "Fracture", "Cyst"), (None,)),
    (DRUGS, "Which drug was stopped?", ("Lisinopril", "Metformin", "Warfarin"), ("Lisinopril",)),
    (DRUGS, "Which drug was stopped?", ("Metformin", "Warfarin"), (None,)),
    ("Stopped lisinopril, started warfarin 5 mg daily.", "Which drug was stopped?", ("Metformin", "Warfarin"), (None,)),
    ("Lisinopril was not stopped. Metformin was held.", "Which drug was stopped?", ("Lisinopril", "Warfarin"), (None,)),
    ("Warfarin 5 mg every evening.", "Which drug is taken?", ("Warfarin", "Metformin"), ("Warfarin",)),
    ("Warfarin 5 mg every evening.", "What is her husband's warfarin dose?", ("5 mg", "10 mg"), (None,)),
    ("Warfarin 5 mg every evening.", "What is her sister's warfarin dose?", ("5 mg", "10 mg", NONE), (None,)),
    ("Creatinine 1.2 mg/dL.", "What was the donor's creatinine?", ("1.2 mg/dL", "3 mg/dL"), (None,)),
    ("Bilirubin 9 mg/dL.", "What was the baby's bilirubin?", ("9 mg/dL", "3 mg/dL"), (None,)),
    ("Warfarin 5 mg every evening.", "What is my mother's warfarin dose?", ("5 mg", "10 mg"), ("5 mg",)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question", "options", "right"), CASES, ids=[f"{q} {o}" for _, q, o, _ in CASES])
def test_the_nearest_words_are_not_the_answer(
    text: str, question: str, options: Sequence[str], right: Sequence[str | None], demo: Book, tmp_path: Path
) -> None:
    with Book(tmp_path / "store", engines=demo.engines) as book:
        put(book, tmp_path, note("n1", text))
        found = book.choose(question, options, patient="p")
    assert (found.answer.option.text if found.answer else None) in right
    assert found.answer is not None or found.reason is not None
