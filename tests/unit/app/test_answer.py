"""Golden pages: `golden/*.txt` are looked at by people; running this file as a script writes them anew."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chartcite.app.render.answer import answer_lines
from chartcite.app.render.layout import ASCII, UNICODE, Glyphs, Paper, plain
from chartcite.core.answer import Answer, AnswerSentence, Citation, Searched, SourceShare
from chartcite.core.documents import Bibliography
from chartcite.core.scope import Scope

GOLDEN = Path(__file__).with_name("golden")

SEARCHED = Searched(15, 71, "2017-02-08", "2024-02-19", ("warfarin", "dose"))


def citation(**fields: Any) -> Citation:
    base: dict[str, Any] = {
        "doc_id": "p1/2019-03-02_discharge-summary.txt", "sentence": 12, "start": 340, "end": 402,
        "quote": "Warfarin was lowered to 4 mg\n   every evening.", "title": "Discharge summary",
        "note_type": "Discharge summary", "time": "2019-03-02", "page": None, "sha256": "ab",
    }  # fmt: skip
    return Citation(**{**base, **fields})


def answer(*sentences: AnswerSentence, **fields: Any) -> Answer:
    base: dict[str, Any] = {
        "question": "What is the warfarin dose?", "query": "warfarin dose", "scope": Scope.patient("p1"),
        "kind": "fact", "sentences": tuple(sentences), "evidence": (), "searched": SEARCHED, "reason": None,
        "fallbacks": (), "config": "sha256:x", "partition_seq": 1,
    }  # fmt: skip
    return Answer(**{**base, **fields})


def supported(text: str, *citations: Citation) -> AnswerSentence:
    return AnswerSentence(text, citations, "supported", True)


LONG = (
    "He was seen in the anticoagulation clinic, where the INR had been 3.8 on amiodarone, and warfarin was first held"
    " for one evening, then lowered from 3.5 mg to 2.5 mg every evening, with a repeat INR asked for on Friday, a"
    " reminder about leafy vegetables, and a letter to the family physician that repeats all of this once more."
)
SECOND = citation(
    doc_id="p1/letter.pdf", title="Letter from the heart clinic", note_type="Letter", time="2021-06-14T08:30:00+02:00",
    page=2, quote="Continue warfarin 4 mg.", section=("PLAN", "Medication"), same_text=3,
)  # fmt: skip
EVIL = citation(
    title="[bold]Ti\x1b]0;pwned\x07tle[/bold]", doc_id="evil\x1b[2J.txt", note_type="", time=None,
    quote="Warfarin [red]5 mg[/red] \x1b[31mnightly\x1b[0m \u202edaed\u202c\r\x08 and 40 µg.",
)  # fmt: skip

PAPER = citation(
    doc_id="floodplain.pdf", title="Early large-volume resuscitation: the FLOODPLAIN trial", note_type="", time=None,
    page=3, quote="30 mL/kg lowered mortality.", section=("Early large-volume resuscitation", "Results", "Deaths"),
    bibliography=Bibliography(("Virtanen K", "Osei D", "Ruiz T", "Bell A"), "2016", "10.5555/flood.1", "99"),
)  # fmt: skip
OTHER_PAPER = citation(
    doc_id="drydock.txt", title="Restrictive fluids", note_type="", time="2021-04-30", start=1, end=3,
    quote="It did not lower mortality.", bibliography=Bibliography(url="https://example.org/drydock"),
)  # fmt: skip
CONFLICT = {
    "sentence": 1, "other_sentence": 3, "kind": "direction", "why": "one finds an effect, the other finds none",
    "quote": "It did not lower mortality.", "doc_id": "drydock.txt", "title": "Restrictive fluids",
    "time": "2021-04-30", "authors": ["Lindqvist S", "Marchetti A"], "year": "2021",
}  # fmt: skip
SHARES = (
    SourceShare("floodplain.pdf", "Early", PAPER.bibliography, 4, 3, 2),
    SourceShare("drydock.txt", "Restrictive", OTHER_PAPER.bibliography, 2, 1, 1),
    SourceShare("else.txt", "Else", Bibliography(), 5, 1, 0),
)

PAGES: dict[str, tuple[Answer, Glyphs]] = {
    "answered": (
        answer(
            supported("Warfarin was lowered to 4 mg every evening.", citation(), SECOND),
            supported("Continue warfarin 4 mg.", SECOND),
            fallbacks=({"name": "not_cross_encoded", "count": 138},),
            as_of="2022-01-01",
        ),
        UNICODE,
    ),
    "abstained": (
        answer(reason="not_mentioned", question="Does she have a pacemaker?",
               searched=Searched(15, 71, "2017-02-08", "2024-02-19", ("battery", "pacemaker"), ("pacemaker",), 2)),
        UNICODE,
    ),
    "empty_record": (answer(reason="empty_record", searched=Searched(0, 0, None, None)), UNICODE),
    "weak_evidence": (
        answer(
            reason="weak_evidence",
            scope=Scope.collection("guides"),
            searched=Searched(9, 1, None, None, ("warfarin", "dose"), undated=9),
        ),
        UNICODE,
    ),
    "not_verified": (
        answer(reason="not_verified", fallbacks=({"name": "dropped_not_verified", "count": 2},)), UNICODE,
    ),
    "doubtful": (
        answer(
            AnswerSentence("Warfarin 40 mg every evening.", (citation(),), "contradicted", False,
                           ({"kind": "number", "why": "the source has another value"},), "number: other value"),
            AnswerSentence("She never smoked.", (citation(), SECOND), "unsupported", False, (),
                           "2 words of the claim not accounted for by the cited text"),
            AnswerSentence("All is well.", ()),
            supported("Continue warfarin 4 mg.", SECOND),
            fallbacks=({"name": "dropped_not_verified", "count": 1}, {"name": "lenient_evidence", "count": 1},
                       {"name": "something_new", "count": 4}, {"name": "read_whole_record", "count": 3}),
            conflicts=({"doc_id": "x", "time": "2020-01-05", "quote": "Warfarin 5 mg."},),
        ),
        UNICODE,
    ),
    "long_quote": (
        answer(supported(LONG, citation(quote=LONG, doc_id="p1/" + "a-very-long-file-name-without-a-space" * 3))),
        UNICODE,
    ),
    "escapes": (
        answer(supported("Warfarin [red]5 mg[/red] \x1b[31mnightly\x1b[0m.", EVIL), question="\x1b[1mDose?"),
        UNICODE,
    ),
    "collection": (
        answer(
            supported("30 mL/kg lowered mortality.", PAPER),
            supported("Lactate cleared.", replace(PAPER, start=700, end=716, quote="Lactate cleared.", page=4)),
            supported("It did not lower mortality.", OTHER_PAPER),
            question="Does 30 mL/kg of crystalloid lower mortality?",
            scope=Scope.collection("sepsis"),
            searched=Searched(9, 56, None, None, ("crystalloid", "mortality"), undated=9),
            conflicts=(CONFLICT, CONFLICT | {"other_sentence": None, "authors": [], "quote": "No change."}),
            sources=SHARES,
        ),
        UNICODE,
    ),
    "collection_ascii": (
        answer(
            supported("30 mL/kg lowered mortality.", PAPER),
            scope=Scope.collection("sepsis"),
            conflicts=(CONFLICT | {"other_sentence": None},),
            sources=SHARES[:1],
        ),
        ASCII,
    ),
    "ascii": (
        answer(
            supported("Warfarin was lowered to 4 mg every evening.", citation(), SECOND),
            AnswerSentence("Warfarin 40 mg.", (citation(),), "contradicted", False, (), "number: another value"),
        ),
        ASCII,
    ),
}  # fmt: skip


def page(name: str) -> str:
    made, glyphs = PAGES[name]
    return plain(answer_lines(made, Paper(80, glyphs))) + "\n"


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str) -> None:
    assert page(name) == (GOLDEN / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [20, 40, 80, 96])
def test_no_line_is_too_wide_or_ends_in_space_or_loses_a_word(name: str, width: int) -> None:
    made, glyphs = PAGES[name]
    lines = plain(answer_lines(made, Paper(width, glyphs))).split("\n")
    assert all(len(line) <= max(width, 30) for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    joined = "".join("".join(lines).replace(glyphs.bar, "").split())
    for sentence in made.sentences:
        assert "".join(sentence.text.replace("\x1b", "\\x1b").split()) in joined


def test_ascii_pages_are_ascii() -> None:
    assert page("ascii").isascii()
    assert page("collection_ascii").isascii()


def test_every_citation_of_a_sentence_is_numbered_as_in_the_text() -> None:
    made, _ = PAGES["answered"]
    text = page("answered")
    assert "every evening. [1][2]" in text
    assert "warfarin 4 mg. [2]" in text
    assert [line[:3] for line in text.split("\n") if line.startswith("[")] == ["[1]", "[2]"]
    assert "[1][2]" in made.text.replace(" ", "").replace("evening.", "evening. ")


def test_what_was_read_otherwise_is_said() -> None:
    words = [{"written": "metforimn", "read": "metformin"}, {"written": "aeortic", "read": "aortic"}]
    made = answer(supported("x", citation()), fallbacks=({"name": "read_as", "count": 2, "words": words},))
    page = plain(answer_lines(made, Paper(80, ASCII)))
    assert page.count("Read metforimn as metformin, aeortic as aortic.") == 1


if __name__ == "__main__":
    for name in PAGES:
        (GOLDEN / f"{name}.txt").write_text(page(name), "utf-8")
