"""Left, right, both: which words of a sentence a side belongs to. `L` and `R` count as capitals before a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from chartcite.facts.lexicon import FACTS, read_rows, read_words, word_set
from chartcite.facts.tokens import QUANTITY, Token

SideName = Literal["left", "right", "bilateral"]


@dataclass(frozen=True, slots=True)
class Side:
    """A side word at token `at`, and the tokens `[first, last)` it is said of."""

    name: SideName
    at: int
    first: int
    last: int


_BREAKS = word_set(", ; . : ( ) and or but with without e ou is was has had are were")
# "left the hospital", "left AMA", "right away", "right now" are no sides.
_NO_SIDE_AFTER = word_set("the a ama against without before after away now home hospital his her to on at for")
# "Was left unchanged", "to be left out".
_LEAVES = word_set("was were is are be been being")
_LEFT = word_set("unchanged out open alone in untreated as with without unrepaired unspecified intact")
_ANATOMY_OF = word_set("side sided of the in")


@lru_cache(maxsize=1)
def _names() -> dict[str, SideName]:
    return {word: name for name, words in read_rows(FACTS, "sides.tsv") for word in words.split("|")}  # type: ignore[misc]


def find_sides(tokens: Sequence[Token], text: str) -> tuple[Side, ...]:
    """All sides of a sentence, with what they are said of."""
    out = []
    for i in range(len(tokens)):
        name = _side_at(tokens, i, text)
        if name:
            first, last = _target(tokens, i)
            out.append(Side(name, i, first, last))
    return tuple(out)


def _side_at(tokens: Sequence[Token], i: int, text: str) -> SideName | None:
    token = tokens[i]
    if token.text in _EYES and text[token.start : token.end].isupper():
        is_eye = len({t.text for t in tokens} & _EYE_WORDS) > 1 or _is_given(tokens, i)
        return _EYES[token.text] if is_eye else None
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if token.text in ("l", "r"):
        is_capital = text[token.start : token.end].isupper()
        before = tokens[i - 1].text if i else ""
        # "3.1 cm L basal ganglia": a number with a unit of its own counts no litres.
        is_bare = text[: token.start].rstrip()[-1:].isdigit() or after in _OXYGEN
        is_litre = is_bare and _is_amount(before) and (after in _OXYGEN or not _is_body(after))
        is_side = is_capital and not is_litre and (_is_body(after) or _is_noun(after) or _closes(tokens, i))
        return ("left" if token.text == "l" else "right") if is_side else None
    name = _names().get(token.text)
    if name == "left" and is_rest(tokens, i):
        return None
    if name == "left" and i and tokens[i - 1].text in _LEAVES and after in _LEFT:
        return None
    if name in ("left", "right") and after in _NO_SIDE_AFTER:
        before = tokens[i - 1].text if i else ""
        # "on the left at rest" is a side, "left at noon" is not.
        return name if before in ("the", "on", "direito", "esquerdo") else None
    return name


def _closes(tokens: Sequence[Token], i: int) -> bool:
    """Whether it stands behind what it is said of: `humerus fracture R`."""
    is_last = i + 1 == len(tokens) or tokens[i + 1].is_mark
    return is_last and any(_is_body(t.text) or t.text in _SIDED for t in tokens[max(i - 3, 0) : i])


# Findings that have a side without a part of the body: hemorrhages, collections, operations on joints and eyes.
_SIDED = word_set(
    "ivh sdh edh ich sah cva mca dvt thr tka tha tkr acl cataract iol hydrocele hernia otitis aom epistaxis abscess "
    "effusion ptx pneumothorax hydronephrosis stone mastectomy nephrectomy lumpectomy paresis weakness cts"
)


def _is_given(tokens: Sequence[Token], i: int) -> bool:
    """`Latanoprost OD qHS`: with a frequency of its own behind it, it is no frequency."""
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    return i > 0 and tokens[i - 1].text.isalpha() and after in _FREQUENCIES


_FREQUENCIES = word_set("qhs bid tid qid qd daily nightly q4h q6h q2h q1h qam qpm hs") | {QUANTITY}


def is_rest(tokens: Sequence[Token], i: int) -> bool:
    """`Three pills left`, `two weeks are left of the course`: what remains."""
    after = "." if i + 1 == len(tokens) or tokens[i + 1].is_mark else tokens[i + 1].text
    if i > 1 and tokens[i - 1].text in _LEAVES and (after == "." or after in _AFTER_REST):
        return tokens[i - 2].text in _COUNTED or tokens[i - 2].text == QUANTITY
    return after == "." and i > 1 and tokens[i - 1].text in _COUNTED


_AFTER_REST = word_set("of in to until over for from")
_COUNTED = word_set("pills pill tablets tabs capsules doses dose refills refill years months weeks days strips pens")


# Right, left and both eyes; "OD" is also an overdose and once daily.
_EYES: dict[str, SideName] = {"od": "right", "os": "left", "ou": "bilateral"}
_EYE_WORDS = word_set(
    "corneal conjunctival conjunctiva conjunctivitis eyelid lid macula macular glaucoma keratitis uveitis iritis lens "
    "od os ou va bcva iop drop drops gtt gtts eye eyes visual vision acuity pupil pupils rapd cataract ophthalmic "
    "retina fundus cornea crvo brvo crao amd c/d ivt intravitreal xalatan latanoprost timolol dorzolamide brimonidine"
)
_OXYGEN = word_set("nasal nose face facemask mask oxygen o2")
_NO_NOUN = word_set("and or wave waves axis on o at is was in of the per nc ra via to with by x")


def _is_noun(word: str) -> bool:
    """Whether a word may be said of a side: `L TKA`, `R 1st MTP`, `R otalgia`; not `R wave`."""
    first = word.partition(" ")[0]
    # An ordinal has become one blank token.
    is_ordinal = word == QUANTITY or (first[:1].isdigit() and first[1:].isalpha())
    return is_ordinal or (len(first) > 1 and first[0].isalpha() and first.isalnum() and first not in _NO_NOUN)


def _is_amount(word: str) -> bool:
    """Whether a number stands before it: `2 L nasal cannula`."""
    return word == QUANTITY or word[:1].isdigit()


def _is_body(word: str) -> bool:
    # A listed phrase ("knee pain") is one token: its first word is what the side is said of.
    body, first = read_words(FACTS, "body_parts.tsv"), word.partition(" ")[0]
    return first in body or first.removesuffix("s") in body


def _target(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    last = at + 1
    while last < len(tokens) and tokens[last].text not in _BREAKS:
        last += 1
    if any(t.text not in _ANATOMY_OF for t in tokens[at + 1 : last]) and not _is_after_noun(tokens, at):
        return at + 1, last
    first = at
    while first > 0 and tokens[first - 1].text not in _BREAKS:
        first -= 1
    return first, last


def _is_after_noun(tokens: Sequence[Token], at: int) -> bool:
    """Portuguese puts the side behind the part (`joelho direito`)."""
    return tokens[at].text.startswith(("direit", "esquerd", "bilatera")) and tokens[at].text not in (
        "bilateral",
        "bilaterally",
    )
