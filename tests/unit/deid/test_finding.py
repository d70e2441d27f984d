"""What is found, kind by kind, and what looks like it and is not."""

from __future__ import annotations

from typing import Any

import pytest

from chartcite.deid.finder import find
from chartcite.deid.known import read_record

FOUND = (
    ("Patient: Lorcan Hartwell   MRN: 00482913", ("name Lorcan Hartwell", "id 00482913")),
    ("HARTWELL, LORCAN  72M  admitted 2/9/2023", ("name HARTWELL, LORCAN", "date 2/9/2023")),
    ("Seen by Dr. van der Meulen and Dr. Long.", ("name van der Meulen", "name Long")),
    ("His wife Abena and sons Luis and Mateo were there.", ("name Abena", "name Luis", "name Mateo")),
    ("Dictated by S. Tillman, MD", ("name S. Tillman",)),
    ("Signed\n/M. Ekholm", ("name M. Ekholm",)),
    ("Dear Dr. O'Sullivan,", ("name O'Sullivan",)),
    ("Thank you, Eleanor", ("name Eleanor",)),
    ("Grace reports nausea.", ("name Grace",)),
    ("Dr(a). Siqueira, CRM-SP 98765", ("name Siqueira", "id 98765")),
    ("Acompanhada da filha Luciana, CPF 529.982.247-25", ("name Luciana", "id 529.982.247-25")),
    ("Paciente: Maria do Carmo Tavares", ("name Maria do Carmo Tavares",)),
    ("DOB 04/17/1951, since March 2018, in 2009", ("date 04/17/1951", "date March 2018", "date 2009")),
    ("Internado em 5 de março de 2019", ("date 5 de março de 2019",)),
    ("file 2019-03-02_progress-note, taken 2020-07-19T08:15", ("date 2019-03-02", "date 2020-07-19")),
    ("8 Feb '14 and 23.11.2018", ("date 8 Feb '14", "date 23.11.2018")),
    ("He is 93 years old; his son is 61 years old.", ("age 93",)),
    ("Call (937) 555-0142 or +55 11 95555-0166, ext. 4471",
     ("phone (937) 555-0142", "phone +55 11 95555-0166", "phone 4471")),
    ("Write to h.w51@fastmail.example or www.clinic.example/x.",
     ("email h.w51@fastmail.example", "url www.clinic.example/x")),
    ("Monitor at 192.168.14.77", ("ip 192.168.14.77",)),
    ("SSN 219-09-9999, accession S18-44210", ("id 219-09-9999", "id S18-44210")),
    ("Plate 7KLM428; placa BRA2E19", ("plate 7KLM428", "plate BRA2E19")),
    ("Lives at 418 Larkspur Lane, Dayton, OH 45402.", ("address 418 Larkspur Lane", "place Dayton", "postcode 45402")),
    ("Reside na Rua das Laranjeiras, 245, apto 301, CEP 24230-061",
     ("address Rua das Laranjeiras, 245, apto 301", "postcode 24230-061")),
    ("Transferred from Mercy Ridge Hospital.", ("place Mercy Ridge Hospital",)),
    ("Transferida da Santa Casa de Limeira.", ("place Santa Casa de Limeira",)),
)  # fmt: skip
NOT_FOUND = (
    "Murphy sign negative, Babinski absent, Apgar 9-10-10.",
    "Hodgkin lymphoma, Parkinson's disease, Foley catheter, Whipple procedure.",
    "Father T2DM, mother breast cancer, sister melanoma.",
    "70 M. Dr agrees; 12 units Lantus St; T 36.8; pain 3/10; strength 5/5.",
    "HbA1c by his account 7.9 %; eye report normal; called 2130; lot of pain.",
    "K 4.9 mEq/L. Ride fell through. 169 x10^3/uL. Ordering team was called.",
    "HEART FAILURE CLINIC. Emergency Department. Nursing home. Home Health.",
    "The programmed death-1 receptor; a dead-end 12-lead.",
    "E. coli, S. aureus, C. difficile, H. pylori, T. bili 1.2.",
    "CKD-EPI 2021 equation; 2000 mL; 1,250 mg; 2030 kcal; BP 138/82.",
    "May increase to 40 mg; will recheck in May; march in place.",
    "[**Last Name (STitle) 2312**] and ___ on [**2101-3-4**].",
    "Doença de Chagas, sinal de Giordano negativo, síndrome de Down.",
)


@pytest.mark.parametrize(("text", "wanted"), FOUND, ids=range(len(FOUND)))
def test_found(text: str, wanted: tuple[str, ...]) -> None:
    found = [f.mention for f in find(text, read_record(()))]
    assert [f"{m.kind} {text[m.start : m.end]}" for m in found] == list(wanted)


@pytest.mark.parametrize("text", NOT_FOUND, ids=range(len(NOT_FOUND)))
def test_not_found(text: str) -> None:
    assert [text[f.mention.start : f.mention.end] for f in find(text, read_record(()))] == []


def test_a_name_of_the_record_is_one_everywhere_and_its_words_are_none() -> None:
    record = read_record(("Seen by Dr. Vosk and Dr. Rash.", "A rash. VOSK called."), ("demo-vosk-1",))
    text = "Rash on the arm. Vosk's plan: demo-vosk-1."
    assert [text[f.mention.start : f.mention.end] for f in find(text, record)] == ["Vosk", "demo-vosk-1"]


def test_one_capitalised_word_that_the_record_also_writes_small_is_no_known_name() -> None:
    texts = (
        "See the doctor. Aggressive care. Of cyclin B. Overexpression. Dr. Zubrow.",
        "aggressive overexpression, zubrow",
    )
    assert read_record(texts).names.names == {"zubrow"}


RECORD = (
    "Patient: Maria Kowalsky\nSeen by Dr. Okafor. Ms. Kowalsky takes warfarin. pt kowalsky well.",
    "Contact: maria.kowalsky@mail.com or https://x.example/okafor, file okafor_1.txt; tolerated milk, leite.",
)
TYPED = (
    ("Later Kowalsky refused the dose; Maria agreed.", ["Kowalsky", "Maria"]),
    ("KOWALSKY left; Okafor agreed.", ["KOWALSKY", "Okafor"]),
    ("maria kowalsky here, what dose did dr okafor give me", ["maria", "kowalsky", "okafor"]),
    ("Okafor_note, kowalsky_report.pdf, @okafor, Kowalsky77", ["Okafor", "kowalsky", "okafor", "Kowalsky"]),
    ("my daughter is anna kowalsky", ["anna kowalsky"]),
    ("nurse baumgarten gave it", ["baumgarten"]),
    ("dr van der meulen stopped it", ["van der meulen"]),
    ("hi, my name is zora quintela and i am well", ["zora quintela"]),
    ("i am yolanda, can i eat?", ["yolanda"]),
    ("Mrs. baumgarten said no", ["baumgarten"]),
    ("me chamo ligia baumgarten", ["ligia baumgarten"]),
    ("The tag <Maria Kowalsky> and [**Maria Kowalsky**]", ["Maria Kowalsky", "Maria Kowalsky"]),
)
"""What is typed of a record, and the names in it."""
TYPED_PLAIN = (
    "i am on warfarin, my nurse said that the doctor recommended it. this is new. my mother is well.",
    "ms flare, mr angiogram, diltiazem sr capsules, ms contin 15 mg, dr said so, nurse visits, the doctor applies it",
    "drinks milk (leite), rash, no hope of grace; mark the site; sulfadiazina de prata",
    "HLA-DR alleles, mRS of 3, DRS foci, a nurse practitioner; i am sad; i am sure; this is may",
)
MASKS: Any = (
    ("By <NAME> on <DATE>; [**Known lastname 12**] [**Hospital1 18**] [**2101-3-14**] [**Last Name (STitle) 2**]", []),
    ("Seen by Dr. <John Smith> today.", ["John Smith"]),
    ("From <Mary Jones>, [**Joao Silva**]", ["Mary Jones", "Joao Silva"]),
    ("Dr. [**Zubrowski**] came", ["Zubrowski"]),
    ("[**2019-03-02**] [**MRN 1234567**] <MRN 1234567>", ["2019-03-02", "1234567", "1234567"]),
    ("<sources-0a1b2c3d> and </sources-0a1b2c3d>", []),
)  # fmt: skip


def names_in(text: str, *texts: str, labels: tuple[str, ...] = ()) -> list[str]:
    return [text[f.mention.start : f.mention.end] for f in find(text, read_record(texts, labels))]


@pytest.mark.parametrize(("text", "wanted"), TYPED, ids=range(len(TYPED)))
def test_a_name_is_found_as_people_type_it(text: str, wanted: list[str]) -> None:
    assert names_in(text, *RECORD) == wanted


@pytest.mark.parametrize("text", TYPED_PLAIN, ids=range(len(TYPED_PLAIN)))
def test_small_letters_alone_make_no_name(text: str) -> None:
    assert names_in(text, *RECORD) == []
    assert names_in(text, "Seen by Dr. Leite and Dr. Prata and Dr. Mark Hope.") == []


def test_an_author_and_a_label_are_known_whatever_small_letters_say() -> None:
    record = read_record(
        ("Baumgarten signed; baumgarten and wierzba agree. Wierzba.",), ("wierzba-1",), ["L. Baumgarten"]
    )
    assert record.names.names == {"baumgarten", "wierzba"}


@pytest.mark.parametrize(("text", "wanted"), MASKS, ids=range(len(MASKS)))
def test_only_placeholders_in_brackets_stay(text: str, wanted: list[str]) -> None:
    assert names_in(text) == wanted


LABELS = (
    ("HOSP\\12345", "Record of HOSP\\12345 follows."), ('J "Jo" 77', 'Chart J "Jo" 77, new'),
    ("p_0042", "P_0042_scan"), ("0042", "scan_0042_a"),
)  # fmt: skip


@pytest.mark.parametrize(("label", "text"), LABELS, ids=range(len(LABELS)))
def test_a_label_is_found_with_any_sign_in_it(label: str, text: str) -> None:
    assert [t.casefold() for t in names_in(text, labels=(label,))] == [label.casefold()]


ESCAPED = (
    (r"Seen.\nOkafor agreed", ["Okafor"]), (r"on\t2019-03-02\rMRN\t1234567", ["2019-03-02", "1234567"]),
    (r"scan_1234567890_a and 219-09-9999_b", ["1234567890", "219-09-9999"]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), ESCAPED, ids=range(len(ESCAPED)))
def test_an_escape_or_a_low_line_ends_a_word(text: str, wanted: list[str]) -> None:
    assert names_in(text, *RECORD) == wanted


def test_numeric_dates_are_read_as_the_record_writes_them() -> None:
    text = "on 03/04/2019"
    assert [f.date for f in find(text, read_record(("25/12/2018",)))] == ["2019-04-03"]
    assert [f.date for f in find(text, read_record(("12/25/2018",)))] == ["2019-03-04"]
