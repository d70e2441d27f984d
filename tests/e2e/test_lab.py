"""`chartcite lab` as a command, with the real models: a run killed midway, tables from elsewhere, what is amiss."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Command

_SPEC = """
name = "Tiny trial"
answers = true
metrics = ["recall@1", "mrr", "citation"]
verifiers = ["rules", "bm25_ngram", "gold", "prompt"]

[data]
dataset = "beir"
folder = "beir"

[statistics]
resamples = 200

[[strategies]]
name = "words"
method = "lexical"
rerank = "none"

[[strategies]]
name = "all"
rerank = "cross"
"""
_DOCUMENTS = {
    "d1": "Warfarin was lowered to 4 mg every evening because the INR was 4.2.",
    "d2": "Metformin was stopped because the eGFR fell to 28.",
    "d3": "The left knee is swollen after a fall.",
    "d4": "Aspirin 81 mg daily was begun after the stent.",
}
_QUERIES = {
    "q1": ("Why was warfarin lowered?", "d1"),
    "q2": ("Why was metformin stopped?", "d2"),
    "q3": ("Which knee is swollen?", "d3"),
    "q4": ("What was begun after the stent?", "d4"),
}


@pytest.fixture
def experiment(chartcite: Command) -> Path:
    """The experiment's file, with its data set beside it."""
    folder = chartcite.home / "beir"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": d, "title": "", "text": text} for d, text in _DOCUMENTS.items()]
    queries = [{"_id": q, "text": text} for q, (text, _) in _QUERIES.items()]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    judged = "".join(f"{q}\t{d}\t1\n" for q, (_, d) in _QUERIES.items())
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}", "utf-8")
    path = chartcite.home / "trial.toml"
    path.write_text(_SPEC, "utf-8")
    return path


def tables(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(run.glob("*.csv"))}


def killed_at(chartcite: Command, arguments: list[str], runs: Path, log: str) -> Path:
    """Start a run and kill it, with SIGKILL, as soon as two units of a stage are done; the run's folder."""
    from tests.e2e.conftest import script  # noqa: PLC0415

    process = subprocess.Popen(
        [script(), *arguments], env=chartcite.environment(), cwd=chartcite.home, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(20_000):
        found = next(iter(runs.glob(f"*/{log}")), None)
        if found is not None and found.read_bytes().count(b"\n") >= 2:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return found.parent
        if process.poll() is not None:
            pytest.fail(f"the run ended before it could be killed at {log}")
        time.sleep(0.002)
    process.kill()
    pytest.fail("the run did not come that far")


def test_a_killed_run_resumes_to_the_same_bytes(chartcite: Command, experiment: Path) -> None:
    done = chartcite("lab", "run", experiment, "--runs", "whole", "--json", code=0)
    whole = Path(chartcite.home / done.json["run"])
    assert done.json["schema"] == "chartcite.lab.run/1"
    assert {s["measure"] for s in done.json["summary"]} >= {"recall@1", "mrr", "citation.macro.f1", "answered"}

    runs = chartcite.home / "killed"
    run = killed_at(chartcite, ["lab", "run", str(experiment), "--runs", "killed"], runs, "answer.units.jsonl")
    assert run.name == whole.name
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    assert manifest["stages"]["retrieve"]["finished"]
    assert "finished" not in manifest["stages"]["answer"]
    with (run / "answer.units.jsonl").open("ab") as torn:
        torn.write(b'{"key": ["all", "q')
    resumed = chartcite("lab", "run", experiment, "--runs", "killed", code=0)
    assert "recall@1" in resumed.out
    assert tables(run) == tables(whole)

    changed = chartcite.home / "changed.toml"
    changed.write_text(_SPEC.replace('"mrr"', '"ndcg@10"'), "utf-8")
    later = chartcite("lab", "run", changed, "--stage", "measure", "--from", run, "--json", code=0).json
    assert (chartcite.home / later["run"] / "answer.csv").read_bytes() == (whole / "answer.csv").read_bytes()
    assert "ndcg@10" in {s["measure"] for s in later["summary"]}
    assert tables(run) == tables(whole)
    again = chartcite("lab", "report", run, "--json", code=0).json
    assert again["summary"] == done.json["summary"]
    assert chartcite.sockets == ""


def test_mcnemar_of_the_errata(chartcite: Command) -> None:
    """Paper 001's counts: b 89, c 57; 39.55 does not follow from them."""
    rows = [(1, 1)] * 266 + [(1, 0)] * 89 + [(0, 1)] * 57 + [(0, 0)] * 88
    lines = "".join(f"q{i},{a},{b}\n" for i, (a, b) in enumerate(rows))
    (chartcite.home / "paired.csv").write_text(f"query_id,bm25,dense\n{lines}", "utf-8")
    found = chartcite("lab", "mcnemar", "paired.csv", "--json", code=0).json
    assert (found["n"], found["b"], found["c"], found["both"], found["neither"]) == (500, 89, 57, 266, 88)
    assert found["chi2"] == pytest.approx(7.0137, abs=5e-5)
    assert found["p_chi2"] == pytest.approx(0.00809, abs=5e-6)
    assert found["chi2_corrected"] == pytest.approx(6.5822, abs=5e-5)
    assert found["p_exact"] == pytest.approx(0.01006, abs=5e-6)
    shown = chartcite("lab", "mcnemar", "paired.csv", code=0).out
    assert "only bm25 (b)" in shown
    assert "7.0137, p 0.0081" in shown


def test_kappa_of_the_errata(chartcite: Command) -> None:
    """31/1/1/67 gives the paper's .954."""
    rows = [("y", "y")] * 31 + [("y", "n"), ("n", "y")] + [("n", "n")] * 67
    lines = "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(rows))
    (chartcite.home / "ratings.csv").write_text(f"item,ana,rui\n{lines}", "utf-8")
    found = chartcite("lab", "kappa", "ratings.csv", "--json", code=0).json
    assert (found["n"], found["rater_a"], found["excluded"]) == (100, "ana", [])
    assert found["kappa"] == pytest.approx(0.954, abs=5e-4)
    assert "kappa      0.954" in chartcite("lab", "kappa", "ratings.csv", code=0).out


def test_trec(chartcite: Command) -> None:
    (chartcite.home / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq3 0 d 1\n", "utf-8")
    run = "q1 Q0 a 1 9 x\nq1 Q0 z 2 8 x\nq2 Q0 y 1 3 x\nq2 Q0 c 2 2 x\nq9 Q0 a 1 1 x\n"
    (chartcite.home / "run.txt").write_text(run, "utf-8")
    arguments = ("lab", "trec", "--qrels", "qrels.txt", "--run", "run.txt", "--metrics", "recall@5,mrr,map")
    found = chartcite(*arguments, "--json", "--per-query", code=0).json
    values = {m["measure"]: m["value"] for m in found["measures"]}
    assert values == {"recall@5": pytest.approx(0.5), "mrr": pytest.approx(0.5), "map": pytest.approx(1 / 3)}
    assert (found["queries"], found["not_ranked"], found["not_judged"], len(found["values"])) == (3, 1, 1, 9)
    assert "recall@5  0.5000 (n 3, missing 1)" in chartcite(*arguments, code=0).out


def test_official_scores_need_no_network(chartcite: Command) -> None:
    key = {"case_id": "1", "clinician_answer_without_citations": "The dose was raised to ten."}
    (chartcite.home / "key.json").write_text(json.dumps([key]), "utf-8")
    (chartcite.home / "s.json").write_text('[{"case_id": "1", "prediction": "The dose was raised."}]', "utf-8")
    arguments = ("lab", "score", "archehr", "--task", "3", "--key", "key.json", "--submission", "s.json")
    found = chartcite(*arguments, "--json", code=0)
    assert found.json["scores"]["rougeLsum"] == pytest.approx(100 * 2 * 4 / 10)
    assert found.json["scores"]["overall_score"] is None
    assert (found.err, chartcite.sockets) == ("", "")


def test_datasets(chartcite: Command, experiment: Path) -> None:
    rows = {r["name"]: r for r in chartcite("lab", "datasets", "--data", ".", "--json", code=0).json["datasets"]}
    assert {"scifact", "rebec_pt", "plain_csv", "nli4ct"} <= set(rows)
    assert (rows["beir"]["state"], rows["scifact"]["state"]) == ("there", "not there")
    assert rows["scifact"]["licence"]
    assert {c["n"] for c in rows["scifact"]["counts"]} == {5183, 809, 300}


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (_SPEC.replace("rerank", "rerrank"), 2, "rerrank"),
        (_SPEC.replace('"beir"\nfolder', '"nosuch"\nfolder'), 3, "nosuch"),
        (_SPEC.replace('folder = "beir"', 'folder = "none"'), 3, "no such folder"),
        (_SPEC.replace('method = "lexical"', 'method = "sparse"'), 3, "sparse"),
        ('preset = "nosuch"', 3, "two_retrievers"),
        ("name = ", 2, "not TOML"),
    ],
)
def test_faults_of_the_file(chartcite: Command, experiment: Path, text: str, code: int, said: str) -> None:
    experiment.write_text(text, "utf-8")
    done = chartcite("lab", "run", experiment, "--json", code=code)
    error: dict[str, Any] = json.loads(done.err)["error"]
    assert said in f"{error['message']} {error['advice']}"
    assert not (chartcite.home / "runs").exists()


def test_a_missing_extra_is_one_line(chartcite: Command, experiment: Path) -> None:
    (chartcite.home / "site" / "statsmodels.py").write_text(
        "raise ModuleNotFoundError('none', name='statsmodels')", "utf-8"
    )
    done = chartcite("lab", "run", experiment, code=3)
    assert "pip install 'chartcite[lab]'" in done.err
    assert len(done.err.splitlines()) == 2


def test_usage(chartcite: Command, experiment: Path) -> None:
    assert "go together" in chartcite("lab", "run", experiment, "--stage", "measure", code=2).err
    assert "no run folder" in chartcite("lab", "report", chartcite.home, code=2).err
    chartcite("lab", "trec", "--qrels", "x", "--run", "y", "--metrics", "citation", code=2)
    (chartcite.home / "full").mkdir()
    (chartcite.home / "full" / "x").write_text("x")
    assert "not empty" in chartcite("lab", "generate", "longchart", "--out", "full", code=2).err
