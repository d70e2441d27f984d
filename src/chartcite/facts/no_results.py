"""Numbers beside the name of a measured thing that are none of its values.

By how much it changed (`hemoglobin down 2 g/dL`), what it is not (`INR not 5.0 but 2.0`), and what was measured in
something else than blood (`urine potassium 40`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from chartcite.core.documents import Span
from chartcite.facts.measured_units import Kind
from chartcite.facts.quantities import Quantity

_DOWN = (
    r"down|fell|fall(?:en|s)?|drop(?:ped|s)?|decreas(?:ed?|es)|declin(?:ed?|es)|reduc(?:ed|tion)|lower(?:ed)?|los[st]|"
    r"loss|perd(?:a|eu)|queda|caiu|reduziu|diminuiu|redução"
)
_UP = r"up|rose|ris(?:en?|es)|increas(?:ed?|es)|gain(?:ed|s)?|climbed|raised|higher|ganho|ganhou|subiu|aumentou|aumento"
_EITHER = r"improved|worsened|changed?|differen(?:ce|ced)|delta|variação"
_MORE = r"(?:(?:an?|another|a\s+further|further|an\s+additional|about|approximately|only|nearly|~)\s+)*"
_BY = re.compile(rf"\b(?:{_DOWN}|{_UP}|{_EITHER})\s+(?:(?:by|of|por|em|de)\s+)(?:{_MORE})$", re.IGNORECASE)
_MOVED = re.compile(rf"(?<!trending )(?<!trended )\b(?:(?P<down>{_DOWN})|{_UP})\s+{_MORE}$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:\bto\b|\bpara\b|->|=>|→)\s*(?:about\s+|~\s*)?(?P<now>\d+(?:\.\d+)?)", re.IGNORECASE)
_OF_NAME = re.compile(
    rf"\b(?:{_DOWN}|{_UP}|{_EITHER})\s+(?:of|in|de|da|do|no|na)\s+(?:(?:the|her|his|body)\s+)?$", re.IGNORECASE
)
_OF = re.compile(r"\s*(?:of|by|de|em)\s+$", re.IGNORECASE)
_LOST = re.compile(
    r"\b(?:lost|gained|perdeu|ganhou|(?:los[st]|gain|drop|fall|rise|perda|ganho|queda)\s+(?:of|de))\s+$", re.IGNORECASE
)


def is_difference(text: str, name: Span, gap: str, quantity: Quantity, kind: Kind) -> bool:
    """Whether a number behind a name says by how much it changed: `fell by 2`, `loss of 5 kg`, `down 2 g/dL`.

    Args:
        text: the sentence, with numbers as in English.
        name: the name.
        gap: what stands between it (or its last value) and the number.
        quantity: the number.
        kind: of what was measured; a vital sign that `dropped 85` is at 85.
    """
    if quantity.kind != "value":
        return False
    if _OF_NAME.search(text, 0, name.start) and (_OF.fullmatch(gap) or (not gap.strip() and kind == "vital")):
        return True
    if _BY.search(gap):
        return True
    moved = _MOVED.search(gap) if kind == "lab" or quantity.unit.dimension == "mass" else None
    to = _TO.match(text, quantity.span.end)
    # "Fell 2 g/dL to 7.0": what falls to more than it was did not fall from there.
    return moved is not None and (to is None or bool(moved["down"] and quantity.low < float(to["now"])))


def is_lost(text: str, start: int) -> bool:
    """Whether a number that goes before its name tells a difference: `lost 5 kg of weight`."""
    return _LOST.search(text, 0, start) is not None


_NOT = re.compile(r"\b(?:not|n[ãa]o)\s+$", re.IGNORECASE)
_BUT = re.compile(r"\s*,?\s*\b(?:but|mas)\s+(?:(?:rather|sim|instead|was|is|era)\s+)*", re.IGNORECASE)


def is_denied(gap: str, quantity: Quantity) -> bool:
    """`INR not 5.0`."""
    return not quantity.comparator and _NOT.search(gap) is not None


def without_but(gap: str) -> str:
    """What leads up to the number that holds instead of a denied one."""
    return _BUT.sub("", gap, count=1)


_ARROW = re.compile(r">\s*(?=\d)")


def as_arrow(text: str, gap: str, quantity: Quantity) -> Quantity:
    """`9.1 > 8.4` tells a course: a sign that hangs on two numbers is no bound; `160   >130` are two columns."""
    sign = _ARROW.match(text, quantity.span.start)
    if sign is None or quantity.comparator != ">" or gap not in ("", " ") or (gap and sign[0] == ">"):
        return quantity
    return replace(quantity, comparator="", span=Span(sign.end(), quantity.span.end))


_SPECIMEN = re.compile(
    r"(?<![\w-])(?:(?:urine|urinary|ur|pleural|ascitic|ascites|peritoneal|drain|drainage|stool|fecal|faecal|csf|"
    r"cerebrospinal|spinal|synovial|joint|pericardial|sputum|gastric|bile|sweat|saliva|dialysate|cyst|amniotic)"
    r"(?:\s+fluid)?|ideal|predicted|adjusted|lean)(?:\s+(?:body|spot|random|24[\s-]?h(?:ou)?r?))?\s*:?\s+$",
    re.IGNORECASE,
)
_SPECIMEN_BEHIND = re.compile(
    r"\s*(?:[,(]\s*)?(?:(?:urine|urinary|csf|pleural|ascitic|synovial)\b|(?:urin[áa]ri|asc[íi]tic|liqu[óo]ric|pleura|"
    r"peritonea|sinovia|feca|ideal\b|predit)\w*|(?:na|da|no|do)\s+(?:urina|l[íi]quor|ascite|l[íi]quido|dreno)\b)",
    re.IGNORECASE,
)
_OWN = ("urine ", "CSF ", "specific gravity", "FENa", "SAAG")


def is_of_other_specimen(text: str, name: Span, canonical: str) -> bool:
    """Whether what is named was measured in urine, a fluid or in theory, and the list has no name for that itself."""
    if canonical.startswith(_OWN):
        return False
    start = max(0, name.start - 40)
    return bool(_SPECIMEN.search(text[start : name.start]) or _SPECIMEN_BEHIND.match(text, name.end))
