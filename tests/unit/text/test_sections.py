"""Which lines are headers, and how they nest."""

from __future__ import annotations

import pytest

from chartcite.text.sentences import split_sentences


def headers_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text[u.start : u.end], u.section) for u in split_sentences(text) if u.kind == "header"]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("HISTORY OF PRESENT ILLNESS:", "HISTORY OF PRESENT ILLNESS"),
        ("Assessment and Plan:", "Assessment and Plan"),
        ("Assessment & Plan", "Assessment & Plan"),
        ("A/P:", "A/P"),
        ("chief complaint:", "chief complaint"),
        ("Discharge Medications:", "Discharge Medications"),
        ("Labs on admission:", "Labs on admission"),
        ("LABS (03/04):", "LABS (03/04)"),
        ("SPECIAL WOUND REVIEW", "SPECIAL WOUND REVIEW"),
        ("Home circumstances:", "Home circumstances"),
        ("# Plan", "Plan"),
        ("### Exame físico ###", "Exame físico"),
        ("Exame fisico:", "Exame fisico"),
        ("EXAME FI\u0301SICO:", "EXAME FI\u0301SICO"),
        ("**Impression:**", "Impression"),
        ("2. Physical Examination:", "Physical Examination"),
        ("HEENT", "HEENT"),
    ],
)
def test_header_alone(line: str, title: str) -> None:
    assert headers_of(f"{line}\nShe is well today.") == [(line, (title,))]


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("Chief Complaint: cough", "Chief Complaint:"),
        ("HPI: The man fell.", "HPI:"),
        ("BRIEF SUMMARY OF STAY: The man fell in his own kitchen.", "BRIEF SUMMARY OF STAY:"),
        ("Allergies : none known", "Allergies :"),
        ("Conduta: manter AAS", "Conduta:"),
        ("## CHF: stable on diuretics", "## CHF:"),
    ],
)
def test_header_with_text(line: str, header: str) -> None:
    assert [quote for quote, _ in headers_of(line + "\nShe is well today.")] == [header]


@pytest.mark.parametrize(
    "line",
    [
        "Blood Transfusion: No",
        "Symptom A: none",
        "Code Status: full",
        "Lungs: clear",
        "WBC: 12.4",
        "P: 88",
        "- Plan",
        "1. Plan: rest",
        "CHEST    ABDOMEN    PELVIS",
        "FUROSEMIDE 40 MG PO BID",
        "NO ACUTE DISTRESS",
        "NKDA",
        "The following were found:",
        "She was told this:",
        "He takes: aspirin",
        "see https://example.org",
        "Plan the visit.",
    ],
)
def test_no_header(line: str) -> None:
    assert headers_of(f"{line}\nshe is well today and will go home.") == []


def test_nesting() -> None:
    text = "# Visit\nSeen.\n## Plan\nRest.\nLABS:\nNone.\n## Follow\nSoon.\n# Other\nDone."
    sections = [unit.section for unit in split_sentences(text) if unit.kind == "sentence"]
    assert sections == [("Visit",), ("Visit", "Plan"), ("Visit", "Plan", "LABS"), ("Visit", "Follow"), ("Other",)]


def test_organs_nest_in_the_exam() -> None:
    text = "PHYSICAL EXAM\n\nNeck\n- supple\n\nChest:\nClear.\n\nPLAN\nHome."
    sections = [unit.section for unit in split_sentences(text) if unit.kind != "header"]
    assert sections == [("PHYSICAL EXAM", "Neck"), ("PHYSICAL EXAM", "Chest"), ("PLAN",)]


def test_hash_marks_a_problem_in_a_plain_note() -> None:
    text = "HOSPITAL COURSE:\n# CHF: diuresed well.\n# AKI\nResolved.\nPLAN:\nHome."
    sections = [unit.section for unit in split_sentences(text) if unit.kind == "sentence"]
    assert sections == [("HOSPITAL COURSE", "CHF"), ("HOSPITAL COURSE", "AKI"), ("PLAN",)]


FORMS = {
    "a mask in front": ("[**Hospital1 18**] COURSE:", "[**Hospital1 18**] COURSE"),
    "a mask behind": ("HOSPITAL COURSE AT [**Hospital 1820**]:", "HOSPITAL COURSE AT [**Hospital 1820**]"),
    "equal signs around": ("== Medication review ==", "Medication review"),
    "stars around": ("*** ALLERGIES ***", "ALLERGIES"),
    "underscores around": ("__Retorno__", "Retorno"),
    "square brackets": ("[Plan]", "Plan"),
    "Portuguese": ("Pendências:", "Pendências"),
}


@pytest.mark.parametrize(("line", "title"), FORMS.values(), ids=FORMS.keys())
def test_marks_around_a_header(line: str, title: str) -> None:
    assert headers_of(f"{line}\nShe is well today.") == [(line, (title,))]


@pytest.mark.parametrize(
    "line", ["[see below]", "----------", "== 2019-03-01 ==", "[**First Name 12**]", "1. HYPERTENSION:"]
)
def test_marks_around_other_lines(line: str) -> None:
    assert headers_of(f"{line}\nShe is well today.") == []


def test_letters_head_sections_only_together() -> None:
    assert [quote for quote, _ in headers_of("S> slept well\nO> afebrile\nA> ileus\nP> diet")] == [
        "S>",
        "O>",
        "A>",
        "P>",
    ]
    assert [quote for quote, _ in headers_of("S\nDizzy.\nO\nDrop of 25.\nA/P\nFluids.")] == ["S", "O", "A/P"]
    assert headers_of("O\npositive\nS\nnothing") == []


def test_an_answer_is_no_assessment() -> None:
    assert headers_of("Q: Do you take warfarin?\nA: yes, for years\nQ: Any bleeding?\nA: no") == []


def test_a_known_word_behind_a_full_stop() -> None:
    text = "Two views of the wrist.\nFindings\nFracture of the distal radius."
    assert [quote for quote, _ in headers_of(text)] == ["Findings"]
