"""Words that read like a cue of assertion and are none here: `free air`, `infusion no. 24`, `could move`."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.facts.relatives import has_the_finding
from chartcite.facts.tokens import QUANTITY, Token


def counts_as_cue(tokens: Sequence[Token], at: int, last: int, kind: str) -> bool:
    """Whether the words `[at, last)`, which a cue of this kind is written with, are one here."""
    token = tokens[at]
    if token.text == "?":
        # "?PE" and "? PE" at the start ask, and so does "PE?" that ends a line.
        follows = at + 1 < len(tokens)
        return (at > 0 and ends_question(tokens, at)) or (follows and (at == 0 or tokens[at + 1].start == token.end))
    after = tokens[last].text if last < len(tokens) else ""
    if kind == "family":
        # "On his mother's side" only says which grandmother is meant; "câncer de mama" is of the breast.
        is_breast = token.text == "mama" and at > 0 and tokens[at - 1].text in _OF_THE_BREAST
        return after != "side" and not is_breast and has_the_finding(tokens, at)
    if _is_other_sense(tokens, at, after):
        return False
    ends_in_past = tokens[last - 1].text in ("past", "previous", "prior")
    if kind == "historical" and ends_in_past and (after in _PERIODS or not after.isprintable()):
        return False  # "in the past 24 h" reaches to the present
    if token.text == "free" and last == at + 1:
        return _is_suffix(tokens, at)
    return token.text != "could" or _doubts(tokens, at, last, after)


def _doubts(tokens: Sequence[Token], at: int, last: int, after: str) -> bool:
    """`Could move the feet` and `could be felt` tell what was possible, `could be pneumonia` what is thought."""
    if "be" in (after, tokens[last - 1].text):
        behind = tokens[last + (after == "be") : last + 4]
        return next((t.text for t in behind if not t.text.endswith("ly")), "") not in _FELT
    return last > at + 1 or after in _EPISTEMIC


_FELT = word_set(
    "felt seen heard palpated moved straightened extended flexed passed removed inserted weaned extubated reduced "
    "lifted raised bent performed placed reached aroused roused woken discharged transferred elicited"
)
_COMPARES = word_set(
    "last prior previous prev yesterday baseline admission initial hourly daily weekly normal usual old today preop "
    "before"
)
_BETTER = word_set("improved worse better bigger smaller larger increased decreased higher lower more less up down")
_SIDES = word_set("r l right left rt lt the on")
# "Net negative", "coagulase-negative": a part of the name.
_NAMED_NEGATIVE = word_set("net gram coagulase rh rhesus double triple o a b ab d weekly fluid")


def _is_other_sense(tokens: Sequence[Token], at: int, after: str) -> bool:
    """Words that read like a cue and are none here: `infusion no. 24`, `88 kg vs 92 kg`, `since May`, `3 h old`."""
    word, before = tokens[at].text, tokens[at - 1].text if at else ""
    if word in ("vs", "versus"):
        return _compares(tokens, at)
    if word == "no" and after == ".":
        return at + 2 < len(tokens) and tokens[at + 2].text == QUANTITY
    if word == "may":
        return before in _BEFORE_MONTHS and (not after or tokens[at + 1].is_mark or after in ("and", QUANTITY))
    if word in ("due", "is"):
        # "Is due to hepatitis", but "is due to start".
        own = at + (word == "is")
        return own < len(tokens) and tokens[own].text == "due" and after == "to"
    return before in _NO_CUE_AFTER.get(word, ())


def _compares(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1].text if at else ""
    ahead = next((t.text for t in tokens[at + 1 :] if t.text not in _SIDES | {"."}), "")
    is_better = not _BETTER.isdisjoint(t.text for t in tokens[max(0, at - 2) : at])
    return QUANTITY in (before, ahead) or ahead in _COMPARES or is_better


_OF_THE_BREAST = word_set("de da na a das nas em")
_BEFORE_MONTHS = word_set("since in of last until from by early late mid this next through")
COPULAS = word_set("is was are were be been being")
# "Was used to remove it", "had to be converted", "margins free", "given for prophylaxis".
_NO_CUE_AFTER = {
    "negative": _NAMED_NEGATIVE,
    "neg": _NAMED_NEGATIVE,
    "used": COPULAS,
    "to": word_set("had"),
    "old": frozenset((QUANTITY,)),
    "free": word_set("margins margin edges"),
    "prophylaxis": word_set("for as dvt vte"),
}


def ends_question(tokens: Sequence[Token], at: int) -> bool:
    """Whether a question mark ends the line and hangs on a word: `PE?`."""
    is_hung_on = tokens[at - 1].end == tokens[at].start
    return is_hung_on and all(token.text in (".", ")") for token in tokens[at + 1 :])


_PERIODS = word_set(
    "day days night nights week weeks month months year years hour hours minute minutes h hr hrs decade two three "
    "four five six seven eight nine ten few several couple"
)
_EPISTEMIC = word_set(
    "be have represent reflect indicate suggest mean relate explain cause account correspond signify also not "
    "still conceivably potentially possibly well"
)
_FREE_THINGS = word_set("air fluid gas water text flap t4 t3 thyroxine testosterone light kappa lambda psa of from")
_NOT_FREED = word_set(
    "is are was were be been being now the a an with and or for to of from currently remains remained"
)


def _is_suffix(tokens: Sequence[Token], at: int) -> bool:
    """`Seizure free` denies seizures; `free air` and `is free of` are other things."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[at - 1] if at else None
    return before is not None and not before.is_mark and before.text not in _NOT_FREED and after not in _FREE_THINGS
