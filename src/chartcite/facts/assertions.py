"""What a sentence asserts about each of its words: affirmed, negated, possible, past, hypothetical, the family's.

ConText's idea (Harkema et al. 2009: cues, directions, ends of scope) with our own cues (`data/assertion_cues.tsv`) and
two more answers than yes and no: `neutral` (a place or a test inside a negation, `no pneumonia on CXR`) and `doubtful`
(the rules cannot tell), which a checker treats as a mismatch with everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.scopes import back_scope, forward_scope
from chartcite.facts.tokens import Token, fold

Polarity = Literal["affirmed", "negated", "neutral", "doubtful"]
CueKind = Literal["negation", "possible", "historical", "family", "hypothetical", "end", "doubtful", "affirm"]


@dataclass(frozen=True, slots=True)
class Status:
    """How a word is asserted."""

    polarity: Polarity = "affirmed"
    is_possible: bool = False
    is_historical: bool = False
    is_family: bool = False
    is_hypothetical: bool = False


PLAIN = Status()


class Cue(NamedTuple):
    """A cue: tokens `[first, last)`; `speaks` when its own words still say something (`father`, `resolved`)."""

    kind: CueKind
    direction: str
    first: int
    last: int
    speaks: bool
    words: str


@dataclass(frozen=True, slots=True)
class Assertions:
    """Cues of a sentence, the tokens that each one governs, and one status for each token."""

    cues: tuple[Cue, ...]
    scopes: tuple[tuple[int, ...], ...]
    statuses: tuple[Status, ...]


@lru_cache(maxsize=1)
def _cue_table() -> dict[str, list[tuple[tuple[str, ...], CueKind, str, bool]]]:
    """Cues by first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], CueKind, str, bool]]] = {}
    for kind, direction, words, *flag in read_rows(FACTS, "assertion_cues.tsv"):
        parts = tuple(fold(word) for word in words.replace("-", " ").split()) if "(" not in words else (words,)
        table.setdefault(parts[0], []).append((parts, kind, direction, bool(flag)))  # type: ignore[arg-type]
    for rows in table.values():
        rows.sort(key=lambda row: len(row[0]), reverse=True)
    return table


def read_assertions(tokens: Sequence[Token]) -> Assertions:
    """Find the cues of one sentence and what they govern. Quantities should have been taken out of `tokens`."""
    cues = tuple(_find_cues(tokens))
    statuses = [PLAIN] * len(tokens)
    scopes = tuple(_apply(cue, n, cues, tokens, statuses) for n, cue in enumerate(cues))
    return Assertions(cues, scopes, tuple(statuses))


def _find_cues(tokens: Sequence[Token]) -> list[Cue]:
    table = _cue_table()
    cues: list[Cue] = []
    i = 0
    while i < len(tokens):
        matches = [row for row in table.get(tokens[i].text, ()) if _matches(tokens, i, row[0])]
        longest = len(matches[0][0]) if matches else 1
        same = [row for row in matches if len(row[0]) == longest]
        if same and _counts(tokens, i, same[0][1]):
            cues.append(_settle(tokens, i, longest, same, cues))
        i += longest
    return cues


def _matches(tokens: Sequence[Token], at: int, words: tuple[str, ...]) -> bool:
    return len(tokens) - at >= len(words) and all(tokens[at + n].text == word for n, word in enumerate(words))


def _counts(tokens: Sequence[Token], at: int, kind: CueKind) -> bool:
    token = tokens[at]
    if token.text == "?":
        # "?PE" and "? PE" at the start ask; at the end of a sentence it is a question mark.
        follows = at + 1 < len(tokens)
        return follows and (at == 0 or tokens[at + 1].start == token.end)
    if kind == "family":
        return _is_experiencer(tokens, at)
    return True


_INFORMS = word_set(
    "reports reported states stated says said notes noted called denies brought feels thinks witnessed found saw "
    "confirms describes is was's at calls calling phoned phones asks asked told advised concerned worried took brings gave "
    "gives helps lives present bedside"
)


def _is_experiencer(tokens: Sequence[Token], at: int) -> bool:
    """A relative who tells or accompanies is not the one who has the finding."""
    before = tokens[at - 1].text if at else ""
    if before in ("his", "her", "the", "their", "a", "my", "patient's", "pt's", "maternal", "paternal") and at > 1:
        before = tokens[at - 2].text
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if after in ("who", "whose"):
        return True
    return before not in ("by", "with", "from", "per", "to") and after not in (_INFORMS - {"is", "at"})


def _settle(
    tokens: Sequence[Token],
    at: int,
    length: int,
    rows: list[tuple[tuple[str, ...], CueKind, str, bool]],
    earlier: Sequence[Cue],
) -> Cue:
    """Choose the direction of a cue that can have two."""
    words, kind, direction, speaks = rows[0]
    directions = {row[2] for row in rows} if len(rows) > 1 else {direction}
    if words in (("negative",), ("neg",)):
        direction = _of_a_result(tokens, at)
    elif directions > {"pre"} or direction == "both":
        has_before = back_scope(tokens, at, earlier).stop > back_scope(tokens, at, earlier).start
        direction = "post" if has_before else "pre"
    last = at + length
    ends = words not in (("negative",), ("neg",)) and (last == len(tokens) or tokens[last].text in (".", ";", ",", ")"))
    if kind == "negation" and direction == "pre" and ends and at:
        # `Blood transfusion: No` and `his sister is not` deny what stands before.
        direction = "answer" if tokens[at - 1].text in (":", "?", "-", "–") else "post"
    if kind == "family" and _follows_in(tokens, at):
        direction = "post"
    return Cue(kind, direction, at, last, speaks, " ".join(words))


_OPENS = word_set(", ; : . ( by with had has have a an the and but showed shows via on repeat recent")


def _of_a_result(tokens: Sequence[Token], at: int) -> str:
    """`Negative troponin` points forward, `troponin negative` back."""
    follows = (
        at + 1 < len(tokens) and not tokens[at + 1].is_mark and tokens[at + 1].text not in ("x2", "x3", "and", "on")
    )
    return "pre" if follows and (at == 0 or tokens[at - 1].text in _OPENS) else "post"


def _follows_in(tokens: Sequence[Token], at: int) -> bool:
    skip = ("his", "her", "the", "their", "a", "patient's", "pt's", "maternal", "paternal", "one")
    i = at - 1
    while i >= 0 and tokens[i].text in skip:
        i -= 1
    return i > 0 and tokens[i].text == "in"


def _apply(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token], statuses: list[Status]) -> tuple[int, ...]:
    if cue.kind == "end":
        return ()
    if cue.kind == "affirm":
        # In "no increase in pain" the increase is denied, the pain is not.
        own = tuple(range(cue.first, cue.last)) if cue.speaks else ()
        for i in own:
            statuses[i] = replace(statuses[i], polarity="negated")
        return own
    scope = _scope(cue, n, cues, tokens)
    if cue.speaks and cue.kind in ("family", "historical"):
        scope += [(i, "negated") for i in range(cue.first, cue.last)]
    for i, polarity in scope:
        statuses[i] = _with(statuses[i], cue.kind, polarity)
    return tuple(i for i, _ in scope)


def _scope(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> list[tuple[int, Polarity]]:
    if cue.direction == "pre":
        return list(forward_scope(tokens, cue, cues[n + 1 :], _doubles(cue, n, cues, tokens)))
    is_answer = cue.direction == "answer"
    # "Fever, chills and cough were denied": the plural verb has the whole list for its subject.
    before = tokens[cue.first - 1].text if cue.first else ""
    whole_list = is_answer or cue.words.startswith("were ") or before == "were"
    return [(i, "negated") for i in back_scope(tokens, cue.first - is_answer, cues[:n], whole_list)]


def _doubles(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> bool:
    """Whether another negation stands right beside this one: what the two say together is not for a rule to guess."""
    if cue.kind != "negation":
        return False
    return any(
        _touch(tokens, *sorted((cue, other), key=lambda c: c.first))
        for other in (*cues[max(n - 1, 0) : n], *cues[n + 1 : n + 2])
    )


_APART = word_set(", ; : . ( ) and or e ou")


def _touch(tokens: Sequence[Token], first: Cue, second: Cue) -> bool:
    between = {t.text for t in tokens[first.last : second.first]}
    is_pair = first.kind == second.kind and "pre" == first.direction == second.direction
    return is_pair and second.first - first.last <= 1 and not between & _APART and second.words != "nor"


def _with(status: Status, kind: CueKind, polarity: Polarity) -> Status:
    if kind == "doubtful" or polarity == "doubtful":
        return replace(status, polarity="doubtful")
    if polarity == "neutral":
        return replace(status, polarity="neutral") if status.polarity == "affirmed" else status
    if kind == "negation":
        return replace(status, polarity=polarity if status.polarity in ("affirmed", "neutral") else status.polarity)
    return _FLAGS[kind](status)


_FLAGS: dict[str, Callable[[Status], Status]] = {
    "possible": lambda status: replace(status, is_possible=True),
    "historical": lambda status: replace(status, is_historical=True),
    "family": lambda status: replace(status, is_family=True),
    "hypothetical": lambda status: replace(status, is_hypothetical=True),
}
