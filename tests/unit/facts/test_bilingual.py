"""Words in the other language: listed names, regular spellings, and that nothing small or numeric gets a name."""

from __future__ import annotations

import importlib.resources

import pytest

from chartcite.facts.bilingual import in_other_language
from chartcite.facts.cognates import Language, cognates
from chartcite.facts.lexicon import FACTS, read_rows

TO_PORTUGUESE = {
    "hypertension": "hipertensao", "nephropathy": "nefropatia", "physiotherapy": "fisioterapia",
    "thrombosis": "trombose", "scoliosis": "escoliose", "ischemic": "isquemico", "stimulation": "estimulacao",
    "activity": "atividade", "hemodialysis": "hemodialise", "metformin": "metformina", "immunity": "imunidade",
    "arrhythmia": "arritmia", "apixaban": "apixabana", "schizophrenia": "esquizofrenia",
}  # fmt: skip
TO_ENGLISH = {
    "nefropatia": "nephropathy", "fisioterapia": "physiotherapy", "trombose": "thrombosis", "escoliose": "scoliosis",
    "fibrose": "fibrosis", "creatinina": "creatinine", "hemodiálise": "hemodialysis", "atividades": "activity",
    "losartana": "losartan", "hipotireoidismo": "hypothyroidism",
}  # fmt: skip


@pytest.mark.parametrize(("word", "other"), TO_PORTUGUESE.items(), ids=list(TO_PORTUGUESE))
def test_english_words_as_portuguese_writes_them(word: str, other: str) -> None:
    assert other in cognates(word, "pt")


@pytest.mark.parametrize(("word", "other"), TO_ENGLISH.items(), ids=list(TO_ENGLISH))
def test_portuguese_words_as_english_writes_them(word: str, other: str) -> None:
    assert other in cognates(word, "en")


@pytest.mark.parametrize(
    ("text", "to", "names"),
    [
        ("Has she had a heart attack?", "pt", {"infarto"}),
        ("Which medicines was he taking?", "pt", {"medicamento", "remédio"}),
        ("Is there knee pain?", "pt", {"joelho", "dor"}),
        ("latest creatinine", "pt", {"creatinina", "última"}),
        ("Teve infarto?", "en", {"heart attack", "myocardial infarction"}),
        ("Tem falta de ar ou dor torácica?", "en", {"shortness of breath", "chest pain"}),
        ("Por que a apixabana foi suspensa?", "en", {"why", "apixaban", "stopped"}),
        ("Qual a última creatinina?", "en", {"latest", "creatinine"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_of_a_question_get_their_names(text: str, to: Language, names: set[str]) -> None:
    assert names <= {name for said in in_other_language(text, to) for name in said.names}


@pytest.mark.parametrize("text", ["", "???", "2019-03-01", "1,9 mg/dL", "12/03/2019 8.4 %"])
def test_numbers_and_marks_have_no_names(text: str) -> None:
    named = [said for said in in_other_language(text, "pt") + in_other_language(text, "en") if said.names]
    assert [said for said in named if any(c.isdigit() for c in said.text)] == []


def test_the_longest_phrase_wins_and_is_one() -> None:
    said = in_other_language("chronic obstructive pulmonary disease", "pt")
    assert [s.text for s in said] == ["chronic obstructive pulmonary disease"]
    assert "DPOC" in said[0].names


def test_a_short_name_in_capitals_counts_as_written_only() -> None:
    assert [s.names for s in in_other_language("CT", "pt")] != [()]
    assert "tomografia" not in {name for s in in_other_language("ct", "pt") for name in s.names}


@pytest.mark.parametrize("name", ["bilingual.tsv", "cognate_parts.tsv"])
def test_the_lists_name_source_and_licence_and_have_no_empty_cell(name: str) -> None:
    first = importlib.resources.files(FACTS).joinpath(name).read_text("utf-8").splitlines()[0]
    assert first.startswith("# source: ")
    assert "licence: " in first
    for row in read_rows(FACTS, name):
        assert len(row) == (2 if name == "bilingual.tsv" else 3)
        assert all(cell == cell.strip() != "" for column in row for cell in column.split("|"))


def test_a_row_of_the_word_list_stands_once() -> None:
    first = [row[0] for row in read_rows(FACTS, "bilingual.tsv")]
    assert len(first) == len(set(first))
