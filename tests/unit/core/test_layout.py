"""Places of words: packed and back, and what is marked for a slice of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.core.layout import WordBox, WordBoxes

STEP = 1 / 20_000


def row(text: str, page: int, top: float, start: int = 0) -> list[WordBox]:
    """Words of one line, a hundredth of the page a character."""
    words, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        left = 0.1 + at / 100
        words.append(
            WordBox(start + at, start + at + len(word), page, left, top, left + len(word) / 100, top + 0.01, None)
        )
        at += len(word)
    return words


shares = st.floats(0, 1)


@st.composite
def any_words(draw: st.DrawFn) -> list[WordBox]:
    words, at, page = [], 0, draw(st.integers(1, 3))
    for _ in range(draw(st.integers(0, 30))):
        start = at + draw(st.integers(0, 300))
        at = start + draw(st.integers(1, 40))
        page += draw(st.sampled_from([0, 0, 0, 1, 5]))
        left, right = sorted((draw(shares), draw(shares)))
        top, bottom = sorted((draw(shares), draw(shares)))
        confidence = draw(st.one_of(st.none(), shares))
        words.append(WordBox(start, at, page, left, top, right, bottom, confidence))
    return words


@given(any_words())
def test_packed_words_come_back_to_within_a_step(words: list[WordBox]) -> None:
    packed = WordBoxes.pack(words)
    again = WordBoxes.from_bytes(packed.to_bytes())
    assert again == packed
    assert again.digest() == packed.digest()
    assert bool(packed) == bool(words)
    for word, back in zip(words, again, strict=True):
        assert (back.start, back.end, back.page) == (word.start, word.end, word.page)
        for name in ("left", "top", "right", "bottom"):
            assert getattr(back, name) == pytest.approx(getattr(word, name), abs=STEP)
        assert (back.confidence is None) == (word.confidence is None)
        assert (back.confidence or 0) == pytest.approx(word.confidence or 0, abs=0.0051)
    for word in words:
        assert [w.start for w in packed.between(word.start, word.end)] == [word.start]


def test_a_slice_has_a_box_a_line_and_pages_apart() -> None:
    first, second = "The sodium was 141.", "No change was made."
    words = [*row(first, 1, 0.5), *row(second, 1, 0.6, 20), *row("Page two.", 2, 0.1, 41)]
    boxes = WordBoxes.pack(words)
    (sodium,) = boxes.boxes_of(4, 10)
    assert list(sodium) == [1, *(pytest.approx(x, abs=STEP) for x in (0.14, 0.5, 0.2, 0.51))]
    assert [(b.page, round(b.top, 3)) for b in boxes.boxes_of(15, 45)] == [(1, 0.5), (1, 0.6), (2, 0.1)]
    assert [round(x, 3) for x in boxes.boxes_of(20, 39)[0][1:]] == [0.1, 0.6, 0.29, 0.61]
    assert boxes.boxes_of(19, 20) == ()
    assert boxes.boxes_of(100, 200) == ()


def test_a_gap_between_columns_is_not_marked() -> None:
    words = [WordBox(0, 3, 1, 0.1, 0.5, 0.2, 0.52), WordBox(4, 7, 1, 0.6, 0.5, 0.7, 0.52)]
    assert len(WordBoxes.pack(words).boxes_of(0, 7)) == 2


def test_the_lowest_confidence_counts() -> None:
    words = [WordBox(0, 3, 1, 0.1, 0.5, 0.2, 0.52, 0.9), WordBox(4, 7, 1, 0.3, 0.5, 0.4, 0.52, 0.31)]
    boxes = WordBoxes.pack([*words, WordBox(8, 9, 1, 0.5, 0.5, 0.6, 0.52)])
    assert boxes.confidence_of(0, 9) == 0.31
    assert boxes.confidence_of(0, 3) == 0.9
    assert boxes.confidence_of(8, 9) is None


@pytest.mark.parametrize(
    "words",
    [
        [WordBox(3, 3, 1, 0, 0, 1, 1)],
        [WordBox(3, 5, 1, 0, 0, 1, 1), WordBox(4, 6, 1, 0, 0, 1, 1)],
        [WordBox(3, 5, 0, 0, 0, 1, 1)],
        [WordBox(0, 70_000, 1, 0, 0, 1, 1)],
        [WordBox(0, 1, 1, 0, 0, 1, 1), WordBox(70_000, 70_001, 1, 0, 0, 1, 1)],
    ],
    ids=["empty", "overlapping", "page-0", "too-long", "too-far"],
)
def test_words_out_of_order_are_refused(words: list[WordBox]) -> None:
    with pytest.raises(ValueError, match=r"words|characters"):
        WordBoxes.pack(words)


@pytest.mark.parametrize("data", [b"\1", b"\xff\0\0\0abc", b"\2\0\0\0ab"], ids=["length", "cut", "short"])
def test_bytes_that_are_no_places_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="block"):
        WordBoxes.from_bytes(data)


def test_a_block_that_cannot_be_unpacked_has_no_words() -> None:
    assert list(WordBoxes((bytes(12) + b"junk",))) == []
