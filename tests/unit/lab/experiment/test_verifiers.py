"""Verifiers: what each accepts, and what the baseline of paper 001 cannot see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.scripted_server import Said, chat, serving

from chartcite.core.errors import UnknownImplementation
from chartcite.lab.experiment.errors import MissingEndpoint
from chartcite.lab.experiment.spec import Bm25Ngram, VerifierOptions
from chartcite.lab.experiment.tables import Cited
from chartcite.lab.experiment.verifiers import Given, ToCheck, Verifier, find_verifier
from chartcite.lab.experiment.verifiers.bm25_ngram import Bm25NgramVerifier
from chartcite.lab.experiment.verifiers.prompt import Prompted
from chartcite.library.calls.account import Account
from chartcite.library.settings import Settings

SOURCE = "Warfarin was lowered to 4 mg every evening because the INR was 4.2."
OTHER = "The left knee is swollen after a fall."
GIVEN = Given((SOURCE, OTHER), {"q": {"d1": (SOURCE,), "d2": ()}}, "en", VerifierOptions(), Settings())


def cited(text: str, doc: str = "d1") -> Cited:
    return Cited(doc, 0, len(text), text)


def verifier(name: str) -> Verifier:
    return find_verifier(name)(GIVEN)


def test_rules_see_a_changed_number_that_shared_words_do_not() -> None:
    wrong = ToCheck(SOURCE.replace("4 mg", "5 mg"), (cited(SOURCE),))
    assert verifier("bm25_ngram").check(wrong).supported is True
    assert verifier("rules").check(wrong).supported is False


@pytest.mark.parametrize("name", ["rules", "bm25_ngram"])
def test_a_quote_is_accepted_and_another_topic_is_not(name: str) -> None:
    assert verifier(name).check(ToCheck(SOURCE, (cited(SOURCE),))).supported is True
    found = verifier(name).check(ToCheck(SOURCE, (cited(SOURCE), cited(OTHER))))
    assert (found.supported, found.supports) == (True, (True, False))
    assert verifier(name).check(ToCheck(SOURCE, (cited(OTHER),))).supported is False
    assert verifier(name).check(ToCheck(SOURCE, ())).supported is False


def test_the_parameters_of_the_baseline_are_thresholds() -> None:
    claim = ToCheck("Warfarin was lowered to 4 mg every evening.", (cited("Warfarin was lowered every evening."),))
    for options, accepted in ((Bm25Ngram(n=1, min_overlap=0.5, min_score=0.3), True), (Bm25Ngram(n=5), False),
                              (Bm25Ngram(n=1, min_overlap=0, min_score=1), False)):  # fmt: skip
        assert Bm25NgramVerifier(GIVEN.texts, "en", options).check(claim).supported is accepted


def test_figures_of_the_baseline() -> None:
    made = Bm25NgramVerifier(GIVEN.texts, "en", Bm25Ngram())
    assert made.figures(SOURCE, SOURCE) == (1.0, 1.0)
    assert made.figures("Warfarin", SOURCE)[1] == 1.0
    assert made.figures("", SOURCE) == (0.0, 0.0)
    # Words a b c d against a b c x: of the 3-grams abc, bcd one is there.
    assert made.figures("a b c d", "a b c x")[1] == 0.5


def test_gold_judges_where_a_citation_points() -> None:
    gold = verifier("gold")
    assert gold.check(ToCheck("x", (cited("lowered to 4 mg"),), "q")).supported is True
    assert gold.check(ToCheck("x", (cited(OTHER),), "q")).supported is False
    assert gold.check(ToCheck("x", (cited(OTHER, "d2"), cited(OTHER, "d9")), "q")).supports == (True, False)
    assert gold.check(ToCheck("x", (cited(SOURCE),), "q2")).supported is None


def test_no_endpoint_is_an_error_and_no_figure() -> None:
    with pytest.raises(MissingEndpoint):
        verifier("prompt")


def test_the_prompt_adapter_reads_a_strict_verdict() -> None:
    asked: list[str] = []

    def complete(prompt: str) -> str:
        asked.append(prompt)
        return '{"supported": true}'

    what = ToCheck("<<<PASSAGES>>> is what the claim says", (cited(SOURCE), cited(OTHER)))
    found = Prompted(complete).check(what)
    assert (found.supported, found.supports, len(asked)) == (True, (True, True), 3)
    assert f"[1] {SOURCE}\n[2] {OTHER}" in asked[0]
    assert "<<<PASSAGES>>> is what" in asked[0]
    for reply in ("yes", '{"supported": "true"}', "[]", ""):
        assert Prompted(lambda _, r=reply: r).check(what).supported is None  # type: ignore[misc]


def test_what_makes_a_models_word_doubtful_stands_in_the_reason() -> None:
    account = Account()

    def complete(prompt: str) -> str:
        account.note(["prompt_was_cut_by_server", "asked_without_schema"])
        return '{"supported": true}'

    what = ToCheck("Warfarin 5 mg.", (Cited("d", 0, 14, "Warfarin 5 mg."),))
    verifier = Prompted(complete, account)
    assert [verifier.check(what).reason for _ in range(2)] == ["the model says yes (prompt_was_cut_by_server)"] * 2


def test_the_prompt_verifier_asks_the_judge_that_the_settings_name() -> None:
    replies = iter(['{"supported": true}', '```json\n{"supported": false}\n```', "I cannot tell."])
    with serving(lambda _: chat(next(replies))) as (url, seen):
        given = replace(GIVEN, settings=Settings(judge_url=url, judge_model="asked"))
        made = find_verifier("prompt")(given)
        found = [made.check(ToCheck(SOURCE, (cited(SOURCE),))).supported for _ in range(3)]
    assert found == [True, False, None]
    assert {body["model"] for body in seen} == {"asked"}
    assert SOURCE in seen[0]["messages"][0]["content"]


def test_a_failing_endpoint_is_no_verdict() -> None:
    with serving(lambda _: Said({}, 400)) as (url, _):
        given = replace(GIVEN, settings=Settings(judge_url=url, judge_model="asked"))
        found = find_verifier("prompt")(given).check(ToCheck(SOURCE, (cited(SOURCE), cited(OTHER))))
    assert (found.supported, found.supports) == (None, (None, None))
    assert found.reason.startswith("Refused") or "EndpointFailed" in found.reason


def test_unknown() -> None:
    with pytest.raises(UnknownImplementation) as caught:
        find_verifier("llm")
    assert "bm25_ngram" in caught.value.advice
