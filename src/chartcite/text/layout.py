"""Sorts lines into kinds and joins the lines of one wrapped sentence or list item into a block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from chartcite.text.lines import Line
from chartcite.text.sections import Header
from chartcite.text.wordlists import load_words
from chartcite.text.wrapping import NEVER, RAGGED, WIDE_CHARS, WIDEST_CHARS, LineEnd, wrap_widths

BlockKind = Literal["prose", "item", "row", "header"]
_LineKind = Literal["prose", "item", "row", "pair", "date", "marker"]

_LONGEST_TWO_CELLS_CHARS = 100
_LONGEST_CELL_CHARS = 40

_SHORT_CHARS = 30
_LONG_REMARK_CHARS = 80
_OPEN_STARTS = ("line_words.txt", "open-start")

_ITEM = re.compile(
    r"[-–—*•·▪◦‣●○■□✓✔➢►→](?![-*=_])\s*(?=\S)"
    r"|\(?[0-9]{1,2}[.)](?:\s+|(?=[A-Za-zÀ-ÿ\[]))"
    r"|\(?[A-Za-z]\)\s+|\([ivx]{1,4}\)\s+|[ivx]{1,4}\)\s+|[a-d]\.\s+(?!Diff)(?=[A-Z])"
    # `a. cefazolin`, but not `c. diff`: the names of germs that a line may start with.
    r"|[a-f]\.\s+(?!diff|coli|albicans|glabrata|fragilis|cereus|burgdorferi|botulinum|trachomatis|jejuni|faecal|cloacae)"
    r"(?=[a-z]{2})"
    r"|(?:I{1,3}|IV|VI{1,3}|IX|XI{0,3})\.\s+(?=[A-ZÀ-Ý])"
    r"|o(?:\t|  )\s*|\+\s+|\#[0-9]{0,2}[.):]?\s*(?=\w)"
)
_LONE_MARKER = re.compile(r"[-–—*•·▪◦‣●○■□✓✔➢►→#+]|\(?[0-9]{1,2}[.)]|\(?[A-Za-z][.)]|\([0-9ivx]{1,4}\)")
_LETTER_MARK = re.compile(r"[a-f]\.\s[a-z]")  # `stenosis of the` + `a. renalis`
_RULE = re.compile(r"(?:[-=_*~#+.·|:]\s*){3,}+")
_PAIR = re.compile(r"[A-Za-zÀ-ÿ(][^:\r\n]{0,48}:(?:\s|(?=[^/\s]))")
_GAP = re.compile(r"(?<![\s.!?:;,])(?:  +|\s*\t\s*)(?=\S)")
_LABEL_GAP = re.compile(r"(?<![\s.!?;,])(?:  +|\s*\t\s*)(?=\S)")
# `Sodium ........ 135 mEq/L`, `Weight ____ kg`: a label led to its value is a row.
_LEADER = re.compile(r"[^\W_][^\S\r\n]*(?:\.{5,}|(?:\.[^\S\r\n]){4,}\.?|_{4,})[^\S\r\n]*(?=[^\s.])")
_NEXT_SENTENCE = re.compile(r"[a-z]{3}\.\s+[A-Z]")
_DATE = re.compile(
    r"(?:[0-9]+(?:st|nd|rd|th|h)?"
    r"|(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sept?|set|oct|out|nov|dec|dez)[a-zç]*"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|[ap]\.?m|de|hrs?|hours|at|z|utc|est|\[\*\*|\*\*\]|[-/.,:;()T ])++",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"[A-Za-z][\w./-]*(?: [\w./-]+)? \d[\d.,]* ?"
    r"(?:mg|mcg|ug|µg|g|units?|un|ui|iu|ml|tabs?|caps?|puffs?|gtts?|meq)\b",
    re.IGNORECASE,
)


_AMOUNT = re.compile(
    r"[<>≤≥]?\s?\d[\d.,]*\s?(?:mg|mcg|ug|µg|g|kg|units?|iu|ui|ml|dl|l|mmol|meq|tabs?|tablets?|caps?|capsules?|puffs?|"
    r"drops|gotas|comprimidos?|c[áa]psulas?|%|times|vezes|days|dias|weeks|semanas|hours|horas)(?![^\W_])",
    re.IGNORECASE,
)


class Block(NamedTuple):
    """Lines that are cut into sentences together: `text[start:end]`; `header` when it is one."""

    start: int
    end: int
    kind: BlockKind
    header: Header | None = None


class _Piece(NamedTuple):
    """What is left of a line after its header, with its kind and its words."""

    line: Line
    content: str
    kind: _LineKind


def find_blocks(text: str, lines: Sequence[Line], headers: Sequence[Header]) -> Iterator[Block]:
    """Yield the blocks of a text in order; together they hold every character that is not white space."""
    pieces = _pieces(text, lines, headers)
    wraps = _wraps(pieces)
    start, last, kind = 0, None, "prose"
    for piece, wrap in zip(pieces, wraps, strict=True):
        if isinstance(piece, Header):
            if last is not None:
                yield Block(start, last.line.end, _block_kind(kind))
            yield Block(piece.start, piece.end, "header", piece)
            last = None
            continue
        if last is None or not _joins(last, piece, wrap):
            if last is not None:
                yield Block(start, last.line.end, _block_kind(kind))
            start, kind = piece.line.start, piece.kind
        elif kind == "marker":
            kind = "item"
        last = piece
    if last is not None:
        yield Block(start, last.line.end, _block_kind(kind))


def _block_kind(kind: str) -> BlockKind:
    if kind in ("item", "marker"):
        return "item"
    return "row" if kind == "row" else "prose"


def _pieces(text: str, lines: Sequence[Line], headers: Sequence[Header]) -> list[_Piece | Header]:
    """Put headers and what remains of the lines into one list, in order."""
    pieces: list[_Piece | Header] = []
    at = 0
    skip_until = -1
    for index, line in enumerate(lines):
        if index <= skip_until:
            continue
        rest = line
        if at < len(headers) and headers[at].line == index:
            header = headers[at]
            at += 1
            skip_until = header.last_line
            pieces.append(header)
            if header.end >= line.end:
                continue
            shift = len(text[header.end : line.end]) - len(text[header.end : line.end].lstrip())
            rest = line._replace(start=header.end + shift, gap=True)
        content = text[rest.start : rest.end]
        pieces.append(_Piece(rest, content, _kind_of(content)))
    return pieces


def _kind_of(content: str) -> _LineKind:
    if not content[0].isalpha() or content[0] in "IVX" or content[1:2] in tuple(".) \t"):
        marked = _marked_kind(content)
        if marked is not None:
            return marked
    if ("  " in content or "\t" in content or "|" in content) and _is_row(content):
        return "row"
    if ("...." in content or ". . " in content or "____" in content) and _is_led(content):
        return "row"
    if content.find(":", 1, 50) > 0 and _PAIR.match(content) and ". " not in content[: content.find(":")]:
        return "pair"
    if len(content) <= WIDE_CHARS and any(map(str.isdigit, content)) and _DATE.fullmatch(content):
        return "date"
    return "prose"


def _marked_kind(content: str) -> _LineKind | None:
    """The kind of a line that its first characters settle: a list item, a bare list mark, a ruled line."""
    if len(content) < 5 and _LONE_MARKER.fullmatch(content):
        return "marker"
    if _RULE.fullmatch(content):
        return "row"
    return "item" if _ITEM.match(content) else None


def _is_led(content: str) -> bool:
    """A label led to its value; a blank in a paragraph (`fell ________ on her knee`) leads nowhere."""
    is_short = len(content) <= WIDEST_CHARS and _NEXT_SENTENCE.search(content) is None
    return is_short and _LEADER.search(content) is not None


def _is_row(content: str) -> bool:
    """Columns: two pipes, a tab, or gaps that do not just follow a full stop."""
    if content.count("|") > 1:
        return True
    cells = _GAP.split(content)
    if len(cells) == 1:
        return False
    if len(cells) == 2:
        cells = _LABEL_GAP.split(content)
    wide = "\t" in content or "   " in content
    if len(cells) == 2:
        return wide and len(content) <= _LONGEST_TWO_CELLS_CHARS and ". " not in content
    if not wide:
        # Two spaces may be slips in prose: cells are short, and do not go on in the middle of a sentence.
        return len(content.split()) <= 3 * len(cells) and not any(c[0].islower() and " " in c for c in cells[1:])
    return len(content) <= _LONGEST_CELL_CHARS * len(cells)


def _wraps(pieces: Sequence[_Piece | Header]) -> list[int]:
    """For each piece the column at which the lines of its paragraph were wrapped."""
    paragraphs: list[list[LineEnd]] = []
    homes: list[int] = []
    above: _Piece | Header | None = None
    for piece in pieces:
        if isinstance(piece, Header) or not isinstance(above, _Piece) or piece.line.gap:
            paragraphs.append([])
        elif piece.kind == "prose" and above.kind not in ("row", "date", "marker"):
            first = piece.content.split(None, 1)[0]
            small = piece.content[0].islower() and above.content[-1] not in ".!?:;"
            tied = small and (_is_left_open(above) or first.rstrip(".,;:") in load_words(*_OPEN_STARTS))
            paragraphs[-1].append(LineEnd(above.line.width, above.line.width + 1 + len(first), small, tied))
        homes.append(len(paragraphs) - 1)
        above = piece
    widths = wrap_widths(paragraphs)
    return [widths[home] for home in homes]


def _is_left_open(above: _Piece) -> bool:
    """Whether a line ends as prose does and remarks do not.

    With a word or mark after which a sentence hardly ever ends, in the middle of a second sentence, or far out.
    """
    last = _last_word(above.content)
    if last.endswith(("'s", "’s", ",", "-", "/", "(")) or above.line.width >= _LONG_REMARK_CHARS:
        return True
    if _NEXT_SENTENCE.search(above.content) or _ends_with_negation(above.content):
        return True
    return last in load_words("line_words.txt", "open-end") or last in load_words("line_words.txt", "rarely-last")


def _ends_with_negation(content: str) -> bool:
    """`Denies polyuria, denies` + `numbness`: what is denied must not be torn off; but `Smoker: no` is an answer."""
    words = content.rsplit(None, 2)
    is_answer = len(words) < 2 or words[-2][-1] in ":?-–="
    return not is_answer and words[-1].lower() in load_words("line_words.txt", "negations")


def _joins(above: _Piece, below: _Piece, wrap: int) -> bool:
    """Whether `below` goes on with what `above` began."""
    if below.line.gap or below.kind in ("row", "marker") or above.kind in ("row", "date"):
        return False
    if below.kind in ("item", "date"):
        return _is_wrapped_number(above, below)
    if above.kind == "marker":
        return True
    ended = above.content.rstrip("\"')]”’»")[-1:] in (".", "!", "?", "…")
    hangs = above.kind == "item" and below.line.indent > above.line.indent
    if below.kind == "pair":
        return not ended and _goes_on_as_pair(above, below)
    if ended:
        # Kept together so that the search for sentence ends can see `Dr.` + `Smith`.
        return hangs or above.kind == "prose"
    return hangs or _runs_on(above, below, wrap)


def _is_wrapped_number(above: _Piece, below: _Piece) -> bool:
    """`... at the age of` + `60. Both parents`: a number that only looks like a list mark or a date line."""
    if above.kind == "marker" or not (below.content[0].isdigit() or _LETTER_MARK.match(below.content)):
        return False
    last = _last_word(above.content)
    return last in load_words("line_words.txt", "open-end") or last in load_words("line_words.txt", "open-number")


def _goes_on_as_pair(above: _Piece, below: _Piece) -> bool:
    """`... for the following` + `reasons: he ...`: a colon in a wrapped sentence, not a label."""
    if _last_word(above.content) in load_words("line_words.txt", "open-end"):
        return True
    return below.content[0].islower() and above.kind != "pair" and above.line.width >= WIDE_CHARS


def _runs_on(above: _Piece, below: _Piece, wrap: int) -> bool:
    """Whether an unfinished line is continued by the next one, from its last word, the next word, and the width."""
    if above.content[-1] == ":":
        return False
    if _must_go_on(above, below):
        return True
    first = below.content.split(None, 1)[0]
    full = above.line.width + 1 + len(first)  # how wide the line would be if the next word had been put on it
    if below.content[0].islower() or below.content[0] == "(":
        return _runs_on_small(above, below, first, full >= RAGGED * wrap)
    if above.content[-1] == "," and above.line.width >= _SHORT_CHARS:
        return True
    if wrap == NEVER or first.rstrip(",") in load_words("abbreviations.txt", "starters"):
        return False
    return WIDE_CHARS <= above.line.width <= WIDEST_CHARS and full > wrap


def _must_go_on(above: _Piece, below: _Piece) -> bool:
    last = _last_word(above.content)
    if last in load_words("line_words.txt", "open-end") or last.endswith(("'s", "’s")):
        return True
    return _is_amount_of(above, below) or (below.content[0].islower() and _ends_with_negation(above.content))


def _is_amount_of(above: _Piece, below: _Piece) -> bool:
    """`the dose is now` + `5 mg every evening`: an amount begins no sentence, unless it is one more of a list."""
    is_left = above.content[-1].isalpha() and not _AMOUNT.match(above.content)
    return is_left and _AMOUNT.match(below.content) is not None


def _runs_on_small(above: _Piece, below: _Piece, first: str, wide: bool) -> bool:
    """The same before a lower-case word, which goes on with a sentence unless both lines are short remarks."""
    word = first.rstrip(".,;:")
    if word in load_words(*_OPEN_STARTS) or above.content[-1] in ",-/(":
        return True
    if _ORDER.match(below.content) and _ORDER.match(above.content):
        return False
    if above.kind == "pair" or word in load_words("line_words.txt", "remark-start"):
        return wide and above.line.width >= WIDE_CHARS
    return wide and above.line.width >= _SHORT_CHARS


def _last_word(content: str) -> str:
    """The last word as written: `OR` and `IN` are not the small words of the list."""
    return content.rsplit(None, 1)[-1].lstrip("(\"'“")
