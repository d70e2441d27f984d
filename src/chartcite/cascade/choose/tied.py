"""What a question ties its answer to, a side, an action or another person, and whether a sentence has it.

An option's words alone say nothing of these: that warfarin is taken does not make it the drug that was stopped.
"""

from __future__ import annotations

import re
from typing import Final, Literal

Action = Literal["stop", "start", "raise", "lower", "switch"]
_ACTIONS: Final[tuple[tuple[Action, str], ...]] = (
    ("stop", r"stop\w*|discontinu\w*|d/?c'?d|held|hold(?:ing)?|ceas\w+|withdr\w+|withheld|paus\w+|off"
     r"|suspen\w+|interromp\w+"),
    ("start", r"start\w*|began|begun|initiat\w+|commenc\w+|added|inici\w+|come[çc]\w+"),
    ("raise", r"increas\w+|raised?|uptitrat\w+|up-titrat\w+|aument\w+"),
    ("lower", r"decreas\w+|lower\w*|reduc\w+|downtitrat\w+|tapered|diminu\w+|reduz\w+"),
    ("switch", r"switch\w*|replac\w+|changed?|substitu\w+|troc\w+|mud(?:ou|ad\w+)"),
)  # fmt: skip
_BY_ACTION: Final = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _ACTIONS}
_SIDES: Final = {
    "left": re.compile(r"\b(?:left|l|esquerd[oa]s?)\b", re.IGNORECASE),
    "right": re.compile(r"\b(?:right|r|direit[oa]s?)\b", re.IGNORECASE),
}
_BOTH: Final = re.compile(r"\b(?:bilateral(?:ly)?|both|amb[oa]s)\b", re.IGNORECASE)
_PERSONS: Final = tuple(
    re.compile(rf"\b(?:{words})(?:['’]s)?\b", re.IGNORECASE)
    for words in (
        "husband|spouse|marido|esposo", "wife|spouse|esposa", "(?:boy|girl)friend|partner|namorad[oa]",
        "m[oa]ther|mom|mum|mãe", "father|dad|pai", "sisters?|irmãs?", "brothers?|irmãos?", "siblings?|twin",
        "sons?|filhos?", "daughters?|filhas?", "child(?:ren)?|kids?",
        "baby|infant|newborn|neonate|f[o]?etus|bebê|recém-nascido",
        "donors?|doador[a]?", "uncles?|tios?", "aunts?|tias?", "cousins?|prim[oa]s?",
        "grandmother|avó", "grandfather|avô",
        "grandson|grandda?ughter|grandchild|net[oa]", "nephew|niece|sobrinh[oa]",
        "room-?mate|neighbou?r|friend|vizinh[oa]|amig[oa]",
    )
)  # fmt: skip
_OWN: Final = re.compile(r"\b(?:my|our|meu|minha|nosso|nossa)\s+(?:[\w-]+\s+)?\Z", re.IGNORECASE)
"""`my mother` is the patient of whoever asks."""
_NO_PERSON: Final = re.compile(r"\bbaby aspirin\b|\bmother tongue\b", re.IGNORECASE)
_TAKES: Final = re.compile(
    r"\b(?:takes?|taking|taken|took|on|prescribed|receiv\w+|uses?|using|medications?|medicines?|drugs?|tom\w+|usa\w*"
    r"|medicamentos?|rem[ée]dios?)\b",
    re.IGNORECASE,
)
_A_DAY: Final = re.compile(
    r"\b(?:total|daily|(?:a|per|each|every|in a|in one) day|24[ -]?h(?:ours?)?|di[áa]ri[ao]|(?:por|ao) dia)\b",
    re.IGNORECASE,
)


def actions(text: str) -> frozenset[Action]:
    """What is done with a drug, by the words of a text.

    >>> sorted(actions("Which drug was discontinued?")), sorted(actions("Warfarin 5 mg daily"))
    (['stop'], [])
    """
    return frozenset(name for name, pattern in _BY_ACTION.items() if pattern.search(text))


def action_word(text: str) -> str:
    """The first word of a text that says what is done; empty without one."""
    found = [match for pattern in _BY_ACTION.values() if (match := pattern.search(text))]
    return min(found, key=lambda match: match.start())[0] if found else ""


def persons(text: str) -> tuple[re.Pattern[str], ...]:
    """The other persons that a question names, each as what a sentence about them must hold.

    >>> len(persons("What is her husband's warfarin dose?")), len(persons("Why was my mother given warfarin?"))
    (1, 0)
    """
    text = _NO_PERSON.sub(" ", text)
    return tuple(p for p in _PERSONS if (found := p.search(text)) and not _OWN.search(text[: found.start()]))


def is_of(text: str, asked: tuple[re.Pattern[str], ...]) -> bool:
    """Whether a sentence is about one of the persons; of anybody where none is asked of."""
    text = _NO_PERSON.sub(" ", text)
    return not asked or any(p.search(text) for p in asked)


def lacks(stem: str, sentence: str, statement: str) -> bool:
    """Whether a sentence lacks the side or the action of the question, and the claim does not hold it against it.

    Args:
        stem: the question.
        sentence: with the headers above it.
        statement: the claim; what stands in it is checked with it.

    >>> lacks("What was found on the left knee?", "Right knee MRI shows a torn meniscus.", "knee torn meniscus")
    True
    >>> lacks("Which drug was stopped?", "Stopped lisinopril because of cough.", "lisinopril")
    False
    """
    if (actions(stem) - actions(statement)) - actions(sentence):
        return True
    sides = {side for side, pattern in _SIDES.items() if pattern.search(stem)}
    if len(sides) != 1 or any(_SIDES[side].search(statement) for side in sides):
        return False
    said = {side for side, pattern in _SIDES.items() if pattern.search(sentence)}
    return said != sides and not (_BOTH.search(sentence) and not said)


def asks_what_is_taken(stem: str) -> bool:
    """Whether a question asks for what is taken, and of no start, stop or change."""
    return bool(_TAKES.search(stem)) and not actions(stem)


def asks_of_a_day(stem: str) -> bool:
    """Whether a question asks for the amount of a whole day."""
    return bool(_A_DAY.search(stem))
