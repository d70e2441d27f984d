"""A tiny invented data set, an experiment on it, and engines made of words; one finished run, made once and copied."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.lab.experiment.folder import RunFolder, hash8
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.experiment.spec import Experiment
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

HOSTILE = '<script>alert("x")</script><img src=http://evil.example/x.png onerror=alert(1)>'
_DOCUMENTS = f"""id,title,text
d1,Anticoagulation,"Warfarin was lowered to 4 mg every evening because the INR was 4.2. Recheck in one week."
d2,Diabetes,"Metformin was stopped because the eGFR fell to 28. Insulin glargine was begun."
d3,Knee,"The left knee is swollen after a fall. No fracture was seen on the radiograph."
d4,Cardiology,"Aspirin 81 mg daily was begun after the stent. Ejection fraction 35 percent."
d5,Lab,"Potassium was 5.9 mmol/L in the evening. {HOSTILE.replace('"', '""')} Repeat tomorrow."
d6,Infection,"Cellulitis of the right leg improved on cefazolin. Fever resolved on day two."
"""
_QUESTIONS = f"""id,question,reference_answer,relevant_ids,group
q1,Why was warfarin lowered to 4 mg?,because the INR was 4.2,d1,drug
q2,Why was metformin stopped?,because the eGFR fell to 28,d2,drug
q3,Which knee is swollen after the fall?,left,d3,finding
q4,"What was the potassium? {HOSTILE.replace('"', '""')}",5.9,d5,lab
q5,Did the cellulitis improve on cefazolin?,yes,d6|d9,finding
"""


class WordReranker:
    """Scores by the share of the query's words that a text has."""

    name = "words"
    fingerprint = "1"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        wanted = set(query.lower().split())
        return [8 * len(wanted & set(text.lower().split())) / len(wanted) - 4 for text in texts]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data set, in the `plain_csv` form, beside the place for the experiment's file."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "documents.csv").write_text(_DOCUMENTS, "utf-8")
    (folder / "questions.csv").write_text(_QUESTIONS, "utf-8")
    return tmp_path


def table(**more: Any) -> dict[str, Any]:
    """A small experiment as TOML would give it."""
    whole: dict[str, Any] = {
        "name": "Tiny", "data": {"dataset": "plain_csv", "folder": "tiny"}, "depth": 5, "answers": True,
        "metrics": ["recall@5", "mrr", "hit@1", "citation", "token_f1"],
        "verifiers": ["rules", "bm25_ngram", "gold", "prompt"],
        "statistics": {"resamples": 200},
        "strategies": [
            {"name": "words", "method": "lexical", "rerank": "none"},
            {"name": "meaning", "method": "dense", "rerank": "none"},
            {"name": "both", "rerank": "cross"},
        ],
    }  # fmt: skip
    return whole | more


Run = Callable[..., RunFolder]


class Runner:
    """Runs experiments below a folder with small engines; counts what was asked of the store."""

    def __init__(self, base: Path, encoder: FakeEncoder) -> None:
        self.base, self.runs = base, base / "runs"
        self._encoder = encoder
        self.opened = 0
        self.seen: list[tuple[str, float, int]] = []
        self.stop_at: tuple[str, float] | None = None

    def spec(self, **more: Any) -> Experiment:
        return parse_experiment(table(**more))

    def __call__(self, spec: Experiment | None = None, **plan: Any) -> RunFolder:
        self.seen.clear()
        return run_experiment(Plan(spec or self.spec(), self.base, self.runs, **plan), self._progress, self._open)

    def _open(self, folder: Path, settings: Settings, create: bool) -> Book:
        self.opened += 1
        engines = Engines(settings)
        engines.__dict__.update(encoder=self._encoder, reranker=WordReranker())
        return Book(folder, settings, create=create, engines=engines)

    def _progress(self, stage: str, done: float, total: int) -> None:
        self.seen.append((stage, done, total))
        if self.stop_at and stage == self.stop_at[0] and done >= self.stop_at[1]:
            self.stop_at = None
            raise KeyboardInterrupt


@pytest.fixture
def runner(data: Path, fake_encoder: FakeEncoder) -> Runner:
    return Runner(data, fake_encoder)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the finished run is kept for all tests."""
    return tmp_path_factory.mktemp("finished")


@pytest.fixture
def finished(runner: Runner, kept: Path) -> RunFolder:
    """A finished run of the default experiment, for this test alone."""
    name = f"{runner.spec().slug}-{hash8(runner.spec())}"
    if not (kept / name).is_dir():
        shutil.copytree(runner().path, kept / name)
    else:
        shutil.copytree(kept / name, runner.runs / name)
    return RunFolder.open(runner.runs / name)
