"""`chartcite lab score archehr`: figures on stdout, refusals by name and with exit code 2."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chartcite.app.cli import main
from chartcite.app.cli.main import main as run

CANARY = "zebrafinch"
KEY = {
    "case_id": "1",
    "answers": [{"sentence_id": "1", "relevance": "essential"}, {"sentence_id": "2", "relevance": "not-relevant"}],
    "clinician_answer_without_citations": "The dose was raised.",
    "clinician_answer_sentences": [{"id": "1", "citations": ["1"]}],
}


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(main, "_quiet", lambda debug: None)  # leave the test process's signals alone
    Path("key.json").write_text(json.dumps([KEY]))


def scored(prediction: Any, *options: str, field: str = "prediction") -> Sequence[str]:
    Path("s.json").write_text(json.dumps([{"case_id": "1", field: prediction}]))
    return ["lab", "score", "archehr", "--key", "key.json", "--submission", "s.json", *options]


def test_one_object_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*scored(["1", "2"], "--year", "2026", "--task", "2"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "chartcite.lab.archehr/1"
    assert found["scores"]["overall_score"] == pytest.approx(100 * 2 / 3)
    assert (found["year"], found["task"], found["cases"], found["reasons"]) == (2026, 2, 1, {})
    assert "values" not in found


def test_what_is_missing_says_why_and_has_no_official_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*scored("The dose was raised.", "--task", "3", "--per-case"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scores"]["bleu"] == pytest.approx(100)
    assert (found["scores"]["sari"], found["scores"]["overall_score"]) == (None, None)
    assert set(found["reasons"]) == {"sari", "bertscore", "alignscore", "medcon", "overall_score"}
    assert found["mean_of_available"]["value"] == pytest.approx(100)
    assert found["mean_of_available"]["of"] == ["bleu", "rougeLsum"]
    assert {v["measure"] for v in found["values"]} >= {"bleu", "rouge1", "rougeLsum"}


def test_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(list(scored("The dose was raised.", "--task", "3", "--per-case"))) == 0
    out = capsys.readouterr().out
    assert "ArchEHR-QA 2026, subtask 3: 1 cases" in out
    assert "not official: bleu, rougeLsum" in out
    assert "case 1 bleu" in out


def test_2025(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*scored("Raised. |1|", "--year", "2025", field="answer"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["task"], found["scores"]["overall_factuality_score"]) == (None, 100)


@pytest.mark.parametrize(
    ("prediction", "options", "kind"),
    [
        (["9"], ["--task", "2"], "UnknownId"),
        ("", ["--task", "3"], "EmptyPrediction"),
        ([CANARY], ["--task", "2"], "UnknownId"),
        ([[CANARY]], ["--task", "2"], "WrongType"),
        (["1"], ["--task", "7"], "UsageError"),
        (["1"], ["--task", "2", "--year", "2025"], "UsageError"),
        ("text", ["--task", "1"], "UsageError"),
    ],
    ids=["unknown", "empty", "odd id", "type", "task", "year", "key is no xml"],
)
def test_refusals_are_named(capsys: pytest.CaptureFixture[str], prediction: Any, options: list[str], kind: str) -> None:
    assert run([*scored(prediction, *options), "--json"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert json.loads(shown.err)["error"]["kind"] == kind
