"""A sentence of a claim as the smallest things that a computation is made of: numbers, names, days, words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from chartcite.core.documents import Span
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import Line, overlap, read_line, without
from chartcite.facts.measurements import find_names
from chartcite.facts.numerals import last_digit, read_number
from chartcite.facts.quantities import Quantity
from chartcite.facts.tokens import MARKS, fold, tokenise
from chartcite.facts.units import parse_unit
from chartcite.verification.computed.words import CLASSES, FACTORS, HEDGES

Kind = Literal["value", "date", "span", "count", "frequency", "analyte", "drug", "factor", "word", "mark", "other"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One of them. `start` and `end` count in the sentence.

    Attributes:
        text: folded, of words and marks.
        quantity: of numbers and dates.
        name: of an analyte or a drug, its canonical name; of a word, its class in `words`, or empty.
        factor: how many times as much, with its hedge; below 1 for a part.
        units: in which an analyte is usually given.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    quantity: Quantity = field(default=Quantity(Span(0, 0), "value"))
    name: str = ""
    factor: Fraction = Fraction(0)
    units: tuple[str, ...] = ()


_KINDS: dict[str, Kind] = {
    "value": "value", "pressure": "value", "date": "date", "duration": "span", "count": "count",
    "frequency": "frequency",
}  # fmt: skip
_FOLD = re.compile(
    r"(?<![\w.,])(?P<n>\d+(?:[.,]\d+)?)(?:[\s-]?fold\b|\s+(?:times|vezes)\s+(?:as\s+(?:high|much|low)|higher|greater|"
    r"larger|more|lower|maior|mais\s+alt[oa])(?:\s+(?:as|than|que|do\s+que)\b)?|\s?x\s+(?:higher|greater)\b)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s*(?:percent|per\s+cent|por\s+cento)\b", re.IGNORECASE)


def read_atoms(text: str) -> tuple[Atom, ...]:
    """The atoms of a sentence, in order, without overlaps."""
    line = read_line(text)
    names = [(match.span, match.values[0]) for match in find_names(line)]
    drugs = [(drug.span, drug.name) for drug in find_drugs(line)]
    line = without(line, [span for span, _ in (*names, *drugs)])
    found = list(_folds(text))
    found += _free((_of_quantity(text, q) for q in line.quantities), found)
    # The longer name wins: potassium chloride is a drug, and potassium alone a result.
    named = [Atom("analyte", s.start, s.end, name=one.name, units=one.units) for s, one in names]
    named += [Atom("drug", s.start, s.end, name=name) for s, name in drugs]
    for atom in sorted(named, key=lambda a: (a.start - a.end, a.kind)):
        found += _free([atom], found)
    found += _free(_words(line), found)
    return tuple(sorted(found, key=lambda atom: atom.start))


def _free(atoms: Iterator[Atom] | Sequence[Atom], taken: Sequence[Atom]) -> list[Atom]:
    spans = [Span(atom.start, atom.end) for atom in taken]
    return [atom for atom in atoms if not any(overlap(Span(atom.start, atom.end), span) for span in spans)]


def _folds(text: str) -> Iterator[Atom]:
    for found in _FOLD.finditer(text):
        number = read_number(found["n"].replace(",", "."))
        if number:
            quantity = Quantity(Span(*found.span()), "value", number, number, step=last_digit(found["n"]))
            yield Atom("factor", *found.span(), quantity=quantity, factor=number)


def _of_quantity(text: str, quantity: Quantity) -> Atom:
    end = quantity.span.end
    if quantity.kind == "ordinal" and quantity.low == 1:
        return Atom("word", quantity.span.start, end, fold(text[quantity.span.start : end]), name="first")
    if quantity.kind == "value" and not quantity.unit.name and (percent := _PERCENT.match(text, end)):
        quantity = replace(quantity, unit=parse_unit("%"))
        end = percent.end()
    return Atom(_KINDS.get(quantity.kind, "other"), quantity.span.start, end, quantity=quantity)


def _words(line: Line) -> Iterator[Atom]:
    last = ""
    for token in tokenise(line.text):
        if token.is_mark or token.text in MARKS:
            yield Atom("mark", token.start, token.end, token.text)
        elif token.text in FACTORS:
            times = FACTORS[token.text]
            factor = Fraction(times) if times > 0 else Fraction(1, -times)
            yield Atom("factor", token.start, token.end, token.text, name=HEDGES.get(last, ""), factor=factor)
        else:
            yield Atom("word", token.start, token.end, token.text, name=CLASSES.get(token.text, ""))
        last = token.text
