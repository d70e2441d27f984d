"""Replies spoilt in every way: cut at each place, ids one off, types swapped. No exception, and no id not given."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from chartcite.cascade.align.llm import fits_links, read_links
from chartcite.cascade.interpret.llm import read_query
from chartcite.cascade.score.llm import fits_grades, read_grades
from chartcite.cascade.write.llm import fits_sentences
from chartcite.models.replies import read_json
from chartcite.models.reply_ids import read_ids
from chartcite.verification.judge import read_verdict

ANSWERS, SOURCES = 2, 4
WHOLE = (
    '{"query": "Why was the dose of warfarin changed in May?"}',
    '{"S1": 5, "S2": 1, "S3": 4, "S4": 3}',
    '{"sentences": [{"text": "INR was 2.1.", "sources": ["E1", "E4"]}, {"text": "No bleeding.", "sources": ["E2"]}]}',
    '{"links": [{"answer": "A1", "sources": ["E1", "E4"]}, {"answer": "A2", "sources": ["E2"]}]}',
    '{"verdict": "supported", "source": "4", "reason": "It says so in so many words."}',
)
FRAMES = ("```json\n{}\n```", "<think>{}</think>", "<think>{}", "x</think>{}", "Here:\n{}\nBye [1].", "{0}{0}")
SWAPS: tuple[Any, ...] = (None, True, 5, -1, 2.5, "E5", "", [], {}, [[1]], 10**30, "\ud83d")


def spoilt() -> Iterator[str]:
    """All of them, always the same ones in the same order."""
    for raw in WHOLE:
        for cut in range(len(raw)):
            yield raw[:cut]
        for match in re.finditer(r"\d+", raw):
            for other in (int(match[0]) - 1, int(match[0]) + 1, int(match[0]) + 4, -int(match[0]), 10**12):
                yield raw[: match.start()] + str(other) + raw[match.end() :]
        for path in _places(json.loads(raw)):
            for swap in SWAPS:
                yield json.dumps(_with(json.loads(raw), path, swap))
        for frame in (
            "```json\n{}\n```",
            "<think>{}</think>",
            "<think>{}",
            "x</think>{}",
            "Here:\n{}\nBye [1].",
            "{0}{0}",
        ):
            yield frame.replace("{0}", raw).replace("{}", raw)
        yield raw.replace('"', "'")
        yield raw.replace("}", ",}").replace("]", ",]")
        yield raw[::-1]
    dice = random.Random(17)
    for _ in range(120):
        raw = dice.choice(WHOLE)
        at, length = dice.randrange(len(raw)), dice.randrange(1, 12)
        yield raw[:at] + raw[at + length :]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*path, key))


def _with(value: Any, path: tuple[Any, ...], swap: Any) -> Any:
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = swap
    return value


def holds(raw: str, *, was_cut: bool) -> None:
    """What each stage takes from a reply names nothing that was not given, whichever stage it was meant for."""
    links = read_json(raw, fits_links, was_cut=was_cut)
    found = read_links(links.value, ANSWERS, SOURCES, is_partial=links.is_partial).links
    assert all(1 <= a <= ANSWERS and 1 <= s <= SOURCES for a, s in found)
    graded = read_json(raw, fits_grades, was_cut=was_cut)
    if graded.value is not None:
        grades = read_grades(graded.value, SOURCES).grades
        assert all(1 <= n <= SOURCES and grade in (1, 2, 3, 4, 5) for n, grade in grades.items())
    written = read_json(raw, fits_sentences, was_cut=was_cut).value
    for sentence in (written.get("sentences") if isinstance(written, dict) else written) or ():
        assert set(read_ids(sentence.get("sources", []), SOURCES).known) <= {1, 2, 3, 4}
    judged = read_verdict(raw, SOURCES, "judge")
    assert judged.verdict in ("supported", "contradicted", "unsupported")
    assert judged.source is None or 1 <= judged.source <= SOURCES
    assert judged.verdict != "supported" or judged.is_conclusive
    query = read_query(raw, was_cut)
    assert query.value is None or 1 <= len(str(query.value).split()) <= 40


ALL = list(spoilt())


def test_there_are_enough_of_them() -> None:
    assert len(ALL) >= 500
    assert len(set(ALL)) >= 500


@pytest.mark.parametrize("was_cut", [False, True], ids=["whole", "cut off"])
def test_a_fifth_of_the_spoilt_replies(was_cut: bool) -> None:
    for raw in ALL[::5]:
        holds(raw, was_cut=was_cut)


@pytest.mark.soak
@pytest.mark.parametrize("was_cut", [False, True], ids=["whole", "cut off"])
def test_all_spoilt_replies(was_cut: bool) -> None:
    for raw in ALL:
        holds(raw, was_cut=was_cut)


def test_what_is_whole_is_read() -> None:
    assert read_query(WHOLE[0], False).value == "Why was the dose of warfarin changed in May?"
    assert read_grades(json.loads(WHOLE[1]), SOURCES).grades == {1: 5, 2: 1, 3: 4, 4: 3}
    assert len(json.loads(WHOLE[2])["sentences"]) == 2
    assert read_links(json.loads(WHOLE[3]), ANSWERS, SOURCES).links == {(1, 1), (1, 4), (2, 2)}
    assert read_verdict(WHOLE[4], SOURCES, "judge").verdict == "supported"
