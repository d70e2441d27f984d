"""Records in two languages: each passage by its own, questions in both; accents never decide; older stores go on."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

OpenBook = Callable[..., Book]
# One note a phrase; the second half says it otherwise, so that no two notes share the words asked for.
PORTUGUESE = {
    "d01": "Paciente com insuficiência cardíaca congestiva, em uso de furosemida.",
    "d02": "Infecção urinária de repetição; solicitada cultura.",
    "d03": "Paciente apresenta febre há dois dias.",
    "d04": "Paciente não apresenta febre há dois dias.",
    "d05": unicodedata.normalize("NFD", "Função renal estável, creatinina 1,2 mg/dL."),
    "d06": "EVOLUÇÃO: dispneia aos esforços, com edema.",
    "d07": "EVOLUÇÃO: sem dispneia aos esforços, sem edema.",
    "d08": "Pressão arterial elevada na última consulta; orientada dieta hipossódica.",
    "d09": "Alergia à penicilina, com urticária na infância.",
    "d10": "Submetida a colecistectomia por videolaparoscopia em março.",
    "d11": "Lesões pulmonares bilaterais à tomografia de tórax.",
    "d12": "Hemoglobina glicada 8,4 %, glicemia de jejum 162 mg/dL.",
    "d13": "Nódulo tireoidiano à direita, punção sem malignidade.",
    "d14": "Fração de ejeção de 35 % ao ecocardiograma.",
    "d15": "Suspensa a varfarina após sangramento gengival.",
    "d16": "Orientações: repouso, hidratação e retorno em sete dias.",
    "d17": "Irmã com câncer de mama aos 45 anos.",
    "d18": "Vacinação contra influenza em dia.",
}
QUERIES = {
    "insuficiência cardíaca": "d01", "infecção urinária": "d02", "função renal": "d05",
    "paciente não apresenta febre": "d04", "sem dispneia": "d07", "evolução com edema": "d06",
    "pressão arterial": "d08", "alergia à penicilina": "d09", "colecistectomia por videolaparoscopia": "d10",
    "lesão pulmonar": "d11", "hemoglobina glicada 8,4": "d12", "nódulo da tireoide à direita": "d13",
    "fração de ejeção": "d14", "suspensão da varfarina": "d15", "orientação de repouso": "d16",
    "câncer de mama da irmã": "d17", "vacinação contra influenza": "d18", "lesões pulmonares à tomografia": "d11",
    "cultura por infecção": "d02", "dispneia aos esforços com edema": "d06", "última consulta": "d08",
    "urticária na infância": "d09", "punção do nódulo": "d13", "sangramento após varfarina": "d15",
    "hidratação": "d16", "creatinina 1,2": "d05", "há febre": "d03", "dieta hipossódica": "d08",
    "congestão cardíaca insuficiência": "d01", "tórax": "d11", "ecocardiograma fração": "d14",
    "glicemia em jejum": "d12", "câncer": "d17", "irmã": "d17",
}  # fmt: skip
VARIANTS: dict[str, Callable[[str], str]] = {
    "bare": lambda q: "".join(c for c in unicodedata.normalize("NFD", q) if not unicodedata.combining(c)),
    "nfd": lambda q: unicodedata.normalize("NFD", q),
    "upper": str.upper,
}
ENGLISH = {
    "e01": "He denies fever. Kidney function is stable with creatinine of 1.1 mg/dL.",
    "e02": "She was told that her pains are muscular. Follow-up in two weeks.",
    "e03": "Potassium 1,200 units were never given; that was an error of the pharmacy.",
}


@pytest.fixture
def open_book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[OpenBook]:
    opened: list[Book] = []

    def go(name: str = "store", **settings: Any) -> Book:
        chosen = Settings(**settings)
        engines = Engines(chosen)
        engines.__dict__["encoder"] = fake_encoder
        opened.append(Book(tmp_path / name, chosen, engines=engines))
        return opened[-1]

    yield go
    for book in opened:
        book.close()


def fill(book: Book, folder: Path, texts: dict[str, str]) -> None:
    path = folder / "notes.jsonl"
    path.write_text("".join(json.dumps({"doc_id": d, "patient_id": "p", "text": t}) + "\n" for d, t in texts.items()))
    book.ingest(path)


def first(book: Book, query: str) -> str:
    return book.rank_documents(query, patient="p")[0][0]


@pytest.mark.parametrize("language", ["auto", "pt"])
def test_accents_never_decide_what_is_first(language: str, open_book: OpenBook, tmp_path: Path) -> None:
    """102 pairs of a query and the same without accents, decomposed, or in capitals."""
    book = open_book(language=language, method="lexical", rerank="none")
    fill(book, tmp_path, PORTUGUESE)
    assert len(QUERIES) * len(VARIANTS) > 100
    assert {query: first(book, query) for query in QUERIES} == QUERIES
    found = {(query, name): first(book, variant(query)) for query in QUERIES for name, variant in VARIANTS.items()}
    assert {pair: doc for pair, doc in found.items() if doc != QUERIES[pair[0]]} == {}


def test_a_record_in_two_languages_is_searched_in_both(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(method="lexical", rerank="none")
    fill(book, tmp_path, PORTUGUESE | ENGLISH)
    assert {q: first(book, q) for q in QUERIES if q != "creatinina 1,2"} == {
        q: d for q, d in QUERIES.items() if q != "creatinina 1,2"
    }
    assert (first(book, "muscular pain"), first(book, "1200 units"), first(book, "creatinine 1.1")) == (
        "e02",
        "e03",
        "e01",
    )
    assert first(book, "creatinine 1.2") == "d05"  # the decimal comma is one number with the decimal point


def test_english_records_are_searched_as_they_were(open_book: OpenBook, tmp_path: Path) -> None:
    found = []
    for language in ("en", "auto"):
        book = open_book(language, language=language, method="lexical", rerank="none")
        fill(book, tmp_path, ENGLISH)
        found.append([book.rank_documents(query, patient="p") for query in ("muscular pains", "1,200", "no fever")])
    assert found[0] == found[1]


def test_a_portuguese_question_meets_words_of_both_languages_in_english_notes(
    open_book: OpenBook, tmp_path: Path
) -> None:
    book = open_book(method="lexical", rerank="none")
    fill(book, tmp_path, ENGLISH)
    assert first(book, "Qual é a creatinina do paciente?") == "e01"


def test_a_store_that_was_indexed_as_english_goes_on_and_says_so(open_book: OpenBook, tmp_path: Path) -> None:
    fill(open_book(language="en"), tmp_path, ENGLISH)
    later = open_book(rerank="none")
    answer = later.ask("Is the creatinine stable?", patient="p")
    assert "indexed_as_english" in [f["name"] for f in answer.fallbacks]
    later.index()
    answer = later.ask("Is the creatinine stable?", patient="p")
    assert "indexed_as_english" not in [f["name"] for f in answer.fallbacks]


def test_each_document_keeps_its_language(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book()
    texts = {
        "pt": PORTUGUESE["d01"],
        "en": ENGLISH["e01"],
        "und": "BP 120/80",
        "both": f"{ENGLISH['e02']} Paciente não refere dor, nega febre.",
    }
    fill(book, tmp_path, texts)
    with book.store.read(Scope.patient("p")) as reader:
        found = {d.doc_id: reader.document(d.key).lang for d in reader.documents()}
    assert found == {"pt": "pt", "en": "en", "und": "und", "both": "und"}
