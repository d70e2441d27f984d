"""Each paragraph of a page is apart from the next: two lines of medicines are never one sentence."""

from __future__ import annotations

from itertools import product

import pytest

from chartcite.readers.page_text import PageText
from chartcite.text.sentences import split_sentences

PARAGRAPHS = (
    "enoxaparina 40 mg 1x/dia", "piperacilina/tazobactam suspenso a 04/11", "metformin was stopped",
    "40 mg twice daily", "warfarin 5 mg at bedtime with", "mother had breast cancer at", "Plan reviewed with family,",
    "and", "no fever or chills", "The patient is a 64 year old man, admitted for workup of unstable angina.",
    "- amlodipine 5 mg", "Medications:", "[1] A note",
)  # fmt: skip


@pytest.mark.parametrize("before", ["", "Doente de 70 anos internado por pneumonia, medicado em dose profilática"])
def test_no_sentence_holds_the_end_of_a_paragraph(before: str) -> None:
    for pair in product(PARAGRAPHS, repeat=2):
        page, ends = PageText(), []
        for said in filter(None, (before, *pair)):
            page.paragraph(said)
            ends.append(page.length - 1)
        for unit in split_sentences(page.text):
            assert not any(unit.start <= end < unit.end for end in ends), pair
