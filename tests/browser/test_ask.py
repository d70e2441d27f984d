"""Asking in a browser: the answer, its citations, the exact span, the keys, the stream."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from tests.browser.conftest import Open, Site
from tests.browser.records import HARD_TEXT, ODD_NAME

from chartcite.app.page.urls import place_url
from chartcite.core.scope import Scope

ODD = place_url(Scope.patient(ODD_NAME))


def test_a_citation_opens_its_note_at_the_sentence(open_page: Open, site: Site) -> None:
    page = open_page("/p/demo-marta-castelli")
    page.fill("#question", "Why was metformin stopped?")
    page.press("#question", "Enter")
    page.wait_for_selector("#answer .answer")
    answer = site.book.ask("Why was metformin stopped?", patient="demo-marta-castelli")
    assert len(answer.citations) > 1
    for number, citation in enumerate(answer.citations, start=1):
        page.click(f'.cite[data-cite="{number}"]')
        assert page.text_content(f"#source-{number} mark") == citation.quote
        assert page.locator(".source:visible").count() == 1
        assert page.locator(f"#source-{number} mark").is_visible()
        assert page.evaluate("document.activeElement.id") == f"source-{number}"
    assert page.locator(".badge.good").count() == len(answer.sentences)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_the_mark_is_the_quote_to_the_last_code_point(open_page: Open, site: Site, scripted: bool) -> None:
    question = "What is the dose of lisinopril?"
    page = open_page(ODD, java_script_enabled=scripted)
    page.fill("#question", question)
    page.click("#go")
    page.wait_for_selector("#answer .answer")
    (citation,) = site.book.ask(question, patient=ODD_NAME).citations
    assert HARD_TEXT[citation.start : citation.end] == citation.quote
    assert "\u202e" in citation.quote
    assert "\U0001f48a" in citation.quote
    assert page.text_content("#source-1 mark") == citation.quote
    assert page.text_content("#source-1 .note-text") == HARD_TEXT


def test_without_a_script_everything_can_be_read(open_page: Open) -> None:
    page = open_page("/c/demo-articles", java_script_enabled=False)
    page.fill("#question", "Below which eGFR should metformin be stopped?")
    page.click("#go")
    page.click(".cite >> nth=0")
    assert page.url.endswith("#source-1")
    assert page.locator("#source-1 mark").is_visible()
    assert page.locator("#keys-open").is_hidden()


def test_keys(open_page: Open) -> None:
    page = open_page("/p/demo-marta-castelli")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("Why was metformin stopped?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer .answer")
    page.keyboard.press("j")
    assert page.inner_text("#where").startswith("2 /")
    page.keyboard.press("k")
    assert page.inner_text("#where").startswith("1 /")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "source-2"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.cite") == "2"
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()


def test_recent_questions_stay_in_the_tab(open_page: Open) -> None:
    page = open_page("/p/demo-marta-castelli")
    page.fill("#question", "Does she have a pacemaker?")
    page.click("#go")
    page.wait_for_selector("#answer .presence")
    page.reload()
    assert page.inner_text("#recent li") == "Does she have a pacemaker?"
    other = page.context.new_page()
    other.goto(page.url)
    assert other.locator("#recent").is_hidden()
    assert page.context.cookies() == []


def test_a_bad_question_is_told(open_page: Open, watch: object) -> None:
    page = open_page("/p/demo-marta-castelli")
    page.fill("#question", "INR")
    page.evaluate("document.querySelector('[name=as_of]').type = 'text'")
    page.fill("[name=as_of]", "yesterday")
    page.click("#go")
    page.wait_for_selector("#answer [role=alert]")


def test_names_with_slashes_have_their_page(open_page: Open) -> None:
    page = open_page("/")
    page.fill("#q", "ward 7/bed")
    page.press("#q", "Enter")
    page.click(".records a")
    assert page.url.endswith(quote(ODD_NAME, safe=""))
    assert page.inner_text(".crumbs").strip() == ODD_NAME
