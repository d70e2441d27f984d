"""A whole run with small engines: its tables, what a stop leaves, what is taken over, and what is never mixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.errors import MissingExtra, NotConfigured, UnknownImplementation
from chartcite.lab.csv_safe import read_own
from chartcite.lab.errors import MissingData
from chartcite.lab.experiment import runner as runner_module
from chartcite.lab.experiment.errors import RunDamaged, RunLocked, RunMismatch
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.runner import report_anew
from chartcite.lab.experiment.tables import AnswerRow, McNemarRow, SummaryRow, VerifyRow

if TYPE_CHECKING:
    from tests.unit.lab.experiment.conftest import Runner

STAGES = ["corpus", "retrieve", "answer", "verify", "measure", "compare", "report"]


def csvs(folder: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.path.glob("*.csv"))}


def summary(folder: RunFolder, strategy: str, measure: str, by: str = "", group: str = "") -> SummaryRow:
    rows = folder.read_table("measure", "summary", SummaryRow)
    return next(r for r in rows if (r.strategy, r.measure, r.by, r.group) == (strategy, measure, by, group))


def test_a_whole_run(finished: RunFolder) -> None:
    folder = finished
    assert [s for s in STAGES if folder.is_finished(s)] == STAGES
    assert not list(folder.path.glob("*.units.jsonl"))
    words = summary(folder, "words", "recall@5")
    assert (words.value, words.n, words.clusters) == (0.9, 5, 5)  # d9 of q5 is not in the pool
    assert summary(folder, "words", "recall@5", group="drug").n == 2
    assert folder.manifest["data"]["relevant_missing"] == 1
    prompt = summary(folder, "words", "citation.macro.f1", "prompt")
    assert prompt.value is None
    assert prompt.reason.startswith("MissingEndpoint")
    rules = summary(folder, "words", "citation.micro.f1", "rules")
    assert rules.value == 1.0


def test_every_table_is_there_twice_and_hashed(finished: RunFolder) -> None:
    folder = finished
    files = {name for stage in STAGES for name in folder.stage(stage)["files"]}
    for name in ("retrieve", "answer", "verify", "measure", "measure.summary", "compare", "compare.mcnemar"):
        assert {f"{name}.csv", f"{name}.jsonl"} <= files
        assert len(read_own(folder.path / f"{name}.csv")) == len(
            (folder.path / f"{name}.jsonl").read_text().splitlines()
        )
    assert {"report.html", "retrieve.qrels.txt", "retrieve.1-words.trec"} <= files
    for stage in STAGES:
        folder.check(stage)
    made = folder.stage("measure")["made_with"]
    assert all(made[name] for name in ("chartcite", "numpy", "onnxruntime", "python"))
    assert len(made["code"]) == 16


def test_verdicts_for_every_sentence_and_verifier(finished: RunFolder) -> None:
    folder = finished
    sentences = [r for r in folder.read_table("answer", "", AnswerRow) if r.sentence]
    verdicts = folder.read_table("verify", "", VerifyRow)
    assert len(verdicts) == 4 * len(sentences) > 0
    assert all(v.supported is None and v.reason for v in verdicts if v.verifier == "prompt")
    assert all(v.supported for v in verdicts if v.verifier == "rules")


def test_mcnemar_adds_up_and_all_pairs_are_there(finished: RunFolder) -> None:
    rows = finished.read_table("compare", "mcnemar", McNemarRow)
    assert [(r.first, r.second) for r in rows] == [("words", "meaning"), ("words", "both"), ("meaning", "both")]
    assert all(r.both + r.only_first + r.only_second + r.neither == r.n == 5 and r.tests == 3 for r in rows)


@pytest.mark.parametrize("stop", [("corpus", 1), ("retrieve", 3), ("answer", 9), ("verify", 5), ("measure", 20)])
def test_a_stopped_run_resumes_to_the_same_bytes(runner: Runner, finished: RunFolder, stop: tuple[str, float]) -> None:
    whole = csvs(finished)
    runner.runs = runner.runs.with_name("stopped")
    runner.stop_at = stop
    with pytest.raises(KeyboardInterrupt):
        runner()
    folder = runner()
    assert csvs(folder) == whole
    stage, done, _ = runner.seen[0]
    assert (stage, done) == (stop[0], stop[1])  # begins where it was stopped


def test_a_finished_run_does_nothing(runner: Runner, finished: RunFolder) -> None:
    before = {path.name: path.read_bytes() for path in finished.path.iterdir() if path.is_file()}
    runner()
    opened = runner.opened
    runner()
    assert runner.seen == []
    assert runner.opened == opened
    assert {path.name: path.read_bytes() for path in finished.path.iterdir() if path.is_file()} == before


def test_units_of_other_code_are_dropped(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    runner.stop_at = ("retrieve", 5)
    with pytest.raises(KeyboardInterrupt):
        runner()
    monkeypatch.setattr(runner_module, "made_with", lambda: {"chartcite": "another"})
    runner()
    assert runner.seen[0][:2] == ("retrieve", 0)


def test_another_specification_is_another_folder(runner: Runner, finished: RunFolder) -> None:
    first, second = finished, runner(runner.spec(answers=False, depth=4))
    assert first.path != second.path
    manifest = json.loads((first.path / "manifest.json").read_text())
    manifest["spec_sha256"] = "0"
    (first.path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunMismatch):
        runner()


def test_a_stage_on_the_rows_of_another_run(runner: Runner, finished: RunFolder) -> None:
    first = finished
    before = {path.name: path.read_bytes() for path in first.path.iterdir() if path.is_file()}
    opened = runner.opened
    spec = runner.spec(metrics=["ndcg@10", "citation"])
    second = runner(spec, stage="measure", origin=first.path)
    assert runner.opened == opened  # no store was touched
    assert [s for s, _, _ in runner.seen if s in STAGES[:4]] == []
    for name in ("retrieve.csv", "answer.csv", "verify.csv"):
        assert (second.path / name).read_bytes() == before[name]
    assert summary(second, "words", "ndcg@10").value is not None
    assert {path.name: path.read_bytes() for path in first.path.iterdir() if path.is_file()} == before
    assert second.manifest["stages"]["retrieve"]["taken_from"] == first.path.name
    again = runner(spec, stage="measure", origin=first.path)
    assert again.path != second.path
    assert csvs(again) == csvs(second)


def test_a_stage_that_needs_the_store_gets_a_copy(runner: Runner, finished: RunFolder) -> None:
    first = finished
    second = runner(stage="retrieve", origin=first.path)
    assert csvs(second) == csvs(first)
    assert (second.path / "store").is_dir()


def test_rows_of_another_specification_are_not_taken_over(runner: Runner, finished: RunFolder) -> None:
    first = finished
    with pytest.raises(RunMismatch, match="stage retrieve of that run was made from another"):
        runner(runner.spec(depth=3), stage="measure", origin=first.path)
    with pytest.raises(RunMismatch, match="no stage called"):
        runner(stage="judge", origin=first.path)


def test_changed_files_are_not_taken_over_nor_read(runner: Runner, finished: RunFolder) -> None:
    first = finished
    path = first.path / "verify.csv"
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(RunDamaged):
        runner(stage="measure", origin=first.path)
    with pytest.raises(RunDamaged):
        RunFolder.open(runner.runs)


def test_two_processes_do_not_share_a_folder(runner: Runner, finished: RunFolder) -> None:
    with finished.locked(), pytest.raises(RunLocked):
        runner()


def test_a_store_that_was_changed_is_noticed(runner: Runner) -> None:
    runner.stop_at = ("retrieve", 2)
    with pytest.raises(KeyboardInterrupt):
        runner()
    run = next(runner.runs.iterdir())
    with runner._open(run / "store", runner.spec().strategies[0].settings, False) as book:
        book.delete(collection="corpus")
    with pytest.raises(RunDamaged):
        runner()


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"data": {"dataset": "nosuch", "folder": "tiny"}}, UnknownImplementation),
        ({"data": {"dataset": "plain_csv", "folder": "nowhere"}}, MissingData),
        ({"data": {"dataset": "plain_csv", "folder": "tiny", "group": "none"}}, MissingData),
        ({"verifiers": ["nosuch"]}, UnknownImplementation),
        ({"strategies": [{"name": "SPLADE", "method": "sparse"}]}, NotConfigured),
        ({"strategies": [{"name": "SPLADE", "method": "sparse", "sparse": "nosuch:x"}]}, UnknownImplementation),
        ({"annotation": {"ratings": "none.csv"}}, MissingData),
    ],
)
def test_what_is_not_there_is_named(runner: Runner, more: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        runner(runner.spec(**more))


def test_a_missing_extra_is_named_before_anything_is_begun(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys  # noqa: PLC0415

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra):
        runner()
    assert not runner.runs.exists()


def test_limits_are_evenly_spaced_and_said(runner: Runner) -> None:
    data = {"dataset": "plain_csv", "folder": "tiny", "limit": 2, "answer_limit": 1, "corpus_limit": 1}
    folder = runner(runner.spec(data=data))
    assert {r["case_id"] for r in read_own(folder.path / "retrieve.csv")} == {"q1", "q3"}
    assert {r["case_id"] for r in read_own(folder.path / "answer.csv")} == {"q1"}
    assert (folder.manifest["data"]["cases_available"], folder.manifest["data"]["items"]) == (5, 3)
    assert "2 of 5 cases were taken" in (folder.path / "report.html").read_text("utf-8")


def test_patients_have_their_own_partitions(runner: Runner, data: Path) -> None:
    (data / "tiny" / "questions.csv").write_text(
        "id,question,relevant_ids,patient_id\nq1,Why was warfarin lowered?,d1,p1\n"
    )
    folder = runner(runner.spec(answers=False, metrics=["recall@5"]))
    assert {r["scope"] for r in read_own(folder.path / "corpus.csv")} == {"corpus"}
    assert summary(folder, "words", "recall@5").value == 1.0


def test_ratings_give_kappa(runner: Runner, data: Path) -> None:
    (data / "ratings.csv").write_text(
        "item,ana,rui\n"
        + "".join(f"{i},{'y' if i % 2 else 'n'},{'y' if i % 2 or i == 4 else 'n'}\n" for i in range(10))
    )
    folder = runner(runner.spec(annotation={"ratings": "ratings.csv"}))
    row = read_own(folder.path / "compare.kappa.csv")[0]
    assert (row["rater_a"], row["n"]) == ("ana", "10")
    assert float(row["kappa"]) == pytest.approx(0.8)


def test_the_report_can_be_written_again(finished: RunFolder) -> None:
    folder = finished
    before = csvs(folder)
    (folder.path / "report.html").unlink()
    again = report_anew(folder.path)
    assert (folder.path / "report.html").is_file()
    assert again.is_finished("report")
    assert csvs(again) == before


def test_scores_of_texts_tell_their_form_and_what_has_no_figure(runner: Runner, finished: RunFolder) -> None:
    metrics = ["rouge_lsum", "sacrebleu", "sari_evaluate", "meteor_stem", "bertscore"]
    folder = runner(runner.spec(metrics=metrics), stage="measure", origin=finished.path)
    for measure in ("rouge_lsum", "sari_evaluate", "meteor_stem"):
        found = summary(folder, "words", measure)
        assert found.value is not None
        assert found.low is not None
        assert found.low <= found.value <= 1
        assert (found.n, found.missing) == (5, 5 - round(5 * (summary(folder, "words", "answered").value or 0)))
    nothing = summary(folder, "words", "bertscore")
    assert nothing.value is None
    assert "needs a model" in nothing.reason
    # A corpus figure is no value of a case, has no interval and is not compared.
    assert summary(folder, "words", "sacrebleu.corpus").low is None
    pairs = {r["measure"]: r for r in read_own(folder.path / "compare.csv")}
    assert set(pairs) == {*metrics, "answered"}
    assert (pairs["bertscore"]["difference"], pairs["bertscore"]["reason"]) == ("", "a strategy has no values")
    assert pairs["rouge_lsum"]["difference"] != ""
    page = (folder.path / "report.html").read_text()
    assert "a line is a sentence" in folder.manifest["metrics"]["rouge_lsum"]
    assert page.index("Answers and citations") < page.index("a line is a sentence")
    assert "needs a model" in page


def test_a_metric_whose_library_is_missing_stops_the_run_before_it_begins(
    runner: Runner, finished: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chartcite.lab.metrics.chrf.Chrf.libraries", ("no_such_library",))
    with pytest.raises(MissingExtra):
        runner(runner.spec(metrics=["chrf"]), stage="measure", origin=finished.path)
