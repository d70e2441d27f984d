"""`benchmarks/twins.py` on two pairs of small twins, with engines that one can compute by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import twins
from chartcite.lab.longchart import generate
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from isolation.watch import Watch, leaks

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder


class WordReranker:
    """Counts the query's words."""

    name = "words"
    fingerprint = "1"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(sum(text.lower().count(word) for word in query.lower().split())) - 3 for text in texts]


def test_twins_never_see_each_other(tmp_path: Path, fake_encoder: FakeEncoder) -> None:
    generate(3, 3, {"en": 1.0}, tmp_path / "data", formats=("jsonl",), scale=0.05)
    engines = Engines(Settings())
    engines.__dict__.update(encoder=fake_encoder, reranker=WordReranker())
    world = twins.made(tmp_path / "data", tmp_path / "work", engines)
    assert len(world.pairs) == 1
    tally = twins.Tally()
    twins.retrieve(world, tally, 40, "test", 1, twins.WAYS)
    twins.answer(world, tally, 5, "test", 1, twins.WAYS[:1])
    twins.deletion(world, tally, 1, 1, {name: twins.EVERY_DOOR[name] for name in ("search", "ask", "timeline")})
    assert {stage: dict(c) for stage, c in tally.stages.items() if leaks(c)} == {}
    assert sum(c["spans"] for c in tally.stages.values()) > 500


WATCH = Watch(
    {"p1": {"a": "Warfarin 5 mg."}, "p2": {"b": "Warfarin 5 mg. Seen by Zorn."}}, {"p1": ("p1",), "p2": ("zorn",)}
)
LEAKS = {
    "a document of the other": {"doc_id": "b"},
    "deep inside": {"x": [{"y": {"doc_id": "b", "start": 0, "end": 8}}]},
    "another quote": {"doc_id": "a", "start": 0, "end": 8, "quote": "warfarin"},
    "another text": {"doc_id": "a", "start": 0, "end": 8, "text": "Warfarin 5 mg."},
    "a span outside": {"doc_id": "a", "start": 90, "end": 98, "quote": ""},
    "a name in a term": {"terms": ["ZORN"]},
    "a name in a message": "No document of Zorn was found.",
}


@pytest.mark.parametrize("output", LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_is_seen(output: object) -> None:
    assert leaks(WATCH.foreign("p1", output)) == 1


def test_own_spans_and_what_was_asked_are_no_leaks() -> None:
    own = [{"doc_id": "a", "start": 0, "end": 8, "quote": "Warfarin"}, {"doc_id": None}, {"question": "Who is Zorn?"}]
    found = WATCH.foreign("p1", own, "Who is Zorn?")
    assert (leaks(found), found["spans"]) == (0, 1)
