"""The study `archehr` from its XML to submission files that the official rules take, with small engines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import FakeEncoder
from tests.unit.lab.experiment.conftest import WordReranker

from chartcite.lab.archehr_scores.score import score
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, report_anew, run_experiment
from chartcite.lab.experiment.study import study_of
from chartcite.lab.studies.archehr import submission
from chartcite.lab.studies.archehr.measure import PARTS, micro_of
from chartcite.lab.studies.archehr.tables import CascadeRow, CountRow, DifferenceRow, LinkRow, ScoreRow
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

SAMPLE = Path(__file__).parents[3] / "data" / "archehr"
IDS = ["1", "2", "3", "a-4", "5", "6"]


def _open(folder: Path, settings: Settings, create: bool) -> Book:
    engines = Engines(settings)
    engines.__dict__.update(encoder=FakeEncoder(), reranker=WordReranker())
    return Book(folder, settings, create=create, engines=engines)


def _run(base: Path, **more: Any) -> RunFolder:
    table: dict[str, Any] = {
        "name": "Tiny", "study": "archehr", "data": {"dataset": "archehr", "folder": str(SAMPLE)},
        "statistics": {"resamples": 100}, "strategies": [{"name": "rules"}],
    }  # fmt: skip
    return run_experiment(Plan(parse_experiment(table | more), base, base / "runs"), None, _open)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Two strategies over the six cases."""
    strategies = [{"name": "rules"}, {"name": "retrieval", "skip_retrieval_sentences": 0, "rerank": "none"}]
    return _run(tmp_path_factory.mktemp("archehr"), strategies=strategies)


@pytest.fixture
def without_key(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(SAMPLE / "archehr-qa.xml", folder)
    return folder


def test_every_submission_is_what_the_official_rules_take(run: RunFolder) -> None:
    key, xml = run.path / "archehr-qa_key.json", run.path / "archehr-qa.xml"
    for task in (1, 2, 3, 4):
        path = run.path / f"submission.rules.2026.{task}.json"
        assert [row["case_id"] for row in json.loads(path.read_text())] == IDS
        found = score(path, year=2026, task=task, key=key, xml=xml)
        assert found.cases == 6
    own = [r for r in run.read_table("measure", "", ScoreRow) if (r.strategy, r.oracle) == ("rules", "")]
    saved = {(r.task, r.measure): r.value for r in own}
    strict = score(run.path / "submission.rules.2026.2.json", year=2026, task=2, key=key).scores["strict_micro_f1"]
    assert saved["2026.2", "strict_micro_f1"] == strict
    assert score(run.path / "submission.rules.2025.json", year=2025, key=key, xml=xml).scores["strict_micro_f1"]


def test_pooled_figures_are_those_of_the_counts_they_are_resampled_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of answers that are too long too: what is cut took its citations out of the file, so out of the counts."""
    monkeypatch.setattr(submission, "ANSWER_WORDS", 20)
    long = _run(tmp_path, options={"oracles": "none"})
    rows = long.read_table("answer", "", CascadeRow)
    assert any(sum(len(said.text.split()) for said in row.sentences) > 20 for row in rows)
    counts = long.read_table("measure", "counts", CountRow)
    for figure in long.read_table("measure", "", ScoreRow):
        rule, part = micro_of(figure.task, figure.measure)
        if part and figure.value is not None:
            own = [(c.hits, c.predicted, c.gold) for c in counts if (c.task, c.rule) == (figure.task, rule)]
            sums = np.array(own, float).sum(axis=0, keepdims=True)
            assert figure.value == pytest.approx(float(PARTS[part](sums)[0]))


def test_what_is_given_from_the_key_reaches_the_later_stages(run: RunFolder) -> None:
    rows = {(r.oracle, r.case_id): r for r in run.read_table("answer", "", CascadeRow) if r.strategy == "rules"}
    assert rows["query", "1"].query == "What is the planned duration of anticoagulation?"
    assert rows["evidence", "1"].evidence == ("4", "6")
    assert {c for said in rows["evidence", "1"].sentences for c in said.citations} <= {"4", "6"}
    assert rows["answer", "1"].sentences[0].text == "The clot was thought to come from a long flight."
    links = run.read_table("answer", "links", LinkRow)
    assert all(
        set(link.evidence) <= {"4", "6"}
        for link in links
        if (link.oracle, link.case_id) == ("evidence", "1")
    )  # fmt: skip


def test_only_the_first_strategy_is_run_with_gold_outputs_unless_all_are_asked_for(run: RunFolder) -> None:
    rows = run.read_table("answer", "", CascadeRow)
    assert {r.strategy for r in rows if r.oracle} == {"rules"}
    assert {r.strategy for r in rows if not r.oracle} == {"rules", "retrieval"}


def test_figures_of_stages_before_what_is_given_are_not_repeated(run: RunFolder) -> None:
    tasks: dict[str, set[str]] = {}
    for row in run.read_table("measure", "", ScoreRow):
        tasks.setdefault(row.oracle, set()).add(row.task)
    assert tasks == {
        "": {"2026.1", "2026.2", "2026.3", "2026.4", "2025"}, "query": {"2026.2", "2026.3", "2025"},
        "evidence": {"2026.3", "2026.4", "2025"}, "answer": {"2025"},
    }  # fmt: skip
    differences = run.read_table("compare", "", DifferenceRow)
    evidence = [d for d in differences if d.first == "rules, evidence given" and d.measure == "rougeLsum"]
    assert evidence[0].second == "rules, own"
    assert evidence[0].difference is not None


def test_an_overall_figure_without_its_models_is_null_with_the_reason(run: RunFolder) -> None:
    found = [r for r in run.read_table("measure", "", ScoreRow) if (r.task, r.measure) == ("2026.3", "overall_score")]
    assert {r.value for r in found} == {None}
    assert all("bertscore" in r.reason for r in found)


def test_the_report_shows_every_case_and_loads_nothing(run: RunFolder) -> None:
    page = (run.path / "report.html").read_text()
    assert "invented" in page
    for case in IDS:
        assert f"Case {case}:" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "How far errors travel" in page


def test_the_same_run_again_does_nothing_and_the_report_can_be_written_anew(run: RunFolder) -> None:
    before = (run.path / "report.html").read_bytes()
    assert (report_anew(run.path).path / "report.html").read_bytes() == before


def test_our_own_cut_is_mapped_to_the_data_sets_sentences(tmp_path: Path) -> None:
    own = _run(tmp_path, options={"segmentation": "own", "oracles": "none"})
    rows = own.read_table("answer", "", CascadeRow)
    known = {str(n) for n in range(1, 20)}
    assert {e for r in rows for e in r.evidence} <= known
    assert any(r.evidence for r in rows)
    assert not {r.oracle for r in rows} - {""}


def test_without_a_key_there_are_submissions_and_one_task_with_figures(tmp_path: Path, without_key: Path) -> None:
    made = _run(tmp_path, data={"dataset": "archehr", "folder": str(without_key), "limit": 2})
    assert {r.task for r in made.read_table("measure", "", ScoreRow)} == {"2026.1"}
    assert len(json.loads((made.path / "submission.rules.2026.2.json").read_text())) == 2
    assert "There is no key" in (made.path / "report.html").read_text()


def test_cases_without_a_note_are_interpreted_all_the_same(tmp_path: Path, without_key: Path) -> None:
    xml = (
        "<annotations><case id='9'><patient_narrative>I take warfarin. Why did they stop my warfarin?"
        "</patient_narrative></case></annotations>"
    )
    (without_key / "archehr-qa.xml").write_text(xml)
    made = _run(tmp_path, data={"dataset": "archehr", "folder": str(without_key)})
    (row,) = made.read_table("answer", "", CascadeRow)
    assert "warfarin" in row.query
    assert (row.evidence, row.reason) == ((), "no note_excerpt")


def test_strategies_that_would_write_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="same submission file"):
        _run(tmp_path, strategies=[{"name": "a b"}, {"name": "A-B"}])


def test_the_presets_name_this_study_and_take_no_unknown_option() -> None:
    by_rules = parse_experiment({"name": "x", "preset": "archehr", "data": {"folder": "."}})
    assert study_of(by_rules).names == ["corpus", "answer", "measure", "compare", "report"]
    assert not any(s.settings.writer_url for s in by_rules.strategies)
    endpoint = {"writer_url": "http://127.0.0.1:9/v1", "writer_model": "m"}
    by_model = parse_experiment({"name": "x", "preset": "archehr_llm", "data": {"folder": "."}, "settings": endpoint})
    found = {s.name: s.settings for s in by_model.strategies}
    assert {s.writer_url for s in found.values()} == {endpoint["writer_url"]}
    assert found["zero-shot"].prompt_examples == 0
    assert (found["votes"].votes, found["votes"].votes_needed) == (3, 2)
    assert found["record in the prompt"].writer_sees_record
    assert {found["rules"].interpret_by, found["rules"].score_by, found["rules"].align_by} == {"rules"}
    with pytest.raises(BadSpec):
        parse_experiment({"name": "x", "preset": "archehr", "data": {"folder": "."}, "options": {"votes": 3}})
