"""Document: pages, and what cannot be changed."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from chartcite.core import errors
from chartcite.core.answer import Answer, AnswerSentence, Citation, Searched
from chartcite.core.errors import ChartciteError
from chartcite.core.scope import Scope

if TYPE_CHECKING:
    from tests.conftest import MakeNote


@pytest.mark.parametrize(
    ("pages", "offset", "page"),
    [
        ((), 0, None), ((0,), 0, 1), ((0,), 10_000, 1), ((0, 100), 99, 1), ((0, 100), 100, 2), ((0, 100), 101, 2),
        ((0, 100, 100, 250), 99, 1), ((0, 100, 100, 250), 100, 3),  # an empty second page holds no character
        ((0, 100, 100, 250), 249, 3), ((0, 100, 100, 250), 250, 4), ((0, 0, 0), 0, 3),
    ],
)  # fmt: skip
def test_page_at_page_borders(pages: tuple[int, ...], offset: int, page: int | None, make_note: MakeNote) -> None:
    assert make_note("d", "x" * 300, pages=pages).page_at(offset) == page


def test_every_error_survives_a_process_border() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, ChartciteError)]
    assert len(classes) > 20
    for cls in classes:
        error = cls("what is wrong", "what to do")
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.advice, again.kind) == (cls, "what is wrong", "what to do", cls.__name__)
        assert cls.exit_code in (1, 2, 3, 5, 130)


def _cited(doc_id: str, start: int) -> Citation:
    return Citation(doc_id, 1, start, start + 4, "dose", "", "", None, None, "00")


def test_an_answer_numbers_each_citation_once_in_order_of_first_use() -> None:
    a, b = _cited("a", 0), _cited("b", 7)
    sentences = (AnswerSentence("One.", (b, a, b)), AnswerSentence("Two.", (a,)))
    answer = Answer(
        "q", "q", Scope.patient("p"), "fact", sentences, (), Searched(2, 2, None, None), None, (), "sha256:0", 2,
        timings_ms={"search": 1.0},
    )  # fmt: skip
    assert answer.text == "One. [1][2] Two. [2]"
    assert answer.citations == (b, a)
    assert not answer.abstained
    assert "timings_ms" not in answer.to_dict()
    assert answer.to_dict(timings=True)["timings_ms"] == {"search": 1.0}
