"""Values that changed: which of two came first, as the words around them say or the order they are written in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.evidence import Evidence
from chartcite.verification.timeline import precedes

_NOW = word_set("now currently today presently agora hoje atualmente")


class Changes(NamedTuple):
    """What a claim says of change.

    Attributes:
        ordered: values of `from A to B` that the evidence has in this order.
        turned: values that the evidence has in the other order only.
        current: values that are said to hold now.
        differences: amounts of change, with the two values of the evidence that lie so far apart.
        said: tokens of the claim that the values themselves account for: the "fell" of `fell from 9 to 7`.
    """

    ordered: frozenset[Measure]
    turned: frozenset[Measure]
    current: frozenset[Measure]
    differences: Mapping[Measure, tuple[Measure, Measure]]
    said: frozenset[int]


def read_changes(claim: Analysed, found: Mapping[Measure, Sequence[Measure]], evidence: Evidence) -> Changes:
    """Read the claim's changes against the values of the evidence that each of its own may be cited from."""
    measures = [m for m in claim.measures if m.quantity.kind not in ("date", "duration")]
    ordered: set[Measure] = set()
    turned: set[Measure] = set()
    said: set[int] = set()
    for first, second in pairwise(measures):
        if _is_change(first, second, claim):
            pairs = [(a, b) for a in found[first] for b in found[second] if a != b]
            in_order = next(((a, b) for a, b in pairs if _comes_first(a, b, evidence)), None)
            if in_order is not None:
                ordered |= {first, second}
                said |= _telling(claim, first.segment, *in_order)
            elif any(_comes_first(b, a, evidence) for a, b in pairs):
                turned |= {first, second}
    lengths = [m for m in claim.measures if m.quantity.kind == "duration" and m.role == "by"]
    differences = {m: pair for m in (*measures, *lengths) if not found[m] for pair in _difference(claim, m, evidence)}
    for measure, pair in differences.items():
        said |= _telling(claim, measure.segment, *pair)
    now = {claim.layout.segments[i] for i, token in enumerate(claim.tokens) if token.text in _NOW}
    current = (m for m in measures if not m.role and not m.is_past and (m.segment in now or not claim.is_past))
    return Changes(frozenset(ordered), frozenset(turned), frozenset(current), differences, frozenset(said))


_RISING = word_set(
    "rose risen rise rising rises increased increase increasing increases up climbed climb grew grown grow higher more "
    "gained gain raised went gone go going changed moved came come uptitrated longer bigger larger above lengthened "
    "extended enlarged heavier"
)
_FALLING = word_set(
    "fell fallen fall falling falls decreased decrease decreasing down dropped drop dropping declined decline "
    "lower less fewer lost lose loss reduced went gone go going changed moved came come shrank shrunk shorter smaller "
    "below shortened cut narrowed lighter shed drops falls"
)
_NEITHER = _RISING & _FALLING


def _telling(claim: Analysed, segment: int, first: Measure, second: Measure) -> set[int]:
    """The claim's words of change near a value that say what the two values of the evidence show."""
    low, high = first.quantity, second.quantity
    if low.low == high.low:
        return set()
    telling = _RISING if low.high < high.low else _FALLING if low.low > high.high else _NEITHER
    against = (_RISING | _FALLING) - telling
    own = {i: t.text for i, t in enumerate(claim.tokens) if abs(claim.layout.segments[i] - segment) <= 1}
    words = {i: set(text.split()) for i, text in own.items()}
    if any(texts & against for texts in words.values()):
        return set()
    return {i for i, texts in words.items() if texts and texts <= telling}


def _others(measure: Measure, evidence: Evidence) -> Iterator[Measure]:
    """Values of one unit in the same sentence that share its subject or stand right beside it."""
    mine = measure.quantity
    for other in evidence.measures:
        theirs = other.quantity
        if (
            other is not measure and theirs.kind == mine.kind and theirs.unit.name == mine.unit.name
            and evidence.sentences[other.at] == evidence.sentences[measure.at]
            and (abs(other.at - measure.at) <= _BESIDE or {w.at for w in other.owners} & {w.at for w in measure.owners})
        ):  # fmt: skip
            yield other


_BESIDE = 4
_BY_HOW_MUCH = _RISING | _FALLING | {"by", "difference"}


def _difference(claim: Analysed, measure: Measure, evidence: Evidence) -> list[tuple[Measure, Measure]]:
    """Two values of which the second is later, as far apart as the claim says: `lost 3 kg` from `70 kg, was 73`."""
    mine = measure.quantity
    near = {t.text for i, t in enumerate(claim.tokens) if claim.layout.segments[i] == measure.segment}
    is_single = mine.kind in ("value", "duration") and mine.low == mine.high and not mine.comparator
    if not is_single or not near & (_BY_HOW_MUCH - _NEITHER) or measure.role in ("from", "to", "ago"):
        return []
    for later in evidence.measures:
        theirs = later.quantity
        if _is_earlier(later, evidence) or theirs.kind != mine.kind or theirs.low != theirs.high:
            continue
        if mine.unit.name and theirs.unit.name != mine.unit.name:
            continue
        for earlier in _others(later, evidence):
            is_earlier = _is_earlier(earlier, evidence)
            by = theirs.low - earlier.quantity.low
            if is_earlier and abs(by) == mine.low and _goes(by > 0, near):
                return [(earlier, later)]
    return []


def _goes(is_rise: bool, near: AbstractSet[str]) -> bool:
    """Whether no word there says the other way."""
    words = {word for text in near for word in text.split()}
    against = (_FALLING if is_rise else _RISING) - _NEITHER
    return not words & against or bool(words & ((_RISING if is_rise else _FALLING) - _NEITHER))


_BACK = word_set("last previous prior before yesterday usual baseline")
_IN_THE_PAST = word_set("in on at")


def _is_earlier(measure: Measure, evidence: Evidence) -> bool:
    """Whether a value is said to be of before: `(was 73)`, `88 kg last month`, `57 kg in May` in brackets."""
    if measure.is_past or measure.role == "from":
        return True
    before, ahead = evidence.texts[measure.at - 1 : measure.at], evidence.texts[measure.at + 1 : measure.at + 2]
    if not ahead:
        return before == ("usual",)
    is_aside = before == ("(",) and ahead[0] in _IN_THE_PAST
    return ahead[0] in _BACK or is_aside or before == ("usual",)


def _is_change(first: Measure, second: Measure, claim: Analysed) -> bool:
    """`from A to B`, `A and then B`."""
    if first.quantity.unit.dimension != second.quantity.unit.dimension:
        return False
    between = {token.text for token in claim.tokens[first.at + 1 : second.at]}
    return (first.role == "from" and second.role == "to") or bool(between & _THEN and between <= _LINKS)


_THEN = frozenset(("then", "->", "=>", "→", "later", "afterwards"))
_LINKS = _THEN | {"and", ",", ";", "to", "it", "was"}


def _comes_first(first: Measure, second: Measure, evidence: Evidence) -> bool:
    """Whether the evidence has the first value before the second in time."""
    if first.is_past != second.is_past:
        return first.is_past
    if first.role == "from" or second.role == "to":
        return True
    if second.role == "from" or first.role == "to" or first.is_past:
        return False
    if not evidence.is_one_source(first.at, second.at):
        return precedes(first.at, second.at, evidence, is_value=True) is True
    return first.at < second.at
