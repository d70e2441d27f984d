"""Typed access to FHIR's JSON: an absent field is empty, a field of the wrong type is named by its path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from chartcite.core.errors import CorruptSource, ReadError
from chartcite.readers.json_lines import type_name

T = TypeVar("T")
_MOST_DIGITS = 30


class WrittenNumber(float):
    """A decimal that remembers its digits: `5.80` is a more precise result than `5.8`."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, written: str) -> WrittenNumber:
        """From the digits in the source."""
        number = super().__new__(cls, written)
        number.written = written
        return number


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON object inside a resource; `path` is its place, as messages show it."""

    value: Mapping[str, object] = field(default_factory=dict)
    path: str = ""

    def __bool__(self) -> bool:
        return bool(self.value)

    def text(self, key: str) -> str:
        """A string field."""
        value = self.value.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _wrong(self._path(key), value, "a string")
        return value

    def node(self, key: str) -> Node:
        """An object field."""
        value = self.value.get(key)
        return Node({}, self._path(key)) if value is None else node_of(value, self._path(key))

    def nodes(self, key: str) -> list[Node]:
        """A list of objects."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise _wrong(self._path(key), value, "a list")
        return [node_of(item, f"{self._path(key)}[{n}]") for n, item in enumerate(value)]

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _wrong(self._path(key), value, "a list of strings")
        return list(value)

    def flag(self, key: str) -> bool | None:
        """A boolean field; None where it is absent, for absent is not false."""
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            raise _wrong(self._path(key), value, "true or false")
        return value

    def number(self, key: str) -> str:
        """A number in decimals, with the digits that the source has."""
        value = self.value.get(key)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | WrittenNumber):
            raise _wrong(self._path(key), value, "a number")
        written = value.written if isinstance(value, WrittenNumber) else str(value)
        decimal = f"{Decimal(written):f}" if "e" in written.lower() and abs(value) < 1e30 else written
        if len(decimal) > _MOST_DIGITS or "e" in decimal.lower():
            raise CorruptSource(f"{self._path(key)} has more than {_MOST_DIGITS} digits")
        return decimal

    def choice(self, name: str) -> str:
        """The key of a field that comes in several types (`value[x]`); empty without one.

        Raises:
            CorruptSource: it comes twice.
        """
        found = [key for key in self.value if key.startswith(name) and key[len(name) : len(name) + 1].isupper()]
        found = [key for key in found if self.value[key] is not None]
        if len(found) > 1:
            raise CorruptSource(f"{self._path(name)} is given in more than one type")
        return found[0] if found else ""

    def _path(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key


def node_of(value: object, path: str) -> Node:
    """The object at a path.

    Raises:
        CorruptSource: it is something else.
    """
    if not isinstance(value, dict):
        raise _wrong(path, value, "an object")
    return Node(value, path)


def lenient(asides: list[ReadError], take: Callable[[], T], default: T) -> T:
    """A field that only describes: when it is of the wrong type, the note is kept without it."""
    try:
        return take()
    except CorruptSource as error:
        asides.append(CorruptSource(f"{error.args[0]}; left out"))
        return default


def _wrong(path: str, value: object, expected: str) -> CorruptSource:
    return CorruptSource(f"{path} is {type_name(value)}; {expected} is expected")
