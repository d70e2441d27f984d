"""Findings that cannot both be right: two documents say of one thing that it did and did not change one outcome.

For collections, where documents are studies and guides and nothing `changes with time`. A finding is what a sentence
says was done (`30 mL/kg of crystalloid`), to which outcome (`mortality`), and which way (down, up, better, worse, or
none). Two disagree when they share a word of what was done and the outcome, and the ways differ. Nothing is guessed:
a sentence whose parts cannot be told apart holds no finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from chartcite.core.conflict import Disagreement, Statement
from chartcite.core.documents import Span
from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import Token, tokenise
from chartcite.verification.concepts import DATA
from chartcite.verification.disagreements import disagreements
from chartcite.verification.stems import stem

Effect = Literal["down", "up", "better", "worse", "none"]
MAX_CHARS = 600
"""A longer sentence is a paragraph; what of it disagrees cannot be said in a line."""
_OUTCOME_WORDS = 5
_AGAINST: dict[Effect, frozenset[Effect]] = {
    "down": frozenset(("up", "none")),
    "up": frozenset(("down", "none")),
    "better": frozenset(("worse", "none")),
    "worse": frozenset(("better", "none")),
    "none": frozenset(("down", "up", "better", "worse")),
}
_WHY = {False: "the two find opposite effects on the same outcome", True: "one finds an effect, the other finds none"}
_NOT = word_set("not no never neither nor cannot without don't doesn't didn't fails failed fail")
_BREAKS = word_set(
    "in by with compared from to when than versus vs but and or as at on among after before during while whereas that "
    "which who over within for if is are was were be been , ; : . ( ) ? !"
)
_GENERIC = word_set(
    "the a an of its their his her all any this that these those it they we our patient patients people adult "
    "adults child children man men woman women risk risks rate rates incidence frequency number numbers level "
    "levels day days week weeks month months year years hour hours group groups study trial significant "
    "significantly slightly markedly more less most least much overall clinical outcome outcomes effect effects "
    "treatment therapy use using used given giving early late first high higher low lower large larger small "
    "smaller alone also only no not did does do has have had may might can could would will should must be been "
    "is are was were and or to in on with for by at from as than"
)
_ASIDE = word_set("in for among with during after before at on within")
_LACK = frozenset(
    stem(word)
    for word in word_set(
        "deficiency deficient loss lack lacking absence knockout knockdown depletion inhibition inhibitor inhibitors "
        "blockade blocking withdrawal stopping without antagonist antagonists silencing deletion mutation removal "
        "avoiding"
    )
)
"""What turns an effect round: `loss of X lowers Y` and `X raises Y` agree."""
_COMPARED = word_set("compared than versus vs")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a sentence.

    Attributes:
        head: stem of the outcome's main word: `infection` of `wound infections`, `fall` of `risk of falls`.
        outcome: stems of all of its words.
        exposure: stems of what is said to be at work.
        effect: which way the outcome went.
        span: where the sentence says so.
    """

    head: str
    outcome: frozenset[str]
    exposure: frozenset[str]
    effect: Effect
    span: Span


def findings(text: str) -> tuple[Finding, ...]:
    """The findings of a sentence, in order; none of one that is too long."""
    return _findings(text) if len(text) <= MAX_CHARS else ()


@lru_cache(maxsize=2048)
def _findings(text: str) -> tuple[Finding, ...]:
    tokens = tokenise(text)
    return tuple(found for clause in _clauses(tokens) for found in _of_clause(clause))


def finding_conflicts(claim: str, others: Sequence[Statement]) -> list[Disagreement]:
    """The statements whose findings cannot be true together with one of the claim, in their order, each once."""
    own = findings(claim)
    out = []
    for n, other in enumerate(others if own else ()):
        pair = next(((a, b) for a in own for b in findings(other.text) if _against(a, b)), None)
        if pair is not None:
            out.append(Disagreement(n, "direction", _WHY["none" in (pair[0].effect, pair[1].effect)], pair[1].span))
    return out


def between_documents(claim: str, date: str, others: Sequence[Statement]) -> list[Disagreement]:  # noqa: ARG001
    """What other documents of a collection say against a claim: opposite findings, and what `disagreements` finds.

    Dates are of the documents, not of what they are about, so they excuse nothing and make nothing the same.
    """
    found = finding_conflicts(claim, others)
    known = {one.index for one in found}
    more = [one for one in disagreements(claim, "", others) if one.index not in known]
    return sorted([*found, *more], key=lambda one: one.index)


def _against(one: Finding, other: Finding) -> bool:
    return (
        other.effect in _AGAINST[one.effect]
        and one.head in other.outcome
        and other.head in one.outcome
        and (one.exposure & _LACK == other.exposure & _LACK)
        and _is_one_thing(one.exposure - other.outcome, other.exposure - one.outcome)
    )


def _is_one_thing(one: frozenset[str], other: frozenset[str]) -> bool:
    """More than half of what the shorter description says: `calcium supplements` are no `vitamin D supplements`."""
    return 2 * len(one & other) > min(len(one), len(other))


def _clauses(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Parts between semicolons, full stops and `but` or `whereas`: a finding does not reach over these."""
    start = 0
    for n, token in enumerate(tokens):
        if token.text in (";", ".", "but", "whereas", "while", "although"):
            yield tokens[start:n]
            start = n + 1
    yield tokens[start:]


def _of_clause(clause: Sequence[Token]) -> Iterator[Finding]:
    for first, last, effect, place in _said(clause):
        after = _outcome(clause[last:])
        before = _subject(clause[:first])
        is_passive = first > 0 and clause[first - 1].text in ("is", "are", "was", "were", "been", "be")
        takes_before = place == "before" or (place == "either" and (is_passive or not after))
        words, rest = (before, clause[last:]) if takes_before else (after, clause[:first])
        head, outcome = _head(words), _stems(words)
        exposure = _exposure(rest)
        negated = _is_negated(clause[:first])
        if head and exposure:
            way: Effect = "none" if negated and effect != "none" else effect
            yield Finding(head, outcome, exposure, way, Span(clause[first].start, clause[last - 1].end))


def _said(clause: Sequence[Token]) -> Iterator[tuple[int, int, Effect, str]]:
    """Effect words of a clause: (first token, token after the last, effect, place); the longest at each place."""
    table, n = _effects(), 0
    while n < len(clause):
        for size in (5, 4, 3, 2, 1):
            found = table.get(tuple(t.text for t in clause[n : n + size])) if n + size <= len(clause) else None
            if found:
                yield n, n + size, *found
                n += size - 1
                break
        n += 1


def _is_negated(before: Sequence[Token]) -> bool:
    return any(token.text in _NOT for token in before[-4:])


def _head(words: Sequence[str]) -> str:
    """The last content word before `of`, or if that is of no content (`risk of`), the last one behind it."""
    part: list[str] = []
    for word in [*words, "of"]:
        if word == "of":
            if part:
                return stem(part[-1])
        elif _stems([word]):
            part.append(word)
    return ""


def _outcome(behind: Sequence[Token]) -> list[str]:
    words: list[str] = []
    for token in behind:
        if token.text in ("of", "the", "in", "a", "an", "their", "its") and not words:
            continue
        if token.text in _BREAKS or len(words) == _OUTCOME_WORDS:
            break
        words.append(token.text)
    return words


def _subject(front: Sequence[Token]) -> list[str]:
    """The words right before a verb, its auxiliaries and adverbs left out."""
    words = [t.text for t in front]
    while words and (
        words[-1] in _NOT or words[-1].endswith("ly") or words[-1] in ("did", "was", "were", "is", "also")
    ):
        words.pop()
    taken: list[str] = []
    for word in reversed(words):
        if word in _BREAKS or len(taken) == _OUTCOME_WORDS:
            break
        taken.append(word)
    return taken[::-1]


def _exposure(part: Sequence[Token]) -> frozenset[str]:
    """Content words but those of an aside in front (`In septic shock, ...`) and of what it is compared with."""
    words = [t.text for t in part]
    if words and words[0] in _ASIDE and "," in words:
        words = words[words.index(",") + 1 :]
    end = next((n for n, word in enumerate(words) if word in _COMPARED), len(words))
    return _stems(words[:end])


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem(w) for w in words if w not in _GENERIC and len(w) > 2 and any(map(str.isalpha, w)))


@lru_cache(maxsize=1)
def _effects() -> dict[tuple[str, ...], tuple[Effect, str]]:
    return {
        tuple(t.text for t in tokenise(spelling)): (cast(Effect, effect), place)
        for effect, place, spellings in read_rows(DATA, "effects.tsv")
        for spelling in spellings.split("|")
    }
