"""Parts of the body named in a sentence, each with its side: `right lower lobe`, `joelho direito`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import FACTS, read_rows, read_words, word_set
from chartcite.facts.phrases import Match, Phrases
from chartcite.facts.sides import Side, SideName, find_sides
from chartcite.facts.tokens import Token


class Site(NamedTuple):
    """A part of the body.

    Attributes:
        span: the words for it, with what narrows it (`left distal radius`).
        name: as the list names it.
        side: said of it, or empty.
        side_span: the word for the side; `RLE` is both.
    """

    span: Span
    name: str
    side: SideName | None
    side_span: Span | None


class SideWord(NamedTuple):
    """A word for a side, and the words that it is said of (`bilateral crackles`); none when it stands alone."""

    span: Span
    name: SideName
    of: Span | None


def find_side_words(text: str, tokens: Sequence[Token]) -> tuple[SideWord, ...]:
    """The sides of a sentence, in order, with what each is said of; arguments as in `find_sites`."""
    out = []
    for side in find_sides(tokens, text):
        said_of = tokens[side.first : side.last]
        of = Span(said_of[0].start, max(token.end for token in said_of)) if said_of else None
        out.append(SideWord(Span(tokens[side.at].start, tokens[side.at].end), side.name, of))
    return tuple(out)


_NARROWS = word_set(
    "upper lower middle mid proximal distal anterior posterior medial lateral inferior superior apical basal basilar "
    "ventral dorsal plantar palmar outer inner internal external deep superficial first second third fourth fifth 1st "
    "2nd 3rd 4th 5th inferiores superiores medio media index ring pinky main common dominant base apex head shaft tip "
    "aspect border"
)
_MOST_NARROWING = 3


def find_sites(text: str, tokens: Sequence[Token]) -> tuple[Site, ...]:
    """The sites of a sentence, in order.

    Args:
        text: the sentence.
        tokens: its tokens, written out (`expand`), so that `RLE` holds a side and a part.
    """
    sides = find_sides(tokens, text)
    return tuple(_joined(_site(tokens, match, sides) for match in _names().find(text, tokens)))


def _joined(sites: Iterator[Site]) -> Iterator[Site]:
    """`left MCA artery`: overlapping spans are one site, the last name counts."""
    last: Site | None = None
    for site in sites:
        if last is not None and site.span.start < last.span.end:
            span = Span(min(last.span.start, site.span.start), max(last.span.end, site.span.end))
            last = Site(span, site.name, site.side or last.side, site.side_span or last.side_span)
            continue
        if last is not None:
            yield last
        last = site
    if last is not None:
        yield last


def _site(tokens: Sequence[Token], match: Match[str], sides: Sequence[Side]) -> Site:
    first, last = match.first, match.last
    for _ in range(_MOST_NARROWING):
        if first and tokens[first - 1].text in _NARROWS:
            first -= 1
    while last < len(tokens) and tokens[last].text in _NARROWS and last - match.last < _MOST_NARROWING:
        last += 1
    side = next((s for s in sides if _is_said_of(tokens, s, match, first, last)), None)
    if side is not None and side.at in (first - 1, last):
        first, last = min(first, side.at), max(last, side.at + 1)
    span = Span(tokens[first].start, max(token.end for token in tokens[first:last]))
    if side is None:
        return Site(span, match.values[0], None, None)
    return Site(span, match.values[0], side.name, Span(tokens[side.at].start, tokens[side.at].end))


_MOST_BETWEEN = 4


def _is_said_of(tokens: Sequence[Token], side: Side, match: Match[str], first: int, last: int) -> bool:
    """Whether a side is next to a part, or has it among the words that it is said of."""
    if side.at in (first - 1, last) or first <= side.at < last:
        return True
    is_near = abs(side.at - (match.first if side.at < match.first else match.last - 1)) <= _MOST_BETWEEN
    between = tokens[min(side.at + 1, match.last) : max(side.at, match.first)]
    crosses = any(token.text in ("of", "in") for token in between) and side.at < match.first
    return is_near and side.first <= match.first and match.last <= side.last and not crosses


@lru_cache(maxsize=1)
def _names() -> Phrases[str]:
    return Phrases(_spellings())


def _spellings() -> Iterator[tuple[str, str]]:
    named: set[str] = set()
    for name, others, *_ in read_rows(FACTS, "sites.tsv"):
        for spelling in (name, *filter(None, others.split("|"))):
            named.add(spelling)
            yield spelling, name
            if " " not in spelling and not spelling.endswith("s") and len(spelling) > 2:
                yield spelling + "s", name
    for word in sorted(read_words(FACTS, "body_parts.tsv") - named - _NARROWS - {"side", "sided"}):
        yield word, word
