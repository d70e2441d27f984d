"""The forms of an answer as the command prints them: options, spans, plain words; wrong uses end with code 2."""

from __future__ import annotations

import pytest
from tests.e2e.conftest import Command

QUESTION = "Why was metformin stopped?"
OPTIONS = ("--option", "A=eGFR fell to 28", "--option", "B=a rash", "--option", "C=cannot be determined")


def test_a_choice(shared: Command) -> None:
    done = shared("ask", QUESTION, "-p", "p1", *OPTIONS, "--json", code=0)
    assert (done.json["schema"], done.json["chosen"]) == ("chartcite.choice/1", "A")
    assert done.json["options"][0]["citations"]
    page = shared("ask", QUESTION, "-p", "p1", *OPTIONS, code=0).out
    assert "A: eGFR fell to 28" in page
    assert "borne out" in page


def test_no_choice_may_be_a_failure(shared: Command) -> None:
    wrong = ("--option", "a rash", "--option", "hives")
    done = shared("ask", QUESTION, "-p", "p1", *wrong, "--fail-on-abstain", code=6)
    assert "No option is borne out" in done.out


def test_a_span(shared: Command) -> None:
    found = shared("ask", QUESTION, "-p", "p1", "--form", "span", "--json", code=0).json
    assert found["schema"] == "chartcite.span/1"
    note = (shared.home / "notes" / found["doc_id"]).read_text("utf-8")
    assert note[found["start"] : found["end"]] == found["text"]


def test_for_a_patient(shared: Command) -> None:
    found = shared("ask", QUESTION, "-p", "p1", "--audience", "patient", "--json", code=0).json
    assert found["audience"] == "patient"
    assert "plain" in found["sentences"][0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--option", "A=rash", "--option", "A=hives"), "same letter"),
        (("--option", "A=rash", "--option", "hives"), "have none"),
        (("--option", "rash", "--option", "hives", "--form", "span"), "two forms"),
        (("--form", "span", "--stream"), "do not go with"),
    ],
    ids=["one letter", "half named", "both forms", "stream"],
)
def test_wrong_uses(arguments: tuple[str, ...], says: str, shared: Command) -> None:
    done = shared("ask", QUESTION, "-p", "p1", *arguments, code=2)
    assert says in done.err
    assert done.out == ""
