"""Who a source says its patient is, so that two sources that mean two people by one identifier are noticed.

Only compared: neither shown, nor searched, nor ever a reason to put records together.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]{2,}")
_SEXES = {"m": "male", "male": "male", "f": "female", "female": "female"}
_ISO = re.compile(r"(\d{4})-?(\d\d)?-?(\d\d)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Person:
    """Birth date as partial as the source, sex, and the words of the name in order; empty where nothing is said."""

    born: str = ""
    sex: str = ""
    name: str = ""

    @classmethod
    def of(cls, born: str, sex: str, *names: str) -> Person | None:
        """From what a source holds, in any case and order; None where it says nothing that can be compared.

        >>> Person.of("19500302", "M", "José", "SILVA da Costa")
        Person(born='1950-03-02', sex='male', name='costa da jose silva')
        """
        day = _ISO.match(born.strip())
        iso = "-".join(filter(None, day.groups())) if day and day[1] > "0000" else ""
        plain = unicodedata.normalize("NFKD", " ".join(names)).casefold()
        words = sorted(set(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))))
        found = cls(iso, _SEXES.get(sex.strip().lower(), ""), " ".join(words))
        return found if found != cls() else None

    def contradicts(self, other: Person) -> tuple[str, ...]:
        """Which of `born`, `sex` and `name` cannot be of one person; names do so if they share no word."""
        pairs = {
            "born": not (self.born.startswith(other.born) or other.born.startswith(self.born)),
            "sex": bool(self.sex and other.sex and self.sex != other.sex),
            "name": bool(self.name and other.name and not set(self.name.split()) & set(other.name.split())),
        }
        return tuple(field for field, differs in pairs.items() if differs)

    def completed(self, other: Person) -> Person:
        """What is said here first, and else what the other says."""
        return Person(self.born or other.born, self.sex or other.sex, self.name or other.name)
