"""Predicates that say only that something is there or done (`seen`, `given`), and the place or test behind them."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import Token

_EXIST = word_set(
    "seen running ongoing found given done used needed required noted detected identified present observed "
    "visualized visualised demonstrated appreciated performed obtained sent drawn taken administered indicated "
    "placed collected occurred occur happened happen recurred recur exist warranted necessary evident apparent heard "
    "felt elicited documented recorded reported available made ordered prescribed attempted carried received existent"
)
_FILLERS = word_set("been be being was were is are yet ever actually currently otherwise clearly definitely")
AFTER_PRESENCE = word_set(
    "in on at by for during since with after before because until when while as to under over from and or but per "
    "within"
)


def presence_end(tokens: Sequence[Token], at: int) -> int:
    """The end of a predicate that says only that something is there or done, else 0: `not [seen] on CT`.

    Its denial denies the subject, as `no` before it does; `not dilated` leaves the subject where it is.
    """
    while at < len(tokens) and tokens[at].text in _FILLERS:
        at += 1
    if at >= len(tokens) or tokens[at].text not in _EXIST:
        return 0
    is_closed = at + 1 == len(tokens) or tokens[at + 1].is_mark or tokens[at + 1].text in AFTER_PRESENCE
    return at + 1 if is_closed else 0


def place_end(tokens: Sequence[Token], at: int) -> int:
    """The end of the place or test behind a predicate: `not seen [on the scan]`."""
    while at < len(tokens) and not tokens[at].is_mark and tokens[at].text not in ("and", "but", "or", "which", "who"):
        at += 1
    return at
