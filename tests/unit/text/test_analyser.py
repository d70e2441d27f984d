"""Index terms of clinical words, numbers and negations in both languages."""

from __future__ import annotations

import math
import subprocess
import sys
import unicodedata

import pytest

from chartcite.text.analyser import Analyser
from chartcite.text.wordlists import load_words

ENGLISH = Analyser("en")
PORTUGUESE = Analyser("pt")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("HbA1c 7.2%", ["hba1c", "7.2", "%"]),
        ("taken q.i.d. or B.I.D.", ["taken", "qid", "bid"]),
        ("T4N2M0", ["t4n2m0"]),
        ("120/80", ["120/80", "120", "80"]),
        ("p <0.01", ["p", "<0.01", "0.01"]),
        ("p < .01", ["p", "<0.01", "0.01"]),
        ("<= 5", ["≤5", "5"]),
        ("1,200 ml", ["1200", "ml"]),
        ("ICD E11.9", ["icd", "e11.9"]),
        ("2019-03-02", ["2019-03-02", "2019", "03", "02"]),
        ("doesn't", ["not"]),
        ("patient's", ["patient"]),
        ("w/o oedema", ["without", "oedema"]),
        ("non-smoker", ["non", "nonsmok", "smoker"]),
        ("", []),
        ("... -- /", []),
    ],
)
def test_english_terms(text: str, terms: list[str]) -> None:
    assert ENGLISH.terms(text) == terms


@pytest.mark.parametrize(
    "forms",
    [
        ("2.5 mg", "2.5mg", "2.5 MG", "２.５ｍｇ"),
        ("COVID-19", "covid 19", "Covid19", "COVID\u201119"),
        ("follow-up", "follow up", "followup", "Follow-ups"),
        ("5-HT3", "5HT3"),
        ("40 µg", "40 μg", "40 mcg", "40ug"),
        ("X-ray", "xray", "x ray"),
        ("IL-6", "IL6", "il 6"),
        ("vitamin B-12", "vitamin B12"),
        ("45%", "45 %", "45 percent"),
        ("Sjögren", "Sjogren", "Sjo\u0308gren", "SJÖGREN"),
        ("ﬁbrosis", "fibrosis"),
        ("can't", "can\u2019t"),
    ],
)
def test_forms_that_are_one(forms: tuple[str, ...]) -> None:
    assert len({tuple(ENGLISH.terms(form)) for form in forms}) == 1


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("creatinina 1,2 mg/dL", ["creatinin", "1.2", "mg", "dl"]),
        ("1.200 mL", ["1200", "ml"]),
        ("0.125 mg", ["0.125", "mg"]),
        ("não há dor, sem febre, com tosse", ["nao", "dor", "sem", "febr", "com", "toss"]),
    ],
)
def test_portuguese_terms(text: str, terms: list[str]) -> None:
    assert PORTUGUESE.terms(text) == terms


@pytest.mark.parametrize(
    ("one", "other"),
    [("infecção", "infecções"), ("renal", "renais"), ("paciente", "pacientes"), ("1,2", "1.2"), ("comum", "comuns")],
)
def test_portuguese_forms_that_are_one(one: str, other: str) -> None:
    assert PORTUGUESE.terms(one) == PORTUGUESE.terms(other)


def test_stop_lists_keep_negations() -> None:
    assert not load_words("index_words.txt", "stop-en") & {"no", "not", "without", "nor", "never", "none", "denies"}
    assert not load_words("index_words.txt", "stop-pt") & {"nao", "sem", "nem", "com", "nunca", "nega"}
    for word in ("no", "not", "without", "nor", "never"):
        assert ENGLISH.terms(word)
    for word in ("não", "sem", "nem", "com", "nunca"):
        assert PORTUGUESE.terms(word)


def test_spans_are_of_the_text_as_stored() -> None:
    text = unicodedata.normalize("NFD", "Função renal: 1,2mg/dL, ﬁbrose; HbA1c <7%")
    found = [(term, text[start:end]) for term, start, end in PORTUGUESE.terms_with_spans(text)]
    assert found[:4] == [
        (PORTUGUESE.terms("função")[0], unicodedata.normalize("NFD", "Função")),
        ("renal", "renal"),
        ("1.2", "1,2"),
        ("mg", "mg"),
    ]
    assert ("<7", "<7") in found
    assert ("hba1c", "HbA1c") in found


def test_name_and_unknown_language() -> None:
    assert (Analyser("en-GB").name, Analyser("pt_BR").name, Analyser("").name) == ("en-1", "pt-1", "und-1")
    assert Analyser("").terms("the patients") == ["the", "patients"]


def test_memory_of_words_is_bounded() -> None:
    analyser = Analyser("en")
    analyser.terms(" ".join(f"c{number}x" for number in range(100_050)))
    assert len(analyser._words) <= 100_000


def test_terms_are_bounded() -> None:
    for word in ("x" * 10_000, "7" * 10_000, "1/" * 5_000 + "2", "a." * 5_000 + "b", "x" * 5_000 + "3" * 5_000):
        assert max(map(len, ENGLISH.terms(word))) <= 64


def test_import_is_cheap() -> None:
    code = "import sys, chartcite.text.analyser, chartcite.text.sentences; print('snowballstemmer' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


NOTES = {
    "n1": "Doente com estenose aórtica grave, em uso de bisoprolol.",
    "n2": "Lesão pulmonar cavitada; pedida biópsia.",
    "n3": "Doente refere tosse há três semanas.",
    "n4": "Doente não refere tosse há três semanas.",
    "n5": unicodedata.normalize("NFD", "Pressão arterial 13,5 por 8,2 hoje."),
    "n6": "EVOLUÇÃO: vertigem ao levantar, com náusea.",
    "n7": "EVOLUÇÃO: sem vertigem ao levantar, sem náusea.",
}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("estenose aortica", "n1"),
        (unicodedata.normalize("NFD", "ESTENOSE AÓRTICA"), "n1"),
        ("lesao cavitada", "n2"),
        ("pressão 13.5", "n5"),
        ("doente não refere tosse", "n4"),
        ("sem vertigem", "n7"),
        ("evolucao com nausea", "n6"),
    ],
)
def test_portuguese_queries_rank_right(query: str, first: str) -> None:
    scores = _bm25(PORTUGUESE.terms(query), {name: PORTUGUESE.terms(text) for name, text in NOTES.items()})
    best, second = sorted(scores, key=lambda name: -scores[name])[:2]
    assert best == first
    assert scores[best] > scores[second]


def _bm25(query: list[str], documents: dict[str, list[str]], k1: float = 1.2, b: float = 0.75) -> dict[str, float]:
    mean = sum(map(len, documents.values())) / len(documents)
    scores = dict.fromkeys(documents, 0.0)
    for term in query:
        holding = sum(term in terms for terms in documents.values())
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for name, terms in documents.items():
            count = terms.count(term)
            scores[name] += idf * count / (count + k1 * (1 - b + b * len(terms) / mean))
    return scores


WORDS = ["ação", "coração", "pulmão", "fígado", "rim", "úlcera", "lesão", "tórax", "pé", "mão", "náusea", "vômito"]


@pytest.mark.parametrize("word", WORDS)
def test_accented_and_plain_are_one(word: str) -> None:
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    forms = [word, plain, word.upper(), plain.upper(), unicodedata.normalize("NFD", word)]
    assert len({tuple(PORTUGUESE.terms(form)) for form in forms}) == 1
