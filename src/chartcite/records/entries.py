"""What a timeline is made of: values, each of one day, and the sentences that state them.

A number is as it was written; a converted one stands beside it and says so. Nothing here is merged that differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

Standing = Literal["stated", "retold", "corrected", "correction"]
"""`retold`: only notes of a later day say so. `corrected`: put right by another entry. `correction`: that one."""
DayBasis = Literal["document", "admission", "operation", "discharge"]
Flag = Literal["", "high", "low", "critical", "abnormal"]


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence that states an entry; a citation in the making.

    Attributes:
        key: the store's number of the document.
        sentence: its number in the document.
        start, end: its span in the document's text; `sha256` is that of the whole text.
        quote: that slice as it is seen.
        stored: the slice itself where it holds characters that nobody sees, else empty.
        written: ISO date of the document, empty without one.
        status: of the document where it is not the final one (`preliminary`, `superseded`), else empty.
        ocr_confidence: of its least sure word, 0 to 1, where it was read from an image; else None.
    """

    key: int
    doc_id: str
    sentence: int
    start: int
    end: int
    written: str
    note_type: str = ""
    quote: str = ""
    sha256: str = ""
    status: str = ""
    stored: str = ""
    ocr_confidence: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "doc_id": self.doc_id, "sentence": self.sentence, "start": self.start, "end": self.end,
            "quote": self.stored or self.quote, "written": self.written or None, "note_type": self.note_type,
            "sha256": self.sha256,
            **({"status": self.status} if self.status else {}),
            **({"ocr_confidence": self.ocr_confidence} if self.ocr_confidence is not None else {}),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rests:
    """On what the day of an entry rests whose sentence does not name it.

    Attributes:
        basis: the day of the document, or an event.
        said: the words that are counted (`POD#1`), a slice of the entry's sentence.
        source: what states the day of the event; None for the document's own day.
        offset: the days from the event's.
    """

    basis: DayBasis
    said: str
    source: Source | None = None
    offset: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "basis": self.basis, "said": self.said, "source": self.source.to_dict() if self.source else None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit. `low == high` unless it is a range; a pressure has systolic and diastolic.

    `unit` is a UCUM-like name (`facts/data/units.tsv`), empty where none is written.
    """

    low: Fraction
    high: Fraction
    unit: str = ""
    comparator: str = ""
    is_pair: bool = False

    @property
    def number(self) -> float:
        """The number to draw: of a pressure the systolic, of a range the middle."""
        return float(self.low if self.is_pair else (self.low + self.high) / 2)

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; numbers as decimal strings, so that no digit is made up."""
        return {"value": self.digits, "comparator": self.comparator or None, "unit": self.unit or None}

    @property
    def digits(self) -> str:
        """The number in decimals: `1.9`, `120/80`, `10-20`."""
        if self.is_pair or self.high != self.low:
            return f"{shown(self.low)}{'/' if self.is_pair else '-'}{shown(self.high)}"
        return shown(self.low)

    def __str__(self) -> str:
        return f"{self.comparator}{self.digits} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Value:
    """One result of one day.

    Attributes:
        analyte: canonical name (`facts/data/measurements.tsv`).
        day: ISO date, that of the specimen or reading where the record names it.
        amount: as written.
        text: the number and what follows it, as written: a slice of the first source's document.
        converted: the same in the series' unit, where it was written in another; None where nothing was converted or
            the units cannot be.
        flag: as printed.
        reference: the reference range as written, or empty.
        sources: what states it, the earliest written first.
        rests: on what the day rests, where no sentence that states it names it and it is not simply the note's.
    """

    analyte: str
    day: str
    amount: Amount
    text: str
    sources: tuple[Source, ...]
    standing: Standing = "stated"
    converted: Amount | None = None
    flag: Flag = ""
    reference: str = ""
    rests: Rests | None = None

    @property
    def counts(self) -> bool:
        """Whether it holds: it was not put right by another."""
        return self.standing != "corrected"

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "day": self.day, **self.amount.to_dict(), "text": self.text, "standing": self.standing,
            "converted": self.converted.to_dict() if self.converted else None, "flag": self.flag or None,
            "reference": self.reference or None, "sources": [source.to_dict() for source in self.sources],
            **({"rests": self.rests.to_dict()} if self.rests else {}),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Series:
    """All results of one analyte, oldest first.

    `unit` is the one that most are written in, of two the one that more convert into; `units` counts every one.
    `unit_conflict`: some cannot be converted
    into it. A number that was written without a unit is in no conflict, and gets none.
    """

    analyte: str
    unit: str
    units: tuple[tuple[str, int], ...]
    unit_conflict: bool
    values: tuple[Value, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "analyte": self.analyte, "unit": self.unit or None, "units": dict(self.units),
            "unit_conflict": self.unit_conflict, "values": [value.to_dict() for value in self.values],
        }  # fmt: skip


def shown(number: Fraction) -> str:
    """A number in decimals, without a point that says nothing.

    >>> shown(Fraction("0.70")), shown(Fraction(12)), shown(Fraction(1, 3))
    ('0.7', '12', '0.3333')
    """
    return f"{float(number):.4f}".rstrip("0").rstrip(".") if number.denominator > 1 else str(number.numerator)
