"""Where the record itself says otherwise: another polarity, side or value of what an answer sentence claims.

What changes with time is no conflict when its time differs: a potassium of yesterday and one of today, a fever denied
last year. So two statements conflict when they were written on the same day, or when they speak of what does not pass:
an allergy, a history, a relative, a chronic condition, an operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.core.conflict import Disagreement, Statement
from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, analyse
from chartcite.verification.chronic import is_chronic
from chartcite.verification.evidence import alone
from chartcite.verification.sentences import pieces
from chartcite.verification.stems import stem
from chartcite.verification.support import Account, account
from chartcite.verification.verdicts import Veto, VetoKind

MAX_CHARS = 600
"""A longer sentence is a list or a paragraph: what of it disagrees cannot be said in a line."""
_ALWAYS: frozenset[VetoKind] = frozenset(("negation", "side"))
_SAME_DAY: frozenset[VetoKind] = frozenset(
    ("negation", "side", "number", "unit", "comparator", "frequency", "direction")
)
_LASTING = word_set(
    "allergy allergies allergic allergen anaphylaxis intolerance nkda nkfa history smoker smoking smoked tobacco never "
    "family mother father brother sister surgery surgical resection amputation transplant implant pacemaker alergia "
    "alergias alérgico alérgica história antecedentes tabagismo nunca"
)


def disagreements(claim: str, date: str, others: Sequence[Statement]) -> list[Disagreement]:
    """The statements that cannot be true together with the claim, in their order, each once.

    Args:
        claim: an answer sentence that its own citations carry.
        date: ISO date of the document it comes from; empty if unknown.
        others: further sentences of the same record.
    """
    if len(claim) > MAX_CHARS:
        return []
    parts = [analyse(claim, *piece) for piece in pieces(claim)]
    stems = {stem(text) for part in parts for word in part.content for text in word.text.split()}
    found = []
    for n, other in enumerate(others):
        if len(other.text) > MAX_CHARS or not (stems | _ALLERGY) & _stems(other.text):
            continue
        general = _general_denial(claim, other)
        if general is not None:
            found.append(Disagreement(n, "negation", "one of the two knows of no allergy", general))
            continue
        said = [analyse(other.text, *piece) for piece in pieces(other.text, other.section)]
        veto = _against(parts, said, is_same_day=bool(date) and date == other.date)
        if veto is not None:
            span = veto.source_span or Span(0, len(other.text))
            found.append(Disagreement(n, veto.kind, veto.why, span))
    return found


_ALLERGY = frozenset(("allergy", "allergic", "nkda", "nka", "alergia"))
_NO_ALLERGY = re.compile(
    r"\b(?:nkda|nkfa|nka|no known (?:drug |medication |food )?allerg\w+"
    r"|(?:no|denies|denies any) (?:drug |medication )?allerg(?:y|ies)"
    r"|allergies\s*:\s*(?:none|nil)|sem alergias|nega alergias?)(?!\w)(?!\s+to\s)",
    re.IGNORECASE,
)
_HAS_ALLERGY = re.compile(r"\b(?:allerg(?:y|ies|ic)\b|anaphyla\w+|alergia|alérgic[oa])", re.IGNORECASE)


def _general_denial(claim: str, other: Statement) -> Span | None:
    """Where one of the two knows of no allergy at all and the other names one."""
    headed = " ".join((*other.section, other.text))
    denied, here = _NO_ALLERGY.search(claim), _NO_ALLERGY.search(other.text)
    if here and not denied and _HAS_ALLERGY.search(claim):
        return Span(*here.span())
    if denied and not _NO_ALLERGY.search(headed) and _HAS_ALLERGY.search(headed):
        return Span(0, len(other.text))
    return None


def _stems(text: str) -> set[str]:
    return {stem(word.strip(".,;:()").lower()) for word in text.split()}


def _against(parts: Sequence[Analysed], said: Sequence[Analysed], is_same_day: bool) -> Veto | None:
    for part in parts:
        for sentence in said:
            kinds = _SAME_DAY if is_same_day else _lasting(part, sentence)
            if not kinds:
                continue
            veto = _conflict(account(part, alone("", sentence)), kinds, 2 if is_same_day else 1)
            if veto is not None:
                return veto
    return None


def _conflict(found: Account, kinds: frozenset[VetoKind], named: int) -> Veto | None:
    """A veto that counts, when the two speak of one thing: the other has every word of the claim, at least `named`."""
    if any(item.kind == "word" for item in found.uncovered) or not found.vetoes:
        return None
    if any(veto.kind not in kinds for veto in found.vetoes):
        return None
    is_denied = any(veto.kind == "negation" for veto in found.vetoes)
    have = sum(bool(item.hits) for item in found.matched)
    return found.vetoes[0] if have >= (1 if is_denied else named) else None


_ONCE = re.compile(r"\w{4,}ectom(?:y|ia)$|^(?:amputation|transplant|birth)$")


def _lasting(part: Analysed, sentence: Analysed) -> frozenset[VetoKind]:
    """What cannot differ even if the two were written years apart."""
    if not (_lasts(part) or _lasts(sentence)):
        return frozenset()
    once = any(_ONCE.search(word.text) for word in part.content)
    pack_years = any(m.quantity.unit.name == "[pack-yr]" for m in part.measures)
    more: set[VetoKind] = set()
    if once:
        more.add("date")
    if pack_years:
        more.add("number")
    return _ALWAYS | more


def _lasts(sentence: Analysed) -> bool:
    words = {text for word in sentence.words for text in word.text.split()}
    if words & _LASTING or any(_ONCE.search(word) for word in words):
        return True
    return any(is_chronic(word.keys) for word in sentence.words)
