"""Text that would be script stays text: 40 payloads at each place where foreign text is shown."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Open, Site
from tests.browser.payloads import PAYLOADS

from chartcite.app.page.urls import place_url
from chartcite.core.scope import Scope


def test_forty_payloads_are_forty() -> None:
    assert len(set(PAYLOADS)) == 40


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_text_of_notes_models_titles_file_names_and_reasons(open_page: Open, lang: str) -> None:
    page = open_page(f"/planted?lang={lang}")
    shown = {
        "note": page.locator(".source .note-text").all_text_contents(),
        "mark": page.locator(".source mark").all_text_contents(),
        "file name": page.locator(".source .origin").all_text_contents(),
        "title": page.locator(".source h3").all_text_contents(),
        "model": page.locator(".claim").all_text_contents(),
        "plain words": page.locator(".plain").all_text_contents(),
        "conflict": page.locator(".conflicts li").all_text_contents(),
        "fallback": page.locator(".cautions li").all_text_contents(),
    }
    for place, texts in shown.items():
        missing = [
            p for p, text in zip(PAYLOADS, texts, strict=True) if p.replace("_", " ") not in text.replace("_", " ")
        ]
        assert not missing, place
    assert page.locator("#answer script, #sources script, #answer img, #sources img, iframe, svg, object").count() == 0
    for element in ("h2#asked", "#question"):
        page.hover(element)
    for number in range(1, len(PAYLOADS) + 1):
        page.evaluate(f"document.querySelector('[data-cite=\"{number}\"]').click()")
    page.wait_for_timeout(200)


def test_names_of_patients_in_lists(open_page: Open) -> None:
    page = open_page("/?q=alert")
    names = page.locator(".records bdi").all_text_contents()
    assert set(names) >= {payload for payload in PAYLOADS if "alert" in payload}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)], ids=["every fifth", "all"])
def test_patients_pages_and_their_answers(open_page: Open, site: Site, step: int) -> None:
    """Patient, question, note, title and doc_id are the payload, through the stream of a script; one tab for all."""
    page = open_page("/")
    for payload in PAYLOADS[::step]:
        page.goto(site.url + place_url(Scope.patient(payload)))
        assert page.text_content(".crumbs bdi") == payload
        asked = f"What is the warfarin dose {payload}?"
        page.fill("#question", asked)
        page.click("#go")
        page.wait_for_selector("#answer .answer, #answer [role=alert]")
        assert page.text_content("#asked") == asked
        assert page.locator("#answer script, #sources script, #answer img, #sources img, iframe, svg").count() == 0
