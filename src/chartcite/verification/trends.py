"""Change and comparison that two values tell: `7.9 (was 9.8)` has fallen, the larger of 4 mm and 8 mm is 8 mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.verification.analysis import Analysed, Measure, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA, name_keys
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import Member, members
from chartcite.verification.kinds import kinds
from chartcite.verification.nearness import Context
from chartcite.verification.timeline import precedes

Way = Literal["up", "down", "same", "most", "least"]

FACTORS = {"doubled": Fraction(2), "tripled": Fraction(3), "halved": Fraction(1, 2), "quadrupled": Fraction(4)}


def told_by_values(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """The claim's words of change and comparison that values of the evidence bear out."""
    out: set[int] = set()
    for word in claim.words:
        way = _way(word.text, word.keys) if word.status.polarity == "affirmed" else None
        if way is None:
            continue
        if _is_told(word.at, word.text, way, claim, evidence, around):
            out.add(word.at)
            if word.at + 1 < len(claim.tokens) and claim.tokens[word.at + 1].text == "than":
                out.add(word.at + 1)
    return frozenset(out)


@lru_cache(maxsize=1)
def _comparisons() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for way, words in read_rows(DATA, "comparisons.tsv"):
        for word in words.split("|"):
            table.setdefault(word, set()).add(way)
    return {word: frozenset(ways) for word, ways in table.items()}


@lru_cache(maxsize=1)
def _change() -> int:
    return next(iter(n for n, _ in members(name_keys("increased")) & members(name_keys("rose"))))


def _way(text: str, keys: frozenset[str]) -> Way | None:
    for named in ("up", "down", "most", "least"):
        if named in _comparisons().get(text, ()):
            return named
    ways: tuple[Way, ...] = ("up", "down", "same")
    found: set[Member] = {(n, m) for n, m in members(keys) if n == _change()}
    return ways[found.pop()[1]] if len(found) == 1 else None


_PLACES = word_set("lower upper higher high low up down")


def same_way(word: Word, hits: Sequence[Word], evidence: Evidence) -> tuple[Word, ...]:
    """Of the words found for one of change those that say a change too: not the lower lobe, nor a growth."""
    change = {(n, m) for n, m in members(word.keys) if n == _change()}
    if not change or not hits or word.text in _PLACES:
        return tuple(hits)
    return tuple(h for h in hits if h.text == word.text or _is_change(h, word, change, evidence))


def _is_change(hit: Word, word: Word, change: AbstractSet[Member], evidence: Evidence) -> bool:
    if _is_culture(hit, evidence):
        return False
    return bool(hit.keys & word.keys or (members(hit.keys) & change and not _is_place(hit, evidence)))


def _is_culture(hit: Word, evidence: Evidence) -> bool:
    """`Grew E. coli`."""
    ahead = evidence.texts[hit.at + 1 : hit.at + 2]
    return hit.text == "grew" and bool(ahead) and ahead[0][:1].isalpha() and ahead[0] not in _GREW_HOW


_GREW_HOW = word_set("from to by in and since over until between during with slightly slowly rapidly larger bigger")


def _is_place(hit: Word, evidence: Evidence) -> bool:
    after = next((w for w in evidence.words if w.at == hit.at + 1), None)
    return hit.text in _PLACES and after is not None and "site" in kinds(after.keys)


def _is_told(at: int, text: str, way: Way, claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> bool:
    own = _own(at, claim, evidence, around)
    if way in ("most", "least"):
        return any(_is_extreme(m, way, evidence) for m in own)
    pairs = list(_pairs(at, own, claim, evidence, around))
    if pairs:
        return all(_goes(old, new, way, text) for old, new in pairs)
    return "of two" in _comparisons().get(text, ()) and any(
        _is_extreme(m, "most" if way == "up" else "least", evidence) for m in own
    )


def _own(at: int, claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> list[Measure]:
    """The values of the evidence that the claim cites in the word's clause."""
    places = {p for part in around if _is_near(part, at, claim) for p in part.places}
    return [m for m in evidence.measures if m.at in places and m.quantity.kind in ("value", "ratio")]


def _is_near(part: Context, at: int, claim: Analysed) -> bool:
    layout = claim.layout
    return layout.segments[part.at] == layout.segments[at] or layout.clauses[part.at] == layout.clauses[at]


def _pairs(
    at: int, own: Sequence[Measure], claim: Analysed, evidence: Evidence, around: Sequence[Context]
) -> Iterator[tuple[Measure, Measure]]:
    """Two values of one thing, the earlier first: those the claim cites, else those of what it speaks of."""
    subjects = {p for part in around if _is_near(part, at, claim) for p in part.places}
    alike = [
        m for m in evidence.measures
        if m.quantity.kind in ("value", "ratio") and m.role not in ("by", "ago", "aside")
        and any(o.at in subjects and not binds(o.text) for o in m.owners)
    ]  # fmt: skip
    chosen = own if len(own) > 1 else alike
    for n, first in enumerate(chosen):
        for second in chosen[n + 1 :]:
            if not _comparable(first, second) or (own and first not in own and second not in own):
                continue
            order = _order(first, second, evidence)
            if order is not None:
                yield (first, second) if order else (second, first)


def _order(first: Measure, second: Measure, evidence: Evidence) -> bool | None:
    if first.role == "from" or second.role == "to":
        return True
    if second.role == "from" or first.role == "to":
        return False
    return precedes(first.at, second.at, evidence, is_value=True)


def _comparable(first: Measure, second: Measure) -> bool:
    ours, theirs = first.quantity, second.quantity
    is_change = {first.role, second.role} & {"from", "to"}
    if ours.kind != theirs.kind or (ours.unit.name != theirs.unit.name and not is_change):
        return False
    ones, others = ({key for o in m.owners if not binds(o.text) for key in o.keys} for m in (first, second))
    return bool(ones & others)


def _goes(old: Measure, new: Measure, way: Way, text: str) -> bool:
    before, after = old.quantity, new.quantity
    if text in FACTORS:
        factor = FACTORS[text]
        return after.low >= before.high * factor if factor > 1 else after.high <= before.low * factor
    if way == "same":
        return (before.low, before.high) == (after.low, after.high)
    return after.low > before.high if way == "up" else after.high < before.low


def _is_extreme(measure: Measure, way: str, evidence: Evidence) -> bool:
    """Whether it is the largest or the smallest of the values of its sort that stand together."""
    others = [
        m for m in evidence.measures
        if m.at != measure.at and m.quantity.kind == measure.quantity.kind and m.quantity.unit == measure.quantity.unit
        and evidence.sentences[m.at] == evidence.sentences[measure.at] and _comparable(m, measure)
    ]  # fmt: skip
    if not others:
        return False
    if way == "most":
        return all(measure.quantity.low > m.quantity.high for m in others)
    return all(measure.quantity.high < m.quantity.low for m in others)
