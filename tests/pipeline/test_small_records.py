"""Small records made for one kind of fault each, through the whole corridor with the real models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chartcite.core.errors import UsageError
from chartcite.library.book import Book
from chartcite.library.settings import Settings


def put(
    book: Book, folder: Path, *rows: dict[str, Any], name: str = "notes.jsonl", collection: str | None = None
) -> None:
    path = folder / name
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert not book.ingest(path, collection=collection).failed


@pytest.fixture
def book(demo: Book, tmp_path: Path) -> Any:
    with Book(tmp_path / "store", engines=demo.engines) as opened:
        yield opened


def note(doc_id: str, text: str, time: str = "2021-03-02", **more: str) -> dict[str, str]:
    return {"doc_id": doc_id, "patient_id": "p", "time": time, "text": text, **more}


def test_a_retracted_or_replaced_source_no_longer_holds(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg every evening."))
    answer = book.ask("What is the warfarin dose?", patient="p").to_dict()
    assert answer["sentences"]
    assert all(r.holds for r in book.verify_answer(answer))
    put(
        book,
        tmp_path,
        note("d1", "Warfarin dose is 5 mg every evening.", status="entered-in-error"),
        name="later.jsonl",
    )
    (again,) = book.verify_answer(answer)
    assert not again.holds
    assert again.citations == ((1, "retracted"),)
    assert book.ask("What is the warfarin dose?", patient="p").reason == "empty_record"


def test_a_relatives_section_counts_even_if_the_stored_answer_hides_it(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "FAMILY HISTORY\nColon cancer at 50.\n\nPLAN\nColonoscopy next year."))
    answer = book.ask("Is there a family history of colon cancer?", patient="p").to_dict()
    (sentence,) = [s for s in answer["sentences"] if "50" in s["text"]]
    assert sentence["text"] == "FAMILY HISTORY: Colon cancer at 50."
    sentence["text"] = "The patient had colon cancer at 50."
    sentence["citations"][0]["section"] = []
    assert not any(r.holds for r in book.verify_answer(answer) if "50" in r.text)


def test_the_order_of_ingest_changes_no_answer(demo: Book, tmp_path: Path) -> None:
    rows = [
        {"doc_id": name, "text": f"{head} note.\n\nAspirin lowers the risk of a second stroke by a fifth."}
        for name, head in (("b", "First"), ("a", "Other"), ("c", "Third"))
    ]
    seen = []
    for n, order in enumerate((rows, rows[::-1])):
        with Book(tmp_path / str(n), engines=demo.engines) as fresh:
            for row in order:
                put(fresh, tmp_path, row, name=f"{n}{row['doc_id']}.jsonl", collection="c")
            seen.append(
                fresh.ask("By how much does aspirin lower the risk of a second stroke?", collection="c").to_dict()
            )
    assert seen[0]["sentences"]
    assert seen[0] == seen[1]


def test_a_day_is_the_day_of_the_notes_own_zone(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg every evening.", time="2021-06-14T22:00:00-05:00"))
    assert book.ask("What was the warfarin dose on 14 June 2021?", patient="p").sentences
    assert book.ask("What is the warfarin dose?", patient="p", as_of="2021-06-14").sentences
    assert not book.ask("What is the warfarin dose?", patient="p", as_of="2021-06-13").sentences
    assert book.rank_documents("warfarin dose", patient="p", as_of="2021-06-14")
    assert not book.rank_documents("warfarin dose", patient="p", as_of="2021-06-13")


def test_the_first_letter_of_an_organism_stays(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "E. coli grew in the urine culture."))
    assert book.ask("What grew in the urine culture?", patient="p").sentences[0].text.startswith("E. coli")


def test_hidden_words_between_header_and_sentence_are_never_quoted(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Allergies: latex.\n\nPlan: none."))
    (sentence, *_) = book.ask("What are her allergies?", patient="p").sentences
    assert sentence.citations[0].quote == "Allergies: latex."


def test_what_limits_an_answer_is_named(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Knee replacement in 2019. Diabetes since 2010. Warfarin dose is 5 mg."))
    names = {f["name"] for f in book.ask("Does she have diabetes? What changed since 2015?", patient="p").fallbacks}
    assert {"time_range_not_applied", "other_questions_not_answered"} <= names


def test_nothing_is_called_unmentioned_when_nothing_was_asked_for(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg."))
    assert book.ask("What is going on?", patient="p").reason in (None, "weak_evidence")
    assert book.ask("Does she have gout?", patient="p").reason == "not_mentioned"


def texts(book: Book, question: str) -> list[str]:
    return [s.text for s in book.ask(question, patient="p").sentences]


def test_a_corrected_side_comes_with_its_correction(book: Book, tmp_path: Path) -> None:
    put(
        book, tmp_path,
        note("ct", "CT chest.\nLungs: 9 mm spiculated nodule in the right upper lobe.", "2022-06-08"),
        note("add", "ADDENDUM: The nodule is in the LEFT upper lobe, not the right as stated.", "2022-06-09"),
    )  # fmt: skip
    answer = book.ask("Which lung has the nodule?", patient="p")
    assert any("LEFT upper lobe" in s.text for s in answer.sentences)


def test_a_stopped_drug_is_not_current(book: Book, tmp_path: Path) -> None:
    put(
        book, tmp_path,
        note("a", "Now on apixaban 5 mg BD.", "2020-12-01"),
        note("b", "Apixaban stopped on 20 Feb 2021.", "2021-02-22"),
    )  # fmt: skip
    assert texts(book, "What is the current apixaban dose?")[0].startswith("Apixaban stopped")


def test_undated_notes_are_no_ground_for_latest(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, {"doc_id": "a", "patient_id": "p", "text": "Digoxin 125 micrograms daily."})
    answer = book.ask("What is the current digoxin dose?", patient="p")
    assert "undated_among_them" in {f["name"] for f in answer.fallbacks}


def test_a_list_that_was_asked_for_is_shown(book: Book, tmp_path: Path) -> None:
    put(
        book,
        tmp_path,
        note("a", "ALLERGIES\n- No known latex allergy.\n- Amoxicillin - rash (Feb 2021).\n\nPLAN\nReview."),
    )
    shown = " ".join(texts(book, "What are her allergies?"))
    assert "Amoxicillin" in shown
    assert "latex" in shown


@pytest.mark.parametrize(
    ("text", "question", "wrong"),
    [
        ("BRCA1 mutation positive.", "Is BRCA2 positive?", "BRCA1"),
        ("IgG4 level 2.1 g/L.", "What is the IgG1 level?", "IgG4"),
        ("HLA-B27 positive. CD20 positive.", "Is HLA-B51 positive?", "B27"),
    ],
)
def test_one_of_a_numbered_family_is_not_another(
    book: Book, tmp_path: Path, text: str, question: str, wrong: str
) -> None:
    put(book, tmp_path, note("a", text))
    assert not any(wrong in shown for shown in texts(book, question))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Non-ST elevation myocardial infarction in March.", "Has she had an MI?"),
        ("Haemoglobin 11.2 g/L, low.", "What is the hemoglobin?"),
        ("Known HTN, well controlled.", "Does he have hypertension?"),
        ("Denies orthopnoea.", "Does she have orthopnea?"),
        ("No SOB today.", "Does he have shortness of breath?"),
        ("Tylenol 500 mg as needed.", "What dose of acetaminophen does she take?"),
    ],
)
def test_other_forms_of_a_word_are_not_absent(book: Book, tmp_path: Path, text: str, question: str) -> None:
    put(book, tmp_path, note("a", text))
    answer = book.ask(question, patient="p")
    assert answer.searched.missing == ()
    assert answer.reason != "not_mentioned"


def test_forged_metadata_of_a_citation_is_noticed(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("a", "Warfarin dose is 5 mg every evening."))
    answer = book.ask("What is the warfarin dose?", patient="p").to_dict()
    answer["sentences"][0]["citations"][0]["time"] = "2030-01-01"
    assert book.verify_answer(answer)[0].citations == ((1, "time differs"),)
    with pytest.raises(UsageError):
        book.verify_answer(answer | {"abstained": True})


def test_a_sentence_that_says_otherwise_is_shown_with_its_date(book: Book, tmp_path: Path) -> None:
    put(
        book,
        tmp_path,
        note("d1", "Allergies: penicillin, with hives in childhood.", time="2019-05-01"),
        note("d2", "Seen for a cold.\n\nNo known drug allergies.", time="2021-03-02"),
        note("d3", "Seen for a cut. Penicillin was not needed.", time="2021-04-02"),
    )
    answer = book.ask("Is the patient allergic to penicillin?", patient="p").to_dict()
    assert any("hives" in s["text"] for s in answer["sentences"])
    (conflict,) = answer["conflicts"]
    assert (conflict["doc_id"], conflict["time"], conflict["kind"]) == ("d2", "2021-03-02", "negation")
    assert "No known drug allergies" in conflict["quote"]


def test_a_title_is_no_evidence(book: Book, tmp_path: Path) -> None:
    title = "Linezolid for vancomycin-resistant infections"
    text = f"{title}\n\nLinezolid 600 mg twice daily cured nine of ten infections with resistant enterococci."
    put(book, tmp_path, {"doc_id": "a", "title": title, "text": text}, collection="articles")
    answer = book.ask("Is linezolid used for vancomycin-resistant infections?", collection="articles")
    assert answer.citations
    assert all(title not in citation.quote for citation in answer.citations)


def test_a_misspelt_word_is_read_by_the_record_and_the_answer_says_so(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Metformin dose is 500 mg twice daily."), note("d2", "Plan: orthopedics review."))
    answer = book.ask("What is the metforimn dose?", patient="p")
    assert answer.sentences[0].text.startswith("Metformin dose is 500 mg")
    assert answer.question == "What is the metforimn dose?"
    assert {"name": "read_as", "count": 1, "words": [{"written": "metforimn", "read": "metformin"}]} in answer.fallbacks
    for question in ("Is there any record of orthopnea?", "What is the metoprolol dose?"):
        assert "read_as" not in {f["name"] for f in book.ask(question, patient="p").fallbacks}


def test_a_question_about_time_may_be_asked_as_any_other(demo: Book, tmp_path: Path) -> None:
    question = "How much did the creatinine change between 2021-01-02 and 2021-03-04?"
    with Book(tmp_path / "store", engines=demo.engines) as book:
        put(
            book,
            tmp_path,
            note("d1", "Creatinine 1.1 mg/dL.", time="2021-01-02"),
            note("d2", "Creatinine 1.9 mg/dL.", time="2021-03-04"),
        )
        assert {e.kept for e in book.ask(question, patient="p").evidence} == {"timeline"}
    with Book(tmp_path / "store", Settings(over_time=False), engines=demo.engines) as plain:
        assert "timeline" not in {e.kept for e in plain.ask(question, patient="p").evidence}


def test_the_default_way_with_time_is_no_part_of_the_configurations_hash() -> None:
    assert Settings(over_time=True).answer_hash({}) == Settings().answer_hash({})
    assert Settings(over_time=False).answer_hash({}) != Settings().answer_hash({})


def test_a_copied_sentence_names_its_first_and_latest_note(book: Book, tmp_path: Path) -> None:
    copied = "Left shoulder pain after a fall from a ladder."
    put(
        book,
        tmp_path,
        *(note(f"d{n}", f"{copied} Visit {n}.", f"202{n}-03-02") for n in range(4)),
        note("x", copied, "2010-01-01") | {"patient_id": "q"},
    )
    answer = book.ask("What happened to the shoulder?", patient="p")
    (citation,) = {c.doc_id: c for c in answer.citations if c.quote == copied}.values()
    assert citation.to_dict()["also_in"] == {
        "count": 3, "later": 3, "first": {"doc_id": "d0", "day": "2020-03-02"},
        "latest": {"doc_id": "d3", "day": "2023-03-02"},
    }  # fmt: skip
    assert book.copied("p").to_dict() == {"sentences": 8, "copied": 3, "share": 0.375}
