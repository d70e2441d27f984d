"""The study end to end on invented PDFs: its files, its order of work, and that judging touches nothing but files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.app.cli import main
from chartcite.app.cli.main import main as run
from chartcite.lab.csv_safe import read_own, read_table, write_csv
from chartcite.lab.errors import MissingData
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.tables import McNemarRow, SummaryRow
from chartcite.lab.studies.grounding_study import tables
from chartcite.lab.studies.grounding_study.annotation import APPROPRIATE, COLUMNS, SUPPORTED

if TYPE_CHECKING:
    from tests.unit.lab.grounding_study.conftest import Runner

STRATEGIES = ["Hybrid-rerank", "Retrieval-only", "Lexical-only", "Vector-only", "Rerank-only"]


def files(folder: Path) -> dict[str, str]:
    """Everything but what holds times."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.suffix in (".csv", ".jsonl")
    }


def test_the_file_of_chunks_has_the_columns_of_the_paper(finished: RunFolder) -> None:
    row = next(read_table(finished.path / "rerank.csv"))
    assert list(row.cells) == [
        "strategy", "query_id", "query_text", "final_rank", "original_rank", "retrieval_score", "rerank_score", "page",
        "chunk_id", "source", "preview", "full_text", "reason",
    ]  # fmt: skip


def test_chunks_are_ranked_from_one_and_are_the_texts_of_the_pdf(finished: RunFolder) -> None:
    rows = finished.read_table("rerank", "", tables.ChunkRow)
    for strategy in STRATEGIES:
        own = [r for r in rows if (r.strategy, r.query_id) == (strategy, "q1")]
        assert [r.final_rank for r in own] == list(range(1, len(own) + 1))
        assert 1 <= len(own) <= 6
        assert len({r.full_text for r in own}) == len({r.chunk_id for r in own}) == len(own)
    whole = {d.source: d for d in finished.read_table("corpus", "documents", tables.DocumentRow)}
    assert [d.pages for d in whole.values()] == [1, 1, 1]
    assert all(r.page == 1 for r in rows if r.final_rank)


def test_what_was_not_reranked_has_no_score_and_what_had_no_first_stage_no_rank(finished: RunFolder) -> None:
    rows = [r for r in finished.read_table("rerank", "", tables.ChunkRow) if r.final_rank]
    by = {name: [r for r in rows if r.strategy == name] for name in STRATEGIES}
    assert all(r.rerank_score is not None and r.original_rank for r in by["Hybrid-rerank"])
    assert all(r.rerank_score is None and r.original_rank == r.final_rank for r in by["Lexical-only"])
    assert all(r.rerank_score is not None and r.original_rank is None for r in by["Rerank-only"])
    # Without a first stage every chunk is scored; the best of them are kept.
    chunks = sum(d.chunks for d in finished.read_table("corpus", "documents", tables.DocumentRow))
    kept = finished.read_table("rerank", "duplicates", tables.DedupeRow)
    assert {r.candidates for r in kept if r.strategy == "Rerank-only"} == {chunks}
    assert {r.kept for r in kept if r.strategy == "Rerank-only"} == {6}


def test_answers_cite_the_chunks_that_were_given_and_quote_them(finished: RunFolder) -> None:
    chunks = {
        (r.strategy, r.query_id, r.final_rank): r.full_text for r in finished.read_table("rerank", "", tables.ChunkRow)
    }
    claims = finished.read_table("claims", "", tables.ClaimRow)
    assert {c.strategy for c in claims} >= {"Hybrid-rerank", "Lexical-only", "Rerank-only"}
    for claim in claims:
        assert claim.sources
        assert set(claim.sources) <= {1, 2, 3}
        texts = [" ".join(chunks[claim.strategy, claim.query_id, n].split()) for n in claim.sources]
        assert any(claim.text in text for text in texts), claim
    said = {(c.query_id, c.text) for c in claims if c.strategy == "Hybrid-rerank"}
    assert ("q1", "Antibodies were found in 11.6 percent of the goats.") in said


def test_an_unanswerable_query_gets_the_sentence_of_insufficient_evidence(finished: RunFolder) -> None:
    answers = [a for a in finished.read_table("answer", "", tables.AnswerRow) if a.query_id == "q4"]
    assert [a.insufficient for a in answers] == [True] * 5
    assert {a.answer for a in answers} == {
        "The retrieved sources do not provide enough evidence to answer this question."
    }
    removed = finished.read_table("claims", "removed", tables.RemovedRow)
    assert sum(r.why == "no answer" and r.query_id == "q4" for r in removed) == 5
    summary = finished.read_table("measure", "summary", SummaryRow)
    assert [s.value for s in summary if s.measure == "abstained"] == [1.0] * 5


def test_the_rules_accept_true_planted_claims_and_reject_false_ones_and_always_accepts_all(finished: RunFolder) -> None:
    rows = {(r.judge, r.kind): r for r in finished.read_table("measure", "judges", tables.JudgeRow)}
    assert [rows["rules", kind].value for kind in ("quoted", "number", "other_query", "invented")] == [1.0] * 4
    specificity = rows["rules", "all false"].value
    assert specificity is not None
    assert specificity > 0.9
    assert rows["always", "all true"].value == 1.0
    assert rows["always", "all false"].value == 0.0
    assert rows["always", "all false"].n == rows["rules", "all false"].n >= 10
    page = (finished.path / "report.html").read_text("utf-8")
    assert "The judge “always” accepted every planted claim" in page
    assert "The judge “rules” accepted every planted claim" not in page


def test_grounding_stands_at_three_levels_against_three_kinds_of_evidence(finished: RunFolder) -> None:
    rows = finished.read_table("measure", "grounding", tables.GroundingRow)
    assert len(rows) == 5 * 2 * 3 * 3
    full = {(r.against, r.level): r for r in rows if (r.strategy, r.judge) == ("Hybrid-rerank", "rules")}
    claims = [c for c in finished.read_table("claims", "", tables.ClaimRow) if c.strategy == "Hybrid-rerank"]
    assert full["cited", "claim"].n == len(claims)
    assert full["cited", "query"].n == 3  # the query that nothing answers had nothing to claim
    assert full["cited", "claim"].value == 1.0
    assert full["cited", "claim"].exact_low is not None
    assert full["cited", "claim"].exact_low < 1


def test_baselines_are_compared_on_the_same_queries(finished: RunFolder) -> None:
    rows = finished.read_table("compare", "mcnemar", McNemarRow)
    assert {r.n for r in rows} == {3}
    assert len(rows) == 2 * 6


def test_judging_from_saved_files_opens_no_store(runner: Runner, finished: RunFolder) -> None:
    pairs = runner.reranker.pairs
    again = runner(stage="judge", origin=finished.path)
    assert runner.opened == []
    assert runner.reranker.pairs == pairs
    assert files(again.path) == files(finished.path)


@pytest.mark.parametrize("stage", ["rerank", "answer", "judge"])
def test_an_interrupted_run_ends_with_the_same_bytes(stage: str, runner: Runner, finished: RunFolder) -> None:
    runner.stop_at = (stage, 3)
    with pytest.raises(KeyboardInterrupt):
        runner(stage=stage, origin=finished.path)
    ended = runner(stage=stage, origin=finished.path)
    assert ended.stage(stage)["resumed"]
    assert files(ended.path) == files(finished.path)


def test_a_judge_without_an_endpoint_has_rows_with_the_reason(runner: Runner, finished: RunFolder) -> None:
    spec = runner.spec(options={"candidates": 6, "context": 3, "sheet_items": 0, "judges": ["rules", "endpoint"]})
    again = runner(spec, stage="judge", origin=finished.path)
    rows = [
        r
        for r in again.read_table("measure", "grounding", tables.GroundingRow)
        if (r.judge, r.strategy) == ("endpoint", "Hybrid-rerank")
    ]
    assert len(rows) == 9
    assert all(r.value is None and "MissingEndpoint" in r.reason for r in rows)
    assert all(r.value is None for r in again.read_table("measure", "judges", tables.JudgeRow) if r.judge == "endpoint")
    summary = again.read_table("measure", "summary", SummaryRow)
    assert {s.value for s in summary if (s.by, s.strategy) == ("endpoint", "Hybrid-rerank")} == {None}
    assert again.stage("answer")["taken_from"] == finished.path.name


def test_the_sheet_names_no_system_and_the_key_does(finished: RunFolder) -> None:
    sheet = (finished.path / "annotation.csv").read_text("utf-8")
    key = read_own(finished.path / "annotation.key.csv")
    assert not any(name in sheet for name in STRATEGIES)
    claims = finished.read_table("claims", "", tables.ClaimRow)
    assert {(r["strategy"], r["query_id"], int(r["claim"])) for r in key} == {
        (c.strategy, c.query_id, c.claim) for c in claims
    }


def test_the_report_is_one_file_that_loads_nothing(finished: RunFolder) -> None:
    page = (finished.path / "report.html").read_text("utf-8")
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    for title in ("Table I:", "Table II:", "Table III:", "Table IV:", "Table V:", "Grounding", "Baselines"):
        assert title in page


JUDGED = {"name": "a", "rerank": "none", "judge_url": "http://127.0.0.1:1"}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "fused": ({"settings": {"rerank": "fused"}, "strategies": [{"name": "a"}]}, "cross or not"),
    "data set": ({"data": {"dataset": "plain_csv", "folder": "papers"}}, "pdf_folder"),
    "two judges": ({"strategies": [JUDGED, {"name": "b", "rerank": "none"}]}, "different judges"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_begun(case: str, runner: Runner) -> None:
    more, words = REFUSED[case]
    more = {"statistics": {"pairs": []}, **more}
    with pytest.raises(BadSpec, match=words):
        runner(runner.spec(**more))
    assert not runner.runs.exists()


def test_options_that_contradict_one_another_are_refused(runner: Runner) -> None:
    with pytest.raises(BadSpec, match="context is larger"):
        runner.spec(options={"candidates": 2, "context": 3})
    with pytest.raises(BadSpec, match="judges must hold rules"):
        runner.spec(options={"judges": ["always"]})


def test_a_folder_without_pdfs_is_refused(runner: Runner) -> None:
    for path in (runner.base / "papers").glob("*.pdf"):
        path.unlink()
    with pytest.raises(MissingData, match="no PDF"):
        runner()


@pytest.fixture
def _quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "_quiet", lambda debug: None)  # leave the test process's signals alone


def fill(folder: RunFolder, path: Path, no: int) -> Path:
    """A sheet on which the first `no` claims are not supported."""
    rows = read_own(folder.path / "annotation.csv")
    for n, row in enumerate(rows):
        row[SUPPORTED], row[APPROPRIATE] = "no" if n < no else "yes", "yes"
    write_csv(path, COLUMNS, rows)
    return path


@pytest.mark.usefixtures("_quietly")
def test_sheets_of_two_people_have_a_kappa_and_judges_are_compared_with_them(
    finished: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = [str(fill(finished, tmp_path / f"{name}.csv", no)) for name, no in (("anna", 2), ("ben", 1))]
    assert run(["lab", "annotations", str(finished.path), *sheets, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    n = len(read_own(finished.path / "annotation.csv"))
    supported = {row["sheet"]: row for row in found["shares"] if row["question"] == SUPPORTED}
    assert (supported["anna"]["yes"], supported["ben"]["yes"], supported["anna"]["n"]) == (n - 2, n - 1, n)
    people = {row["question"]: row for row in found["people"]}
    assert people[SUPPORTED]["agreement"] == pytest.approx((n - 1) / n)
    assert people[SUPPORTED]["kappa"] is not None
    assert people[APPROPRIATE]["kappa"] is None  # all yes: nothing to tell from chance
    judges = {(row["first"], row["second"]): row for row in found["judges"]}
    # The rules' answers are quotes, which the rules bear out: they agree wherever a person says yes.
    assert judges["judge rules", "anna"]["agreement"] == pytest.approx((n - 2) / n)
    assert judges["judge always", "ben"]["agreement"] == pytest.approx((n - 1) / n)
    assert found["items_not_in_the_key"] == 0


@pytest.mark.usefixtures("_quietly")
def test_one_sheet_in_words(finished: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "annotations", str(finished.path), str(fill(finished, tmp_path / "anna.csv", 0))]) == 0
    assert "anna: supported?  1.000" in capsys.readouterr().out
