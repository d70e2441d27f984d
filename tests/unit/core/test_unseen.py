"""What a person does not see in a text changes nothing of what is read in it, wherever it stands."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.app.render.facts import facts_of
from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.time import When
from chartcite.core.unseen import look, seen
from chartcite.text.analyser import Analyser
from chartcite.text.sentences import split_sentences
from chartcite.text.tables import head_spans
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

CHARS = {
    "soft hyphen": "\u00ad", "zero-width space": "\u200b", "non-joiner": "\u200c", "joiner": "\u200d",
    "left-to-right mark": "\u200e", "embedding": "\u202a", "isolate": "\u2066", "word joiner": "\u2060",
    "byte-order mark": "\ufeff", "variation": "\ufe0f", "tag": "\U000e0041", "many": "\u200b\u2060\u200d",
}  # fmt: skip
SAID = {
    "denial": "No fever or chest pain.",
    "dose": "Warfarin 5.5 mg daily was increased to 7.5 mg.",
    "stop": "Metformin was stopped on 2031-03-02.",
    "value": "Potassium 5.0 mmol/L (3.5-5.1) H.",
    "comparator": "Troponin <0.01 ng/mL.",
    "pressure": "BP 120/80, HR 96.",
    "side": "Left knee pain improved after surgery.",
    "day": "Admitted on 03/02/2031, seen 2 days ago, POD#3.",
    "relative": "Mother had breast cancer at 45.",
    "portuguese": "Nega febre; usa losartana 50 mg 12/12h.",
    "form": "q.i.d. with COVID-19 and HbA1c 7.1%",
}
TABLE = "Test        03/01   03/02\nPotassium   4.1     5.0\nSodium      138     141\n"
NOTE = "Plan:\n- No fever. Warfarin 5 mg daily.\n- Seen on 2031-03-02\nAllergies: penicillin\n"


def document(text: str) -> Document:
    return Document(doc_id="n", text=text, source=Provenance("n", "", "text"), time=When.parse("2031-03-05"), lang="en")


def read(text: str) -> Any:
    """All facts and days of a text; places are told by what is seen at them, since characters there count otherwise."""

    def told(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: told(v) for k, v in value.items() if k not in ("start", "end", "chars")}
        if isinstance(value, list):
            return [told(one) for one in value]
        return seen(value) if isinstance(value, str) else value

    return told(json.loads(json.dumps(facts_of(document(text)), default=str)))


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
@pytest.mark.parametrize("char", ["\u200b", "\u00ad\u2060"], ids=["one", "two"])
def test_facts_and_days_are_those_of_what_is_seen_at_every_place(said: str, char: str) -> None:
    plain = read(said)
    for at in range(len(said) + 1):
        assert read(said[:at] + char + said[at:]) == plain, at


@pytest.mark.parametrize("char", CHARS.values(), ids=CHARS)
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_every_character_between_all_others(said: str, char: str) -> None:
    text = char.join(said)
    assert read(text) == read(said)
    assert Analyser("en").terms(text) == Analyser("en").terms(said)
    spanned = Analyser("en").terms_with_spans(text)
    assert [seen(text[start:end]) for _, start, end in spanned] == [
        said[start:end] for _, start, end in Analyser("en").terms_with_spans(said)
    ]


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_facts_are_slices_of_the_stored_text(said: str) -> None:
    text = "\u200b".join(said)
    for sentence in facts_of(document(text))["sentences"]:
        for quantity in sentence["quantities"]:
            assert text[quantity["start"] : quantity["end"]] == quantity["text"]
            assert "\u200b" not in (quantity["text"][0], quantity["text"][-1])


@pytest.mark.parametrize("char", CHARS.values(), ids=CHARS)
@pytest.mark.parametrize("said", [*SAID.values(), NOTE, TABLE], ids=[*SAID, "note", "table"])
def test_sentences_and_heads_of_tables_are_those_of_what_is_seen(said: str, char: str) -> None:
    text = "".join(c + char if c.isalnum() else c for c in said)
    found, plain = split_sentences(text), split_sentences(said)
    assert [(u.kind, seen(text[u.start : u.end])) for u in found] == [(u.kind, said[u.start : u.end]) for u in plain]
    assert [seen(text[slice(*head)]) for head in head_spans(text, found).values()] == [
        said[slice(*head)] for head in head_spans(said, plain).values()
    ]


@pytest.mark.parametrize("char", CHARS.values(), ids=CHARS)
def test_a_claim_is_checked_against_what_is_seen(char: str) -> None:
    source = Source("1", f"Warfarin 5{char}0 mg daily. N{char}o fever.")
    assert check_claim("Warfarin 50 mg daily.", [source]).verified
    assert not check_claim("Warfarin 5 mg daily.", [source]).verified
    assert not check_claim("Warfarin 0 mg daily.", [source]).verified
    assert not check_claim("Fever.", [source]).verified
    assert check_claim(f"No fe{char}ver.", [dataclasses.replace(source, text="No fever.")]).verified


@given(
    st.lists(st.sampled_from(["a", "5", " ", "é", "\u200b", "\u00ad", "\U000e0041", "😀"]), max_size=30).map("".join)
)
def test_spans_lead_to_what_is_seen_and_back(text: str) -> None:
    view = look(text)
    assert view.text == seen(text)
    assert seen(view.text) == view.text
    for start in range(len(view.text)):
        for end in range(start + 1, len(view.text) + 1):
            stored = view.span(Span(start, end))
            assert seen(text[slice(*stored)]) == view.text[start:end]
            assert view.shown(stored) == Span(start, end)
