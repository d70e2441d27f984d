"""Relatives in a sentence: one who has the finding, or one who tells, is told or accompanies the patient."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import QUANTITY, Token

_INFORMS = word_set(
    "reports reported states stated says said notes noted called denies brought feels thinks witnessed found saw "
    "confirms confirmed describes described calls calling phoned phones asks asked told advised concerned worried "
    "took brings gave gives helps lives seen sees hears heard taught "
    "present bedside informed instructed updated counselled counseled educated "
    "consented shown taught reminded aware agrees agreed requests requested wishes wants notices noticed observed "
    "mentions mentioned recalls recalled accompanied accompanies interprets interpreted hcp proxy poa guardian "
    "nok healthcare surrogate caregiver carer interpreter informant provides provided insists understands holds"
)
_BE = word_set("is was are were has have been being also at will to")
_OF_WHOM = word_set(
    "his her the their a my our one patient's pt's patients' maternal paternal late older younger elder eldest "
    "oldest youngest identical twin half full only own"
)


def has_the_finding(tokens: Sequence[Token], at: int) -> bool:
    """A relative who tells, is told or accompanies is not the one who has the finding."""
    before = word_before(tokens, at)
    after = [t.text for t in tokens[at + 1 : at + 6]]
    if after[:1] == [","]:
        after = after[1:]
        if after[:1] not in (["who"], ["whose"]):
            after = []
    if after[:1] in (["who"], ["whose"]):
        return True
    if before in ("by", "with", "from", "per", "to", "via"):
        return False
    if before in _TAUGHT or _is_count_of_children(tokens, at):
        return False
    verb = next((word for word in after if word not in _BE), "")
    is_passive = bool(after) and (after[0] in ("is", "was", "were", "are") or after[:2] == ["has", "been"])
    if verb in (_INFORMS - _OF_FINDINGS if is_passive else _INFORMS):
        return verb in _TELLS and _is_contrasted(tokens, at)
    return True


_TAUGHT = word_set("taught told informed called advised instructed educated counseled counselled updated reassured")
_OFFSPRING = word_set("children kids sons daughters siblings brothers sisters")


def _is_count_of_children(tokens: Sequence[Token], at: int) -> bool:
    """`Married, 3 children, works as a welder`: nothing is said of the children; `twin A` is the patient."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else "."
    if tokens[at].text == "twin":
        return after in ("a", "b") or after == QUANTITY
    return tokens[at].text in _OFFSPRING and tokens[at - 1].text == QUANTITY and at > 0 and after in ",.;)"


_OF_FINDINGS = word_set("reported stated said noted found described confirmed observed noticed mentioned")
_TELLS = word_set("reports reported states stated says said")


def _is_contrasted(tokens: Sequence[Token], at: int) -> bool:
    """`Wife reports she has the flu; patient himself tested negative`: the wife speaks of herself."""
    texts = [t.text for t in tokens[at + 1 :]]
    return bool({"she", "he"} & set(texts[1:3])) and bool({"himself", "herself"} & set(texts))


def word_before(tokens: Sequence[Token], at: int) -> str:
    """The word before a relative and what describes him."""
    i = at - 1
    while i > 0 and tokens[i].text in _OF_WHOM:
        i -= 1
    return tokens[i].text if i >= 0 else ""
