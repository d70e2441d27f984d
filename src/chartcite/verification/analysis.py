"""A sentence as a checker sees it: words with keys and status, quantities with their owners, sides, clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.assertions import Assertions, Status, read_assertions
from chartcite.facts.language import in_language
from chartcite.facts.lexicon import read_words, word_set
from chartcite.facts.quantities import Quantity
from chartcite.facts.quantity_finder import find_quantities
from chartcite.facts.sides import Side, find_sides, is_rest
from chartcite.facts.tokens import QUANTITY, Token, expand, fold, tokenise
from chartcite.verification.chronic import is_chronic
from chartcite.verification.clauses import Layout, binds, lay_out
from chartcite.verification.concepts import (
    DATA,
    SLASH,
    concepts,
    denies,
    is_ambiguous,
    name_keys,
    phrase_at,
    sense_keys,
    word_keys,
)
from chartcite.verification.exclusive import members
from chartcite.verification.stems import stem


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word that says something, or (`is_content` false) one that may be added or dropped. Equal only to itself.

    Attributes:
        at: index of its token.
        keys: any shared key makes two words match.
        parts: for a phrase such as `myocardial infarction`, the keys of its words, which may match one by one.
    """

    span: Span
    at: int
    text: str
    keys: frozenset[str]
    parts: tuple[frozenset[str], ...]
    status: Status
    is_content: bool
    segment: int
    clause: int


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A quantity, the words it belongs to (nearest last), its part: `from`, `to`, `by`, `ago`, `aside` or empty.

    `is_past` says whether a word before it makes it an earlier value (`was`, `previously`, `baseline`), `is_family`
    whether it is said of a relative.
    """

    quantity: Quantity
    at: int
    owners: tuple[Word, ...]
    next_word: Word | None
    role: str
    segment: int
    is_past: bool = False
    is_family: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """One sentence. Spans are offsets in the text it was cut from."""

    text: str
    span: Span
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    measures: tuple[Measure, ...]
    sides: tuple[Side, ...]
    assertions: Assertions
    layout: Layout
    is_past: bool

    @property
    def content(self) -> tuple[Word, ...]:
        """The words that say something."""
        return tuple(word for word in self.words if word.is_content)


class _Frame(NamedTuple):
    """What the steps of an analysis share."""

    piece: str
    start: int
    tokens: tuple[Token, ...]
    assertions: Assertions
    layout: Layout
    phrases: dict[int, tuple[frozenset[str], tuple[frozenset[str], ...]]]


@lru_cache(maxsize=512)
def analyse(text: str, start: int = 0, end: int | None = None, is_family: bool = False) -> Analysed:
    """Read one sentence `text[start:end]`; under a family history header all of it is the family's.

    Kept for a while: several claims cite one source, and each layer reads it again.
    """
    piece = text[start:end]
    quantities = find_quantities(piece)
    masked, holders = _mask(expand(in_language(tokenise(piece), piece)), quantities, piece)
    tokens, phrases = _merge_phrases(masked, piece)
    assertions = read_assertions(tokens)
    layout = lay_out(tokens, assertions)
    frame = _Frame(piece, start, tokens, assertions, layout, phrases)
    sides = find_sides(tokens, piece)
    words = _words(frame, {side.at for side in sides}, is_family)
    measures = _measures(frame, holders, words, is_family)
    span = Span(start, start + len(piece))
    return Analysed(text, span, tokens, words, measures, sides, assertions, layout, _is_past(tokens))


def _mask(
    tokens: Sequence[Token], quantities: Sequence[Quantity], piece: str
) -> tuple[tuple[Token, ...], dict[int, Quantity]]:
    """Put one blank token in the place of each quantity; `holders` finds the quantity by its offset."""
    out: list[Token] = []
    holders = {q.span.start: q for q in quantities}
    n = 0
    for token in tokens:
        while n < len(quantities) and quantities[n].span.end <= token.start:
            n += 1
        if n < len(quantities) and token.end > quantities[n].span.start:
            if not out or out[-1].start != quantities[n].span.start or out[-1].text != QUANTITY:
                out.append(Token(quantities[n].span.start, quantities[n].span.end, QUANTITY, False))
            if token.end > quantities[n].span.end:
                # The token sticks out (a unit glued to a word): what is left over must still be accounted for.
                rest = fold(piece[quantities[n].span.end : token.end])
                out.append(Token(quantities[n].span.end, token.end, rest, False))
            continue
        out.append(token)
    return tuple(out), holders


def _merge_phrases(
    tokens: Sequence[Token], piece: str
) -> tuple[tuple[Token, ...], dict[int, tuple[frozenset[str], tuple[frozenset[str], ...]]]]:
    """Join the words of a listed phrase into one token; returns its keys and those of its parts by token index."""
    stems = ["" if t.is_mark or t.text == QUANTITY else stem(t.text) for t in tokens]
    stems = [SLASH if t.text == SLASH else s for t, s in zip(tokens, stems, strict=True)]
    out: list[Token] = []
    phrases: dict[int, tuple[frozenset[str], tuple[frozenset[str], ...]]] = {}
    i = 0
    while i < len(tokens):
        found = phrase_at(stems, i) if stems[i] else None
        if found is None:
            out.append(tokens[i])
            i += 1
            continue
        phrase, end = found
        inside = [t for t in tokens[i:end] if not t.is_mark]
        parts = tuple(word_keys(t.text, written(piece, t)) for t in inside if t.text not in _harmless())
        text = " ".join(t.text for t in inside)
        phrases[len(out)] = (phrase.keys, () if denies(text) else parts)
        out.append(Token(inside[0].start, inside[-1].end, text, False))
        i = end
    return tuple(out), phrases


def written(piece: str, token: Token) -> str:
    """A token as written; one that was read as another word has no spelling of its own."""
    raw = piece[token.start : token.end]
    return raw if fold(raw) == token.text or not raw.isalpha() else token.text


@lru_cache(maxsize=1)
def _harmless() -> frozenset[str]:
    return read_words(DATA, "harmless.tsv")


@lru_cache(maxsize=8192)
def _is_light(text: str) -> bool:
    """Whether a word or a phrase may be added or dropped; phrases of such words may name a change (`taken off`)."""
    words = text.split()
    if len(words) > 1:
        return _harmless().issuperset(words) and not members(name_keys(text))
    return text in _harmless() or text.removesuffix("'s") in _harmless()


def _is_lasting(at: int, keys: frozenset[str], assertions: Assertions) -> bool:
    """Whether the past that is said of a word is a history only, of a condition that stays."""
    if not is_chronic(keys):
        return False
    governing = (c for c, scope in zip(assertions.cues, assertions.scopes, strict=True) if at in scope)
    return all(cue.words in _HISTORY for cue in governing if cue.kind == "historical")


_HISTORY = frozenset(
    ("history of", "h/o", "hx of", "past medical history", "past medical history of", "pmh", "pmhx", "past history of",
     "historia de", "antecedente de", "antecedentes de")
)  # fmt: skip


def _words(frame: _Frame, sided: set[int], is_family: bool) -> tuple[Word, ...]:
    piece, start, tokens, assertions, layout, phrases = frame
    cue_tokens = {i for c in assertions.cues if c.kind != "end" and not c.speaks for i in range(c.first, c.last)}
    out: list[Word] = []
    for i, token in enumerate(tokens):
        if token.is_mark or token.text == QUANTITY:
            continue
        # "Family history: father MI at 52; patient's own ECG normal."
        is_family = is_family and token.text not in _OWN
        keys, parts = phrases.get(i) or (word_keys(token.text, written(piece, token)), ())
        status = assertions.statuses[i]
        if is_family and not status.is_family:
            status = replace(status, is_family=True)
        if status.is_historical and _is_lasting(i, keys, assertions):
            status = replace(status, is_historical=False)
        # "na" is a Portuguese preposition and "Na" is sodium.
        raw = written(piece, token)
        sense = sense_keys(raw, _around(tokens, piece)) if is_ambiguous(raw) else frozenset[str]()
        keys |= sense
        is_bare = not out or out[-1].at != i - 1 or not out[-1].is_content
        is_light = _is_light(token.text) and not sense and raw not in concepts().exact
        is_light = is_light and not (is_bare and (token.text == "disease" or _is_denied_thing(token, status)))
        is_light = is_light and not (token.text == "left" and is_rest(tokens, i))
        says = not is_light and i not in cue_tokens and i not in sided
        span = Span(start + token.start, start + token.end)
        out.append(Word(span, i, token.text, keys, parts, status, says, layout.segments[i], layout.clauses[i]))
    return tuple(out)


def _is_denied_thing(token: Token, status: Status) -> bool:
    """`No problems` denies what `gait problems` may leave out."""
    return status.polarity == "negated" and token.text in _THINGS


_THINGS = word_set("disease diseases problem problems issue issues event events difficulty difficulties")


def _around(tokens: Sequence[Token], piece: str) -> frozenset[str]:
    """The words of a sentence, for the choice between the meanings of an abbreviation; `#` when there is a number."""
    words = {text for token in tokens for text in token.text.split()} | {fold(word) for word in piece.split()}
    return frozenset(words | ({"#"} if QUANTITY in words else set()) | ({"%"} if "%" in piece else set()))


_OWN = word_set("patient patient's pt pt's patients himself herself own paciente")
_FROM = re.compile(r"\b(?:from|de)\s*$", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|para|até)|->|=>|→)\s*$", re.IGNORECASE)
# "De 8 para 10" is a change, "de 8" a value.
_GOES_TO = re.compile(r"[^.;]{0,60}?(?:\b(?:para|a|até)|->|=>|→)\s*(?:cerca\s+de\s+|quase\s+)?\d", re.IGNORECASE)
_AGO = re.compile(r"\s+(?:ago|prior|earlier|back|atrás)(?!\w)", re.IGNORECASE)
# "Stopped two weeks before" may be said of now or of another time, "three weeks s/p ORIF" of both times.
_ASTRIDE = (
    ("before", re.compile(r"\s+before(?=\s*(?:[.,;]|$))", re.IGNORECASE)),
    (
        "since",
        re.compile(
            r"\s+(?:s/p|status\s+post|post|out(?=\s+from)|(?:(?:have|has)\s+)?(?:gone\s+by|passed|elapsed)\s+since)(?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("later", re.compile(r"\s+(?:after|later|following)(?!\w)", re.IGNORECASE)),
)
_CHANGE_OF = re.compile(
    r"\b(?:drop|rise|increase|decrease|reduction|fall|gain|loss|decline|improvement|up|down|gained|lost|rose|fell|dropped)"
    r"\s+(?:of\s+)?$",
    re.IGNORECASE,
)
_CHANGED_SHARE = re.compile(r"\b(?:reduced|decreased|increased|lowered|raised|cut)\s+$", re.IGNORECASE)
# A range or a limit in brackets behind a value is the laboratory's or the goal, not the patient's.
_ASIDE = re.compile(r"[(\[]\s*[^\W\d]*\.?\s*[^\W\d]*\s*:?\s*$")
_BY = re.compile(r"\bby\s*$", re.IGNORECASE)
_REACH = 90
# "Relieved by one tablet", "cleared by 5/4": no amount of change.
_CHANGED = re.compile(
    r"\b(?:rose|risen|rise|rising|raised?|fell|fallen|fall|falling|(?:in|de)creas\w*|reduc\w*|lower\w*|drop\w*|gain\w*|"
    r"grew|grown|up|down|adv\w*|titrat\w*|chang\w*|adjust\w*|improv\w*|worsen\w*|shr[aiu]nk\w*|cut|declin\w*|climb\w*|"
    r"escalat\w*|uptitrat\w*|weaned?|aument\w*|reduzid\w*)\b"
    r"[^.;,]{0,40}$",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:(?:was|were|era)\b(?:(?!\b(?:is|are|now)\b)[^.;:(),]){0,24}|(?:prev(?:ious(?:ly)?)?|prior|earlier|baseline|"
    r"formerly|initial(?:ly)?|start(?:ing|ed)?|(?<!since\s)(?<!\d\son\s)(?<!\d\sat\s)admission|had\s+been|used\s+to\s+be|last\s+(?:year|month|week|visit)|anterior(?:mente)?|"
    r"(?:up|down|(?:in|de)creased|improved|worsened|risen|fallen)\s+from)\b"
    r"(?:(?!\b(?:now|today|then|currently|is|are)\b)[^.;:()]){0,40})$",
    re.IGNORECASE,
)
# "MMSE 17 (21 last yr)".
_LAST = re.compile(r"[^\S\n]*last\s+(?:yr|year|mo|month|wk|week|visit|time|check)\b", re.IGNORECASE)
_SIZE = re.compile(r"\d\s*(?:mm|cm|m)?\s*by\s*$", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:->|=>|→)")


def _measures(
    frame: _Frame, holders: dict[int, Quantity], words: Sequence[Word], is_family: bool
) -> tuple[Measure, ...]:
    tokens, layout = frame.tokens, frame.layout
    out: list[Measure] = []
    content = {word.at: word for word in words if word.is_content}
    seen: list[tuple[str, int]] = []
    last_owners: tuple[Word, ...] = ()
    for i, token in enumerate(tokens):
        is_family = is_family and token.text not in _OWN
        if token.text != QUANTITY or token.is_mark or token.start not in holders:
            continue
        quantity = holders[token.start]
        segment = layout.segments[i]
        sort = quantity.kind + quantity.unit.dimension
        rivals = [at for other, at in seen if layout.segments[at] == segment and other == sort]
        floor = max(rivals, default=-1)
        seen.append((sort, i))
        before = (content[at] for at in range(floor + 1, i) if at in content and layout.segments[at] == segment)
        owners = tuple(word for word in before if word.text not in _NO_OWNERS)
        if not rivals and all(binds(word.text) for word in owners):
            # "Transfused 2 units of red cells": what stands before it only says what was done.
            owners += _following(content, layout, tokens, i)
        owners = owners or last_owners
        last_owners = owners
        role = _role(frame.piece, quantity)
        begin = quantity.span.start
        is_past = _FORMER.search(frame.piece, max(0, begin - _REACH), begin) is not None
        is_past = is_past or _LAST.match(frame.piece, quantity.span.end) is not None
        out.append(Measure(quantity, i, owners, content.get(i + 1), role, layout.segments[i], is_past,
                           is_family or frame.assertions.statuses[i].is_family))  # fmt: skip
    return tuple(out)


_NO_OWNERS = word_set(
    "after before until since then during prior up down january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sept sep oct nov dec yesterday prev previous previously"
)


def _following(content: dict[int, Word], layout: Layout, tokens: Sequence[Token], at: int) -> tuple[Word, ...]:
    """`10 mg of lisinopril`: the nearest word last, as with words that stand before."""
    found = [
        content[i] for i in range(at + 1, len(tokens)) if i in content and layout.segments[i] == layout.segments[at]
    ]
    found = [word for word in found if word.text not in _NO_OWNERS]
    return tuple(reversed(found))


def _role(piece: str, quantity: Quantity) -> str:
    before, after = piece[: quantity.span.start], piece[quantity.span.end :]
    if _ASIDE.search(before[-24:]) and (quantity.comparator or quantity.low != quantity.high):
        return "aside"
    if quantity.kind == "duration":
        astride = next((role for role, pattern in (("ago", _AGO), *_ASTRIDE) if pattern.match(after)), "")
        if astride:
            return astride
    if _BY.search(before[-12:]):
        is_change = quantity.kind != "date" and _CHANGED.search(before[-_REACH:-2]) and not _SIZE.search(before)
        return "by" if is_change else ""
    if _CHANGE_OF.search(before[-24:]) or (quantity.unit.name == "%" and _CHANGED_SHARE.search(before[-24:])):
        return "change"
    return _end_of_change(before, after)


def _end_of_change(before: str, after: str) -> str:
    if _FROM.search(before[-12:]) and (not before.rstrip().lower().endswith("de") or _GOES_TO.match(after)):
        return "from"
    if _TO.search(before[-12:]):
        return "to"
    return "from" if _ARROW.match(after) else ""


_PRESENT = word_set("has have is are currently now active current remains takes taking today tem está atualmente")
_PAST = word_set("had was were underwent teve foi did been")


def _is_past(tokens: Sequence[Token]) -> bool:
    words = {t.text for t in tokens}
    if words & _PRESENT:
        return False
    return bool(words & _PAST) or any(len(w) > 4 and w.endswith("ed") for w in words)
