from __future__ import annotations

from fractions import Fraction

import pytest

from chartcite.facts.quantities import find_quantities

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
    ("BP 120/80, 5/5 strength", "120/80 pressure - 120 80 mm[Hg]"),
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
