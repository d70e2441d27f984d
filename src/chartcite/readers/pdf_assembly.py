"""Pages of lines become one text, with where each page, each word, and what is no evidence stands in it.

Lines that run through the pages (headers, footers, numbers) are taken out of the flow and put after it, so that a
sentence that goes on over a page's end is one slice of the text; the first page keeps its own header, the last its
footer, where they cut nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from chartcite.core.documents import Span
from chartcite.core.layout import WordBox, WordBoxes
from chartcite.readers.hyphens import LINE_END, hyphen_edits
from chartcite.readers.pdf_running import is_at_top, running_lines
from chartcite.readers.pdf_words import Line, Word

PAGE_END = "\n\f"
_BLOCK = "\n\n"
_ENDS = tuple(".!?:;•")
_CLOSING = "\"'”’)]"
_FULL = 0.85
_LEAST_WORDS = 4
_NO_SPAN = -1


@dataclass(frozen=True, slots=True)
class Assembled:
    """The text of a PDF and what is known of it: see `Document`."""

    text: str
    starts: tuple[int, ...]
    hidden: tuple[Span, ...]
    running: tuple[Span, ...]
    words: WordBoxes


@dataclass(slots=True)
class _Draft:
    """Text before hyphens are mended, in parts; `flags` has a byte a character, 1 for what cannot be seen."""

    parts: list[str] = field(default_factory=list)
    flags: bytearray = field(default_factory=bytearray)
    words: list[tuple[int, int, int, Word]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    @property
    def length(self) -> int:
        return len(self.flags)

    def put(self, text: str, flags: bytes = b"") -> None:
        self.parts.append(text)
        self.flags += flags or bytes(len(text))

    def put_line(self, line: Line, page: int, last: str | None = None) -> None:
        for n, (gap, word) in enumerate(zip(line.gaps, line.words, strict=True)):
            self.put(gap)
            text = last if last is not None and n == len(line.words) - 1 else word.text
            self.words.append((self.length, self.length + len(text), page, word))
            self.put(text, word.hidden)


def assemble(pages: Sequence[Sequence[Line]]) -> Assembled:
    """One text of all pages, an empty one being a page without lines."""
    aside = _out_of_the_flow(pages)
    flow = [[line for n, line in enumerate(lines) if n not in aside[p]] for p, lines in enumerate(pages)]
    draft = _Draft()
    for number, lines in enumerate(flow):
        draft.starts.append(draft.length)
        after = flow[number + 1] if number + 1 < len(flow) else None
        for line, end in _with_ends(lines, after):
            broken = end == LINE_END
            draft.put_line(line, number + 1, _hyphenated(line) if broken else _plain(line))
            draft.put("" if broken else end)
        if not lines and after is not None:
            draft.put(PAGE_END)
    ran_from = draft.length if any(aside) else _NO_SPAN
    for number, apart in enumerate(aside):
        for n in sorted(apart):
            draft.put(_BLOCK if draft.length == ran_from else "\n")
            draft.put_line(pages[number][n], number + 1, _plain(pages[number][n]))
    return _mended(draft, ran_from)


def _out_of_the_flow(pages: Sequence[Sequence[Line]]) -> list[frozenset[int]]:
    running = running_lines(pages)
    if running:
        running[0] = frozenset(n for n in running[0] if not is_at_top(pages[0][n]))
        running[-1] = frozenset(n for n in running[-1] if is_at_top(pages[-1][n]))
    return running


def _with_ends(lines: Sequence[Line], after: Sequence[Line] | None) -> Iterator[tuple[Line, str]]:
    """Each line and what stands between it and the next: `LINE_END` where they share a hyphenated word."""
    right = max((word.at.right for line in lines for word in line.words), default=0.0)
    for n, line in enumerate(lines):
        if n + 1 < len(lines):
            follower = lines[n + 1]
            end = _BLOCK if follower.starts_block else "\n"
        elif after is None:
            yield line, ""
            return
        elif not after:
            yield line, PAGE_END
            return
        else:
            follower = after[0]
            end = "\n" if _goes_on(line, follower, right) else PAGE_END
        yield line, LINE_END if end != _BLOCK and _shares_a_word(line, follower) else end


def _shares_a_word(line: Line, follower: Line) -> bool:
    last = line.words[-1].text
    left, right = last[:-1], follower.words[0].text
    return last[-1] in (LINE_END, "-", "\u2010") and left[-1:].isalnum() and right[:1].isalnum()


def _goes_on(line: Line, follower: Line, right: float) -> bool:
    """Whether a page's last line looks like one that the next page continues."""
    text = line.text.rstrip(_CLOSING + LINE_END)
    if not text or text.endswith(_ENDS):
        return False
    first = follower.text[0]
    wraps = len(line.words) >= _LEAST_WORDS and line.box.right >= _FULL * right
    return wraps or _shares_a_word(line, follower) or (first.islower() and len(line.words) >= _LEAST_WORDS)


def _hyphenated(line: Line) -> str:
    return line.words[-1].text[:-1] + LINE_END


def _plain(line: Line) -> str | None:
    last = line.words[-1].text
    return last[:-1] + "-" if last.endswith(LINE_END) else None


def _mended(draft: _Draft, ran_from: int) -> Assembled:
    """Hyphens mended; all offsets moved along."""
    raw, flags = "".join(draft.parts), bytes(draft.flags)
    edits = hyphen_edits(raw)
    gone = sorted(i for i, put in edits.items() if not put)
    text = "".join(edits.get(i, c) for i, c in enumerate(raw)) if edits else raw

    def moved(at: int) -> int:
        return at - bisect_left(gone, at)

    spans = (Span(moved(a), moved(b)) for a, b in _runs(raw, flags))
    running = (Span(moved(ran_from), len(text)),) if ran_from != _NO_SPAN else ()
    words = (
        WordBox(moved(start), min(moved(end), moved(start) + 0xFFFF), page, *word.shown, word.confidence)
        for start, end, page, word in draft.words
    )
    return Assembled(
        text, tuple(moved(at) for at in draft.starts), tuple(s for s in spans if s.end > s.start),
        tuple(s for s in running if s.end > s.start), WordBoxes.pack(w for w in words if w.end > w.start),
    )  # fmt: skip


def _runs(text: str, flags: bytes) -> Iterator[tuple[int, int]]:
    """Runs of hidden characters; spaces between two of them, inside a line, belong to them."""
    at, open_from, open_to = 0, -1, -1
    for flag, group in groupby(flags):
        end = at + sum(1 for _ in group)
        if flag and open_from >= 0 and not text[open_to:at].strip(" "):
            open_to = end
        elif flag:
            if open_from >= 0:
                yield open_from, open_to
            open_from, open_to = at, end
        at = end
    if open_from >= 0:
        yield open_from, open_to
