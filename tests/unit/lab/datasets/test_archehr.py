"""ArchEHR-QA with its key and mapping: gold by id, words of answer sentences, and every lack named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.archehr_cases import generate
from chartcite.lab.datasets.archehr import DATASET, Labelled, problems_of, read_labelled
from chartcite.lab.errors import BadTable, MissingData

SAMPLE = Path(__file__).parents[3] / "data" / "archehr"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample to spoil."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "archehr"))


def _rewritten(folder: Path, change: Any) -> list[Labelled]:
    path = folder / "archehr-qa_key.json"
    rows = json.loads(path.read_text())
    change(rows)
    path.write_text(json.dumps(rows))
    return read_labelled(folder)


def test_gold_by_relevance_and_answer_sentences_in_words() -> None:
    first = read_labelled(SAMPLE)[0]
    assert first.gold is not None
    assert (first.gold.of("essential"), first.gold.of("supplementary")) == (("4", "6"), ("3", "5"))
    assert first.answer_sentences[1].text == "For that reason he should take the tablets for three months in total."
    assert first.answer_sentences[1].citations == ("4", "6")
    assert first.document_source == "invented"
    assert problems_of(read_labelled(SAMPLE)) == []


def test_the_key_is_optional(folder: Path) -> None:
    (folder / "archehr-qa_key.json").unlink()
    (folder / "archehr-qa_mapping.json").unlink()
    assert [one.gold for one in read_labelled(folder)] == [None] * 6
    assert list(DATASET.claims(folder)) == []
    assert len(list(DATASET.cases(folder))) == 6


def test_citations_may_be_a_text_and_ids_may_be_numbers(folder: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        rows[0]["case_id"] = 1
        rows[0]["clinician_answer_sentences"][1]["citations"] = "|4, 6|"
        rows[0]["answers"][0]["sentence_id"] = 1

    labelled = _rewritten(folder, change)
    assert labelled[0].answer_sentences[1].citations == ("4", "6")
    assert problems_of(labelled) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r.pop(0), "no entry in the key"),
        (lambda r: r[0].update(extra=1), "the key has an unknown field extra"),
        (lambda r: r[0].pop("answers"), "the key has no answers"),
        (lambda r: r[0]["answers"].pop(), "the key does not name sentence 8"),
        (lambda r: r[0]["answers"][0].update(sentence_id="99"), "the key names sentence 99, which the note lacks"),
        (lambda r: r[0]["answers"][0].update(relevance="vital"), "the key has a relevance that is none of the three"),
        (
            lambda r: r[0]["clinician_answer_sentences"][0].update(citations=["55"]),
            "answer sentence 1 cites 55, which the note lacks",
        ),
        (lambda r: r[0]["clinician_answer_sentences"].pop(), "the words of answer sentence 1 are not known"),
    ],
    ids=["no entry", "unknown", "missing", "unlabelled", "stranger", "label", "citation", "words"],
)
def test_what_the_key_lacks_is_named(folder: Path, change: Any, said: str) -> None:
    assert ("1", said) in problems_of(_rewritten(folder, change))


def test_files_that_do_not_belong_together_are_refused(folder: Path) -> None:
    with pytest.raises(BadTable, match="1 cases that the XML lacks"):
        _rewritten(folder, lambda rows: rows[0].update(case_id="elsewhere"))


def test_a_folder_without_the_xml_is_missing_data(tmp_path: Path) -> None:
    with pytest.raises(MissingData):
        read_labelled(tmp_path)


def test_the_corpus_has_an_excerpt_a_case_and_claims_name_essential_sentences() -> None:
    items = {item.id: item for item in DATASET.corpus(SAMPLE)}
    claims = {claim.id: claim for claim in DATASET.claims(SAMPLE)}
    assert len(items) == 6
    evidence = [items[e.item_id].sentences[e.sentence] for e in claims["3"].evidence]
    assert evidence[1] == "Spironolactone was discontinued."
    assert {c.patient_id for c in DATASET.cases(SAMPLE)} == set(items)


def test_generated_cases_are_the_same_each_time_labelled_and_split_by_scenario(tmp_path: Path) -> None:
    made = generate(2, tmp_path / "a")
    generate(2, tmp_path / "b")
    names = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert [(tmp_path / "a" / n).read_bytes() for n in names] == [(tmp_path / "b" / n).read_bytes() for n in names]
    assert not set(made["dev"]["scenarios"]) & set(made["test"]["scenarios"])
    for split in ("dev", "test"):
        labelled = read_labelled(tmp_path / "a" / split)
        assert problems_of(labelled) == []
        for one in labelled:
            assert one.gold is not None
            cited = {c for s in one.answer_sentences for c in s.citations or ()}
            assert cited <= set(one.gold.of("essential"))
            assert "{" not in one.case.note + one.case.narrative + one.gold.answer
    with pytest.raises(ValueError, match="not empty"):
        generate(1, tmp_path / "a")
