"""Sparse weights: what rounding costs, what the store calls a term, and the dot product against a dense one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import SparseText
from chartcite.index.sparse import STEPS, SparseIndex, query_weights, stored_weights
from chartcite.store.arrays import by_term
from chartcite.text.analyser import Analyser

N_TERMS = 9


class Words:
    """A vocabulary where two numbers have one token, and two have none."""

    name, fingerprint, vocabulary, max_tokens = "words", "1", N_TERMS, 10
    tokens = ("", "warfarin", "warfarin", "5", "##in", "1 warfarin", "a b", "x\0y", "")

    def term(self, number: int) -> str:
        return self.tokens[number]

    def encode_passage(self, text: str) -> SparseText:
        raise NotImplementedError

    encode_query = encode_passage

    def offsets(self, texts: object) -> list[list[tuple[int, int]]]:
        raise NotImplementedError


def text_of(weights: dict[int, float]) -> SparseText:
    terms = sorted(weights)
    return SparseText(np.array(terms, np.int64), np.array([weights[t] for t in terms], np.float32))


def test_every_term_has_a_name_of_its_own_that_no_analyser_gives() -> None:
    every = text_of(dict.fromkeys(range(N_TERMS), 1.0))
    names = list(stored_weights(Words(), every))
    assert len(set(names)) == N_TERMS
    assert names == list(query_weights(Words(), every))
    assert not any("\0" in name for name in names)
    for language in ("en", "pt", ""):
        analyser = Analyser(language)
        assert not {term for name in names for term in analyser.terms(f"{name} {name.strip()}")} & set(names)


@pytest.mark.parametrize(("weight", "steps"), [(1.0, 4096), (0.25, 1024), (1e-4, 0), (1.0001, 4096), (15.999, 65532)])
def test_weights_in_steps(weight: float, steps: int) -> None:
    found = list(stored_weights(Words(), text_of({3: weight})).values())
    assert found == ([steps] if steps else [])
    assert abs(weight - steps / STEPS) <= 0.5 / STEPS + 1e-6


def test_a_weight_that_cannot_be_stored_is_refused() -> None:
    with pytest.raises(ModelRefused):
        stored_weights(Words(), text_of({3: 16.0}))


def scores_of(rows: list[dict[int, int]], query: dict[int, float], numbers: list[int]) -> np.ndarray:
    """Ours, where the store gave term t the number `numbers[t]`."""
    terms = np.array([numbers[t] for steps in rows for t in steps], np.int64)
    owners = np.array([row for row, steps in enumerate(rows) for _ in steps], np.int32)
    steps = np.array([n for row in rows for n in row.values()], np.uint16)
    index = SparseIndex(by_term(terms, owners, steps), len(rows))
    return index.scores({numbers[t]: query[t] for t in sorted(query)})


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.dictionaries(st.integers(0, N_TERMS - 1), st.integers(1, 65535)), max_size=12),
    query=st.dictionaries(st.integers(0, N_TERMS - 1), st.floats(0.0625, 15, width=32)),
    numbers=st.permutations(range(100, 100 + N_TERMS)),
)
def test_against_a_dense_product(rows: list[dict[int, int]], query: dict[int, float], numbers: list[int]) -> None:
    dense = np.zeros((len(rows), N_TERMS))
    for row, steps in enumerate(rows):
        dense[row, list(steps)] = [n / STEPS for n in steps.values()]
    asked = np.zeros(N_TERMS)
    asked[list(query)] = list(query.values())
    np.testing.assert_allclose(scores_of(rows, query, numbers), dense @ asked, rtol=1e-12, atol=1e-12)


def test_the_numbers_of_terms_do_not_change_the_last_bit() -> None:
    """Small and large weights together, since sums of weights that are alike are exact in any order."""
    rng = np.random.default_rng(2)
    query = dict(enumerate((10 ** rng.uniform(-7, 1, 40)).astype(np.float32).tolist()))
    rows = [dict(enumerate(rng.integers(1, 65536, 40).tolist())) for _ in range(50)]
    forwards, backwards = list(range(40)), list(range(40))[::-1]
    assert scores_of(rows, query, forwards).tobytes() == scores_of(rows, query, backwards).tobytes()
