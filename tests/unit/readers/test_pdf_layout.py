"""Reading order, running lines, raised figures, hyphens, pages without a character map: PDFs made for it."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

import pytest

from chartcite.core.documents import Document
from chartcite.core.errors import EmptySource
from chartcite.ingest.prepare import fingerprint
from chartcite.readers.pdf_quality import is_garbled
from chartcite.text.sentences import split_sentences

MakePdf = Callable[..., bytes]
ReadOne = Callable[..., Document]
Read = Callable[..., tuple[list[object], list[object]]]

LEFT = [
    "The patient was admitted with chest",
    "pain of two days and was given heparin",
    "at once. The troponin was raised on the",
    "second day, and an angiogram showed a",
    "narrow artery that was opened without",
    "trouble. He walked on the third day.",
]
RIGHT = [
    "He has asthma since his childhood and",
    "uses an inhaler when he has to climb",
    "stairs. His father died of a stroke at",
    "the age of sixty, and his mother is well",
    "and lives with him in the same house",
    "that she was born in. He never smoked.",
]


def line(text: str, x: float, y: float, size: float = 8) -> str:
    return f"BT /F1 {size:g} Tf {x:g} {y:g} Td ({text}) Tj ET\n"


def columns(left: list[str], right: list[str], step: float = 10, shift: float = 0) -> list[tuple[str, float, float]]:
    first = [(t, 20.0, 350 - n * step) for n, t in enumerate(left)]
    return first + [(t, 210.0, 350 - shift - n * step) for n, t in enumerate(right)]


ORDERS: dict[str, Callable[[list[tuple[str, float, float]]], list[tuple[str, float, float]]]] = {
    "by-column": lambda placed: placed,
    "across": lambda placed: sorted(placed, key=lambda p: (-p[2], p[1])),
    "right-first": lambda placed: sorted(placed, key=lambda p: (-p[1], -p[2])),
    "shuffled": lambda placed: random.Random(3).sample(placed, len(placed)),
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("shift", [0, 4], ids=["level", "shifted"])
def test_columns_are_read_one_after_the_other(
    read_one: ReadOne, make_pdf: MakePdf, order: Callable[..., list[tuple[str, float, float]]], shift: float
) -> None:
    placed = order(columns(LEFT, RIGHT, shift=shift))
    title = line("Letter to the general practitioner about a patient who was admitted with pain", 20, 375, 10)
    below = line(
        "This letter was read by the patient, who agreed to it, and sent on the same day it was written.", 20, 270
    )
    page = below + "".join(line(*p) for p in placed) + title
    text = read_one("n.pdf", make_pdf(page)).text
    assert " ".join(text.split()) == " ".join(
        ["Letter to the general practitioner about a patient who was admitted with pain", *LEFT, *RIGHT,
         "This letter was read by the patient, who agreed to it, and sent on the same day it was written."]
    )  # fmt: skip


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("step", [10, 16], ids=["dense", "wide"])
def test_rows_of_a_table_stay_rows(
    read_one: ReadOne, make_pdf: MakePdf, order: Callable[..., list[tuple[str, float, float]]], step: float
) -> None:
    names = ["Sodium", "Potassium", "Total bilirubin", "Alkaline phosphatase", "Urea", "Creatinine"]
    cells = [
        (cell, x, 350 - n * step)
        for n, name in enumerate(names)
        for cell, x in ((name, 20.0), (f"{n + 1}.{n}", 150.0), ("mmol/L", 220.0), ("H" if n % 2 else "L", 300.0))
    ]
    text = read_one("n.pdf", make_pdf("".join(line(*cell) for cell in order(cells)))).text
    assert text.split("\n") == [
        f"{name}   {n + 1}.{n}   mmol/L   {'H' if n % 2 else 'L'}" for n, name in enumerate(names)
    ]


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_cells_of_several_lines_are_read_cell_by_cell(
    read_one: ReadOne, make_pdf: MakePdf, order: Callable[..., list[tuple[str, float, float]]]
) -> None:
    rows = [
        (["Metformin 500 mg"], ["One tablet with breakfast and", "one with dinner, every day"]),
        (
            ["Warfarin 5 mg tablets,", "pink"],
            ["As the clinic says after each", "blood test, in the evening,", "never two"],
        ),
        (["Heparin"], ["Stopped on the second day"]),
    ]
    placed, y = [], 350.0
    for left, right in rows:
        placed += [(t, 20.0, y - 10 * n) for n, t in enumerate(left)]
        placed += [(t, 200.0, y - 10 * n) for n, t in enumerate(right)]
        y -= 10 * max(len(left), len(right)) + 14
    text = read_one("n.pdf", make_pdf("".join(line(*p) for p in order(placed)))).text
    assert [" ".join(row.split()) for row in text.split("\n") if row] == [" ".join([*a, *b]) for a, b in rows]


def test_a_form_keeps_names_and_values_together(read_one: ReadOne, make_pdf: MakePdf) -> None:
    fields = [
        ("Name:", "Ana Prates"),
        ("Born:", "1950"),
        ("Ward:", "Four"),
        ("Bed:", "Twelve"),
        ("Diet:", "Free"),
        ("Age:", "71"),
    ]
    placed = [
        (text, 20 + 180 * (n % 2) + dx, 350 - 20 * (n // 2))
        for n, pair in enumerate(fields) for text, dx in zip(pair, (0, 60), strict=True)
    ]  # fmt: skip
    text = read_one("n.pdf", make_pdf("".join(line(*p) for p in sorted(placed)))).text
    assert text.split() == " ".join(" ".join(pair) for pair in fields).split()


def body(n: int) -> str:
    return "".join(
        line(f"On day {n} the patient walked {n} km and line {k} was written.", 20, 300 - 12 * k) for k in range(4)
    )


def test_running_lines_go_after_the_text(read_one: ReadOne, make_pdf: MakePdf) -> None:
    pages = [
        line("Hospital of the South - Ana Prates", 20, 385) + body(n) + line(f"Page {n} of 4", 180, 10)
        for n in range(1, 5)
    ]
    document = read_one("n.pdf", make_pdf(*pages))
    (running,) = document.running
    flow, apart = document.text[: running.start], document.text[running.start :]
    assert flow.count("Hospital of the South") == 1 == flow.count("Page ")
    assert flow.startswith("Hospital of the South")
    assert flow.endswith("Page 4 of 4")
    assert apart.strip().split("\n") == [
        "Page 1 of 4", *(t for n in (2, 3) for t in ("Hospital of the South - Ana Prates", f"Page {n} of 4")),
        "Hospital of the South - Ana Prates",
    ]  # fmt: skip
    assert document.pages == tuple(sorted(document.pages))
    assert [document.page_at(document.text.index(f"On day {n}")) for n in range(1, 5)] == [1, 2, 3, 4]
    assert fingerprint(document)


def test_a_sentence_goes_on_over_the_end_of_a_page(read_one: ReadOne, make_pdf: MakePdf) -> None:
    first = "The dose of metoprolol that he takes at home was raised by the night doctor to"
    pages = [
        line("The Record", 20, 385) + line(first, 20, 60) + line("1", 200, 10),
        line("The Record", 20, 385) + line("50 mg twice a day because of his pulse.", 20, 350) + line("2", 200, 10),
        line("The Record", 20, 385) + line("He went home.", 20, 350) + line("3", 200, 10),
    ]
    document = read_one("n.pdf", make_pdf(*pages))
    quotes = [document.text[s.start : s.end] for s in split_sentences(document.text)]
    assert f"{first}\n50 mg twice a day because of his pulse." in quotes
    start = document.text.index(first)
    assert [box.page for box in document.boxes_of(start, start + len(first) + 8)] == [1, 2]


@pytest.mark.parametrize(
    "tops",
    [
        ["Sodium 141 mmol/L", "Sodium 138 mmol/L", "Sodium 129 mmol/L", "Sodium 133 mmol/L"],
        ["Hospital day 1", "Hospital day 2", "Hospital day 3", "Hospital day 4"],
        ["141", "138", "129", "133"],
        ["Seen on 2021-03-01", "Seen on 2021-03-02", "Seen on 2021-03-03", "Seen on 2021-03-04"],
    ],
    ids=["values", "days", "numbers", "dates"],
)
def test_lines_at_the_top_that_differ_are_text(read_one: ReadOne, make_pdf: MakePdf, tops: list[str]) -> None:
    document = read_one("n.pdf", make_pdf(*(line(top, 20, 385) + body(n) for n, top in enumerate(tops))))
    assert document.running == ()
    assert all(top in document.text for top in tops)


def test_raised_figures_are_not_read_as_digits(read_one: ReadOne, make_pdf: MakePdf) -> None:
    raised = (
        "BT /F1 12 Tf 20 300 Td (Platelets 150 x 10) Tj /F1 7 Tf 5 Ts (3) Tj /F1 12 Tf 0 Ts (/\xb5L, seen before.) Tj"
        " /F1 7 Tf 5 Ts (12) Tj ET"
    )
    lowered = "BT /F1 12 Tf 20 250 Td (CO) Tj /F1 7 Tf -3 Ts (2) Tj /F1 12 Tf 0 Ts ( was 24 mmol/L) Tj ET"
    text = read_one("n.pdf", make_pdf(raised + "\n" + lowered)).text
    assert "10³/\xb5L, seen before.¹²" in " ".join(text.split())
    assert "103" not in text
    assert "CO 2 was 24 mmol/L" in text


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("He had no ther-", "apy before.", "no therapy before."),
        ("A low-", "density lesion is seen.", "A low-density lesion"),
        ("Stage T4-", "N2 was found.", "T4-N2"),
        ("He takes 2-", "3 mg at night.", "2-3 mg"),
        ("The dose is -", "5 mg was refused.", "is -\n5 mg"),
    ],
    ids=["joined", "kept", "stage", "range", "dash"],
)
def test_hyphens_over_line_ends(read_one: ReadOne, make_pdf: MakePdf, first: str, second: str, expected: str) -> None:
    assert expected in read_one("n.pdf", make_pdf(line(first, 20, 300) + line(second, 20, 290))).text


def test_a_word_goes_on_over_the_end_of_a_page(read_one: ReadOne, make_pdf: MakePdf) -> None:
    document = read_one("n.pdf", make_pdf(line("He had no ther-", 20, 20), line("apy before.", 20, 350)))
    assert document.text == "He had no therapy before."
    assert document.pages == (0, 14)


PROSE = " ".join([*LEFT, *RIGHT])


def shuffled(text: str, seed: int) -> str:
    to = random.Random(seed).sample(string.ascii_lowercase, 26)
    table = str.maketrans(string.ascii_lowercase + string.ascii_uppercase, "".join(to) + "".join(to).upper())
    return text.translate(table)


@pytest.mark.parametrize("seed", range(5))
def test_fluent_letters_that_are_no_language_are_noticed(seed: int) -> None:
    assert is_garbled(shuffled(PROSE, seed))


@pytest.mark.parametrize(
    "text",
    [
        "\x01\x02\x03 \x04\x05",
        "\ue001\ue002 \ue003",
        "%&/()= +*#'~ @<>",
        "A" * 60,
        " ".join("the patient was seen at home"),
    ],
    ids=["controls", "private", "signs", "one-glyph", "letter-by-letter"],
)
def test_other_pages_without_a_character_map_are_noticed(text: str) -> None:
    assert is_garbled(text)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "O paciente foi internado com dor no peito há dois dias e recebeu heparina. Não houve complicações.",
        "El paciente ingresó con dolor torácico de dos días y fue tratado con heparina. No hubo complicaciones.",
        "Der Patient wurde wegen Brustschmerzen aufgenommen und mit Heparin behandelt. Er wurde nach Hause entlassen.",
        "WBC 4.5 RBC 4.1 HGB 13.2 HCT 39 MCV 88 MCH 29 PLT 210 NEUT 60 LYMPH 30 Na 141 K 4.1 Cl 101 CO2 24 BUN 12",
        "Wojciechowska K, Kryszczynska A, Nguyen TH, Szczepanik M, Xu Y, Zhang Q. Lancet. 2010;375:1123-35.",
        "Hydroxychloroquine Sulfamethoxazole Levothyroxine Ezetimibe Zolpidem Oxcarbazepine Tizanidine Fluoxetine",
        "1 ........................ 4\n2 ______________ 5",
        "Yes No",
        "141",
        "المريض يعاني من ألم في الصدر منذ يومين وقد أعطي الهيبارين عند الدخول إلى المستشفى",
    ],
    ids=["en", "pt", "es", "de", "lab", "references", "drugs", "contents", "short", "number", "ar"],
)
def test_pages_that_can_be_read_are_no_false_alarm(text: str) -> None:
    assert not is_garbled(text)


def test_a_garbled_file_needs_ocr(read: Read, make_pdf: MakePdf) -> None:
    words = shuffled(PROSE, 1)
    page = "".join(line(words[n : n + 60], 20, 350 - n / 5) for n in range(0, len(words), 60))
    with pytest.raises(EmptySource, match="do not say which characters"):
        read("n.pdf", make_pdf(page))


def test_the_layer_of_a_scan_is_named_and_blank_paper_has_no_text(read_one: ReadOne, make_pdf: MakePdf) -> None:
    half = (
        "90 0 obj <</Type/XObject/Subtype/Image/Width 64/Height 64/BitsPerComponent 1/ColorSpace/DeviceGray"
        f"/Filter/ASCIIHexDecode/Length 1025>>\nstream\n{'A5' * 256}{'FF' * 256}>\nendstream endobj"
    )
    said = "q 3 Tr BT /F1 12 Tf 20 300 Td (On ink.) Tj 0 -200 Td (On blank paper.) Tj ET Q"
    document = read_one("n.pdf", make_pdf("q 400 0 0 400 0 0 cm /Im Do Q " + said, extra=half))
    assert document.source.format == "pdf; text layer of a scan"
    assert [document.text[a:b] for a, b in document.hidden] == ["On blank paper."]
