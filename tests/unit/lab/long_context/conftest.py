"""A LongHealth-like invented file, an experiment on it, engines made of words, and a writer and a judge by script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import FakeEncoder

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

FILLER = "The ward round found the patient comfortable. Meals were taken. Sleep was undisturbed. "
TEXTS = {
    "text_0": f"Admission. Chest pain since two days. Troponin was 0.9. {FILLER}",
    "text_1": f"Course. Warfarin was lowered to 4 mg every evening because the INR was 4.2. {FILLER}",
    "text_2": f"Imaging. The left knee is swollen. No fracture was seen. {FILLER}",
    "text_3": f"Discharge. Metformin was stopped because the eGFR fell to 28. {FILLER}",
}
OPTIONS = {
    "dose": ("2 mg", "3 mg", "4 mg", "5 mg", "6 mg"),
    "knee": ("left", "right", "both", "the ankle", "cannot be told"),
}


def _question(no: int, text: str, options: Sequence[str], correct: str, where: Sequence[str]) -> dict[str, Any]:
    letters = {f"answer_{x}": option for x, option in zip("abcde", options, strict=True)}
    return {"No": no, "question": text, **letters, "correct": correct, "answer_location": {w: {} for w in where}}


QUESTIONS = [
    _question(1, "What is the warfarin dose?", OPTIONS["dose"], "4 mg", ["text_1"]),
    _question(2, "Which knee is swollen?", OPTIONS["knee"], "left", ["text_2"]),
    _question(3, "What is the digoxin dose?", (*OPTIONS["dose"][:4], "it is not said"), "it is not said", []),
]


class WordReranker:
    """Scores by the share of the query's words that a text has."""

    name = "words"
    fingerprint = "1"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        wanted = set(query.lower().split())
        return [8 * len(wanted & set(text.lower().split())) / len(wanted) - 4 for text in texts]


def table(**more: Any) -> dict[str, Any]:
    """The preset on the invented file."""
    whole: dict[str, Any] = {
        "name": "Long", "preset": "long_context", "data": {"dataset": "longhealth", "folder": "lh"},
        "metrics": ["token_f1", "nli_precision"], "statistics": {"resamples": 100},
        "settings": {
            "splitter": "fixed:12-0", "fusion": "rrf", "rerank": "none", "skip_retrieval_sentences": 0, "order": "time",
        },
        "strategies": [
            {"name": "Full context", "method": "full_context"},
            {"name": "RAG 2", "method": "lexical", "top_k": 2},
            {"name": "RAG HIR 1", "method": "hierarchical", "parents": 1, "top_k": 4},
        ],
    }  # fmt: skip
    return whole | more


Run = Callable[..., RunFolder]


def runner(base: Path) -> Run:
    """Runs below a folder."""
    (base / "lh").mkdir()
    patients = {"patient_01": {"texts": TEXTS, "birthday": "", "diagnosis": "", "questions": QUESTIONS}}
    (base / "lh" / "benchmark_v5.json").write_text(json.dumps(patients))

    def open_book(folder: Path, settings: Settings, create: bool) -> Book:
        engines = Engines(settings)
        engines.__dict__.update(encoder=FakeEncoder(), reranker=WordReranker())
        return Book(folder, settings, create=create, engines=engines)

    def go(plan: dict[str, Any] | None = None, **more: Any) -> RunFolder:
        spec = parse_experiment(table(**more))
        return run_experiment(Plan(spec, base, base / "runs", **(plan or {})), lambda *_: None, open_book)

    return go


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the experiment with changes; `plan` goes to the runner."""
    return runner(tmp_path)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The whole preset by rules, made once; to be read only."""
    return runner(tmp_path_factory.mktemp("whole"))(options={"sheet": {"first": "Full context", "second": "RAG 2"}})
