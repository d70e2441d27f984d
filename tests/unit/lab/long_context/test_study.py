"""A whole run of the study: note settings, contexts, the cascade, a model by script, judges, the sheet."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.scripted_server import Said, chat, serving

from chartcite.core.errors import ModelRefused
from chartcite.lab.csv_safe import read_table
from chartcite.lab.errors import BadTable
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.studies.long_context.stages.analyse import CountRow, JudgesRow
from chartcite.lab.studies.long_context.stages.judge import NO_JUDGE
from chartcite.lab.studies.long_context.systems import NO_WRITER
from chartcite.lab.studies.long_context.tables import AnsweredRow, CellRow, ContextRow, NoteRow, RecordRow, ScoreRow

if TYPE_CHECKING:
    from tests.unit.lab.long_context.conftest import Run

    from chartcite.lab.experiment.folder import RunFolder

SHEET = {"first": "Full context", "second": "RAG 2"}


def answers(folder: RunFolder, **wanted: str) -> list[AnsweredRow]:
    rows = folder.read_table("answer", "", AnsweredRow)
    return [r for r in rows if all(getattr(r, name) == value for name, value in wanted.items())]


def cell(folder: RunFolder, **wanted: str) -> CellRow:
    rows = folder.read_table("summary", "", CellRow)
    found = [r for r in rows if all(getattr(r, name) == value for name, value in ({"scope": "all"} | wanted).items())]
    assert len(found) == 1
    return found[0]


def test_a_whole_run_by_rules(whole: RunFolder) -> None:
    folder = whole
    contexts = {(r.notes, r.strategy, r.case_id): r for r in folder.read_table("context", "", ContextRow)}
    full = contexts["include_all", "Full context", "patient_01/q1"]
    assert (full.documents, full.held, full.recall, full.bin) == (4, 1, 1.0, "[0, 8192)")
    assert full.share == pytest.approx(1.0)
    # The repeated filler is one passage each time it is cut alike; nothing else of the record is missing.
    rag = contexts["include_all", "RAG 2", "patient_01/q1"]
    assert (rag.passages, rag.held) == (1, 1)  # no other has a word of the question
    assert rag.tokens < full.tokens / 2
    assert contexts["include_all", "RAG HIR 1", "patient_01/q1"].documents == 1
    assert contexts["exclude_related", "Full context", "patient_01/q1"].held == 0
    related = contexts["include_related", "Full context", "patient_01/q1"]
    assert (related.documents, related.held) == (1, 1)
    assert related.record_tokens == full.record_tokens
    assert not any(notes == "exclude_all" for notes, *_ in contexts)
    absent = contexts["include_all", "RAG 2", "patient_01/q3"]
    assert (absent.recall, absent.reason) == (None, "the data set does not say where the answer is")
    assert ("include_related", "Full context", "patient_01/q3") not in contexts

    wanted = {"form": "open", "notes": "include_all", "strategy": "RAG 2", "answerer": "cascade"}
    (right,) = answers(folder, **wanted, case_id="patient_01/q1")
    assert "4 mg" in right.text
    assert right.citations[0].doc_id == "patient_01/text_1"
    assert all(row.abstained for row in answers(folder, answerer="cascade", form="open", notes="exclude_all"))
    # Of options the one that says that it is not said is right for an empty record, and no other is ever taken.
    chosen = {row.text for row in answers(folder, answerer="cascade", form="choice", notes="exclude_all")}
    assert chosen <= {"", "it is not said", "cannot be told"}
    assert {row.reason for row in answers(folder, answerer="direct")} == {NO_WRITER}
    scores = folder.read_table("score", "", ScoreRow)
    absence = {
        r.value for r in scores if r.measure == "absence" and r.notes == "exclude_all" and r.answerer == "cascade"
    }
    assert absence == {1.0}
    assert (folder.path / "report.html").read_text().count("<section") == 6
    assert len(list(read_table(folder.path / "sheet.csv"))) == 3


def test_lengths_are_counted_by_the_encoder(whole: RunFolder) -> None:
    folder = whole
    notes, records = folder.read_table("lengths", "notes", NoteRow), folder.read_table("lengths", "", RecordRow)
    assert [(r.scope, r.notes, r.tokens) for r in records] == [("patient_01", 4, sum(n.tokens for n in notes))]
    assert "fake" in folder.manifest["models"]["tokenizer"]


def test_what_needs_a_model_is_empty_with_the_reason(whole: RunFolder) -> None:
    folder = whole
    where = {"answerer": "cascade", "form": "open", "notes": "include_all", "strategy": "RAG 2"}
    precision = cell(folder, **where, measure="nli_precision")
    assert precision.value is None
    assert precision.reason.startswith("needs a model")
    correctness = cell(folder, **where, measure="correctness")
    assert (correctness.value, correctness.reason) == (None, NO_JUDGE)
    accuracy = cell(
        folder, answerer="direct", form="choice", notes="exclude_all", strategy="Full context", measure="accuracy"
    )
    assert (accuracy.value, accuracy.reason, accuracy.n) == (None, NO_WRITER, 0)


def test_two_runs_leave_the_same_bytes(run: Run, tmp_path: Path) -> None:
    options = {"forms": ["open"], "notes": ["exclude_related", "include_all"], "answerers": ["cascade"]}
    first = run(options=options)
    kept = {path.name: path.read_bytes() for path in first.path.glob("*.csv")}
    (tmp_path / "runs").rename(tmp_path / "before")
    second = run(options=options)
    assert {path.name: path.read_bytes() for path in second.path.glob("*.csv")} == kept


class Writer:
    """Says the dose that the record shows; without a record it remembers the knee, and guesses B."""

    def __call__(self, body: dict[str, Any]) -> Said:
        asked = body["messages"][-1]["content"]
        question = asked.rpartition("Question:")[2]
        if "<reference>" in asked:
            return chat(json.dumps({"correctness": 5, "completeness": "3", "faithfulness": 9}))
        is_read = "lowered to 4 mg" in asked
        if "A. " in question:
            return chat(
                "The answer is A" if "knee" in question else "C." if is_read and "warfarin" in question else "B"
            )
        return chat("<think>hm</think> The dose is 4 mg." if is_read else "It is the left knee.")


def _with_writer(url: str, **more: Any) -> dict[str, Any]:
    settings = {
        "splitter": "fixed:12-0", "rerank": "none", "skip_retrieval_sentences": 0, "writer_url": url,
        "writer_model": "scripted", "writer_timeout": 5,
    }  # fmt: skip
    return {"settings": settings, **more}


def test_a_model_alone_is_shown_the_setting_and_nothing_else(run: Run) -> None:
    with serving(Writer()) as (url, seen):
        folder = run(**_with_writer(url, options={"answerers": ["direct"], "forms": ["open", "choice"]}))
    record = [re.search(r"<record-\w+>(.*)</record", body["messages"][-1]["content"], re.S) for body in seen]
    shown = [found[1] for found in record if found]
    assert len(shown) == len(seen)
    without = [text for text in shown if text.strip() == "(no notes)"]
    # Forms and questions (one strategy stands for all), and twice nothing has a word of the question.
    assert len(without) == 2 * 3 + 2
    assert all(body["temperature"] == 0 for body in seen)
    assert len(seen) == len(answers(folder))
    (memory,) = answers(folder, form="open", notes="exclude_all", case_id="patient_01/q2")
    assert (memory.text, memory.abstained, memory.citations) == ("It is the left knee.", False, ())
    (read,) = answers(folder, form="open", notes="include_all", strategy="RAG 2", case_id="patient_01/q1")
    assert read.text == "The dose is 4 mg."  # without its thoughts
    accuracy = {notes: cell(folder, form="choice", notes=notes, strategy="Full context", measure="accuracy").value
                for notes in ("exclude_all", "exclude_related", "include_all", "include_related")}  # fmt: skip
    # Of three questions the knee is always remembered and the dose read; digoxin is guessed wrong.
    assert accuracy == {"exclude_all": pytest.approx(1 / 3), "exclude_related": 0.5,
                        "include_all": pytest.approx(2 / 3), "include_related": 1.0}  # fmt: skip


def test_reasoning_models_are_asked_at_temperature_1(run: Run) -> None:
    options = {"answerers": ["direct"], "forms": ["open"], "reasoning": True, "notes": ["exclude_all"]}
    with serving(Writer()) as (url, seen):
        run(**_with_writer(url, options=options))
    assert {body["temperature"] for body in seen} == {1}


def test_no_option_of_ask_reaches_an_answer_without_notes(run: Run) -> None:
    """The switch is the lab's alone: the cascade with the same writer, shown no note, says nothing, asks nobody."""
    options = {"answerers": ["cascade"], "forms": ["open", "choice"], "notes": ["exclude_all"]}
    with serving(Writer()) as (url, seen):
        folder = run(**_with_writer(url, options=options))
    assert seen == []
    assert all(row.abstained and not row.text for row in answers(folder, form="open"))


def test_judges_grade_from_1_to_5_and_fail_closed(run: Run) -> None:
    def graded(body: dict[str, Any]) -> Said:
        grades = {"correctness": 5 if body["model"] == "one" else 1, "completeness": "3", "faithfulness": 9}
        return chat(json.dumps(grades))

    with serving(graded) as (url, seen):
        judges = [{"name": name, "url": url, "model": name} for name in ("one", "two")]
        options = {"forms": ["open"], "notes": ["include_all"], "answerers": ["cascade"], "judges": judges}
        folder = run(options=options)
    rows = [r for r in folder.read_table("judge", "", ScoreRow) if r.case_id == "patient_01/q1"]
    assert {(r.measure, r.by, r.value) for r in rows if r.strategy == "RAG 2"} == {
        ("correctness", "one", 1.0), ("correctness", "two", 0.0), ("completeness", "one", 0.5),
        ("completeness", "two", 0.5), ("faithfulness", "one", None), ("faithfulness", "two", None),
    }  # fmt: skip
    assert all("no grade" in r.reason for r in rows if r.measure == "faithfulness")
    assert {body["model"] for body in seen} == {"one", "two"}
    sent = "\n".join(body["messages"][-1]["content"] for body in seen)
    assert "Meals were taken" not in sent  # never the record
    counts = {(r.rule, r.between): r for r in folder.read_table("analyse", "", CountRow)}
    apart = counts["judges", "correctness (one) | correctness (two)"]
    assert (apart.found, apart.n) == (len(seen) // 2, 6)  # answers that are missing are graded alike
    assert apart.found > 0
    (pair,) = folder.read_table("analyse", "judges", JudgesRow)
    assert pair.n == 6
    assert pair.difference == pytest.approx(apart.found / 6)
    assert "Agreement of judges" in (folder.path / "report.html").read_text()


def test_a_judge_may_not_be_the_judged_model_unless_said(run: Run) -> None:
    with serving(Writer()) as (url, _):
        judges = [{"name": "self", "url": url, "model": "scripted"}]
        options = {"forms": ["open"], "notes": ["exclude_all"], "judges": judges}
        with pytest.raises(ModelRefused):
            run(**_with_writer(url, options=options))
        run(**_with_writer(url, options=options | {"judge_may_be_judged": True}))


@pytest.mark.parametrize("who", ["direct", "judge"])
def test_no_text_leaves_this_machine_without_surrogates_unless_said(run: Run, who: str) -> None:
    away = "https://models.example.org/v1"
    settings = {"allow_remote": True, "writer_url": away if who == "direct" else "", "writer_model": "m"}
    judges = [{"name": "far", "url": away, "model": "j"}] if who == "judge" else []
    options = {"answerers": ["direct" if who == "direct" else "cascade"], "judges": judges}
    with pytest.raises(ModelRefused, match="surrogates"):
        run(settings=settings, options=options)


def _fill(folder: RunFolder, path: Path, **labels: tuple[str, str]) -> None:
    with (folder.path / "sheet.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["category"], row["better"] = labels.get(f"i{row['item']}", ("", ""))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_a_filled_sheet_comes_back_as_counts(run: Run, tmp_path: Path) -> None:
    from chartcite.lab.studies.long_context.sheet import CategoryRow  # noqa: PLC0415

    options = {"forms": ["open"], "notes": ["include_all"], "answerers": ["cascade"], "sheet": SHEET}
    first = run(options=options)
    with (first.path / "sheet.key.csv").open() as file:
        key = {row["item"]: row for row in csv.DictReader(file)}
    sheet = (first.path / "sheet.csv").read_text()
    assert "RAG 2" not in sheet  # blinded
    assert "patient_01/q1" not in sheet
    whose = {item: "1" if row["answer_1"] == "Full context" else "2" for item, row in key.items()}
    other = {"1": "2", "2": "1"}
    _fill(first, tmp_path / "labels.csv", i001=("temporal", whose["001"]), i002=("temporal", other[whose["002"]]))
    filled = options | {"sheet": SHEET | {"labels": "labels.csv"}}
    again = run({"stage": "sheet", "origin": first.path}, options=filled)
    rows = {r.category: r for r in again.read_table("sheet", "", CategoryRow)}
    assert (rows["temporal"].n, rows["temporal"].first, rows["temporal"].second) == (2, 1, 1)
    assert (rows["nuance"].n, rows["nuance"].first_share) == (0, None)
    assert rows["all"].first_share == 0.5
    assert rows["all"].reason == "1 lines without labels"
    assert "Labelled by hand" in (again.path / "report.html").read_text()


@pytest.mark.parametrize(
    "line", ["001,temporal,left", "001,,1", "777,temporal,1", "001,time,1", ",temporal,1"],
    ids=["better", "category", "unknown", "no-category", "no-item"],
)  # fmt: skip
def test_labels_that_cannot_be_are_refused_by_line(run: Run, tmp_path: Path, line: str) -> None:
    (tmp_path / "labels.csv").write_text(f"item,category,better\n{line}\n")
    options = {"forms": ["open"], "notes": ["include_all"], "answerers": ["cascade"],
               "sheet": SHEET | {"labels": "labels.csv"}}  # fmt: skip
    with pytest.raises(BadTable, match=r"labels\.csv, line 2"):
        run(options=options)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"metrics": ["recall@5"]}, "not one of answer texts"),
        ({"strategies": [{"name": "RAG", "method": "hybrid"}]}, "full_context"),
        ({"options": {"notes": ["include_all", "include_all"]}}, "named twice"),
        ({"options": {"notes": ["exclude_relevant"]}}, "options|notes"),
        ({"options": {"exclude_all": True}}, "exclude_all"),
    ],
    ids=["metric", "no-full-context", "twice", "unknown-setting", "unknown-option"],
)
def test_what_cannot_be_is_refused_before_anything_is_begun(run: Run, more: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSpec, match=says):
        run(**more)
