"""Sets of expected F1, blocks of numbered lines, evidence in documents that are given."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.cascade.score.blocks import numbered_blocks
from chartcite.cascade.score.grades import Calibration, Grades
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.score.sets import best_set
from chartcite.cascade.score.within import within
from chartcite.core.documents import Document, Provenance, Sentence
from chartcite.retrieval.candidates import Candidate

FLAT = Calibration((0.0, 1.0, 0.0), (0.1, 0.2, 0.3, 0.4))
GRADES = Grades((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), FLAT, FLAT, given=(-1.0, 0.5, -0.5), given_least=0.5)


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8))
def test_no_set_has_a_greater_expected_f1(p: list[float]) -> None:
    def expected(chosen: tuple[int, ...]) -> float:
        return 2 * sum(p[i] for i in chosen) / (len(chosen) + sum(p))

    best = max(expected(s) for k in range(1, len(p) + 1) for s in combinations(range(len(p)), k))
    assert expected(tuple(best_set(p))) == pytest.approx(best)


@pytest.mark.parametrize("p", [0.001, 0.2, 0.99])
def test_where_nothing_stands_out_everything_is_taken(p: float) -> None:
    assert best_set([p] * 7) == list(range(7))


def test_of_nothing_nothing_is_taken() -> None:
    assert best_set([]) == []


@pytest.mark.parametrize(
    ("lines", "blocks"),
    [
        ([((), "Adverse Events 1:"), ((), "Total: 3"), ((), "Adverse Events 2:")], {()}),
        ([(("Arm 1",), "Letrozole"), (("Arm 2",), "Placebo")], {("Arm #",)}),
        ([(("Exclusion",), "Grade 2 toxicity: none allowed.")], set()),
        ([(("Plan",), "1. Return in 2 weeks.")], set()),
        ([(("Plan",), "At 10:30 he was seen:")], set()),
    ],
)
def test_what_is_a_block(lines: list[tuple[tuple[str, ...], str]], blocks: set[tuple[str, ...]]) -> None:
    assert numbered_blocks(lines) == blocks


class Shelf:
    """One document of lines; the first of a group ends in a colon."""

    def __init__(self, *lines: tuple[str, str, str]) -> None:
        self.text, self.units = "", []
        for n, (kind, header, line) in enumerate(lines, start=1):
            section = (header,) if header else ()
            self.units.append(Sentence(n, len(self.text), len(self.text) + len(line), kind, section))  # type: ignore[arg-type]
            self.text += line + "\n"

    def document(self, key: int) -> Document:
        return Document(doc_id="d", text=self.text, source=Provenance("d", "", "text"))

    def sentences(self, key: int) -> list[Sentence]:
        return self.units

    def scored(self, *logits: float | None) -> list[Scored]:
        units = [u for u in self.units if u.kind != "header"]
        return [
            Scored(
                Candidate(self.text[u.start : u.end], "", u, 1, u.start, u.end, "", hit_rank=1), 1, 0.0, logit
            ) for u, logit in zip(units, logits, strict=True)
        ]  # fmt: skip

    def taken(self, *logits: float | None) -> list[str]:
        found = within(self.scored(*logits), GRADES, self)  # type: ignore[arg-type]
        return [self.text[line.start : line.end] for line in found]


CRITERIA = Shelf(
    ("header", "", "Exclusion:"), ("sentence", "Exclusion", "Heart failure."), ("sentence", "Exclusion", "Pregnancy."),
    ("header", "", "Inclusion:"), ("sentence", "Inclusion", "Age over 18."),
)  # fmt: skip
TABLE = Shelf(
    ("sentence", "", "Events 1:"), ("sentence", "", "Neutropenia 4/69"), ("sentence", "", "Events 2:"),
    ("sentence", "", "Neutropenia 1/65"),
)  # fmt: skip


def test_a_likely_sentence_is_taken_alone_with_its_header() -> None:
    assert CRITERIA.taken(6.0, -9.0, -9.0) == ["Exclusion:", "Heart failure."]


def test_without_a_likely_sentence_nothing_is_told_apart() -> None:
    assert CRITERIA.taken(-9.0, -9.0, -9.0) == [
        "Exclusion:",
        "Heart failure.",
        "Pregnancy.",
        "Inclusion:",
        "Age over 18.",
    ]


def test_a_numbered_block_is_taken_whole() -> None:
    assert TABLE.taken(-9.0, 6.0, -9.0, -9.0) == ["Events 1:", "Neutropenia 4/69", "Events 2:", "Neutropenia 1/65"]


def test_what_was_not_read_is_not_likely() -> None:
    assert CRITERIA.taken(6.0, None, None) == ["Exclusion:", "Heart failure."]
