"""Scope: the one partition a read may touch. There is no way to say 'everything'."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from chartcite.core.errors import InvalidScope

_MAX_CHARS = 200


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """One patient or one named collection. Names are compared code point by code point.

    Raises:
        InvalidScope: the name is blank, padded, too long, or holds control or format characters
            (which would make two different names look alike).
    """

    kind: Literal["patient", "collection"]
    name: str

    def __post_init__(self) -> None:
        if self.kind not in ("patient", "collection"):
            raise InvalidScope("A scope is a patient or a collection.", "Use --patient ID or --collection NAME.")
        if not isinstance(self.name, str) or not self.name.strip():
            raise InvalidScope(f"The {self.kind} name is empty.", f"Give --{self.kind} a name.")
        if self.name != self.name.strip() or len(self.name) > _MAX_CHARS:
            raise InvalidScope(
                f"The {self.kind} name starts or ends with white space, or is longer than {_MAX_CHARS} characters.",
                "Use the identifier exactly as the source has it.",
            )
        if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in self.name):
            raise InvalidScope(f"The {self.kind} name holds invisible characters.", "Remove them from the identifier.")

    @classmethod
    def patient(cls, name: str) -> Scope:
        """The partition of one patient."""
        return cls("patient", name)

    @classmethod
    def collection(cls, name: str) -> Scope:
        """The partition of one named collection of documents."""
        return cls("collection", name)

    def to_dict(self) -> dict[str, str]:
        """`{"patient": "p1"}` or `{"collection": "guidelines"}`."""
        return {self.kind: self.name}
