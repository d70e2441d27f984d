"""The question of a multiple choice: what is searched for, whether it asks for the odd one out, and its claims."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.choice import Option
from chartcite.facts.tokens import fold

_EXCEPT = re.compile(
    r",?\s*\b(?:except|with the exception of|exceto|menos|com exceção de)\b\s*(?:for|which|what|que)?\s*(?=[:?]|$)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?P<who>which|what|who|whom|qual|quais|que|quem)\b(?P<between>[^?]{0,80}?)\s*\b(?:not|never|n[ãa]o|nunca)\b"
    r"|\b(?P<aux>is|are|was|were|does|do|did|has|have)n['’]t\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\A\s*(?:which|what|who|whom|qual|quais|que|quem)\b", re.IGNORECASE)
_OF_THESE = re.compile(
    r"\s*\b(?:(?:one\s+)?(?:of\s+)?the\s+following(?:\s+(?:options|statements|answers))?|of\s+(?:these|those)"
    r"|d[ao]s\s+seguintes|destas|destes|abaixo)\b(?:\s+(?:is|are)\s+(?:true|correct))?",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\A\s*(?:(?:does|do|did|is|are|was|were|has|have|had|can|could|will|would|should)\b"
    r"|(?:será\s+que)\b)\s*",
    re.IGNORECASE,
)

_WORD = re.compile(r"[^\W_][\w'-]*")
_SHORTEST, _ENDING = 4, 3
_PAST = re.compile(r"\b(?:was|were|did|had|been|earlier|previous|foi|era|teve|estava|tomava)\b", re.IGNORECASE)
_WHY = re.compile(
    r"\b(?:why|reason|cause|because|what made|indication|por que|porque|por qu[eê]|motivo|raz[ãa]o|causa)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stem:
    """A question without its options. `text` is what is searched for: the question less `not`, `except` and such."""

    text: str
    is_negated: bool


def read_stem(question: str) -> Stem:
    """Take out of a question what only stands there for its options.

    >>> read_stem("Which of the following is NOT an allergy of the patient?")
    Stem(text='Which is an allergy of the patient?', is_negated=True)
    >>> read_stem("The patient takes all of these drugs except:")
    Stem(text='The patient takes all of these drugs:', is_negated=True)
    """
    text = " ".join(question.split())
    bare = _EXCEPT.sub("", text)
    is_negated = bare != text
    found = _NOT.search(bare)
    if found is not None and _OPENING.match(bare):
        kept = f"{found['who']}{found['between']}" if found["who"] else found["aux"]
        bare = f"{bare[: found.start()]}{kept}{bare[found.end() :]}"
        is_negated = not is_negated
    shorter = _OF_THESE.sub("", bare) if _OPENING.match(bare) else bare
    return Stem(shorter if any(c.isalnum() for c in shorter) else bare, is_negated)


def declared(stem: str) -> str:
    """A yes/no question as a statement: its first auxiliary and its mark off; word order is left to the check.

    >>> declared("Does the patient have diabetes?")
    'the patient have diabetes'
    """
    return _AUXILIARY.sub("", stem, count=1).rstrip("?:. ")


def claims(option: Option, stem: str, focus: tuple[str, ...], sentence: str = "") -> tuple[str, ...]:
    """What is checked for an option, fullest first.

    Args:
        option: what is claimed.
        stem: the question.
        focus: the words that an answer cannot do without.
        sentence: whose share of these words is claimed next, before the option stands alone.
    """
    if option.sort in ("yes", "no", "maybe"):
        return (declared(stem),)
    said = option.text.rstrip(".")
    left = [word for word in focus if word not in said.lower()]
    shared = said_of(left, sentence)
    return tuple(dict.fromkeys(f"{' '.join(words)} {said}".strip() for words in (left, shared, [])))


def said_of(words: Sequence[str], sentence: str) -> list[str]:
    """The words that a sentence has in some form: with the same beginning, which is all but the ending."""
    have = [fold(word) for word in _WORD.findall(sentence)]
    return [w for w in words if any(_is_form(fold(w), other) for other in have)]


def _is_form(word: str, other: str) -> bool:
    beginning = max(_SHORTEST, len(word) - _ENDING)
    return word == other or (len(word) > _SHORTEST and other.startswith(word[:beginning]))


def harmless(stem: str) -> frozenset[str]:
    """Vetoes that do not speak against an option of such a question.

    Asked of the past, the past is no objection; a reason may be planned or possible, and goes with stopping as well.
    """
    found = {"history"} if _PAST.search(stem) else set()
    return frozenset(found | ({"history", "certainty", "reversal"} if _WHY.search(stem) else set()))
