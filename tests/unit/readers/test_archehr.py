"""ArchEHR-QA's XML: ids, places of sentences, what is mended and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import FakeEncoder

from chartcite.core.errors import CorruptSource
from chartcite.core.reading import Found, Problem
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.readers.archehr_xml import is_archehr, read_cases
from chartcite.readers.detect import read_source

SAMPLE = Path(__file__).parents[2] / "data" / "archehr" / "archehr-qa.xml"


def _case(note: str, *sentences: str, more: str = "", case_id: str = "7") -> bytes:
    numbered = "".join(
        f'<sentence id="{n}" paragraph_id="1" start_char_index="{i}">\n{text}\n</sentence>'
        for n, (i, text) in enumerate((s.split("|", 1) for s in sentences), start=1)
    )
    return (
        f'<annotations><case id="{case_id}"><patient_narrative>\nI hurt.\n</patient_narrative><patient_question>'
        '<phrase id="0" start_char_index="0">I hurt.</phrase></patient_question><clinician_question>Why?'
        f"</clinician_question><note_excerpt>\n{note}\n</note_excerpt><note_excerpt_sentences>{numbered}"
        f"</note_excerpt_sentences>{more}</case></annotations>"
    ).encode()


def test_the_sample_is_read_without_a_complaint() -> None:
    cases = read_cases(SAMPLE.read_bytes())
    assert [c.id for c in cases] == ["1", "2", "3", "a-4", "5", "6"]
    assert not any(c.problems for c in cases)
    british = cases[-1]
    assert british.sentence_text(british.sentences[1]).startswith("Her TSH was <0.01 mU/l")
    assert british.question == "Why was the dose cut & what should be checked next?"
    assert cases[3].sentences[0].id == "11"


def test_an_offset_counts_from_the_excerpts_first_word() -> None:
    (case,) = read_cases(_case("He fell. He fell.", "0|He fell.", "9|He fell."))
    assert [s.span for s in case.sentences] == [(0, 8), (9, 17)]


@pytest.mark.parametrize(
    "offsets", [("3", "99"), ("", ""), ("x", "-1"), ("9", "0")], ids=["wrong", "none", "odd", "swapped"]
)
def test_where_the_offset_is_wrong_the_words_are_looked_for_in_order(offsets: tuple[str, str]) -> None:
    (case,) = read_cases(_case("Pain  was\nworse. It went.", f"{offsets[0]}|Pain was worse.", f"{offsets[1]}|It went."))
    assert [case.sentence_text(s) for s in case.sentences] == ["Pain  was\nworse.", "It went."]


def test_an_excerpt_that_lacks_a_sentence_is_made_anew_and_says_so() -> None:
    (case,) = read_cases(_case("Something else.", "0|One.", "5|Two."))
    assert case.note == "One.\nTwo."
    assert [case.sentence_text(s) for s in case.sentences] == ["One.", "Two."]
    assert case.problems == ("note_excerpt does not hold its sentences one after the other: made anew from them",)


def test_what_is_missing_or_unknown_is_named() -> None:
    data = b'<annotations><case id="1"><patient_narrative>x</patient_narrative><mood>sad</mood></case></annotations>'
    (case,) = read_cases(data)
    assert set(case.problems) == {
        "unknown field mood", "no note_excerpt", "no note_excerpt_sentences", "no patient_question",
        "no clinician_question",
    }  # fmt: skip
    assert case.question == "x"


def test_answer_sentences_may_stand_in_the_xml() -> None:
    more = (
        "<clinician_answer>He fell. Twice.</clinician_answer><clinician_answer_sentences>"
        '<sentence id="1">He fell.</sentence><sentence id="2">Twice.</sentence></clinician_answer_sentences>'
    )
    (case,) = read_cases(_case("He fell.", "0|He fell.", more=more))
    assert [case.answer[slice(*s.span)] for s in case.answer_sentences] == ["He fell.", "Twice."]


@pytest.mark.parametrize(
    "data",
    [
        b"<annotations><case",
        b"<other><case id='1'/></other>",
        b"<annotations></annotations>",
        b"<annotations><case/></annotations>",
        b"<annotations><case id='1'/><case id='1'/></annotations>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]><annotations><case id='1'>&x;</case></annotations>",
        b"",
        b"\xff\xfe\x00",
    ],
    ids=["cut", "root", "empty", "no id", "id twice", "doctype", "nothing", "bytes"],
)
def test_other_xml_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptSource) as caught:
        read_cases(data)
    assert "fell" not in str(caught.value)


def test_only_its_own_root_is_claimed() -> None:
    assert is_archehr(SAMPLE.read_bytes()[:4096])
    assert not is_archehr(b"<?xml version='1.0'?><annotations><annotation/></annotations>")
    assert not is_archehr(b"<ClinicalDocument/>")


def test_each_case_is_a_patient_and_a_lack_is_a_line_of_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "archehr-qa.xml"
    path.write_bytes(_case("He fell.", "0|He fell.").replace(b"<clinician_question>Why?</clinician_question>", b""))
    document, problem = read_source(path, path.name)
    assert isinstance(document, Found)
    assert (document.patient_id, document.document.units) == ("archehr-7", ((0, 8),))
    assert isinstance(problem, Problem)
    assert str(problem.error) == "no clinician_question"


def test_the_stated_sentences_are_what_is_cited_and_survive_another_recipe(tmp_path: Path) -> None:
    path = tmp_path / "archehr-qa.xml"
    path.write_bytes(_case("Seen by Dr. Po. INR 4.2. Home.", "0|Seen by Dr. Po. INR 4.2.", "25|Home."))
    for fingerprint in ("1", "2"):
        engines = Engines(Settings())
        engines.encoder = FakeEncoder(fingerprint)
        with Book(tmp_path / "store", engines=engines) as book:
            book.ingest(path) if fingerprint == "1" else book.index()
            scope = book.patients()[0].scope
            with book.store.read(scope) as reader:
                key = reader.all_keys()[0]
                assert reader.stated_units(key) == ((0, 24), (25, 30))
                assert reader.passages(engines.recipe) is not None
