"""Citation precision and recall by ALCE's definition, and what an answer leaves unused."""

from __future__ import annotations

from chartcite.verification.quality import citation_quality
from chartcite.verification.verdicts import Source

FEVER, COUGH, OTHER = (
    Source("a", "The patient has a fever of 39.1 C."),
    Source("b", "He has a dry cough."),
    Source("c", "Aspirin 81 mg daily was continued."),
)


def test_a_superfluous_citation_costs_precision_only() -> None:
    found = citation_quality([("The patient has a fever.", [FEVER, OTHER])], [FEVER, OTHER])
    assert (found.carried, found.needed, found.citations) == (1, 1, 2)
    assert found.to_dict()["strict"] == {"recall": 1.0, "precision": 0.5, "sentences": 1, "citations": 2}


def test_a_true_sentence_with_the_wrong_citation_is_carried_by_all_evidence_only() -> None:
    found = citation_quality([("The patient has a fever.", [OTHER])], [FEVER, OTHER])
    assert (found.carried, found.needed, found.carried_by_all) == (0, 0, 1)


def test_two_citations_that_only_together_carry_a_sentence_are_both_needed() -> None:
    found = citation_quality([("The patient has a fever and a dry cough.", [FEVER, COUGH])])
    assert (found.carried, found.needed) == (1, 2)
    assert found.to_dict()["lenient"] == {"recall": None, "why": "the evidence cannot be read"}


def test_nothing_said_has_no_share_and_omitted_evidence_is_named() -> None:
    found = citation_quality([("The patient has a fever.", [FEVER])], [FEVER, COUGH], ["a", "b"])
    assert found.omitted == ("b",)
    assert citation_quality([]).to_dict()["strict"]["recall"] is None
    assert citation_quality([("He is well.", [])]).to_dict()["strict"]["precision"] is None
