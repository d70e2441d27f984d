"""What must hold for any text."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

WORDS = st.sampled_from(
    """Patient denies no fever chest pain but has mild left knee swelling after aspirin 81 mg BID . , ; : and
    or history of possible mother had stroke without not only HbA1c 7.2 % <0.5 ng/mL 120/80 -> 2019-03-02
    ( ) T4N2M0 COVID-19 q.i.d. x 3 days ago was stopped RLE n't é µg""".split()  # noqa: SIM905
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
TEMPLATES = st.sampled_from(
    [
        "Hemoglobin was {a} g/dL and creatinine {b} mg/dL.",
        "Metoprolol {a} mg twice daily, lisinopril {b} mg daily.",
        "Weight {a} kg on 2019-03-02, INR {b}.",
        "Troponin <{a} ng/mL, {b} episodes of vomiting.",
        "BP 120/80, HR {a}, temperature {b} C",
        "Seen at 14:30 for {a} days of cough, CRP >{b}.",
        "Potassium rose from {a} to {b} mmol/L.",
        "Stage T4N2M0, dose {a}-{b} mg, HbA1c 7.25 %",
    ]
)
NUMBERS = st.decimals(min_value=0, max_value=9999, places=2, allow_nan=False).map(lambda d: f"{d.normalize():f}")


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
@example("\ud800", "x\ud800")
@example("İ 5 mg", "ı̇ 5 mg")
@example("٣ mg", "3 mg")
@example("½ tablet", "1 tablet")
@example("9" * 5000, "9" * 5000)
def test_never_raises(claim: str, cited: str) -> None:
    check_claim(claim, [Source("a", cited)])


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_never_raises_on_clinical_words(claim: str, cited: str) -> None:
    check_claim(claim, [Source("a", cited)])


@settings(deadline=None)
@given(SENTENCES | st.text(min_size=1, max_size=80))
def test_a_text_supports_itself(text: str) -> None:
    checked = check_claim(text, [Source("a", text)])
    assert checked.verified is any(char.isalnum() for char in text)


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_same_answer_twice(claim: str, cited: str) -> None:
    assert check_claim(claim, [Source("a", cited)]) == check_claim(claim, [Source("a", cited)])


@settings(max_examples=300, deadline=None)
@given(TEMPLATES, NUMBERS, NUMBERS, st.data())
def test_a_changed_digit_is_never_supported(template: str, a: str, b: str, data: st.DataObject) -> None:
    source = template.format(a=a, b=b)
    at = data.draw(st.sampled_from([i for i, char in enumerate(source) if char.isdigit()]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != source[at]]))
    claim = source[:at] + digit + source[at + 1 :]
    before, after = numbers(source), numbers(claim)
    if before == after or set(after) <= set(before):
        return  # the change made a number that the source has elsewhere
    assert not check_claim(claim, [Source("a", source)]).verified


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", text)]


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_spans_point_into_the_texts(claim: str, cited: str) -> None:
    for veto in check_claim(claim, [Source("a", cited)]).vetoes:
        assert 0 <= veto.claim_span.start < veto.claim_span.end <= len(claim)
        assert veto.source_span is None or 0 <= veto.source_span.start < veto.source_span.end <= len(cited)
