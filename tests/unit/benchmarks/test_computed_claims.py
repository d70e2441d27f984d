"""Planted edits over computed claims: none is accepted, and the true ones are; for any invented patient."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from chartcite.verification.check import check_claim
from verification.computed_claims import computed_items

SEEDS = st.integers(min_value=0, max_value=10**6)
LANGUAGES = st.sampled_from(("en", "pt"))


# A smaller seed is no simpler case, so nothing is gained by shrinking.
@settings(max_examples=6, deadline=None, phases=[Phase.generate], derandomize=True)
@given(seed=SEEDS, lang=LANGUAGES)
def test_no_planted_edit_is_accepted(seed: int, lang: str) -> None:
    wrong = [item for item in computed_items(seed, lang) if not item.supported]
    accepted = [item.kind for item in wrong if check_claim(item.claim, item.sources).verdict == "supported"]
    assert accepted == []


def test_true_computed_claims_are_accepted() -> None:
    items = [item for lang in ("en", "pt") for seed in range(8) for item in computed_items(seed, lang)]
    true = [item for item in items if item.supported]
    accepted = sum(check_claim(item.claim, item.sources).verified for item in true)
    assert accepted / len(true) >= 0.95


@pytest.mark.soak
@pytest.mark.parametrize("lang", ["en", "pt"])
def test_many_invented_patients(lang: str) -> None:
    right, wrong = defaultdict(list), []
    for seed in range(300):
        for item in computed_items(seed, lang):
            verified = check_claim(item.claim, item.sources).verified
            if item.supported:
                right[item.kind].append(verified)
            elif verified:
                wrong.append((item.id, item.kind))
    assert wrong == []
    assert all(sum(flags) / len(flags) >= 0.9 for flags in right.values())
    assert sum(map(sum, right.values())) / sum(map(len, right.values())) >= 0.95


def test_same_seed_same_claims() -> None:
    assert computed_items(3, "en") == computed_items(3, "en")
