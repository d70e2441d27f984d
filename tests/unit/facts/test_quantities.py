from __future__ import annotations

from fractions import Fraction

import pytest

from chartcite.facts.quantity_finder import find_quantities

# (text, [(slice, kind, comparator, low, high, unit or date)])
CASES = [
    ("Troponin T <0.01 ng/mL (ref <0.04).", "<0.01 ng/mL value < 0.01 0.01 ng/mL | <0.04 value < 0.04 0.04 -"),
    ("LDL goal 70-100.", "70-100 value - 70 100 -"),
    ("Hgb 7.1 -> 9.4", "7.1 value - 7.1 7.1 - | 9.4 value - 9.4 9.4 -"),
    ("Lactate 4.2=>1.9.", "4.2 value - 4.2 4.2 - | 1.9 value - 1.9 1.9 -"),
    ("BNP<100", "<100 value < 100 100 -"),
    ("eGFR <60 and >30.", "<60 value < 60 60 - | >30 value > 30 30 -"),
    ("40 µg, 40 mcg, 40 ug", "40 µg value - 40 40 ug | 40 mcg value - 40 40 ug | 40 ug value - 40 40 ug"),
    ("500 cc", "500 cc value - 500 500 mL"),
    ("metoprolol 50mg BID", "50mg value - 50 50 mg | BID frequency - 2 2 -"),
    ("BP 120/80, 5/5 strength", "120/80 pressure - 120 80 mm[Hg] | 5/5 ratio - 5 5 -"),
    ("about 130 over 80", "about 130 over 80 pressure ~ 130 80 mm[Hg]"),
    ("600 mg a day, 40 mL an hour", "600 mg a day value - 600 600 mg/d | 40 mL an hour value - 40 40 mL/h"),
    ("three cups of tea a day", "three value - 3 3 - | a day frequency - 1 1 -"),
    ("a day of rest, in a day", "a day duration - 1 1 d"),
    ("q12h x10 days", "q12h frequency - 2 2 - | x10 days duration - 10 10 d"),
    ("q2-3h, stools 3-4/day", "q2-3h frequency - 8 12 - | 3-4/day frequency - 3 4 -"),
    ("every second day", "every second day frequency - 0.5 0.5 -"),
    ("for one week", "one week duration - 1 1 wk"),
    (
        "5 x 3.5 cm, about 4 by 2 cm",
        "5 value - 5 5 cm | 3.5 cm value - 3.5 3.5 cm | about 4 value ~ 4 4 cm | 2 cm value ~ 2 2 cm",
    ),
    ("just under 7, a bit over 90", "just under 7 value ~< 7 7 - | a bit over 90 value ~> 90 90 -"),
    ("nearly 90 years old", "nearly 90 years old age ~< 90 90 a"),
    ("aged nine, at two years of age", "aged nine age - 9 9 a | two years of age age - 2 2 a"),
    ("in her late 60s", "her late 60s age - 67 69 a"),
    ("5 mo F, 61M", "5 mo age - 5 5 mo | 61 age - 61 61 a"),
    ("half of the tray", "half value - 50 50 %"),
    ("a quarter of an hour", "a quarter of an hour duration - 0.25 0.25 h"),
    ("a year and a half", "a year and a half duration - 1.5 1.5 a"),
    ("one and a half tablets", "one and a half value - 1.5 1.5 -"),
    ("three of five, 3/5, 4 of last 9", "three of five ratio - 3 5 - | 3/5 ratio - 3 5 - | 4 of last 9 ratio - 4 9 -"),
    ("six thousand two hundred", "six thousand two hundred value - 6200 6200 -"),
    ("a dozen, half a dozen", "a dozen value - 12 12 - | half a dozen value - 6 6 -"),
    ("5'10\", 70 m, 9M", "5'10\" value - 70 70 [in_i] | 70 m value - 70 70 m | 9 age - 9 9 a"),
    ("the 85th percentile, 21st", "85th percentile value - 85 85 [pctile] | 21st ordinal - 21 21 -"),
    ("the 0830 dose, at 4 in the afternoon", "0830 date 08:30 | 4 in the afternoon date 16:00"),
    ("At 9 pm.", "9 pm date 21:00"),
    ("since 2016, by 1945 h", "2016 date 2016 | 1945 date 19:45"),
    ("seen on 4/2 and 4/9", "4/2 date ?04/02 | 4/9 date ?04/09"),
    (
        "more than 2 lb in a day or 4 lb",
        "more than 2 lb value > 2 2 [lb_av] | a day duration - 1 1 d | 4 lb value > 4 4 [lb_av]",
    ),
    ("over 3 days, lasted over 3 days", "3 days duration - 3 3 d | over 3 days duration > 3 3 d"),
    ("Platelets 250,000 /uL", "250,000 /uL value - 250000 250000 /uL"),
    ("HbA1c 7,5 %", "7,5 % value - 7.5 7.5 %"),
    ("a 72-year-old man", "72-year-old age - 72 72 a"),
    ("for three weeks", "three weeks duration - 3 3 wk"),
    ("over 3 days, over 3 mg", "3 days duration - 3 3 d | over 3 mg value > 3 3 mg"),
    ("vomited twice", "twice count - 2 2 -"),
    ("q6h, 6/6h, every 8 hours", "q6h frequency - 4 4 - | 6/6h frequency - 4 4 - | every 8 hours frequency - 3 3 -"),
    ("2019-03-02 and March 2, 2019", "2019-03-02 date 2019-03-02 | March 2, 2019 date 2019-03-02"),
    ("3/4/2019, 13/4/2019, 2019", "3/4/2019 date ?03/04/2019 | 13/4/2019 date 2019-04-13 | 2019 date 2019"),
    ("at 2:30 pm", "2:30 pm date 14:30"),
    ("from 5 to 10 mg", "5 value - 5 5 mg | 10 mg value - 10 10 mg"),
    ("5 to 10 mg", "5 to 10 mg value - 5 10 mg"),
    ("no more than 3 g", "no more than 3 g value <= 3 3 g"),
    ("HbA1c T4N2M0 COVID-19 B12", ""),
    ("1.2.3.4 and 1,2,3", ""),
    ("type 2 diabetes", ""),
    ("٣ mg ½ x²", ""),
    ("leſſ than 5 mg twıce daıly", "leſſ than 5 mg value < 5 5 mg | twıce daıly frequency - 2 2 -"),
    ("1" + " " * 3900 + "x", "1 value - 1 1 -"),
    ("5" + " " * 3900 + "mg", "5" + " " * 3900 + "mg value - 5 5 mg"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_quantities(text: str, expected: str) -> None:
    found = []
    for q in find_quantities(text):
        shown = text[q.span.start : q.span.end]
        if q.kind == "date":
            found.append(f"{shown} date {q.when}")
        else:
            low, high = (f"{float(v):g}" if v < 100_000 else str(int(v)) for v in (q.low, q.high))
            found.append(f"{shown} {q.kind} {q.comparator or '-'} {low} {high} {q.unit.name or '-'}")
    assert " | ".join(found) == expected


def test_values_are_exact() -> None:
    assert find_quantities("0.1 mg")[0].low == Fraction(1, 10)
