"""Cues of assertion in a sentence: which words deny, doubt, date or ascribe, and to which side they point.

The list is `data/assertion_cues.tsv`; what a cue governs is for `assertions` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.facts.cue_senses import COPULAS, counts_as_cue, ends_question
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.presence import presence_end
from chartcite.facts.relatives import word_before
from chartcite.facts.ruling_out import RULED_OUT, direction_of_ruling_out
from chartcite.facts.scopes import back_scope
from chartcite.facts.tokens import Token, fold

CueKind = Literal["negation", "possible", "historical", "family", "hypothetical", "end", "doubtful", "affirm"]
NOTS = word_set(
    "not never isn't wasn't aren't weren't hasn't haven't hadn't doesn't don't didn't won't currently yet been "
    "actually longer"
)
"""Last words of a cue that denies a verb."""
SEPARATORS = word_set(", ; : . ( ) and or e ou")
"""What stands between two cues that have nothing to do with each other."""


class Cue(NamedTuple):
    """A cue: tokens `[first, last)`; `speaks` when its own words still say something (`father`, `resolved`)."""

    kind: CueKind
    direction: str
    first: int
    last: int
    speaks: bool
    words: str


class _Row(NamedTuple):
    """One line of the list of cues."""

    words: tuple[str, ...]
    kind: CueKind
    direction: str
    speaks: bool


class _Cues(NamedTuple):
    """The rows by all their words; by first word the lengths that occur, longest first."""

    rows: dict[tuple[str, ...], list[_Row]]
    lengths: dict[str, tuple[int, ...]]


@lru_cache(maxsize=1)
def _cue_table() -> _Cues:
    rows: dict[tuple[str, ...], list[_Row]] = {}
    for kind, direction, words, *flag in read_rows(FACTS, "assertion_cues.tsv"):
        parts = tuple(fold(word) for word in words.replace("-", " ").split()) if "(" not in words else (words,)
        rows.setdefault(parts, []).append(_Row(parts, kind, direction, bool(flag)))  # type: ignore[arg-type]
    lengths: dict[str, set[int]] = {}
    for parts in rows:
        lengths.setdefault(parts[0], set()).add(len(parts))
    return _Cues(rows, {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()})


def find_cues(tokens: Sequence[Token]) -> list[Cue]:
    """The cues of one sentence, in order, with their directions settled."""
    texts = tuple(token.text for token in tokens)
    cues: list[Cue] = []
    i = 0
    while i < len(tokens):
        rows = _rows_at(texts, i)
        length = len(rows[0].words) if rows else 1
        if rows and counts_as_cue(tokens, i, i + length, rows[0].kind):
            cues.append(_settle(tokens, i, length, rows, cues))
        i += length
    return _cancelled(cues, tokens)


_ABSENCES = frozenset(("free of", "free from", "without", "lacking", "lacks", "lack", "devoid of", "clear of"))
_DENIERS = frozenset(("neither", "neither of", "none of", "no"))


def _cancelled(cues: list[Cue], tokens: Sequence[Token]) -> list[Cue]:
    """`Neither elbow is free of plaques`, `is not free of` say that there are plaques: the two deny each other."""
    out = list(cues)
    for n, second in enumerate(out):
        if second.words not in _ABSENCES or second.first == 0:
            continue
        first = next((i for i in range(n - 1, -1, -1) if out[i].kind != "end"), None)
        if first is None or out[first].kind != "negation" or out[first].direction not in ("pre", "around"):
            continue
        between = [t.text for t in tokens[out[first].last : second.first]]
        is_direct = out[first].words.split()[-1] in NOTS and all(word in _BETWEEN for word in between)
        is_subject = out[first].words in _DENIERS and bool(between) and between[-1] in COPULAS | _BETWEEN
        if (is_direct or is_subject) and SEPARATORS.isdisjoint(between):
            for i in (first, n):
                out[i] = out[i]._replace(kind="affirm", speaks=False)
    return out


_BETWEEN = word_set("been be entirely completely fully totally is was gone go leave left remained remain yet")


def _rows_at(texts: tuple[str, ...], at: int) -> list[_Row]:
    """The rows of the longest cue that starts at a token."""
    table, word = _cue_table(), texts[at]
    for length in table.lengths.get(word, ()):
        found = table.rows.get(texts[at : at + length])
        if found:
            return found
    # "The father's aneurysm": a relative's word counts in the genitive too.
    relatives = table.rows.get((word[:-2],), []) if word.endswith("'s") else []
    return [row for row in relatives if row.kind == "family"]


_WHO = word_set("pt patient the she he they her his mother father parents family a and paciente o")


def _settle(
    tokens: Sequence[Token],
    at: int,
    length: int,
    rows: list[_Row],
    earlier: Sequence[Cue],
) -> Cue:
    """Choose the direction of a cue that can have two."""
    words, kind, direction, speaks = rows[0]
    directions = {row[2] for row in rows} if len(rows) > 1 else {direction}
    if words in (("negative",), ("neg",)):
        direction = _of_a_result(tokens, at)
    elif directions > {"pre"} or direction == "both":
        before = (tokens[i].text for i in back_scope(tokens, at, earlier))
        # "Pt refused ceftriaxone": who refuses is not what is refused.
        direction = "post" if any(word not in _WHO for word in before) else "pre"
    last = at + length
    if words in RULED_OUT:
        direction = direction_of_ruling_out(tokens, back_scope(tokens, at, earlier), last) or direction
    is_translated = tokens[at].end - tokens[at].start != len(tokens[at].text)
    if words == ("ruled", "out", "for") and is_translated:
        # "TEP afastado por TC": the test that did it is not told apart from what was denied.
        direction = "sides"
    ends = words not in (("negative",), ("neg",)) and (last == len(tokens) or tokens[last].text in (".", ";", ",", ")"))
    if kind == "negation" and direction == "pre" and ends and at:
        # `Blood transfusion: No` and `his sister is not` deny what stands before.
        direction = "answer" if tokens[at - 1].text in (":", "?", "-", "–") else "post"
    if kind == "family" and _follows_in(tokens, at):
        direction = "post"
    if kind == "negation" and direction == "pre" and words[-1] in NOTS and presence_end(tokens, last):
        direction = "around"
    if words == ("?",) and at and ends_question(tokens, at):
        direction = "post"
    if words in (("versus",), ("vs",)):
        direction = "sides"
    if words == ("may", "be") and last < len(tokens) and tokens[last].text in _LET:
        kind = "hypothetical"
    if words == ("may",) and last < len(tokens) and tokens[last].text in _PERMITTED:
        kind = "hypothetical"
    return Cue(kind, direction, at, last, speaks, " ".join(words))


_PERMITTED = word_set(
    "remove take stop start resume restart continue return go be shower bathe swim drive eat drink bear walk use "
    "work exercise lift play travel fly wean advance discharge discontinue transfer ambulate wear sleep sit stand "
    "leave repeat increase decrease titrate crush substitute refill weightbear wbat put"
)
_LET = word_set(
    "wbat nwb weight discharged removed given started restarted resumed stopped extubated transferred used "
    "repeated up advanced weaned treated seen continued increased reduced held taken"
)
_OPENS = word_set(", ; : . ( by with had has have a an the and but showed shows via on repeat recent")


def _of_a_result(tokens: Sequence[Token], at: int) -> str:
    """`Negative troponin` points forward, `troponin negative` back."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.text in _RESULTS:
        return "pre"
    follows = after is not None and not after.is_mark and after.text not in ("x2", "x3", "and", "on")
    return "pre" if follows and (at == 0 or tokens[at - 1].text in _OPENS) else "post"


# "From first negative culture": the adjective of what follows.
_RESULTS = word_set(
    "culture cultures test tests result results screen screening stain biopsy biopsies margin margins node nodes exam "
    "study studies titer titre pcr swab swabs smear smears imaging pressure balance drop findings"
)


def _follows_in(tokens: Sequence[Token], at: int) -> bool:
    return at > 1 and word_before(tokens, at) == "in"
