"""The order of the citations says nothing: not which value is the later one, nor which source counts."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.verification.full import full_check
from chartcite.verification.verdicts import Source

PIECES = st.sampled_from(
    [
        "Potassium was 5.1.",
        "Potassium 3.9 today.",
        "Weight 80 kg on 2019-03-02.",
        "Weight 76 kg on 2019-05-02.",
        "Stent placed in 2018.",
        "Aspirin 81 mg daily was started.",
        "Aspirin was stopped because of bleeding.",
        "Denies fever.",
        "Fever to 39 C.",
        "Chest clear.",
        "X-ray ordered.",
        "Mother had a stroke.",
        "Left knee swollen.",
        "Right knee normal.",
        "After two hours: pH 7.36.",
        "pH 7.28.",
        "Possible pneumonia.",
        "Cholecystectomy; then ileus.",
    ]
)
CLAIMS = st.sampled_from(
    [
        "Potassium fell from 5.1 to 3.9.",
        "Potassium rose from 3.9 to 5.1.",
        "The weight fell from 80 kg to 76 kg.",
        "The pH rose from 7.28 to 7.36.",
        "Aspirin was stopped after the stent.",
        "Fever of 39 C and a swollen left knee.",
        "The patient had a stroke.",
        "Chest x-ray was clear.",
        "Aspirin was started before the bleeding.",
        "No fever.",
        "The stent came before the ileus.",
        "Pneumonia.",
        "Potassium 3.9 and pH 7.36.",
    ]
)


@settings(max_examples=300, deadline=None)
@given(CLAIMS, st.lists(PIECES, min_size=2, max_size=4))
def test_every_order_gives_one_outcome(claim: str, texts: list[str]) -> None:
    sources = [Source(f"s{n}", text) for n, text in enumerate(texts)]
    first, *others = {repr(full_check(claim, order)) for order in permutations(sources)}
    assert not others, first


@pytest.mark.parametrize(
    ("claim", "cited", "holds"),
    [
        ("Potassium fell from 5.1 to 3.9.", ("Potassium was 5.1.", "Potassium is 3.9 today."), True),
        ("Potassium fell from 5.1 to 3.9.", ("Potassium 5.1 on 3 May 2020.", "Potassium 3.9 on 7 May 2020."), True),
        ("Potassium rose from 3.9 to 5.1.", ("Potassium 5.1 on 3 May 2020.", "Potassium 3.9 on 7 May 2020."), False),
        ("Potassium fell from 5.1 to 3.9.", ("Potassium 5.1.", "Potassium 3.9."), False),
        ("Potassium rose from 3.9 to 5.1.", ("Potassium 5.1.", "Potassium 3.9."), False),
        ("The pH rose from 7.28 to 7.36.", ("pH 7.28, pCO2 61.", "After two hours: pH 7.36, pCO2 50."), True),
        # In one text what is written later came later.
        ("Potassium fell from 5.1 to 3.9.", ("Potassium 5.1. Potassium 3.9 with treatment.",), True),
    ],
)
def test_two_texts_need_a_date_or_a_word(claim: str, cited: tuple[str, ...], holds: bool) -> None:
    for order in permutations(cited):
        assert full_check(claim, [Source(text, text) for text in order]).verified is holds
