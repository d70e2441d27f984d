"""Words and signs that make a number a bound or an estimate: `at least`, `<`, `about`, `or more`."""

from __future__ import annotations

import re
from functools import lru_cache

from chartcite.facts.patterns import alternatives
from chartcite.facts.quantities import Comparator
from chartcite.facts.taken import claim

_LITTLE = ("just", "slightly", "a little", "a bit", "a touch", "a shade", "somewhat", "marginally", "barely", "a hair")
WORDS_BEFORE: dict[str, Comparator] = {
    "less than or equal to": "<=", "greater than or equal to": ">=", "no more than": "<=", "not more than": "<=",
    "no less than": ">=", "not less than": ">=", "no fewer than": ">=", "no higher than": "<=", "no lower than": ">=",
    "no longer than": "<=", "no greater than": "<=", "not exceeding": "<=", "a maximum of": "<=", "maximum of": "<=",
    "a minimum of": ">=", "minimum of": ">=", "less than": "<", "fewer than": "<", "lower than": "<", "below": "<",
    "under": "<", "shorter than": "<", "smaller than": "<", "younger than": "<", "lighter than": "<", "beneath": "<",
    "greater than": ">", "higher than": ">", "more than": ">", "longer than": ">", "larger than": ">",
    "bigger than": ">", "older than": ">", "heavier than": ">", "in excess of": ">", "upwards of": ">=", "beyond": ">",
    "above": ">", "over": ">", "exceeding": ">", "at least": ">=", "at most": "<=", "up to": "<=", "about": "~",
    "approximately": "~", "approx.": "~", "approx": "~", "around": "~", "roughly": "~", "circa": "~", "ca.": "~",
    "close to": "~", "in the region of": "~", "on the order of": "~", "in the neighborhood of": "~",
    "in the neighbourhood of": "~", "nearly": "~<", "almost": "~<", "not quite": "~<", "cerca de": "~",
    "aproximadamente": "~", "quase": "~<", "maior que": ">", "menor que": "<", "acima de": ">",
    "mais de": ">", "menos de": "<", "abaixo de": "<", "pelo menos": ">=", "em torno de": "~", "por volta de": "~",
    "perto de": "~", "próximo de": "~", "próxima de": "~", "próximo a": "~", "próxima a": "~", "ao redor de": "~",
    "mais ou menos": "~", "no máximo": "<=", "no mínimo": ">=", "ao menos": ">=", "superior a": ">", "inferior a": "<",
    "superiores a": ">", "inferiores a": "<", "menor ou igual a": "<=", "menor ou igual que": "<=", "maior do que": ">",
    "menor do que": "<", "maior ou igual a": ">=", "maior ou igual que": ">=", "igual ou superior a": ">=",
    "igual ou inferior a": "<=", "igual ou maior que": ">=", "igual ou menor que": "<=", "um pouco acima de": "~>",
    "pouco acima de": "~>", "pouco mais de": "~>", "um pouco abaixo de": "~<", "pouco abaixo de": "~<",
    "pouco menos de": "~<", "maior que ou igual a": ">=", "menor que ou igual a": "<=", "além de": ">",
} | {
    f"{little} {word}": side
    for little in _LITTLE
    for side, words in {"~<": "under|below|less than|lower than|short of|shy of",
                        "~>": "over|above|more than|greater than|higher than|past"}.items()
    for word in words.split("|")
}  # type: ignore[assignment]  # fmt: skip
_SIGNS: dict[str, Comparator] = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">", "~": "~", "≈": "~",
}  # fmt: skip
WORDS_AFTER: dict[str, Comparator] = {
    "or more": ">=", "or greater": ">=", "or higher": ">=", "or older": ">=", "or above": ">=", "and above": ">=",
    "or longer": ">=", "or less": "<=", "or fewer": "<=", "or lower": "<=", "or younger": "<=", "or below": "<=",
    "and below": "<=", "or so": "~",
}  # fmt: skip


@lru_cache(maxsize=1)
def _leading() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?P<word>{alternatives(WORDS_BEFORE)})\s+$", re.IGNORECASE)


def led_by(text: str, start: int, taken: bytearray) -> tuple[int, Comparator]:
    """The start and the comparator of a quantity that begins here, given the words before it."""
    base = max(0, start - 32)
    found = _leading().search(text[base:start])
    if found is None or not claim(taken, base + found.start(), start):
        return start, ""
    return base + found.start(), WORDS_BEFORE[re.sub(r"\s+", " ", found["word"]).lower()]


def comparator_of(found: re.Match[str]) -> Comparator:
    """The comparator of a match with the groups `sign`, `word` and `after`."""
    if found["sign"]:
        return _SIGNS[found["sign"]]
    if found["word"]:
        return WORDS_BEFORE[re.sub(r"\s+", " ", found["word"]).lower()]
    return WORDS_AFTER[re.sub(r"\s+", " ", found["after"]).lower()] if found["after"] else ""
