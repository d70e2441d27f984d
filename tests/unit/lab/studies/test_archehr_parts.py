"""Parts of the study `archehr`: spans to ids, predictions in the task's forms, pooled figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chartcite.core.documents import Span
from chartcite.lab.datasets.archehr import read_labelled
from chartcite.lab.studies.archehr.measure import micro_of, pooled_f1
from chartcite.lab.studies.archehr.overlap import ids_of
from chartcite.lab.studies.archehr.submission import NO_ANSWER, predictions, write_predictions
from chartcite.lab.studies.archehr.tables import CascadeRow, LinkRow, SaidRow
from chartcite.readers.archehr_xml import StatedSentence

SAMPLE = Path(__file__).parents[3] / "data" / "archehr"
TEXT = "Hospital course:\nSeen by Dr. Po. INR was 4.2.\nWarfarin was held."
SENTENCES = tuple(
    StatedSentence(name, "1", Span(TEXT.index(said), TEXT.index(said) + len(said)), said)
    for name, said in (("h", "Hospital course:"), ("1", "Seen by Dr. Po. INR was 4.2."), ("2", "Warfarin was held."))
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Seen by Dr. Po. INR was 4.2.", ("1",)),
        ("INR was 4.2.", ("1",)),
        ("Hospital course:\nSeen by Dr. Po. INR was 4.2.", ("1",)),
        ("Hospital course:", ("h",)),
        ("Dr. Po. INR was 4.2.\nWarfarin was held.", ("1", "2")),
        ("4.2.\nWarfarin was held.", ("2",)),
        ("\n", ()),
    ],
    ids=["whole", "part", "header in front", "header alone", "both", "a scrap of one", "white space"],
)
def test_spans_mean_the_sentences_of_which_they_share_half(said: str, expected: tuple[str, ...]) -> None:
    start = TEXT.index(said)
    assert ids_of([Span(start, start + len(said))], TEXT, SENTENCES) == expected


def _row(case: str, *said: SaidRow, query: str = "warfarin dose", evidence: tuple[str, ...] = ()) -> CascadeRow:
    return CascadeRow("rules", "", case, query, evidence, "strict" if evidence else "", said, "")


def _made(
    *rows: CascadeRow, links: tuple[LinkRow, ...] = (), evidence_from: str = "kept"
) -> dict[str, list[dict[str, Any]]]:
    labelled = [one for one in read_labelled(SAMPLE) if one.case.id in {r.case_id for r in rows}]
    return predictions(labelled, {r.case_id: r for r in rows}, links, evidence_from)


def test_each_task_has_its_form() -> None:
    said = (SaidRow("He flew for ten hours.", ("4",), True), SaidRow("Three months in all.", ("6", "4"), True))
    links = (LinkRow("rules", "", "1", "1", ("4",), True), LinkRow("rules", "", "1", "2", (), False))
    made = _made(_row("1", *said, evidence=("6", "4")), links=links)
    assert made["2026.1"] == [{"case_id": "1", "prediction": "warfarin dose"}]
    assert made["2026.2"] == [{"case_id": "1", "prediction": ["4", "6"]}]
    assert made["2026.3"] == [{"case_id": "1", "prediction": "He flew for ten hours. Three months in all."}]
    assert made["2026.4"] == [
        {"case_id": "1", "prediction": [
            {"answer_id": "1", "evidence_id": ["4"]}, {"answer_id": "2", "evidence_id": []},
        ]}
    ]  # fmt: skip
    assert made["2025"] == [{"case_id": "1", "answer": "He flew for ten hours. |4|\nThree months in all. |6,4|"}]


@pytest.mark.parametrize(
    ("evidence_from", "expected"), [("kept", ["3"]), ("cited", ["4"]), ("both", ["3", "4"])], ids=str
)
def test_where_the_evidence_is_taken_from(evidence_from: str, expected: list[str]) -> None:
    row = _row("1", SaidRow("He flew.", ("4",), True), evidence=("3",))
    assert _made(row, evidence_from=evidence_from)["2026.2"][0]["prediction"] == expected


def test_a_case_without_an_answer_is_written_in_words_since_the_task_takes_no_empty_text() -> None:
    made = _made(_row("1", query=""))
    assert made["2026.3"][0]["prediction"] == NO_ANSWER
    assert made["2026.2"][0]["prediction"] == []
    assert 0 < len(made["2026.1"][0]["prediction"].split()) <= 15


def _words(n: int, mark: str = "w") -> str:
    return " ".join(f"{mark}{i}" for i in range(1, n + 1))


@pytest.mark.parametrize(
    ("sizes", "words", "lines"),
    [([75], 75, 1), ([40, 35], 75, 2), ([60, 30], 60, 1), ([45, 60], 45, 1), ([44, 60], 75, 2), ([90], 75, 1)],
    ids=["exact", "exact in two", "ends at 60", "ends at 45", "44 is too short", "one long sentence"],
)
def test_at_most_75_words_and_what_is_cut_takes_its_citations_with_it(sizes: list[int], words: int, lines: int) -> None:
    said = [SaidRow(f"{_words(n, chr(97 + i))}.", (str(i + 3),), True) for i, n in enumerate(sizes)]
    made = _made(_row("1", *said))
    answer = made["2026.3"][0]["prediction"]
    assert len(answer.split()) == words
    assert answer.endswith(".")
    assert not answer.endswith(",.")
    cited = made["2025"][0]["answer"].splitlines()
    assert len(cited) == lines
    assert all(line.endswith(f"|{n}|") for n, line in enumerate(cited, start=3))
    assert sum(len(line.rpartition(" |")[0].split()) for line in cited) <= 75


def test_files_are_named_by_strategy_and_task(tmp_path: Path) -> None:
    paths = write_predictions(tmp_path, "rules", _made(_row("1")))
    assert sorted(p.name for p in paths.values()) == [
        "submission.rules.2025.json", "submission.rules.2026.1.json", "submission.rules.2026.2.json",
        "submission.rules.2026.3.json", "submission.rules.2026.4.json",
    ]  # fmt: skip
    assert json.loads(paths["2026.2"].read_text()) == [{"case_id": "1", "prediction": []}]


@pytest.mark.parametrize(
    ("task", "measure", "expected"),
    [
        ("2026.2", "strict_micro_f1", ("strict", "f1")), ("2026.2", "lenient_micro_recall", ("lenient", "recall")),
        ("2026.2", "overall_score", ("strict", "f1")), ("2026.2", "strict_macro_f1", ("", "")),
        ("2026.4", "micro_precision", ("", "precision")), ("2026.4", "overall_score", ("", "f1")),
        ("2026.3", "overall_score", ("", "")), ("2025", "overall_score", ("", "")),
        ("2025", "overall_factuality_score", ("strict", "f1")), ("2026.3", "bleu", ("", "")),
    ],
    ids=str,
)  # fmt: skip
def test_which_figures_are_pooled(task: str, measure: str, expected: tuple[str, str]) -> None:
    assert micro_of(task, measure) == expected


def test_pooled_f1_is_that_of_the_sums() -> None:
    assert pooled_f1(np.array([[3.0, 4.0, 6.0], [0.0, 0.0, 0.0]])).tolist() == pytest.approx([60.0, 0.0])
