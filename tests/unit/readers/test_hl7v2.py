r"""HL7 v2: delimiters, escapes, repetitions, statuses, batches, identity."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource
from chartcite.core.reading import Found, Problem
from chartcite.readers.hl7v2_syntax import Delimiters, unescape

Read = Callable[..., tuple[list[Found], list[Problem]]]
MSH = r"MSH|^~\&|LAB|X|APP|Y|203103011200||ORU^R01|1|P|2.5.1"
PID = "PID|1||77^^^H^MR||Sample^Ada"
OBR = "OBR|1||F1|K^Chemistry|||20310301113000-0500"


def obx(value: str, kind: str = "NM", name: str = "K^Potassium", unit: str = "mmol/L", limits: str = "3.5-5.1",
        flag: str = "H", status: str = "F", sub: str = "") -> str:  # fmt: skip
    return f"OBX|1|{kind}|{name}|{sub}|{value}|{unit}|{limits}|{flag}|||{status}"


def text(value: str, **more: str) -> str:
    return obx(value, "TX", "N^Note", "", "", "", **more)


def message(*segments: str, end: str = "\r") -> str:
    return end.join((MSH, PID, OBR, *segments)) + end


RESULTS = {
    "number": (obx("5.8"), "Potassium 5.8 mmol/L (3.5-5.1) H"),
    "preliminary": (obx("5.8", status="P"), "Potassium 5.8 mmol/L (3.5-5.1) H (preliminary result)"),
    "corrected": (obx("4.8", flag="", status="C"), "Potassium 4.8 mmol/L (3.5-5.1) (corrected result)"),
    "another-day": (obx("5.8") + "|||20310228", "Potassium 5.8 mmol/L on 2031-02-28 (3.5-5.1) H"),
    "structured-comparator": (obx(">^600", "SN", "G^Glucose", "mg/dL", "", ""), "Glucose >600 mg/dL"),
    "structured-ratio": (obx("^1^:^128", "SN", "A^ANA titre", "", "", ""), "ANA titre 1:128"),
    "coded": (obx("N^Negative^L", "CWE", "H^HIV 1 antibody", "", "", ""), "HIV 1 antibody: Negative"),
    "string": (obx("Yellow", "ST", "U^Urine colour", "", "", ""), "Urine colour: Yellow"),
    "date": (obx("20310304", "DT", "D^Last menses", "", "", ""), "Last menses: 2031-03-04"),
    "not-obtainable": (obx("", status="X"), "Potassium: no result can be obtained."),
    "pending": (obx("", status="I"), "Potassium: no result yet."),
    "ampersand": (obx("a=1&b=2", "ST", "U^Link", "", "", ""), "Link: a=1&b=2"),
    "repeats": (text("Line one~Line two"), "Line one\nLine two"),
    "escapes": (
        obx(r"Heart \T\ lung:\.br\Ratio 3\F\4, C:\E\scan, O\S\K, A\R\B\X2E\ \H\bold\N\ ", "FT", "X^R", "", "", ""),
        "Heart & lung:\nRatio 3|4, C:\\scan, O^K, A~B. bold",
    ),
    "an-escape-that-is-none": (text(r"C:\temp\new and \unknown\ "), r"C:\temp\new and \unknown" + "\\"),
    "power-with-a-bare-mark": (obx("7.2", unit="10^3/uL", flag=""), "Potassium 7.2 10^3/uL (3.5-5.1)"),
    "power-behind-an-x": (obx("7.2", unit="x10^9/L", flag=""), "Potassium 7.2 x10^9/L (3.5-5.1)"),
    "unit-with-its-name": (obx("7.2", unit="g/dL^grams^UCUM", flag=""), "Potassium 7.2 g/dL (3.5-5.1)"),
    "bare-ampersand": (obx("1^Staph & Strep", "CE", "W^T & B cells", "", "", ""), "T & B cells: Staph & Strep"),
    "words-of-another-day": (
        obx("<3.0", "ST", flag="") + "|||20310228", "Potassium: <3.0 mmol/L on 2031-02-28 (3.5-5.1)"
    ),
    "null-is-no-text": (text("a") + "\r" + obx('""', "ST", "U^Colour", "", "", ""), "a"),
    "comment": (f"{obx('5.8')}\rNTE|1||Haemolysed.", "Potassium 5.8 mmol/L (3.5-5.1) H\nNote: Haemolysed."),
}  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"], ids=["CR", "LF", "CRLF"])
def test_results(read_one: Callable[..., Document], name: str, end: str) -> None:
    segments, said = RESULTS[name]
    document = read_one("a.hl7", message(*segments.split("\r"), end=end))
    assert document.text == said + "\n"
    assert all(document.text[slice(*unit)] in said for unit in document.units)


def test_the_message(read: Read) -> None:
    visit = "PV1|1|I" + "|" * 17 + "V9"
    (found,), problems = read("a.hl7", "\r".join((MSH, PID, visit, OBR + "|" * 18 + "F", obx("5.8"))))
    document = found.document
    assert not problems
    assert (found.patient_id, document.doc_id, document.note_type, document.encounter_id) == (
        "77@H", "a.hl7#1", "Chemistry", "V9",
    )  # fmt: skip
    assert (str(document.time), document.status) == ("2031-03-01T11:30:00-05:00", "current")


@pytest.mark.parametrize(
    ("pid", "patient"),
    [
        ("PID|1||77^^^H^MR", "77@H"),
        ("PID|1||5^^^X^PI~77^^^H&1.2.3&ISO^MR", "77@1.2.3"),
        ("PID|1||77", "77"),
        ("PID|1|66^^^H|", "66@H"),
        ("PID|1||\"\"", None),
        ("ZID|1", None),
    ],
    ids=["namespace", "record-number-first", "no-authority", "older-field", "null", "none"],
)  # fmt: skip
def test_whose_it_is(read: Read, pid: str, patient: str | None) -> None:
    (found,), _ = read("a.hl7", "\r".join((MSH, pid, OBR, obx("5.8"))))
    assert found.patient_id == patient


def test_two_patients_in_one_message(read: Read) -> None:
    other = PID.replace("77", "88")
    found, _ = read("a.hl7", "\r".join((MSH, PID, OBR, obx("5.8"), other, OBR, obx("3.1"))))
    assert [(f.patient_id, f.document.doc_id, f.document.text[:13]) for f in found] == [
        ("77@H", "a.hl7#1.1", "Potassium 5.8"),
        ("88@H", "a.hl7#1.2", "Potassium 3.1"),
    ]


@pytest.mark.parametrize("status", ["D", "W", "N"])
def test_what_must_not_be_said_is_counted(read: Read, status: str) -> None:
    (found,), (problem,) = read("a.hl7", message(text("Kept."), text("Zebulon", status=status)))
    kept, *withdrawn = found.document.text.splitlines()
    assert kept == "Kept."
    assert [line.startswith("Note: no result (an earlier one was ") for line in withdrawn] == [True] * (status != "N")
    assert "Zebulon" not in found.document.text
    assert problem.skipped
    assert str(problem.error).endswith(": 1")


def test_a_status_nobody_knows_is_reported(read: Read) -> None:
    (found,), (problem,) = read("a.hl7", message(text("Kept."), text("Zebulon", status="Q")))
    assert found.document.text == "Kept.\n"
    assert not problem.skipped
    assert "Zebulon" not in str(problem.error)


@pytest.mark.parametrize(
    ("order", "results", "expected"),
    [("F", "F", "current"), ("P", "F", "preliminary"), ("C", "F", "amended"), ("", "P", "preliminary"),
     ("", "C", "amended"), ("", "F", "current")],
)  # fmt: skip
def test_statuses_of_a_report(read: Read, order: str, results: str, expected: str) -> None:
    segments = "\r".join((MSH, PID, OBR + "|" * 18 + order, text("Seen.", status=results)))
    (found,), _ = read("a.hl7", segments)
    assert found.document.status == expected


def test_a_cancelled_order_says_nothing(read: Read) -> None:
    found, (problem,) = read("a.hl7", "\r".join((MSH, PID, OBR + "|" * 18 + "X", text("Seen."))))
    assert not found
    assert problem.skipped


def test_a_correction_replaces_what_it_repeats(read: Read) -> None:
    first, second = message(obx("5.8"), obx("136", name="N^Sodium")), message(obx("4.8", status="C"))
    whole = message(obx("4.8", status="C"), obx("136", name="N^Sodium"))
    found, _ = read("a.hl7", first + whole)
    assert [f.document.replaces for f in found] == [(), ("a.hl7#1",)]
    found, _ = read("a.hl7", first + second)  # the sodium is still only in the first
    assert [f.document.replaces for f in found] == [(), ()]
    assert [f.document.status for f in found] == ["current", "amended"]
    other = first + whole.replace("77^^^H", "88^^^H")
    assert [f.document.replaces for f in read("a.hl7", other)[0]] == [(), ()]


def test_delimiters_are_those_of_the_message(read_one: Callable[..., Document]) -> None:
    source = message(obx("5.8"), text(r"Heart \T\ lung~two")).translate(str.maketrans("|^~\\&", "#$%!*"))
    assert read_one("a.hl7", source).text == "Potassium 5.8 mmol/L (3.5-5.1) H\nHeart * lung\ntwo\n"


def test_a_report_broken_over_lines_goes_on(read_one: Callable[..., Document]) -> None:
    source = message(text("Heart normal.\nLungs clear.\n\nNo effusion."))
    assert read_one("a.hl7", source).text == "Heart normal.\nLungs clear.\n\nNo effusion.\n"


def test_a_doubled_escape_character_in_the_header(read_one: Callable[..., Document]) -> None:
    assert read_one("a.hl7", message(text(r"a \T\ b")).replace(r"^~\&", r"^~\\&")).text == "a & b\n"


def test_batches_and_frames(read: Read) -> None:
    one, two = message(obx("5.8")), message(obx("3.1"))
    batch = f"FHS|^~\\&\rBHS|^~\\&\r{one}{two}BTS|2\rFTS|1\r"
    found, problems = read("a.hl7", batch)
    assert [f.document.doc_id for f in found] == ["a.hl7#3", "a.hl7#4"]
    assert not problems
    _, (problem,) = read("a.hl7", batch.replace("BTS|2", "BTS|3"))
    assert (str(problem.error), problem.skipped) == ("the batch says that it has 3 messages, and has 2", False)
    _, (problem,) = read("a.hl7", f"FHS|^~\\&\r{one}")
    assert "no end" in str(problem.error)
    framed = "".join(f"\x0b{m}\x1c\r" for m in (one, two))
    assert len(read("a.hl7", framed)[0]) == 2


@pytest.mark.parametrize(
    ("label", "charset"),
    [("UNICODE UTF-8", "utf-8"), ("8859/1", "latin-1"), ("", "cp1252"), ("ASCII", "utf-8"), ("8859/5", "iso8859_5"),
     ("UNICODE UTF-8", "latin-1")],
    ids=["utf-8", "latin-1", "none", "says-ascii", "cyrillic", "says-utf-8"],
)  # fmt: skip
def test_character_sets(read_one: Callable[..., Document], label: str, charset: str) -> None:
    said = "Дозировка 40" if charset == "iso8859_5" else "40 µg à dix heures"
    source = message(text(said)).replace("2.5.1", f"2.5.1||||||{label}")
    assert read_one("a.hl7", source.encode(charset)).text == said + "\n"


def test_a_transcription(read: Read) -> None:
    head = MSH.replace("ORU^R01", "MDM^T02")
    txa = "TXA|1|DS^Discharge summary|TX|20310301|7^Lind^Bo|20310302||||||D1|||||AU"
    (found,), _ = read("a.hl7", "\r".join((head, PID, txa, text("Home."))))
    document = found.document
    assert (document.text, document.note_type, str(document.time)) == ("Home.\n", "Discharge summary", "2031-03-02")
    found_none, (problem,) = read("a.hl7", "\r".join((head.replace("T02", "T11"), PID, txa)))
    assert not found_none
    assert problem.skipped


def test_other_messages_are_counted(read: Read) -> None:
    adt = MSH.replace("ORU^R01", "ADT^A01") + "\r" + PID + "\r"
    found, (problem,) = read("a.hl7", adt * 3 + message(obx("5.8")))
    assert len(found) == 1
    assert str(problem.error) == "messages of type ADT, which are not read: 3"


def test_bodies(read_one: Callable[..., Document], read: Read) -> None:
    plain = base64.b64encode(b"No fracture.").decode()
    assert read_one("a.hl7", message(obx(f"^TEXT^PLAIN^Base64^{plain}", "ED", unit="", limits="", flag=""))).text == (
        "No fracture.\n"
    )
    rtf = base64.b64encode(b"{\\rtf1 No caf\\'e9.}").decode()
    document = read_one("a.hl7", message(obx(f"^AP^RTF^Base64^{rtf}", "ED", unit="", limits="", flag="")))
    assert document.text.strip() == "No café."
    (found,), (problem,) = read("a.hl7", message(text("Kept."), obx("^IM^JPEG^Base64^e30=", "ED")))
    assert found.document.text == "Kept.\n"
    assert problem.skipped


@pytest.mark.parametrize("data", ["MSH|^~^&|x", "MSHx", "MSH|||||||", "MSH|"], ids=["twice", "no-mark", "none", "cut"])
def test_a_header_that_is_none(read: Read, data: str) -> None:
    try:
        found, _ = read("a.hl7", data + "\rPID|1\r")
    except CorruptSource:
        return
    assert not found or data == "MSHx"  # which is plain text


@given(st.text(alphabet="ab|^~&\\.brXTFSRE2\r\n", max_size=60))
def test_what_is_escaped_comes_back(original: str) -> None:
    marks = Delimiters()
    codes = {"\\": "E", "|": "F", "^": "S", "&": "T", "~": "R"}
    escaped = "".join(f"\\{codes[c]}\\" if c in codes else c for c in original)
    assert unescape(escaped, marks) == original
    assert unescape(original, marks) is not None


@pytest.mark.parametrize("status", ["D", "W", "X"])
def test_a_result_that_is_taken_back_takes_its_message_back(read: Read, status: str) -> None:
    found, _ = read("a.hl7", message(obx("9.9")) + message(obx("9.9", status=status)))
    assert [f.document.replaces for f in found] == [(), ("a.hl7#1",)]
    assert "9.9" not in found[1].document.text


def test_another_sample_of_the_same_order_replaces_nothing(read: Read) -> None:
    later = message(obx("4.1")).replace("|20310301113000-0500", "|20310302113000-0500")
    found, _ = read("a.hl7", message(obx("9.9")) + later)
    assert [f.document.replaces for f in found] == [(), ()]


@pytest.mark.parametrize("mark", [r"^^~&", "AB~&", r"^~\\^"])
def test_a_header_that_cannot_be_read_costs_its_own_message_only(read: Read, mark: str) -> None:
    lost = message(obx("2.2")).replace(r"^~\&", mark, 1)
    found, problems = read("a.hl7", message(obx("1.1")) + lost + message(obx("3.3")))
    assert [f.document.text[10:13] for f in found] == ["1.1", "3.3"]
    assert [problem.where for problem in problems] == ["a.hl7#2"]


def test_words_of_a_broken_report_are_no_header(read: Read) -> None:
    found, problems = read("a.hl7", message(text("First line\rMSH levels were normal.")) + message(obx("3.3")))
    assert not problems
    assert found[0].document.text == "First line\nMSH levels were normal.\n"
    assert len(found) == 2


def test_a_structured_number_without_number_is_reported(read: Read) -> None:
    found, problems = read("a.hl7", message(obx("5.8"), obx(">", "SN"), obx("^^-^5", "SN")))
    assert [f.document.text for f in found] == ["Potassium 5.8 mmol/L (3.5-5.1) H\n"]
    assert len(problems) == 2


def test_results_of_a_second_patient_that_stand_under_no_order_are_counted(read: Read) -> None:
    other = PID.replace("77", "88")
    found, problems = read("a.hl7", message(obx("5.8"), other, obx("140"), obx("101")))
    assert [(one.patient_id, one.document.text) for one in found] == [("77@H", RESULTS["number"][1] + "\n")]
    assert [str(problem.error) for problem in problems] == ["results left out, under no order: 2"]
