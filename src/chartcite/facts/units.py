"""Units of measure: spellings to UCUM-like names, exact conversion inside one dimension; none by analyte yet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows

TIME_DIMENSIONS = frozenset(("time", "calendar"))


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as a product of parts: `mg/dL` has the dimension `mass/volume`. `factor` leads to the dimension's base."""

    name: str
    dimension: str
    factor: Fraction


NO_UNIT = Unit("", "", Fraction(1))


@lru_cache(maxsize=1)
def _spellings() -> dict[str, Unit]:
    out: dict[str, Unit] = {}
    for name, dimension, factor, spellings in read_rows(FACTS, "units.tsv"):
        unit = Unit(name, dimension, Fraction(factor))
        for spelling in spellings.split("|"):
            out[spelling.removesuffix("*").casefold()] = unit
    return out


@lru_cache(maxsize=1)
def _cased() -> frozenset[str]:
    """Spellings that are units only as written: `m` is a metre, `M` is not."""
    rows = read_rows(FACTS, "units.tsv")
    return frozenset(s.removesuffix("*") for *_, spellings in rows for s in spellings.split("|") if s.endswith("*"))


@lru_cache(maxsize=1)
def unit_pattern() -> str:
    """A regular expression (ignoring case) for a unit, simple or a quotient such as `mcg/kg/min`."""
    cased = _cased()
    free = _spellings().keys() - {s.casefold() for s in cased} | {"µg", "µl", "µmol"}
    shown = {s: re.escape(s).replace(r"\ ", r"\s+") for s in free} | {s: f"(?-i:{re.escape(s)})" for s in cased}
    atoms = "|".join(shown[s] for s in sorted(shown, key=lambda s: (-len(s), s)))
    pace = r"\s(?:an?|(?:out\s)?of\s(?:the|each|every))\s(?:minute|hour|day|week|month|year)"
    return rf"(?:{atoms})(?![^\W_])(?:(?:\s?(?:/|\bper\b)\s?(?:{atoms})|{pace})(?![^\W_]))*"


@lru_cache(maxsize=2048)
def parse_unit(text: str) -> Unit:
    """The unit that a match of `unit_pattern` means; `NO_UNIT` for an empty text."""
    known = _spellings()
    folded = re.sub(r"\s+", " ", text).strip().casefold()
    if not folded:
        return NO_UNIT
    if folded in known:
        return known[folded]
    parts = [known.get(part.strip()) for part in re.split(r"/|\b(?:per|an?|(?:out )?of (?:the|each|every))\b", folded)]
    if any(part is None for part in parts):
        return Unit(folded, folded, Fraction(1))
    units = [part for part in parts if part is not None]
    factor = units[0].factor
    for unit in units[1:]:
        factor /= unit.factor
    return Unit("/".join(u.name for u in units), "/".join(u.dimension for u in units), factor)
