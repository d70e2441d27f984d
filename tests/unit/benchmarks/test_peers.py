"""Benchmarks against others, by method and by stage: what is given to whom, what counts, what is shown."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import latency
import quality
from chartcite.ingest.prepare import Kitchen
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.library.registry import known
from peers import data, run, worker


def test_equal_texts_of_a_patient_are_one_passage_and_of_two_patients_two(kitchen: Kitchen) -> None:
    passages = data.Passages(kitchen)
    (first,) = passages.add("p1", "a", "Fever since Monday.")
    assert passages.add("p1", "b", "Fever since Monday.") == [first]
    assert passages.add("p2", "c", "Fever since Monday.") != [first]
    assert [(row["patient"], row["text"]) for row in passages.rows()] == [
        ("p1", "Fever since Monday."), ("p2", "Fever since Monday.")
    ]  # fmt: skip


@pytest.mark.parametrize(("start", "end", "hit"), [(0, 5, True), (18, 19, True), (19, 30, False)])
def test_relevant_is_what_shares_a_character_with_the_gold(kitchen: Kitchen, start: int, end: int, hit: bool) -> None:
    passages = data.Passages(kitchen)
    (own,) = passages.add("p1", "a", "Fever since Monday.")
    found = passages.overlapping([{"doc_id": "a", "start": start, "end": end}])
    assert found == ([own] if hit else [])


def test_questions_with_a_date_limit_or_of_other_splits_are_not_asked(tmp_path: Path, kitchen: Kitchen) -> None:
    gold = [{"doc_id": "a", "start": 0, "end": 5, "part": 0}]
    base = {"patient_id": "p1", "split": "dev", "answerable": True, "as_of": None, "question": "Fever?", "gold": gold}
    other: dict[str, Any] = {"split": "test", "answerable": False, "as_of": "2020", "patient_id": "p2"}
    questions = [base | {"id": "kept"}, *(base | {"id": k, k: v} for k, v in other.items())]
    note = {"patient_id": "p1", "doc_id": "a", "text": "Fever since Monday."}
    data.write(tmp_path / "notes.jsonl", [note])
    data.write(tmp_path / "questions.jsonl", questions)
    found = data.longchart(tmp_path, data.Passages(kitchen), ["p1"], 10)
    assert [q["id"] for q in found] == ["kept"]


def test_a_query_that_found_nothing_counts_as_wrong() -> None:
    queries = [{"id": "1", "relevant": ["a"]}, {"id": "2", "relevant": ["b"]}]
    made = run.hits({"1": ["c", "a"]}, queries)
    assert (made["hit@5"], made["n"], made["fewer_than_5"]) == (0.5, 2, 2)


def test_ratios_are_taken_within_a_round() -> None:
    def one(wall: float) -> dict[str, Any]:
        spent = {"wall_s": wall, "cpu_s": wall}
        asked = {"dense": {"seconds": [0.001, 0.003], "cpu_s": 0.004, "found": {"1": ["a"]}}}
        return {
            "import": spent, "load": spent, "ingest": spent, "rss_mb": 10.0, "versions": {}, "size": {},
            "queries": asked,
        }  # fmt: skip

    # The machine is ten times slower in the second round: for both.
    rounds = [{"chartcite": one(1.0), "x": one(2.0)}, {"chartcite": one(10.0), "x": one(20.0)}]
    made = run.summary(rounds, "x", 1000, [{"id": "1", "relevant": ["a"]}])
    assert made["ingest_wall_ratio"] == made["ingest_cpu_ratio"] == 2.0
    assert made["modes"]["dense"]["p50_ms"] == 2.0
    assert made["modes"]["dense"]["hit@5"] == 1.0


def test_the_worker_leaves_the_model_and_pip_out_of_the_size() -> None:
    made = worker.sizes()
    assert made["packages"] > 10
    assert made["mb"] > made["gpu_only_mb"] == 0


def test_equal_answers_are_one_document_with_several_questions(tmp_path: Path) -> None:
    rows = [{"question": "Q1", "answer": "A"}, {"question": "Q2", "answer": "A"}, {"question": "Q3", "answer": " "}]
    with gzip.open(tmp_path / "medquad_qa.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    made = quality.answers_folder(tmp_path, tmp_path / "beir")
    assert len((made / "corpus.jsonl").read_text("utf-8").splitlines()) == 1
    assert (made / "qrels" / "all.tsv").read_text("utf-8").splitlines()[1:] == ["q0\ta0\t1", "q1\ta0\t1"]


@pytest.mark.parametrize("name", sorted(quality.EXPERIMENTS))
def test_every_experiment_is_one_of_the_lab(name: str) -> None:
    spec = parse_experiment(quality.experiment(name, Path("x"), list(quality.METHODS), 7))
    assert spec.data.dataset in known("dataset")
    assert spec.data.limit == 7
    assert {s.settings.method for s in spec.strategies} <= set(known("method"))
    assert (quality.DEFAULT, "lexical") in spec.pairs


def test_the_default_of_the_benchmark_is_the_default_of_the_settings() -> None:
    strategies = parse_experiment(quality.experiment("scifact", Path("x"), [quality.DEFAULT], 0)).strategies
    default = type(strategies[0].settings)()
    assert strategies[0].settings == default


def test_of_a_longchart_folder_the_patients_own_dev_questions_are_asked(tmp_path: Path) -> None:
    base = {"patient_id": "p1", "split": "dev", "answerable": True, "question": "Fever?"}
    rows = [base, base | {"patient_id": "p2"}, base | {"split": "test"}, base | {"answerable": False}]
    data.write(tmp_path / "questions.jsonl", rows)
    assert latency.questions_of(tmp_path, "patient", "p1") == [("Fever?", {"patient": "p1"})]
    (tmp_path / "q.txt").write_text("One?\n\nTwo?\n", "utf-8")
    assert [q for q, _ in latency.questions_of(tmp_path / "q.txt", "collection", "c")] == ["One?", "Two?"]


def test_the_index_of_the_limits_scores_as_the_formula_says() -> None:
    pytest.importorskip("bm25s")
    from peers import limits  # noqa: PLC0415

    rng = np.random.default_rng(1)
    corpus, asked = limits.texts(rng, 150, 20), limits.texts(rng, 5, 4)
    index = limits.index_of(corpus, np.zeros((150, limits.DIMS), np.float32))
    for query in asked:
        expected = np.zeros(150)
        for term in dict.fromkeys(query.tolist()):
            tf = (corpus == term).sum(axis=1)
            n = int((tf > 0).sum())
            expected += np.log(1 + (150 - n + 0.5) / (n + 0.5)) * tf / (tf + limits.PARAMETERS.k1)
        assert np.allclose(index.lexical.scores(dict.fromkeys(query.tolist(), 1.0)), expected)
    assert limits.lexical(index, corpus, asked)["greatest_score_difference"] < 1e-4
