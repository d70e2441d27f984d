"""An experiment whose long stages workers on Ray do: the same tables, byte for byte, also when one is killed."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.ray_processes import hands

from chartcite.core.errors import NotConfigured
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.experiment.spec import Experiment, with_workers
from chartcite.library.settings import Settings

if find_spec("ray") is None:
    pytest.skip("no Ray: pip install 'chartcite[cluster]'", allow_module_level=True)

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]

DRUGS = ("warfarin", "metformin", "aspirin", "lisinopril", "insulin", "digoxin", "furosemide", "heparin")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    documents = [f'd{n},Note {n},"{drug} was begun at {n + 2} mg daily on day {n}."' for n, drug in enumerate(DRUGS)]
    questions = [f"q{n},What is the dose of {drug}?,{n + 2} mg,d{n},drug" for n, drug in enumerate(DRUGS)]
    (folder / "documents.csv").write_text("\n".join(["id,title,text", *documents]) + "\n", "utf-8")
    head = "id,question,reference_answer,relevant_ids,group"
    (folder / "questions.csv").write_text("\n".join([head, *questions]) + "\n", "utf-8")
    return tmp_path


def spec() -> Experiment:
    table: dict[str, Any] = {
        "name": "Tiny", "data": {"dataset": "plain_csv", "folder": "tiny"}, "depth": 5, "answers": True,
        "metrics": ["recall@5", "mrr", "citation", "token_f1"], "statistics": {"resamples": 100},
        "strategies": [{"name": "words", "method": "lexical", "rerank": "none"}, {"name": "both"}],
    }  # fmt: skip
    return parse_experiment(table)


def tables(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.suffix in {".csv", ".jsonl", ".trec"}}


def test_tables_are_the_same_also_when_a_worker_is_killed(base: Path) -> None:
    elsewhere = with_workers(spec(), Settings(compute="ray", jobs=2))
    assert elsewhere.sha256 == spec().sha256
    killed: list[int] = []

    def kill_once(stage: str, done: float, total: int) -> None:
        there = hands()
        if stage == "answer" and 0 < done < total and there and not killed:
            killed.append(there[0])
            os.kill(there[0], signal.SIGKILL)

    here = run_experiment(Plan(spec(), base, base / "here"))
    there = run_experiment(Plan(elsewhere, base, base / "there"), kill_once)
    assert tables(here.path) == tables(there.path)
    assert len(tables(here.path)) > 8
    assert len(killed) == 1


def test_text_of_cases_stays_here_unless_the_experiment_says_otherwise(base: Path) -> None:
    elsewhere = with_workers(spec(), Settings(compute="ray", ray_address="ray.example:6379", allow_remote=True))
    with pytest.raises(NotConfigured, match="other machines"):
        run_experiment(Plan(elsewhere, base, base / "runs"))
