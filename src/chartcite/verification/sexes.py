"""Whether a claim says `he` or `woman` of someone whom the cited text calls by the other sex."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed
from chartcite.verification.evidence import Evidence
from chartcite.verification.kinds import kinds
from chartcite.verification.verdicts import Veto

_WOMEN = word_set("she her hers herself woman female girl lady ela mulher menina feminino feminina")
_MEN = word_set("he him his himself man male boy gentleman ele homem menino masculino masculina")
# "68M", "41 yo F": a letter behind an age.
_LETTER = re.compile(r"(?<![\w.])\d{1,3}\s?(?:-?\s?(?:yo|y/o|yrs?|y\.o\.|a))?\s?(?P<sex>[MF])(?![\w/-])")
_OTHERS = word_set(
    "baby baby's newborn neonate infant child child's son daughter kid twin fetus donor partner caller neighbor friend "
    "companion passenger driver family relative relatives mae pai filho filha esposa marido acompanhante doador"
)


def sex_vetoes(claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when both sides speak of one person only, each of another sex."""
    claimed = [token for token in claim.tokens if token.text in _WOMEN or token.text in _MEN]
    if not claimed or not evidence.parts or _names_others(claim, evidence):
        return []
    stated = _stated(evidence)
    own = {"F" if token.text in _WOMEN else "M" for token in claimed}
    if len(stated) != 1 or len(own) != 1 or own == stated:
        return []
    token = claimed[0]
    span = Span(claim.span.start + token.start, claim.span.start + token.end)
    why = "the source says it of another person"
    return [Veto("experiencer", span, token.text, evidence.parts[0][0], None, why)]


def _stated(evidence: Evidence) -> set[str]:
    found = {"F" for text in evidence.texts if text in _WOMEN} | {"M" for text in evidence.texts if text in _MEN}
    for _, sentence in evidence.parts:
        found |= {letter["sex"] for letter in _LETTER.finditer(sentence.text, sentence.span.start, sentence.span.end)}
    return found


def _names_others(claim: Analysed, evidence: Evidence) -> bool:
    """Whether a relative, a child or somebody else is spoken of, to whom a pronoun may point."""
    words: Iterable[str] = (*(token.text for token in claim.tokens), *evidence.texts)
    if not _OTHERS.isdisjoint(words):
        return True
    return any("relative" in kinds(word.keys) for word in (*claim.words, *evidence.words))
