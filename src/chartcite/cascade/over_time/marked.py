"""A question with what it names put into classes: `how much did the THING change between DAY and DAY`.

Rules over such a text need not know dates, drugs or measured things; each class can be read back as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from chartcite.cascade.statements import wanted
from chartcite.core.documents import Span
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names
from chartcite.facts.quantities import Quantity
from chartcite.records.days import days

Class = Literal["THING", "DRUG", "DAY", "PERIOD", "LIMIT", ""]
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")
_MONTHS = (
    "january february march april may june july august september october november december",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
)
_MONTH_NUMBERS = {
    name[: 3 + 9 * whole]: n for row in _MONTHS for n, name in enumerate(row.split(), 1) for whole in (0, 1)
}
_PERIOD = re.compile(
    rf"\b(?:(?P<month>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\.?\s+(?:de\s+|of\s+)?)?"
    r"(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)",
    re.IGNORECASE,
)

_IN_THE = re.compile(
    r"(?:Na|No)\s+(?!mais\b|atual\b|em\b)[^\W\d_]+.*\b(?:qual|quais|quanto|quanta|quantos|que|era|foi|estava|deu)\b"
)
"""`Na primeira dosagem, quanto era`: Portuguese for `in the`, not sodium."""
_HYDROXY = re.compile(r"\b25\W{0,2}\(?(?:OH|hidroxi|hydroxy)\)?\W{0,2}\Z", re.IGNORECASE)
_DOSE = re.compile(r"\b(?:dos(?:es?|ages?|agem)|how much|strength|posologia|quanto)\b", re.IGNORECASE)
_URINE = re.compile(r"\b(?:urine|urinary)\s+\Z", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:unfractionated)\s+\Z", re.IGNORECASE)
_RELEASE = re.compile(r"\s+(?:ER|XL|XR|SR|CR|LA|CD|EC|IR|DR)\b")
_SIGN = re.compile(r"[<>≤≥]?\s?=?\s?\d")
_AREA = re.compile(r"\s*/\s*1[.,]73\s*m(?:2|²|\^2)?")
"""Of the filtration rate."""


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a question names.

    Attributes:
        span: where it stands in the question.
        text: as written there.
        of: canonical names of a thing or drug; the ISO day or period, alone.
        quantity: of a limit.
    """

    kind: Class
    span: Span
    text: str
    of: frozenset[str] = frozenset()
    quantity: Quantity | None = None

    @property
    def iso(self) -> str:
        """Of a day or period."""
        return next(iter(self.of))


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case, a sign, or the class of what is named, at a place of `Marked.text`."""

    at: int
    text: str
    start: int
    end: int
    named: Named | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """The tokens of a question, and the text that they make, one space between two."""

    question: str
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """What the rules read."""
        return " ".join(token.text for token in self.tokens)

    def written(self, start: int, end: int) -> str:
        """A part of `text` as the question has it."""
        inside = self._inside(start, end)
        return self.question[inside[0].start : inside[-1].end] if inside else ""

    def without(self, start: int, end: int) -> Marked:
        """The question without a part of `text`."""
        gone = {id(token) for token in self._inside(start, end)}
        return of_tokens(self.question, [token for token in self.tokens if id(token) not in gone])

    def of(self, kind: Class) -> tuple[Named, ...]:
        """What is named of a class, in order."""
        return tuple(t.named for t in self.tokens if t.named is not None and t.named.kind == kind)

    def words(self) -> frozenset[str]:
        """The words that name nothing of a class."""
        return frozenset(t.text for t in self.tokens if t.named is None and t.text[0].isalnum())

    def _inside(self, start: int, end: int) -> list[Token]:
        return [t for t in self.tokens if t.at < end and start < t.at + len(t.text)]


def of_tokens(question: str, tokens: list[Token]) -> Marked:
    """Tokens with their places in the text that they make."""
    placed, at = [], 0
    for t in tokens:
        placed.append(Token(at, t.text, t.start, t.end, t.named))
        at += len(t.text) + 1
    return Marked(question, tuple(placed))


def marked(question: str, today: str) -> Marked:
    """A question put into classes.

    Args:
        question: one sentence.
        today: the last day that counts, for dates without a year.
    """
    named: list[Named] = []
    for one in _named(question, today):
        if not any(overlap(one.span, other.span) for other in named):
            named.append(one)
    named.sort(key=lambda one: one.span)
    tokens: list[Token] = []
    edges = [Span(0, 0), *(one.span for one in named), Span(len(question), len(question))]
    for (before, after), behind in zip(pairwise(edges), [*named, None], strict=True):
        for found in _TOKEN.finditer(question, before.end, after.start):
            tokens.append(Token(0, found[0].lower(), found.start(), found.end()))
        if behind is not None:
            tokens.append(Token(0, behind.kind, behind.span.start, behind.span.end, behind))
    return of_tokens(question, tokens)


def _named(question: str, today: str) -> Iterator[Named]:
    """All that may be named, the surest first."""
    for day in days(question, today):
        yield Named("DAY", Span(day.start, day.end), question[day.start : day.end], frozenset([day.iso]))
    line, want = read_line(question), wanted(question)
    measured, drugs = find_names(line), find_drugs(line)
    if not _DOSE.search(question) and any(not any(overlap(m.span, d.span) for m in measured) for d in drugs):
        both = {d.name for d in drugs if any(overlap(m.span, d.span) for m in measured)}
        analytes = frozenset(value.name for m in measured for value in m.values)
        want = replace(want, analytes=analytes, drugs=want.drugs - both)  # `the TSH after he started taking metoprolol`
    for match in measured:
        names = frozenset(value.name for value in match.values)
        if names & want.analytes and not (match.span.start == 0 and _IN_THE.match(question)):
            of_urine = any(name.startswith("urine") for name in names)
            ahead = (_URINE if of_urine else _HYDROXY).search(question[: match.span.start])
            span = Span(ahead.start(), match.span.end) if ahead else match.span
            yield Named("THING", span, question[slice(*span)], names)
    for drug in drugs:
        if drug.name in want.drugs:
            ahead, behind = _WHOLE.search(question[: drug.span.start]), _RELEASE.match(question, drug.span.end)
            span = Span(ahead.start() if ahead else drug.span.start, behind.end() if behind else drug.span.end)
            yield Named("DRUG", span, question[slice(*span)], frozenset([drug.name]))
    for found in _PERIOD.finditer(question):
        month = f"-{_MONTH_NUMBERS[found['month'].lower()]:02}" if found["month"] else ""
        yield Named("PERIOD", Span(*found.span()), found[0], frozenset([found["year"] + month]))
    for quantity in line.quantities:
        if quantity.kind == "value" and not quantity.is_word:
            end = _AREA.match(question, quantity.span.end)
            sign = _SIGN.search(question, quantity.span.start)  # `above 40 U/L` begins at the number
            start = sign.start() if sign else quantity.span.start
            span = Span(start, end.end() if end else quantity.span.end)
            yield Named("LIMIT", span, question[slice(*span)], frozenset(), quantity)
