"""Presence: whether a record says that something is there. Saying no, saying nothing and saying both differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

About = Literal[
    "thing", "allergy", "drug", "procedure", "test", "own_or_family",
    "side", "year", "reaction", "whose", "amount",
]  # fmt: skip
"""What is to be there: the thing, a reaction to it, its being taken, done or measured, or who it is that has it.

The last five ask for a value that does not change; they are answered so only where the record has several.
"""
PresenceStatus = Literal[
    "present", "denied", "not_mentioned", "conflicting", "family", "family_denied", "possible", "ruled_out",
    "historical", "planned", "other_sense", "unclear",
]  # fmt: skip
"""What the record says.

present: affirmed of the patient. denied: only denials. not_mentioned: no form of the words in any note. conflicting:
said and denied of what cannot be both. family, family_denied: of relatives only. possible: never more than suspected.
ruled_out: suspected, then denied. historical: only as over. planned: only as intended, offered or feared. other_sense:
the words are there, but never in the sense asked for (a drug that is named, yet nowhere as an allergy). unclear: the
rules cannot tell how it is meant.
"""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a statement of absence rests on.

    Attributes:
        forms: every spelling looked for, the asked one first.
        kinds: listed things that are a kind of the asked one, looked for as well.
        types: documents by note type, most frequent first; an empty name is of those without one.
        first, last: dates of the oldest and the newest dated document.
        undated: documents without a date.
        empty: documents without any text, such as scanned pages; nothing could be looked for in them.
    """

    forms: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    types: Mapping[str, int] = field(default_factory=dict)
    first: str | None = None
    last: str | None = None
    undated: int = 0
    empty: int = 0

    @property
    def documents(self) -> int:
        """How many were searched, those without text included."""
        return sum(self.types.values())

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "forms": list(self.forms), "kinds": list(self.kinds), "documents": self.documents,
            "types": dict(self.types),
            "first": self.first, "last": self.last, "undated": self.undated, "empty": self.empty,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """How often a record says something in one way: sentences, and the dates of the first and the last of them."""

    sentences: int
    first: str | None
    last: str | None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {"sentences": self.sentences, "first": self.first, "last": self.last}


@dataclass(frozen=True, slots=True)
class Wording:
    """The answer in words.

    Attributes:
        statement: in one sentence.
        remarks: what else a reader must know, each a sentence: what was searched, what else the record says.
    """

    statement: str
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {"statement": self.statement, "remarks": list(self.remarks)}


@dataclass(frozen=True, slots=True)
class Presence:
    """The answer to whether something is in a record.

    Attributes:
        thing: what was asked for, in the words of the question.
        day: the only day asked for, ISO; empty: any.
        said: by what the sentences say of it (the words of `PresenceStatus`; of a value that does not change the
            values), how often and when.
        whose: the relatives whom it is said of, as written.
        nearest: words of the thing that notes have, though never together; of a thing that is not mentioned.
        other_days: sentences of other days, where one was asked for and has none.
        by_kind: what is there is a kind of the thing asked for, not the thing by name.
        lang: of the question, `en` or `pt`.
        wordings: the answer in words, by language.
    """

    thing: str
    about: About
    status: PresenceStatus
    looked: Looked
    day: str = ""
    said: Mapping[str, Said] = field(default_factory=dict)
    whose: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    other_days: int = 0
    by_kind: bool = False
    lang: str = "en"
    wordings: Mapping[str, Wording] = field(default_factory=dict)

    def wording(self, lang: str) -> Wording:
        """The answer in words, in a language; in the question's own where there are none for it."""
        return self.wordings.get(lang) or self.wordings.get(self.lang) or Wording("", ())

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "thing": self.thing, "about": self.about, "status": self.status, "day": self.day or None,
            "said": {name: one.to_dict() for name, one in self.said.items()}, "whose": list(self.whose),
            "nearest": list(self.nearest), "other_days": self.other_days, "by_kind": self.by_kind,
            "searched": self.looked.to_dict(), "lang": self.lang, **self.wording(self.lang).to_dict(),
        }  # fmt: skip
