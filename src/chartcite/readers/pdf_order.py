"""The order in which a reader takes the words of a page: titles, columns one after the other, tables row by row.

A page's program paints in any order. Words are put together to pieces of lines; where a white strip runs down between
pieces, and what stands beside it reads like columns of prose, the left side is read before the right one. Where it
reads like a table, or a form, rows stay rows. Knows no engine and no language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from chartcite.readers.pdf_words import Frame, Line, Word, box_of, line_of

_PIECE_GAP = 0.8
"""In font sizes; spaces of justified text are narrower, gutters are not."""
_GUTTER = 0.8
_SAME_LINE = 0.35
_MOST_PIECES = 600
"""Of one page; above, the page's own order is taken."""
_LEAST_LINES = 3
_TOUCH = 1.0
_PROSE_WORDS = 3
_LEVEL = 0.15
_ALIGNED = 0.6
_DENSE = 0.7
_ROW_GAP = 0.75
_CLEARLY = 1.6
_PAIRED = 0.8
_BLOCK_GAP = 1.5


@dataclass(frozen=True, slots=True)
class _Piece:
    words: tuple[Word, ...]
    at: Frame
    size: float

    def crosses(self, x: float, strip: float) -> bool:
        """Whether it reaches, by more than a touch, into a strip that begins at `x`."""
        return self.at.left < x + strip - _TOUCH and self.at.right > x + _TOUCH

    @property
    def width(self) -> float:
        return self.at.right - self.at.left


@dataclass(frozen=True, slots=True)
class _Cut:
    above: list[_Piece]
    left: list[_Piece]
    right: list[_Piece]
    below: list[_Piece]


def reading_order(words: Sequence[Word]) -> list[Line]:
    """Lines in the order of reading.

    Words that are turned against the rest, and then what nobody sees, come last, as they are painted: hidden text must
    neither part what is seen nor stand in a sentence with it.
    """
    unseen = [word for word in words if all(word.hidden)]
    upright = [word for word in words if word.upright and not all(word.hidden)]
    turned = [word for word in words if not word.upright and not all(word.hidden)]
    pieces = _pieces(upright)
    if len(pieces) > _MOST_PIECES:
        lines = [line_of(list(piece.words)) for piece in pieces]
    else:
        lines = list(_read(sorted(pieces, key=_down)))
    for apart in (turned, unseen):
        lines += [line_of(list(piece.words), starts_block=n == 0) for n, piece in enumerate(_pieces(apart))]
    return lines


def _down(piece: _Piece) -> tuple[float, float, int]:
    return piece.at.middle, piece.at.left, piece.words[0].order


def _pieces(words: Sequence[Word]) -> list[_Piece]:
    """Words painted one after the other in a line, without a wide gap between them."""
    pieces: list[list[Word]] = []
    for word in words:
        if pieces and _follows(pieces[-1][-1], word):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [_Piece(tuple(some), box_of(some), max(word.size for word in some)) for some in pieces]


def _follows(before: Word, word: Word) -> bool:
    gap = max(word.at.left - before.at.right, before.at.left - word.at.right)
    if word.joined and word.order == before.order:
        return True
    if not before.upright:  # one below the other, or in a slope
        return not word.upright and word.order == before.order + 1
    return _in_line(before.at, word.at) and gap <= _PIECE_GAP * max(before.size, word.size)


def _in_line(one: Frame, other: Frame) -> bool:
    """Whether the heights of two boxes are mostly the same; a comma is lower than a letter, and in its line."""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > _SAME_LINE * min(one.height, other.height) or (
        min(one.height, other.height) <= 0 and one.top <= other.middle <= one.bottom
    )


def _read(pieces: list[_Piece]) -> Iterator[Line]:
    """Of a region, its pieces sorted downwards."""
    cut, rows = _best_cut(pieces)
    if cut is None:
        yield from _as_lines([[w for p in row for w in p.words] for row in _level(pieces)])
        return
    if cut.above:
        yield from _read(cut.above)
    if rows:
        yield from _as_lines([list(_by_cells(row)) for row in rows])
    else:
        yield from _read(cut.left)
        yield from _read(cut.right)
    if cut.below:
        yield from _read(cut.below)


def _best_cut(pieces: list[_Piece]) -> tuple[_Cut | None, list[list[_Piece]]]:
    """The tallest pair of columns, or the tallest table with its rows; nothing where lines are to be read across."""
    cuts = []
    tried = set()
    for edge in sorted({round(piece.at.right, 1) for piece in pieces}):
        for cut in _cuts_at(pieces, edge + 0.05):
            where = frozenset(map(id, cut.left)), frozenset(map(id, cut.right))
            if where not in tried:
                tried.add(where)
                cuts.append((cut, _rows(cut.left, cut.right), where[0] | where[1]))
    tables = [inside for _, rows, inside in cuts if rows]
    best: tuple[float, _Cut, list[list[_Piece]]] | None = None
    for cut, rows, inside in cuts:
        worth = min(sum(p.width for p in cut.left), sum(p.width for p in cut.right))
        if (best is None or worth > best[0]) and (
            rows or (not any(inside <= table for table in tables) and _are_columns(cut))
        ):
            best = worth, cut, rows
    return (best[1], best[2]) if best else (None, [])


def _cuts_at(pieces: list[_Piece], x: float) -> Iterator[_Cut]:
    """Runs of pieces, downwards, that a vertical line does not cross and that stand on both sides of it."""
    start, strip = 0, _GUTTER * median(piece.size for piece in pieces)
    for index in range(len(pieces) + 1):
        if index < len(pieces) and not pieces[index].crosses(x, strip):
            continue
        run = pieces[start:index]
        left = [piece for piece in run if piece.at.right <= x + _TOUCH]
        right = [piece for piece in run if piece.at.right > x + _TOUCH]
        if len(left) >= _LEAST_LINES and len(right) >= _LEAST_LINES:
            yield _trimmed(pieces[:start], left, right, pieces[index:])
        start = index + 1


def _trimmed(above: list[_Piece], left: list[_Piece], right: list[_Piece], below: list[_Piece]) -> _Cut:
    """What stands on one side only, clear of the other: a date at the top right, a heading of what comes below."""
    top = max(left[0].at.top, right[0].at.top)
    first = [p for p in right if p.at.bottom <= left[0].at.top]
    right = [p for p in right if p.at.bottom > left[0].at.top]
    low = max((p.at.bottom for p in right), default=top)
    last: list[_Piece] = []
    while len(left) > _LEAST_LINES and left[-1].at.top >= low and left[-1].at.top - left[-2].at.bottom > left[-1].size:
        last.insert(0, left.pop())
    return _Cut([*above, *first], left, right, [*last, *below])


def _are_columns(cut: _Cut) -> bool:
    """Whether the left side is read before the right one: prose, or, with less to show for it, painted so."""
    sides = [[[w for p in row for w in p.words] for row in _level(side)] for side in (cut.left, cut.right)]
    if min(map(len, sides)) < _LEAST_LINES:
        return False
    (first, last), (other_first, other_last) = ((box_of(side[0]), box_of(side[-1])) for side in sides)
    if min(last.bottom, other_last.bottom) <= max(first.top, other_first.top):  # one stands below the other
        return False
    bottoms = [[box_of(line).bottom for line in side] for side in sides]
    shorter, longer = sorted(bottoms, key=len)
    size = median(p.size for p in cut.left)
    aligned = sum(any(abs(a - b) < _LEVEL * size for b in longer) for a in shorter) >= _ALIGNED * len(shorter)
    if not aligned:
        return any(map(_is_loose_prose, sides))
    return all(map(_is_loose_prose if _painted_apart(cut) else _is_prose, sides))


def _painted_apart(cut: _Cut) -> bool:
    """Whether all of one side was painted before the other."""
    left, right = ([p.words[0].order for p in side] for side in (cut.left, cut.right))
    return max(left) < min(right) or max(right) < min(left)


def _is_loose_prose(lines: list[list[Word]]) -> bool:
    return _share_full(lines, 0.7) >= 0.5 and median(map(len, lines)) >= _PROSE_WORDS and _is_dense(lines)


def _is_prose(lines: list[list[Word]]) -> bool:
    """Lines of several words, nearly all as long as the column is wide, many of which begin inside a sentence."""
    inside = sum(line[0].text[:1].islower() for line in lines)
    return _share_full(lines, 0.8) >= 0.6 and inside >= 0.25 * len(lines) and _is_loose_prose(lines)


def _share_full(lines: list[list[Word]], full: float) -> float:
    widths = sorted(box.right - box.left for box in map(box_of, lines))
    column = widths[int(0.9 * (len(widths) - 1))]
    return sum(width >= full * column for width in widths) / len(widths)


def _is_dense(lines: list[list[Word]]) -> bool:
    """Whether the lines are of words, not of cells with white between them."""
    covered = [
        sum(w.at.right - w.at.left for w in line) / max(box.right - box.left, 0.1)
        for line, box in zip(lines, map(box_of, lines), strict=True)
    ]
    return median(covered) >= _DENSE


def _rows(left: list[_Piece], right: list[_Piece]) -> list[list[_Piece]]:
    """Rows of a table some of whose cells have several lines; empty if it is none.

    White strips run across, clearly higher than those between the lines of a cell, and in nearly every row both sides
    begin together.
    """
    levels = _level([*left, *right])
    boxes = [box_of(w for p in level for w in p.words) for level in levels]
    size = median(piece.size for piece in left)
    steps, reach = [], boxes[0].bottom
    for box in boxes[1:]:
        steps.append(box.top - reach)
        reach = max(reach, box.bottom)
    high = [step for step in steps if step >= _ROW_GAP * size]
    low = [step for step in steps if step < _ROW_GAP * size]
    if len(high) < _LEAST_LINES - 1 or not low or min(high) < _CLEARLY * max(*low, 0.25 * size):
        return []
    rows = [[*levels[0]]]
    for step, level in zip(steps, levels[1:], strict=True):
        if step >= _ROW_GAP * size:
            rows.append([])
        rows[-1] += level
    ids = {id(piece) for piece in left}
    paired, uneven = 0, False
    for row in rows:
        one, other = [p for p in row if id(p) in ids], [p for p in row if id(p) not in ids]
        if one and other:
            paired += abs(min(p.at.top for p in one) - min(p.at.top for p in other)) < 0.5 * size
            uneven = uneven or len(_level(one)) != len(_level(other))  # else each line may be a row of its own
    return rows if uneven and paired >= _PAIRED * len(rows) else []


def _as_lines(lines: list[list[Word]]) -> Iterator[Line]:
    """Of a region; a larger gap above makes a block."""
    boxes = [box_of(line) for line in lines]
    steps = [b.top - a.bottom for a, b in pairwise(boxes)]
    usual = max(median(steps), 0.0) if steps else 0.0
    for n, line in enumerate(lines):
        size = max(word.size for word in line)
        yield line_of(line, starts_block=n > 0 and steps[n - 1] > max(_BLOCK_GAP * usual, usual + 0.6 * size))


def _level(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Pieces side by side, from left to right; in the painted order where they stand on each other."""
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.at.middle, p.at.left)):
        home = next((row for row in rows[-4:] if _in_line(row[0].at, piece.at)), None)
        if home is None:
            rows.append([piece])
        else:
            home.append(piece)
    return [sorted(row, key=lambda p: (p.at.left, p.words[0].order)) for row in rows]


def _by_cells(row: list[_Piece]) -> Iterator[Word]:
    """Cells from left to right: pieces that no white strip separates."""
    reach = float("-inf")
    cell: list[_Piece] = []
    for piece in sorted(row, key=lambda p: p.at.left):
        if cell and piece.at.left - reach > _GUTTER * piece.size:
            yield from _words_down(cell)
            cell = []
        cell.append(piece)
        reach = max(reach, piece.at.right) if len(cell) > 1 else piece.at.right
    yield from _words_down(cell)


def _words_down(cell: list[_Piece]) -> Iterator[Word]:
    for line in _level(cell):
        for piece in line:
            yield from piece.words
