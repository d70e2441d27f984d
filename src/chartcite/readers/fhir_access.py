"""Typed access to FHIR's JSON: an absent field is empty, a field of the wrong type is named by its path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from chartcite.core.errors import CorruptSource, ReadError
from chartcite.readers.json_lines import type_name

T = TypeVar("T")


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
