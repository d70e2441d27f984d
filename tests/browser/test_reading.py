"""Reading: languages, narrow screens, what is not there, what conflicts, and WCAG by axe-core on every page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import Open

PAGES = {
    "start": ("/", ""),
    "answer": ("/p/demo-marta-castelli", "Why was metformin stopped?"),
    "absence": ("/p/demo-maria-castello", "Does she have a pacemaker?"),
    "conflict": ("/p/conflicted", "Is she allergic to penicillin?"),
    "collection": ("/c/demo-articles", "Below which eGFR should metformin be stopped?"),
    "login": ("/login", ""),
    "timeline": ("/p/demo-maria-castello/timeline?topic=INR", ""),
    "whole timeline": ("/p/demo-maria-castello/timeline", ""),
    "document": ("/p/demo-maria-castello/d/2024-02-19_progress-note.txt", ""),
    "ledger": ("/ledger", ""),
    "lab": ("/lab", ""),
}


def _asked(open_page: Open, name: str, **how: Any) -> Any:
    path, question = PAGES[name]
    page = open_page(path, **how)
    if question:
        page.fill("#question", question)
        page.click("#go")
        page.wait_for_selector("#answer .answer")
    return page


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        pytest.param(1280, "light", id="wide light"),
        pytest.param(390, "dark", id="narrow dark"),
        pytest.param(1280, "dark", id="wide dark", marks=pytest.mark.soak),
        pytest.param(390, "light", id="narrow light", marks=pytest.mark.soak),
    ],
)
def test_no_page_has_barriers(open_page: Open, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = {}
    for name in PAGES:
        page = _asked(open_page, name, width=width, color_scheme=scheme, reduced_motion="reduce")
        violations = axe.run(page).response["violations"]
        found[name] = [(v["id"], v["impact"], [n["target"] for n in v["nodes"]][:3]) for v in violations]
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
        assert page.locator(".notice").is_visible()
    assert not any(found.values()), found


def test_portuguese_by_address_then_by_cookie(open_page: Open) -> None:
    page = open_page("/p/demo-marta-castelli?lang=pt")
    assert page.get_attribute("html", "lang") == "pt-BR"
    assert page.inner_text("#go") == "Perguntar"
    page.fill("#question", "Por que a metformina foi suspensa?")
    page.click("#go")
    page.wait_for_selector("#answer .answer")
    assert "confere com" in page.inner_text(".badge >> nth=0")
    page.goto(page.url.partition("?")[0])
    assert page.inner_text(".notice") == "Uso em pesquisa; não é um dispositivo médico."
    page.click("text=English")
    assert page.inner_text("#go") == "Ask"


def test_portuguese_by_the_browsers_languages(open_page: Open) -> None:
    page = open_page("/", locale="pt-BR")
    assert page.inner_text("h1") == "Prontuários"


def test_what_is_not_there_is_said(open_page: Open) -> None:
    page = _asked(open_page, "absence")
    assert page.inner_text(".status").lower() == "not mentioned"
    assert "pacemaker" in page.inner_text(".statement")
    assert page.inner_text("#sources") == "Nothing is cited."


def test_what_conflicts_is_said_with_both_sides(open_page: Open) -> None:
    page = _asked(open_page, "conflict")
    assert page.inner_text(".status").lower() == "conflicting"
    marks = page.locator("mark").all_text_contents()
    assert any("anaphylaxis" in mark for mark in marks)
    assert any("No known drug allergies" in mark or "denies" in mark for mark in marks)


@pytest.mark.parametrize(("part", "said"), [("Diagnoses", "fibrillation"), ("Procedures", "arthroplasty")])
def test_what_the_record_says_of_a_patient_s_history_opens_its_sentence(open_page: Open, part: str, said: str) -> None:
    page = open_page("/p/demo-maria-castello/timeline")
    rows = page.locator("table.history", has=page.locator("caption", has_text=part)).locator("tbody tr")
    row = rows.filter(has_text=said).first
    row.locator("a").click()
    page.wait_for_selector("mark")
    assert said in page.inner_text("mark").lower()


def test_every_dose_opens_its_sentence(open_page: Open) -> None:
    page = open_page("/p/demo-maria-castello/timeline?topic=warfarin")
    rows = page.locator("table", has=page.locator("caption", has_text="warfarin")).locator("tbody tr")
    assert rows.count() > 4
    for n in range(rows.count()):
        dose = rows.nth(n).locator("td").nth(2).inner_text().split()[0]
        rows.nth(n).locator("a").click()
        page.wait_for_selector("mark")
        assert dose in page.inner_text("mark")
        page.go_back()
