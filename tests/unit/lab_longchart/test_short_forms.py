"""Longchart in short forms: the right option is among them once, a span's gold is where its sentence has it."""

from __future__ import annotations

from typing import Any

from chartcite.lab.longchart.short_forms import choices, spans


def row(number: int, kind: str, answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "patient_id": "p", "lang": "en", "kind": kind, "family": "x", "question": "Did she have it?",
        "options": [], "answerable": True, "answer": answer, "gold": [], "as_of": None,
    } | more  # fmt: skip


DOSES = [{"drug": name} for name in ("warfarin", "metformin", "lisinopril")]
CHOICE = {"type": "choice", "option": 0, "text": "5 mg", "of": {"type": "dose"}}
OPTIONS = ["5 mg", "6 mg", "7 mg", "8 mg", "Cannot be answered"]
ROWS = [
    row(1, "present", {"type": "status", "status": "present"}),
    row(2, "denied", {"type": "status", "status": "denied"}),
    row(3, "single_fact", {"type": "date", "date": "2012-02-29"}),
    row(4, "current_medications_as_of", {"type": "list", "items": DOSES}, as_of="2012-03-01"),
    row(5, "current_medications_as_of", {"type": "list", "items": [{"drug": "aspirin"}]}, patient_id="other"),
    *(row(n, "multiple_choice", CHOICE, options=OPTIONS) for n in range(6, 14)),
    row(14, "multiple_choice", CHOICE | {"of": {"type": "value", "event_date": "2011-01-01"}}, options=OPTIONS),
    row(15, "denied", {"type": "status", "status": "tolerated"}),
]


def test_each_choice_has_its_right_option() -> None:
    made = list(choices(ROWS, 0))
    kinds = {item.kind for item in made}
    assert kinds == {
        "yes or no: yes", "yes or no: no", "date", "odd one out", "all", "dose", "none", "value at an event",
    }  # fmt: skip
    assert len({item.id for item in made}) == len(made)
    for item in made:
        assert len(set(item.options)) == len(item.options)
        right = item.options[item.right]
        if item.kind == "odd one out":
            assert right == "aspirin"
        if item.kind == "none":
            assert right == "None of the above"
            assert "5 mg" not in item.options
        if item.kind == "date":
            assert right == "2012-02-29"
    assert made == list(choices(ROWS, 0))


def test_the_gold_of_a_span_stands_in_its_sentence() -> None:
    quote = "Warfarin 15 mg was lowered to 5 mg daily."
    gold = [{"doc_id": "d", "start": 100, "end": 100 + len(quote), "quote": quote, "part": 0}]
    dose = {"type": "dose", "amount": "5", "unit": "mg"}
    asked = [
        row(1, "latest", dose, gold=gold),
        row(2, "latest", dose, gold=[]),
        row(3, "latest", {"type": "dose", "amount": "6", "unit": "mg"}, gold=gold),
        row(4, "count", {"type": "count", "count": 5}, gold=gold),
        row(5, "value_before", {"type": "value", "value": "15"}, gold=gold),
        row(6, "single_fact", {"type": "value", "value": "2.5"}, lang="pt",
            gold=[{"doc_id": "d", "start": 7, "end": 20, "quote": "Creatinina 2,5", "part": 0}]),
    ]  # fmt: skip
    found = {item.id: item for item in spans(asked)}
    assert set(found) == {"q1-span", "q5-span", "q6-span"}
    (place,) = found["q1-span"].places
    assert quote[place[1] - 100 : place[2] - 100] == "5 mg"
    assert found["q5-span"].kind == "value at an event"
    assert found["q6-span"].places == (("d", 18, 21),)
