"""Hiding and putting back: what goes out, what stays, and that everything comes back."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chartcite.demo
from chartcite.deid.calendar import Shift, moved, respelt
from chartcite.deid.deidentifier import Deidentifier
from chartcite.deid.finder import find
from chartcite.deid.invented import candidates
from chartcite.deid.known import read_record
from chartcite.lab.longchart.generate import records
from chartcite.text.folding import fold

RECORD = (
    "Patient: Walter Osei\nSeen by Dr. Renske Vos on 2019-03-02. His wife Abena was present.",
    "OSEI, WALTER 70 M. Dr Vos agrees. Furosemide 40 mg since March 2019; K 4.2 on 3/2. Mercy Ridge Hospital.",
)
DEMO = Path(chartcite.demo.__file__).parent / "records"
CLINICAL = (
    "Parkinson disease, Foley catheter, Apgar 8 and 9, no Babinski sign.",
    "Warfarin 5 mg Mon/Wed/Fri, 2.5 mg other days. INR 2.4 (goal 2.0-3.0).",
    "BP 138/82, HR 71, SpO2 97 %, weight 83.4 kg, BMI 28.1, pain 3/10.",
    "Lasix 40 mg p.o. b.i.d., Coumadin held; Crohn's disease; Hodgkin lymphoma stage IIA.",
    "Down syndrome; Barrett esophagus; Murphy sign negative; Glasgow coma scale 15.",
    "Doença de Parkinson, sinal de Murphy negativo, dipirona 1 g EV, PA 130x80 mmHg.",
    "Platelets 150-400 x10^9/L, creatinine 1.4 mg/dL, eGFR 58 mL/min/1.73m2, T 36.8.",
    "Amoxicillin-clavulanate 875/125 mg q12h for 7 days; vancomycin 1,250 mg i.v.",
    "A 67-year-old woman, G2P1, with T2DM and CKD stage 3; daughter has asthma; denies smoking.",
    "Masks stay: [**Last Name (STitle) 2312**] saw ___ on [**2101-3-4**].",
)


def hider(*texts: str, secret: bytes = b"secret", labels: tuple[str, ...] = ()) -> Deidentifier:
    return Deidentifier(secret, read_record(texts, labels))


@pytest.mark.parametrize("text", CLINICAL, ids=range(len(CLINICAL)))
def test_what_is_clinical_stays(text: str) -> None:
    assert hider().hide(text).text == text


def test_one_name_is_one_surrogate_in_every_form() -> None:
    walter = hider(*RECORD)
    first, second = (walter.hide(text).text for text in RECORD)
    name = first.split("\n")[0].removeprefix("Patient: ")
    given_name, surname = name.split()
    assert second.startswith(f"{surname.upper()}, {given_name.upper()} 70 M.")
    doctor = first.split("Dr. ")[1].split(" on ")[0].split()[1]
    assert f"Dr {doctor} agrees" in second
    assert walter.restore(f"{doctor}'s plan for Mr. {surname}; {surname.upper()} {given_name[0]}.") == (
        "Vos's plan for Mr. Osei; OSEI " + f"{given_name[0]}."
    )


def test_no_surrogate_is_a_word_of_the_record_nor_two_alike() -> None:
    texts = [path.read_text("utf-8") for path in sorted(DEMO.glob("demo-walter-osei/*.txt"))]
    record = read_record(texts)
    walter = Deidentifier(b"x", record)
    stand_ins: dict[str, str] = {}
    for text in texts:
        hidden = walter.hide(text)
        for span in hidden.spans:
            if span.kind == "name":
                stand_in = hidden.text[span.new_start : span.new_end]
                assert stand_ins.setdefault(stand_in, text[span.start : span.end]) == text[span.start : span.end]
                assert all(
                    fold(word) not in record.words for word in stand_in.replace(",", "").split() if len(word) > 2
                )


@pytest.mark.parametrize("patient", sorted(p.name for p in DEMO.iterdir() if p.is_dir()))
def test_every_demo_note_comes_back(patient: str) -> None:
    texts = [path.read_text("utf-8") for path in sorted((DEMO / patient).glob("*.txt"))]
    everybody = hider(*texts, labels=(patient,))
    for text in texts:
        hidden = everybody.hide(text)
        assert everybody.restore(hidden.text) == text
        for span in hidden.spans:
            assert 0 <= span.new_start < span.new_end <= len(hidden.text)
        for part in patient.split("-")[1:]:
            assert part not in fold(hidden.text).split()


def test_every_generated_note_comes_back() -> None:
    for life, notes in records(2, 7, {"en": 1, "pt": 1}, scale=0.02):
        somebody = hider(*(note.text for note in notes), labels=(life.person.patient_id,))
        for note in notes:
            hidden = somebody.hide(note.text).text
            assert life.person.name not in hidden
            assert somebody.restore(hidden) == note.text


@given(
    st.lists(
        st.sampled_from([*RECORD, *CLINICAL, "[name 1]", "90+", "Dr. ", "2019-03-02", "4/18", "Ünal", "İ", "ß"])
        | st.text(max_size=30),
        max_size=5,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_hidden_comes_back(parts: list[str]) -> None:
    text = " ".join(parts)
    somebody = hider(*RECORD)
    hidden = somebody.hide(text)
    assert somebody.restore(hidden.text) == text
    last = 0
    for span in hidden.spans:
        assert text[last : span.start] == hidden.text[span.new_start - (span.start - last) : span.new_start]
        last = span.end


def test_hiding_depends_on_the_secret_and_on_nothing_else() -> None:
    one, same, other = (hider(*RECORD, secret=s).hide(RECORD[0]).text for s in (b"a", b"a", b"b"))
    assert one == same != other


@given(st.binary(min_size=1, max_size=8), st.dates(date(1930, 1, 1), date(2035, 1, 1)), st.integers(0, 9000))
@settings(max_examples=100, deadline=None)
def test_dates_keep_their_distance_and_their_weekday(secret: bytes, day: date, days: int) -> None:
    shift = Shift.of(secret)
    later = date.fromordinal(day.toordinal() + days)
    new, new_later = (date.fromisoformat(str(moved(d.isoformat(), shift, 2019))) for d in (day, later))
    assert (new_later - new).days == days
    assert new.weekday() == day.weekday()
    assert (new.month, new.day) != (day.month, day.day) or shift.months % 12
    assert moved(new.isoformat(), shift.back(), 2019) == day.isoformat()


@given(st.binary(min_size=1, max_size=8), st.integers(1930 * 12, 2030 * 12), st.integers(0, 300))
@settings(max_examples=100, deadline=None)
def test_months_and_years_keep_their_distance(secret: bytes, month: int, months: int) -> None:
    shift = Shift.of(secret)

    def at(n: int) -> int:
        year, part = str(moved(f"{n // 12:04}-{n % 12 + 1:02}", shift, 2019)).split("-")
        return int(year) * 12 + int(part) - 1

    assert at(month + months) - at(month) == months
    assert int(str(moved("2019", shift, 0))) - int(str(moved("2009", shift, 0))) == 10


SPELLINGS = (
    ("03/02/2019", "2019-03-02", "2017-11-05", "11/05/2017"),
    ("3/2/19", "2019-03-02", "2017-11-05", "11/5/17"),
    ("2019-03-02", "2019-03-02", "2017-11-05", "2017-11-05"),
    ("20190302", "2019-03-02", "2017-11-05", "20171105"),
    ("March 2nd, 2019", "2019-03-02", "2017-11-03", "November 3rd, 2017"),
    ("2 MAR 2019", "2019-03-02", "2017-11-05", "5 NOV 2017"),
    ("02-Mar-2019", "2019-03-02", "2017-11-05", "05-Nov-2017"),
    ("2 de março de 2019", "2019-03-02", "2017-11-05", "5 de novembro de 2017"),
    ("02.03.2019", "2019-03-02", "2017-11-05", "05.11.2017"),
    ("Sept 2019", "2019-09", "2017-05", "May 2017"),
    ("10/2019", "2019-10", "2017-05", "05/2017"),
    ("3/2", "--03-02", "--11-05", "11/5"),
    ("2 Mar '19", "2019-03-02", "2017-11-05", "5 Nov '17"),
    ("2019", "2019", "2017", "2017"),
)


@pytest.mark.parametrize(("written", "old", "new", "wanted"), SPELLINGS, ids=[s[0] for s in SPELLINGS])
def test_a_date_keeps_its_spelling(written: str, old: str, new: str, wanted: str) -> None:
    assert respelt(written, old, new) == wanted


def test_a_date_in_another_spelling_or_less_precise_is_put_back() -> None:
    walter = hider(*RECORD)
    hidden = walter.hide(RECORD[0]).text
    new = date.fromisoformat(hidden.split(" on ")[1][:10])
    assert walter.restore(f"seen on {new:%B} {new.day}, {new.year}.") == "seen on March 2, 2019."
    assert walter.restore(f"seen on {new.month:02}/{new.day:02}/{new.year}.") == "seen on 03/02/2019."
    assert walter.restore(f"seen in {new:%B} {new.year}.") == "seen in March 2019."


PROMPTS = sorted(p.name for p in files("chartcite.cascade.prompts").iterdir() if p.name.endswith(".txt"))


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_go_out_as_they_are(name: str) -> None:
    text = files("chartcite.cascade.prompts").joinpath(name).read_text("utf-8")
    assert hider().hide(text).text == text


def test_ages_over_89_are_one() -> None:
    hidden = hider().hide("He is 93 years old; she is a 97-year-old; the son is 61 years old.").text
    assert "93" not in hidden
    assert "97" not in hidden
    assert "61 years old" in hidden


HOSTILE = ("Aa-", "O'A", "[**", "A. ", " ", "Hospital of ", "12 Elm St ", "Dr. ", "Rua das ", "1/2/", "a@b.", "A   ")


@pytest.mark.soak
@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_does_not_hang_the_rules(part: str) -> None:
    """150,000 characters: some seconds where the work grows with the length, many minutes where with its square."""
    assert find(part * (150_000 // len(part)), read_record(())) is not None


def test_there_are_words_for_as_many_names_as_there_are() -> None:
    found = candidates("surname", b"key")
    assert len({next(found) for _ in range(20_000)}) > 15_000


def test_a_value_that_looks_like_a_moved_date_comes_back() -> None:
    text = " ".join((RECORD[1], CLINICAL[2], CLINICAL[5]))
    somebody = hider(*RECORD)
    assert somebody.restore(somebody.hide(text).text) == text
