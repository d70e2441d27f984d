"""What a sentence states of the thing asked, of which day it must be, and which option is chosen for what reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from chartcite.cascade.choose.llm import read_letter
from chartcite.cascade.choose.options import read_options
from chartcite.cascade.choose.rules import Asked, Bearing, Found, Held, borne_out, decide, hold
from chartcite.cascade.choose.stated import agreement, amounts, drug_of, is_taken, option_amounts
from chartcite.cascade.choose.stem import harmless, said_of
from chartcite.cascade.choose.when import When, read_when
from chartcite.cascade.statements import wanted
from chartcite.core.answer import Evidence
from chartcite.core.choice import Option

AGREEMENT = [
    ("What is the warfarin dose?", "5 mg", "Warfarin 5 mg every evening.", "same"),
    ("What is the warfarin dose?", "5 mg every evening", "Warfarin 5 mg qhs.", "same"),
    ("What is the warfarin dose?", "5 mg every morning", "Warfarin 5 mg qhs.", "other"),
    ("What is the warfarin dose?", "0.005 g", "Warfarin 5 mg qhs.", "same"),
    ("What is the warfarin dose?", "5 mcg", "Warfarin 5 mg qhs.", "other"),
    ("What is the warfarin dose?", "4 mg", "Warfarin was increased from 4 mg to 5 mg.", "other"),
    ("What is the warfarin dose?", "5 mg twice daily", "Warfarin 5 mg once daily.", "other"),
    ("What is the warfarin dose?", "5 mg twice daily", "Warfarin 5 mg.", "unclear"),
    ("What is the warfarin dose?", "5 mg", "Metoprolol 5 mg daily.", "unclear"),
    ("What was the HDL cholesterol?", "52 mg/dL", "| HDL cholesterol | 52 | mg/dL |  | >40 |", "same"),
    ("What was the HDL cholesterol?", "40 mg/dL", "| HDL cholesterol | 52 | mg/dL |  | >40 |", "other"),
    ("What was the MCV?", "78 fL", "MCV                 78  L    fL       80-100", "same"),
    ("What was the total bilirubin?", "0.4 mg/dL", "Total bilirubin ................... 0.4 mg/dL (0.2-1.2)", "same"),
    ("What was the hemoglobin?", "8.9 g/dL", "Hemoglobin was 89 g/L.", "same"),
    ("What was the creatinine?", "110 µmol/L", "Creatinine 1.24 mg/dL", "same"),
    ("What was the creatinine?", "114 µmol/L", "Creatinine 1.24 mg/dL", "unclear"),
    ("What was the creatinine?", "200 µmol/L", "Creatinine 1.24 mg/dL", "other"),
    ("What was the HbA1c?", "53 mmol/mol", "HbA1c 7.0 %", "same"),
    ("What is the warfarin dose?", "5 mg", "Warfarin 2.5 mg, 2 tablets every evening.", "unclear"),
    ("What is the warfarin dose?", "10 mg", "Warfarin 2.5 mg, 2 tablets every evening.", "unclear"),
    ("What is the metoprolol dose?", "50 mg", "Metoprolol 25 mg twice daily.", "unclear"),
    ("What is the metoprolol dose?", "25 mg", "Metoprolol 25 mg twice daily.", "same"),
    ("Qual a dose de varfarina?", "5 mg à noite", "Varfarina 5 mg à noite.", "same"),
    ("Qual foi o potássio?", "4,5 mEq/L", "| Potássio | 4,5 | mEq/L |  | 3,5-5,0 |", "same"),
    ("Qual foi o potássio?", "4,6 mEq/L", "| Potássio | 4,5 | mEq/L |  | 3,5-5,0 |", "other"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "option", "sentence", "agrees"), AGREEMENT, ids=[f"{o} <- {s}" for _, o, s, _ in AGREEMENT]
)
def test_what_a_sentence_states(question: str, option: str, sentence: str, agrees: str) -> None:
    want = wanted(question)
    assert agreement(option_amounts(option, want), amounts(sentence, want)) == agrees


@pytest.mark.parametrize(
    ("option", "sentence", "taken"),
    [
        ("warfarin", "Warfarin 5 mg every evening.", True),
        ("Warfarin.", "Coumadin 5 mg every evening.", True),
        ("warfarin", "Her roommate takes warfarin 5 mg and swears by it.", False),
        ("warfarin", "Warfarin 5 mg was stopped.", False),
        ("warfarin", "Metoprolol 5 mg daily.", False),
        ("warfarin", "Warfarin was discussed.", False),
        ("warfarin and aspirin", "Warfarin 5 mg every evening.", None),
        ("a rash from warfarin", "Warfarin 5 mg every evening.", None),
    ],
)
def test_a_drug_as_an_option(option: str, sentence: str, *, taken: bool | None) -> None:
    drug = drug_of(option)
    assert (is_taken(sentence, drug) if drug else None) == taken


DAYS = ["2019-05-01", "2020-01-31", "2020-03-02", "2021-07-01"]


@pytest.mark.parametrize(
    ("when", "days"),
    [
        (When("latest", "", is_carried=False, is_event=False), DAYS[3:]),
        (When("first", "", is_carried=False, is_event=False), DAYS[:1]),
        (When("fact", "", is_carried=False, is_event=False), DAYS),
        (When("fact", "2020", is_carried=False, is_event=False), DAYS[1:3]),
        (When("fact", "2020-02", is_carried=False, is_event=False), []),
        (When("fact", "2020-02", is_carried=True, is_event=False), DAYS[1:2]),
        (When("latest", "2020-02-10", is_carried=False, is_event=False), DAYS[1:2]),
        (When("first", "", is_carried=False, is_event=True), DAYS),
    ],
    ids=["latest", "first", "any", "in a year", "in a month", "carried on", "latest by then", "event"],
)
def test_of_which_day_an_amount_must_be(when: When, days: Sequence[str]) -> None:
    assert when.days(DAYS) == frozenset(days)


@pytest.mark.parametrize(
    ("question", "kind", "is_event"),
    [
        ("What was the last INR before the operation?", "latest", True),
        ("What was the dose at the time of the colonoscopy?", "fact", True),
        ("When was warfarin started?", "fact", False),
        ("What is the warfarin dose?", "latest", False),
        ("What was the warfarin dose?", "fact", False),
        ("Qual é a dose de varfarina?", "latest", False),
        ("Qual era o sódio antes da cirurgia?", "fact", True),
    ],
)
def test_the_time_that_a_question_asks_of(question: str, kind: str, *, is_event: bool) -> None:
    given = "latest" if "last" in question else "fact"
    found = read_when(question, given, "", is_carried=False)  # type: ignore[arg-type]
    assert (found.kind, found.is_event) == (kind, is_event)


def evidence(quote: str, key: int, day: str = "2020-01-01") -> Evidence:
    return Evidence(key, f"d{key}", 0, 0, len(quote), quote, day, 5, 0.9)


def asked(question: str, *, is_negated: bool = False, kind: str = "fact") -> Asked:
    want = wanted(question)
    words = tuple(question.rstrip("?").lower().split())
    when = When(kind, "", is_carried=bool(want.drugs), is_event=False)  # type: ignore[arg-type]
    return Asked(question, words, want, when, is_negated)


def says(claim: str, sentence: Evidence) -> Found:
    """A check for these tests: the sentence has the last word of the claim; `no` before it denies."""
    word = claim.lower().split()[-1]
    said = sentence.quote.lower()
    if f"no {word}" in said:
        return Found("contradicted", frozenset({"negation"}))
    return Found("supported" if word in said else "unsupported", frozenset())


def chosen(question: Asked, options: Sequence[str], sentences: Sequence[Evidence]) -> tuple[str | None, str | None]:
    given = read_options(options)
    found = decide(
        question, hold(question, given, sentences, [()] * len(given), says), lambda bearings: [0.0] * len(bearings)
    )
    letters = {o.letter: o.text for o in given}
    return (letters[found.letter] if found.letter else None), found.how or found.reason


LIST = [evidence("Allergies: latex, penicillin.", 1), evidence("There is no aspirin allergy.", 2)]
CASES = [
    (asked("what allergies"), ("latex", "iodine"), LIST, ("latex", "borne_out")),
    (asked("what allergies"), ("iodine", "codeine"), LIST, (None, "no_option_borne_out")),
    (asked("what allergies"), ("latex", "penicillin"), LIST, (None, "several_borne_out")),
    (asked("what allergies"), ("latex", "penicillin", "all of the above"), LIST,
     ("all of the above", "all_borne_out")),
    (asked("what allergies"), ("latex", "iodine", "all of these"), LIST, (None, "several_borne_out")),
    (asked("what allergies"), ("latex", "aspirin", "all of these"), LIST, ("latex", "borne_out")),
    (asked("what allergies"), ("iodine", "codeine", "none of the above"), LIST, (None, "no_option_borne_out")),
    (asked("what allergies"), ("iodine", "not mentioned"), LIST, ("not mentioned", "by_absence")),
    (asked("what allergies", is_negated=True), ("latex", "aspirin"), LIST, ("aspirin", "contradicted")),
    (asked("what allergies", is_negated=True), ("latex", "penicillin", "iodine"), LIST, ("iodine", "by_exclusion")),
    (asked("what allergies", is_negated=True), ("latex", "codeine", "iodine"), LIST, (None, "several_borne_out")),
    (asked("what allergies", is_negated=True), ("codeine", "iodine"), LIST, (None, "no_option_borne_out")),
    (asked("what allergies", is_negated=True), ("latex", "penicillin", "none of these"), LIST,
     ("none of these", "all_borne_out")),
    (asked("is there penicillin"), ("yes", "no"), LIST, ("yes", "borne_out")),
    (asked("is there aspirin"), ("yes", "no"), LIST, ("no", "borne_out")),
    (asked("is there iodine"), ("yes", "no"), LIST, (None, "no_option_borne_out")),
    (asked("warfarin dose", kind="latest"), ("4 mg", "5 mg"),
     [evidence("Warfarin 4 mg daily.", 1, "2019-01-01"), evidence("Warfarin 5 mg daily.", 2, "2020-01-01")],
     ("5 mg", "stated")),
    (asked("warfarin dose", kind="first"), ("4 mg", "5 mg"),
     [evidence("Warfarin 4 mg daily.", 1, "2019-01-01"), evidence("Warfarin 5 mg daily.", 2, "2020-01-01")],
     ("4 mg", "stated")),
    (asked("warfarin dose", kind="latest"), ("4 mg", "6 mg"),
     [evidence("Warfarin 4 mg daily.", 1, "2019-01-01"), evidence("Warfarin 5 mg daily.", 2, "2020-01-01")],
     (None, "no_option_borne_out")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "options", "sentences", "expected"),
    CASES,
    ids=[f"{a.stem} {a.when.kind} {a.is_negated} {o}" for a, o, *_ in CASES],
)
def test_which_option_is_chosen_and_why(
    question: Asked, options: tuple[str, ...], sentences: list[Evidence], expected: tuple[str | None, str | None]
) -> None:
    for order in list(permutations(options))[:6]:
        assert chosen(question, order, sentences) == expected


def test_what_a_model_chose_must_be_borne_out_by_what_it_names() -> None:
    latex, aspirin = (Option(letter, text) for letter, text in (("A", "latex"), ("B", "aspirin")))
    none = Option("C", "none of the above", "none")
    bearing = Bearing("claim", 0, LIST[0], "latex")
    held = [Held(latex, "latex", [bearing]), Held(aspirin, "aspirin"), Held(none, "")]
    question = asked("what allergies")
    assert borne_out(question, held, latex, LIST[:1]) == "borne_out"
    assert borne_out(question, held, latex, LIST[1:]) is None
    assert borne_out(question, held, latex, ()) is None
    assert borne_out(question, held, aspirin, LIST) is None
    assert borne_out(question, held, none, ()) is None
    assert borne_out(question, [held[1], held[2]], none, ()) is None  # the record does not speak of it
    spoken = Held(none, "", is_spoken_of=True)
    assert borne_out(question, [held[1], spoken], none, ()) is None  # nothing speaks against it
    against = Held(aspirin, "aspirin", against=[bearing])
    assert borne_out(question, [against, spoken], none, ()) == "by_absence"
    assert borne_out(question, [Held(aspirin, "", against=[bearing], is_unclear=True), spoken], none, ()) is None


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("A", 0), ("b", 1), ("(C)", 2), ("Option B", 1), ("B. 5 mg", 1), ("Answer: A", 0), ("D", None), ("", None),
        ("AB", None), ("both", None), ("none", None), (None, None), (2, None), (["A"], None),
    ],
    ids=str,
)  # fmt: skip
def test_letters_are_closed(said: object, place: int | None) -> None:
    assert read_letter(said, 3) == place


@pytest.mark.parametrize(
    ("question", "vetoes"),
    [
        ("Why is aspirin held?", {"history", "certainty", "reversal"}),
        ("What was his work?", {"history"}),
        ("What is the dose?", set()),
        ("Por que foi suspenso?", {"history", "certainty", "reversal"}),
    ],
)
def test_objections_that_are_none_to_such_a_question(question: str, vetoes: set[str]) -> None:
    assert harmless(question) == vetoes


def test_words_in_another_form() -> None:
    assert said_of(["allergies", "medication", "inr"], "Allergic to latex; INR 2.1") == ["allergies", "inr"]
