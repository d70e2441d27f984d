"""The rules of 2026, one by one: what counts, what is refused and under which name, what has no figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.lab.archehr_scores.files import Write, key_case, xml_case

from chartcite.core.errors import UsageError
from chartcite.lab.archehr_scores.score import score
from chartcite.lab.archehr_scores.submission import read_texts
from chartcite.lab.archehr_scores.texts import Models
from chartcite.lab.errors import (
    BadSubmission,
    BadTable,
    CasesDiffer,
    DuplicateCase,
    EmptyPrediction,
    UnknownId,
    WrongType,
)
from chartcite.lab.metrics.sari_evaluate import sari_evaluate

ANSWER = "The stent was placed because the duct was blocked."
NARRATIVE, QUESTION = "My father had a stent. Why was it placed?", "Why was the biliary stent placed?"


def said(case: str, prediction: Any) -> dict[str, Any]:
    return {"case_id": case, "prediction": prediction}


def evidence(write: Write, key: list[Any], submission: Any) -> dict[str, float | None]:
    return dict(score(write("s.json", submission), year=2026, task=2, key=write("k.json", key)).scores)


def alignment(write: Write, key: list[Any], submission: Any) -> dict[str, float | None]:
    return dict(score(write("s.json", submission), year=2026, task=4, key=write("k.json", key)).scores)


def test_subtask_2_in_the_head(write: Write) -> None:
    key = [key_case("1", "eesn"), key_case("b-2", "nnss"), key_case("3", "en")]
    found = evidence(write, key, [said("1", ["1", "3", "4", "4"]), said("b-2", []), said("3", ["2"])])
    # Strict: 1 of 3 predicted, 1 of 2 gold; nothing of nothing; 0 of 1 and 1.
    assert found["strict_micro_precision"] == pytest.approx(100 * 1 / 4)
    assert found["strict_micro_recall"] == pytest.approx(100 * 1 / 3)
    assert found["strict_micro_f1"] == found["overall_score"] == pytest.approx(100 * 2 / 7)
    assert found["strict_macro_f1"] == pytest.approx(100 * (2 / 5 + 1 + 0) / 3)
    # Lenient: the supplementary prediction of case 1 is dropped.
    assert found["lenient_micro_f1"] == pytest.approx(100 * 2 / 6)
    assert found["lenient_macro_precision"] == pytest.approx(100 * (1 / 2 + 1 + 0) / 3)


def test_subtask_2_with_nothing_anywhere_is_right_and_with_one_side_empty_wrong(write: Write) -> None:
    assert evidence(write, [key_case("1", "ns")], [said("1", [])])["strict_micro_f1"] == 100
    assert evidence(write, [key_case("1", "ns")], [said("1", ["2"])])["strict_micro_f1"] == 0
    assert evidence(write, [key_case("1", "ns")], [said("1", ["2"])])["lenient_micro_f1"] == 100
    assert evidence(write, [key_case("1", "es")], [said("1", [])])["lenient_macro_f1"] == 0


def test_subtask_4_in_the_head(write: Write) -> None:
    key = [
        key_case("1", "eeee", links={"1": ["1", "2"], "2": ["3"], "3": []}),
        key_case("2", "nn", links={"1": []}),
        key_case("3", "ee", links={"1": ["1"]}),
    ]
    links = [{"answer_id": "1", "evidence_id": ["1", "4"]}, {"answer_id": "2", "evidence_id": ["3", "3"]}]
    more = [{"answer_id": "1", "evidence_id": ["1"]}]  # the same pair again
    found = alignment(write, key, [said("1", links + more), said("2", []), said("3", [])])
    assert found["micro_precision"] == pytest.approx(100 * 2 / 3)
    assert found["micro_recall"] == pytest.approx(100 * 2 / 4)
    assert found["micro_f1"] == found["overall_score"] == pytest.approx(100 * 4 / 7)
    # No rule of "both empty": case 2 is 0.
    assert found["macro_f1"] == pytest.approx(100 * (2 / 3) / 3)
    assert found["macro_precision"] == pytest.approx(100 * (2 / 3) / 3)


@pytest.mark.parametrize(
    ("submission", "error"),
    [
        ([said("1", ["1"])], CasesDiffer),
        ([said("1", []), said("2", []), said("9", [])], CasesDiffer),
        ([], CasesDiffer),
        ([said("1", []), said("1", ["1"]), said("2", [])], DuplicateCase),
        ([said("1", ["7"]), said("2", [])], UnknownId),
        ([said("1", [" 1"]), said("2", [])], UnknownId),
        ([said("1", [1]), said("2", [])], WrongType),
        ([said("1", "1"), said("2", [])], WrongType),
        ([said("1", None), said("2", [])], WrongType),
        ([said("1", {"1": True}), said("2", [])], WrongType),
        ([{"case_id": 1, "prediction": []}, said("2", [])], WrongType),
        ([{"case_id": "1"}, said("2", [])], WrongType),
        (["1", "2"], WrongType),
        ({"1": []}, WrongType),
        ("no json", BadTable),
    ],
    ids=["missing", "strange", "none", "twice", "unknown", "blank in the id", "number", "text", "null", "object",
         "number as case", "no prediction", "strings", "object of cases", "no json"],
)  # fmt: skip
def test_subtask_2_refuses_by_name(write: Write, submission: Any, error: type[UsageError]) -> None:
    with pytest.raises(error) as caught:
        evidence(write, [key_case("1", "ens"), key_case("2", "en")], submission)
    assert type(caught.value) is error
    assert caught.value.advice


@pytest.mark.parametrize(
    ("prediction", "error"),
    [
        ([{"answer_id": "9", "evidence_id": []}], UnknownId),
        ([{"answer_id": "1", "evidence_id": ["9"]}], UnknownId),
        ([{"answer_id": 1, "evidence_id": []}], WrongType),
        ([{"answer_id": "1", "evidence_id": "1"}], WrongType),
        ([{"answer_id": "1", "evidence_id": [1]}], WrongType),
        ([{"answer_id": "1"}], WrongType),
        ([{"evidence_id": ["1"]}], WrongType),
        (["1"], WrongType),
        ({"answer_id": "1", "evidence_id": []}, WrongType),
    ],
    ids=["answer", "evidence", "number", "text", "number inside", "no evidence", "no answer", "string", "no list"],
)
def test_subtask_4_refuses_by_name(write: Write, prediction: Any, error: type[UsageError]) -> None:
    with pytest.raises(error):
        alignment(write, [key_case("1", "en", links={"1": ["1"]})], [said("1", prediction)])


def test_messages_hold_no_text_of_a_submission(write: Write) -> None:
    secret = "Mrs. Doe has gout"
    for prediction in ([secret], secret, [{"answer_id": secret, "evidence_id": [secret]}]):
        for task in (2, 4):
            key = write("k.json", [key_case("1", "en", links={"1": ["1"]})])
            with pytest.raises(BadSubmission) as caught:
                score(write("s.json", [said("1", prediction)]), year=2026, task=task, key=key)
            assert "Doe" not in f"{caught.value}{caught.value.advice}"


@pytest.mark.parametrize(
    ("text", "words", "expected", "cut"),
    [
        ("a " * 15, 15, 15, False),
        ("a " * 16, 15, 15, True),
        ("\n a\t\u00a0b  c ", 15, 3, False),
        ("a-b " * 80, 75, 75, True),
    ],
    ids=["exactly", "one more", "white space", "hyphens"],
)
def test_texts_are_cut_at_white_space(write: Write, text: str, words: int, expected: int, cut: bool) -> None:
    found = read_texts(write("s.json", [said("1", text)]), words)
    assert len(found.texts["1"].split()) == expected
    assert found.cut == (("1",) if cut else ())
    assert cut or found.texts["1"] == text.strip()  # only what is too long is put together anew


@pytest.mark.parametrize("empty", ["", " \n\t"], ids=["empty", "blank"])
@pytest.mark.parametrize("task", [1, 3])
def test_an_empty_text_is_refused(write: Write, empty: str, task: int) -> None:
    key, xml = write("k.json", [key_case("1", "e", ANSWER)]), write("x.xml", xml_of(["1"]))
    with pytest.raises(EmptyPrediction):
        score(write("s.json", [said("1", empty)]), year=2026, task=task, key=key, xml=xml)
    with pytest.raises(WrongType):
        score(write("s.json", [said("1", ["text"])]), year=2026, task=task, key=key, xml=xml)


def xml_of(cases: list[str]) -> str:
    listed = "".join(xml_case(c, NARRATIVE, QUESTION, ["The duct was blocked."]) for c in cases)
    return f"<annotations>{listed}</annotations>"


def test_subtask_1_takes_its_references_from_the_xml(write: Write) -> None:
    xml, submission = write("x.xml", xml_of(["1", "2"])), [said("1", QUESTION), said("2", "Why was it done?")]
    found = score(write("s.json", submission), year=2026, task=1, xml=xml)
    # 2 of 4 and 6 words.
    assert found.scores["rougeLsum"] == pytest.approx(100 * (1 + 2 * 2 / 10) / 2)
    assert found.scores["overall_score"] is None
    assert found.reasons["overall_score"] == "needs alignscore, medcon, bertscore"
    assert (found.mean_of_available, found.available) == (found.scores["rougeLsum"], ("rougeLsum",))
    same = score(write("s.json", submission), year=2026, task=1, key=xml)
    assert same.scores == found.scores
    with pytest.raises(CasesDiffer):
        score(write("s.json", submission[:1]), year=2026, task=1, xml=xml)
    with pytest.raises(BadTable):
        score(
            write("s.json", submission), year=2026, task=1, xml=write("y.xml", xml_of(["1", "2"]).replace(QUESTION, ""))
        )


def test_subtask_3_is_averaged_over_cases_and_has_an_overall_score_only_if_whole(write: Write) -> None:
    key = write("k.json", [key_case("1", "e", ANSWER), key_case("2", "e", ANSWER)])
    other = "The stent was placed because of a fever."
    submission = write("s.json", [said("1", ANSWER), said("2", other)])
    found = score(submission, year=2026, task=3, key=key, xml=write("x.xml", xml_of(["1", "2"])))
    assert found.scores["bleu"] == pytest.approx((100 + found.values[1].value) / 2)  # type: ignore[operator]
    assert found.scores["rouge1"] == pytest.approx(100 * (1 + 2 * 5 / 17) / 2)
    sari = [sari_evaluate(NARRATIVE, text, [ANSWER]) for text in (ANSWER, other)]
    assert found.scores["sari"] == pytest.approx(100 * sum(sari) / 2)
    assert found.scores["overall_score"] is None
    assert found.available == ("bleu", "rougeLsum", "sari")
    three = [found.scores[name] for name in found.available]
    assert found.mean_of_available == pytest.approx(sum(x or 0 for x in three) / 3)
    assert set(found.scores) == {
        "bleu", "rouge1", "rouge2", "rougeL", "rougeLsum", "sari", "bertscore", "alignscore", "medcon", "overall_score"
    }  # fmt: skip


def test_sari_needs_the_xml_and_accents_are_the_librarys(write: Write) -> None:
    key = write("k.json", [key_case("1", "e", "não há")])
    found = score(write("s.json", [said("1", "nao há")]), year=2026, task=3, key=key)
    assert found.scores["sari"] is None
    assert "--xml" in found.reasons["sari"]
    assert found.scores["rouge1"] == pytest.approx(100 * 2 / 5)  # n, o, h against nao, h


def test_a_folder_with_another_model_is_no_official_figure(write: Write, tmp_path: Path) -> None:
    (tmp_path / "bertscore.json").write_text('{"model": "clinical", "layer": 4, "baseline": 0.5}')
    (tmp_path / "alignscore.json").write_text('{"checkpoint": "AlignScore-large"}')
    key = write("k.json", [key_case("1", "e", ANSWER)])
    models = Models(str(tmp_path), str(tmp_path), str(tmp_path))
    found = score(write("s.json", [said("1", ANSWER)]), year=2026, task=3, key=key, models=models)
    assert (found.scores["bertscore"], found.scores["alignscore"], found.scores["medcon"]) == (None, None, None)
    assert "clinical" in found.reasons["bertscore"]
    assert "AlignScore-large" in found.reasons["alignscore"]


def test_keys_that_cannot_be_used(write: Write) -> None:
    submission = write("s.json", [said("1", ["1"])])
    twice = key_case("1", "en")
    twice["answers"].append(twice["answers"][0])
    odd = key_case("1", "e")
    odd["answers"][0]["relevance"] = "vital"
    for key, error in (([], BadTable), ([twice], BadTable), ([odd], BadTable), ([{"case_id": "1"}], WrongType)):
        with pytest.raises(error):
            score(submission, year=2026, task=2, key=write("k.json", key))
    with pytest.raises(BadTable):
        score(submission, year=2026, task=2, key=Path("nowhere.json"))


@pytest.mark.parametrize(
    ("year", "task"),
    [(2024, None), (2026, None), (2026, 5), (2025, 2)],
    ids=["year", "no task", "task", "task of 2025"],
)
def test_there_is_no_such_task(write: Write, year: int, task: int | None) -> None:
    with pytest.raises(UsageError):
        score(write("s.json", []), year=year, task=task)


def test_a_file_that_is_needed_is_named(write: Write) -> None:
    for task, how in ((1, "--xml"), (2, "--key"), (3, "--key"), (4, "--key")):
        with pytest.raises(UsageError) as caught:
            score(write("s.json", []), year=2026, task=task)
        assert how in caught.value.advice
