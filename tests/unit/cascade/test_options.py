"""Options of a multiple choice: their sorts in English and Portuguese, and what makes them no options."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chartcite.cascade.choose.options import read_options
from chartcite.cascade.choose.stem import Stem, declared, read_stem
from chartcite.core.errors import InvalidOptions

SORTS = {
    "yes": ["Yes", "yes.", "Sim", "TRUE"],
    "no": ["No", "não", "Nao.", "false"],
    "maybe": ["maybe", "Talvez", "uncertain"],
    "none": ["None of the above", "none of these", "Neither", "Nenhuma das anteriores", "nenhum dos acima", "Nenhuma"],
    "all": ["All of the above", "All of these.", "Both", "Todas as anteriores", "Todas", "ambos"],
    "unknown": [
        "Cannot be answered from the record", "It cannot be determined", "Not mentioned", "unknown", "I don't know",
        "The question cannot be answered with the provided documents", "Insufficient information",
        "Não é possível responder com base no prontuário", "não mencionado", "Não se sabe",
    ],
    "content": ["No change", "yes, left-sided", "none of her drugs", "all beta blockers", "5 mg", "unknown primary"],
}  # fmt: skip


@pytest.mark.parametrize(("sort", "text"), [(sort, text) for sort, texts in SORTS.items() for text in texts])
def test_sorts(sort: str, text: str) -> None:
    option, _ = read_options([text, "something else"])
    assert (option.sort, option.letter) == (sort, "A")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["5 mg"], "1 options"),
        ([], "0 options"),
        ([str(n) for n in range(27)], "27 options"),
        (["5 mg", "5 mg"], "A and B say the same"),
        (["5 mg", "10 mg", " 5  MG. "], "A and C say the same"),
        (["not known", "cannot be determined"], "say the same"),
        (["5 mg", "..."], "B is empty"),
        (["5 mg", "x" * 1001], "longer than"),
    ],
    ids=["one", "none", "too many", "twice", "twice but for form", "two ways out", "blank", "long"],
)
def test_what_is_no_options(options: Sequence[str], says: str) -> None:
    with pytest.raises(InvalidOptions, match=says):
        read_options(options)


@pytest.mark.parametrize("pair", [("2.5 mg", "25 mg"), ("-5", "5"), ("< 5", "> 5"), ("1,5", "15"), ("A", "a b")])
def test_what_only_looks_alike_is_two_options(pair: tuple[str, str]) -> None:
    assert len(read_options(pair)) == 2


def test_letters_of_a_mapping() -> None:
    assert [o.letter for o in read_options({"b": "left", "A": "right"})] == ["B", "A"]
    with pytest.raises(InvalidOptions, match="same letter"):
        read_options({"a": "left", "A": "right"})
    with pytest.raises(InvalidOptions, match="no letter"):
        read_options({"": "left", "A": "right"})


@pytest.mark.parametrize(
    ("question", "stem"),
    [
        ("Which of the following is NOT an allergy?", Stem("Which is an allergy?", is_negated=True)),
        ("Which drug was not stopped?", Stem("Which drug was stopped?", is_negated=True)),
        ("Which drug isn't taken?", Stem("Which drug is taken?", is_negated=True)),
        ("He has had all of these except:", Stem("He has had all of these:", is_negated=True)),
        ("Qual medicamento o paciente não toma?", Stem("Qual medicamento o paciente toma?", is_negated=True)),
        ("Toma todos estes, exceto:", Stem("Toma todos estes:", is_negated=True)),
        ("Why was aspirin not given?", Stem("Why was aspirin not given?", is_negated=False)),
        ("Is there no sign of bleeding?", Stem("Is there no sign of bleeding?", is_negated=False)),
    ],
)
def test_the_odd_one_out_is_asked_for(question: str, stem: Stem) -> None:
    assert read_stem(question) == stem


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Does the patient have diabetes?", "the patient have diabetes"),
        ("Was warfarin stopped?", "warfarin stopped"),
        ("A paciente tem diabetes?", "A paciente tem diabetes"),
    ],
)
def test_a_yes_no_question_as_a_statement(question: str, statement: str) -> None:
    assert declared(question) == statement
