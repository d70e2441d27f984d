"""What the generator's steps hand on: a value, a fact, a rendered sentence, a finished item. All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Lang = Literal["en", "pt"]
Split = Literal["dev", "test"]


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a value, with its Portuguese gender and number (`m`, `f`, `mp`, `fp`; empty in English)."""

    text: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """What fills a slot.

    Attributes:
        type: what kind of thing it is (`drug`, `dose`, `date`).
        key: its identity; two values with the same key mean the same.
        forms: every way to write it, by name; `usual` is always there.
        number, unit: of a quantity.
        row: the line of the word list it comes from; other slots of the same fact are drawn to fit it.
    """

    type: str
    key: str
    forms: Mapping[str, Form]
    number: Decimal | None = None
    unit: str = ""
    row: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """A hidden truth: the slots of a shape, filled, in one of its variants (`present`, `absent`)."""

    shape: str
    variant: str
    slots: Mapping[str, Value]
    persona: Mapping[str, Value] = field(default_factory=dict)

    @property
    def all(self) -> dict[str, Value]:
        """Every value that a template may ask for."""
        return {**self.persona, **self.slots}


@dataclass(frozen=True, slots=True)
class Said:
    """A rendered sentence, the family of its template, which slots it states, and its text without the capital."""

    text: str
    family: str
    used: frozenset[str]
    raw: str


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence of an invented note."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One line of `claims.jsonl`. `sources` is the note's sentences, `citations` those that the claim cites."""

    id: str
    split: Split
    language: Lang
    kind: str
    supported: bool
    claim: str
    citations: tuple[str, ...]
    sources: tuple[Source, ...]
    family: str

    def row(self) -> dict[str, Any]:
        """As written."""
        return {
            "id": self.id, "split": self.split, "language": self.language, "kind": self.kind,
            "supported": self.supported, "claim": self.claim, "citations": list(self.citations),
            "sources": [{"id": s.id, "text": s.text} for s in self.sources], "family": self.family,
        }  # fmt: skip
