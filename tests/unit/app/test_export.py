"""Exports of an answer: everything that a reader needs, nothing that runs, and the same bytes each time."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest
from docx import Document as WordFile
from hypothesis import given
from hypothesis import strategies as st

from chartcite.app.export.formats import FORMATS, format_of
from chartcite.app.export.stored import answer_from, checked_again
from chartcite.app.words import Words
from chartcite.core.answer import Answer, AnswerSentence, Citation, Searched, SourceShare, TableHead
from chartcite.core.copies import AlsoIn, Occurrence
from chartcite.core.documents import Bibliography, text_sha256
from chartcite.core.errors import UsageError
from chartcite.core.layout import PageBox
from chartcite.core.presence import Looked, Presence, Said, Wording
from chartcite.core.scope import Scope
from chartcite.core.stored import StoredText
from chartcite.verification.answers import recheck

NOTE = "Assessment:\nWarfarin 4 mg every evening.\nShe denies chest pain.\n"
HEAD = TableHead(0, 5, "Drug\tDose", (("Drug", "warfarin"), ("Dose", "4 mg")))


def citation(start: int, end: int, **fields: object) -> Citation:
    base = Citation(
        "letters/a.pdf", 2, start, end, NOTE[start:end], "Letter", "clinic letter", "2021-03-04", 3,
        text_sha256(NOTE), ("Assessment",),
    )  # fmt: skip
    return replace(base, **fields)  # type: ignore[arg-type]


DOSE = AnswerSentence("Warfarin 4 mg every evening.", (citation(12, 40),), "supported", True, places=((16, 0),))
PAIN = AnswerSentence("She denies chest pain.", (citation(41, 63, head=HEAD, ocr_confidence=0.5),), "supported", True)
FORGED = AnswerSentence("Warfarin 40 mg every evening.", (citation(12, 40),), "supported", True)


def answer(*sentences: AnswerSentence, **fields: object) -> Answer:
    base = Answer(
        "What dose?", "warfarin dose", Scope.patient("José/1"), "fact", sentences, (),
        Searched(1, 3, "2021-03-04", "2021-03-04", ("warfarin",)), None if sentences else "weak_evidence",
        ({"name": "lenient_evidence", "count": 1},), "cfg", 7,
    )  # fmt: skip
    return replace(base, **fields)  # type: ignore[arg-type]


def word_text(found: Answer, lang: str = "en") -> str:
    data = FORMATS["docx"].make(found, Words("pt" if lang == "pt" else "en"))
    return "\n".join(p.text for p in WordFile(io.BytesIO(data)).paragraphs)


def rows_of(found: Answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(FORMATS["csv"].make(found, Words()).decode())))


FULL = answer(
    DOSE, PAIN,
    conflicts=({"sentence": 1, "quote": "Warfarin 5 mg.", "title": "B", "time": "2021-05-06", "why": "another dose"},),
    sources=(SourceShare("letters/a.pdf", "Letter", Bibliography(("Aalto R",), "2019"), 1, 2, 2),),
    lenient=(FORGED,), as_of="2022-01-01",
)  # fmt: skip
PRESENCE = Presence(
    "asthma", "thing", "denied", Looked(("asthma",), (), {"letter": 2}, "2021-03-04", None, 1, 0), "",
    {"denied": Said(1, "2021-03-04", "2021-03-04")}, lang="pt",
    wordings={"pt": Wording("O prontuário nega asma.", ("Dois documentos.",))},
)  # fmt: skip
COPIED = citation(
    12, 40, boxes=(PageBox(3, 0.1, 0.2, 0.3, 0.4),),
    also_in=AlsoIn(2, Occurrence("a", "2020-01-01"), Occurrence("b", None), 1), bibliography=Bibliography(doi="10.1/x"),
)  # fmt: skip
KINDS = {
    "full": FULL,
    "nothing found": answer(),
    "absence in Portuguese": answer(presence=PRESENCE, lang="pt", reason="not_mentioned"),
    "denied": answer(PAIN, presence=PRESENCE, lang="pt"),
    "for a patient": answer(replace(DOSE, plain="You take 4 mg."), audience="patient", readability={"shown": {}}),
    "copies and boxes": answer(replace(DOSE, citations=(COPIED,), grounded={"score": 0.9}, computed={"op": "last"})),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_answer_is_the_answer_again(kind: str) -> None:
    stored = json.loads(json.dumps(KINDS[kind].to_dict()))
    assert answer_from(stored).to_dict() == stored


def test_a_word_document_has_all_that_a_reader_needs() -> None:
    text = word_text(FULL)
    for part in (
        "What dose?", "patient José/1 · as of 2022-01-01", "Warfarin 4 mg ev [1]ery evening.",
        "(matches the cited sentence)", "May disagree", "clinic letter · 2021-03-04: Warfarin 4 mg every evening.",
        "B · 2021-05-06: Warfarin 5 mg.",
        "[2] Letter · clinic letter · 2021-03-04 · Assessment · page 3 · letters/a.pdf",
        "She denies chest pain.", "columns: Drug: warfarin · Dose: 4 mg", "its least sure word at 50 %",
        "No sentence answers this for certain", "Searched", "Research use; not a medical device.",
    ):  # fmt: skip
        assert part in text, part


def test_a_word_document_speaks_portuguese() -> None:
    text = word_text(KINDS["denied"], "pt")
    assert "O prontuário nega asma.\nDois documentos.\n" in text
    assert "(confere com a frase citada)" in text
    assert "Uso em pesquisa" in text


def test_absence_and_no_answer_are_said() -> None:
    assert word_text(KINDS["absence in Portuguese"], "pt").count("O prontuário nega asma.") == 1
    assert "No answer." in word_text(answer())
    assert rows_of(answer())[0]["reason"] == "weak_evidence"


def test_a_word_document_names_nobody_and_no_hour() -> None:
    one, other = (FORMATS["docx"].make(FULL, Words()) for _ in range(2))
    assert one == other
    page = WordFile(io.BytesIO(one)).core_properties
    assert (page.author, page.last_modified_by, page.comments) == ("", "", "")
    assert page.created.year == page.modified.year == 1980
    with zipfile.ZipFile(io.BytesIO(one)) as parts:
        assert {info.date_time for info in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_row_for_each_sentence_and_citation() -> None:
    both = AnswerSentence("Both.", (DOSE.citations[0], PAIN.citations[0]), "supported", True)
    rows = rows_of(answer(DOSE, both))
    assert [(r["sentence"], r["citation"], r["quote"]) for r in rows] == [
        ("1", "1", "Warfarin 4 mg every evening."),
        ("2", "1", "Warfarin 4 mg every evening."),
        ("2", "2", "She denies chest pain."),
    ]
    assert rows[0]["partition"] == "José/1"
    assert NOTE[int(rows[2]["start"]) : int(rows[2]["end"])] == rows[2]["quote"]


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t=", "＝"], ids=["equals", "plus", "minus", "at", "tab", "wide"]
)
def test_no_cell_is_a_formula(start: str) -> None:
    nasty = f"{start}HYPERLINK(1)"
    found = answer(replace(DOSE, text=nasty, citations=(citation(12, 40, quote=nasty, title=nasty),)), question=nasty)
    row = rows_of(found)[0]
    assert {row[name][:1] for name in ("question", "text", "quote", "title")} == {"'"}


@pytest.mark.parametrize("ending", FORMATS)
@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=12))
def test_any_text_can_be_written(ending: str, text: str) -> None:
    found = answer(replace(DOSE, text=text, places=(), citations=(citation(12, 40, quote=text, title=text),)))
    assert FORMATS[ending].make(found, Words())


def find(doc_id: str) -> StoredText | None:
    if doc_id != "letters/a.pdf":
        return None
    return StoredText(NOTE, text_sha256(NOTE), "evidence", (), "Letter", "clinic letter", "2021-03-04")


def test_a_forged_answer_is_not_exported_as_checked() -> None:
    stored = json.loads(json.dumps(answer(DOSE, FORGED).to_dict()))
    for citing in stored["sentences"]:
        citing["citations"][0]["section"] = []
    checked = checked_again(answer_from(stored), recheck(stored, find))
    assert [s.verified for s in checked.sentences] == [True, False]
    assert checked.sentences[1].verdict == "contradicted"
    assert "(the cited sentence says otherwise" in word_text(checked)
    assert [r["verified"] for r in rows_of(checked)] == ["true", "false"]
    assert "**(the cited sentence says otherwise" in FORMATS["md"].make(checked, Words()).decode()


def test_what_a_file_calls_refused_stays_refused() -> None:
    stored = answer(replace(DOSE, verified=False, verdict="unsupported")).to_dict()
    assert not checked_again(answer_from(stored), recheck(stored, find)).sentences[0].verified


def test_a_quote_that_is_gone_is_said() -> None:
    stored = answer(DOSE).to_dict()
    checked = checked_again(answer_from(stored), recheck(stored, lambda _: None))
    assert not checked.sentences[0].verified
    assert "[1]" in checked.sentences[0].why


BROKEN: dict[str, dict[str, object]] = {
    "no object of ours": {"schema": "other"},
    "no sentences": {"sentences": None},
    "two scopes": {"scope": {"patient": "a", "collection": "b"}},
    "conflict of no sentence": {"conflicts": [{"sentence": 9, "quote": "x", "why": "y"}]},
    "place outside": {"sentences": [{**DOSE.to_dict(), "places": [{"at": 999, "citation": 1}]}]},
    "no such reason": {"reason": "because"},
    "no such verdict": {"sentences": [{**DOSE.to_dict(), "verdict": "sure"}]},
    "citation of nothing": {"sentences": [{**DOSE.to_dict(), "places": [{"at": 1, "citation": 9}]}]},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_answer_is_refused(kind: str) -> None:
    with pytest.raises(UsageError):
        answer_from(answer(DOSE).to_dict() | BROKEN[kind])


def test_an_unknown_ending_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        format_of(".exe")
