"""Tables made of the word lists beforehand, so that no process has to read 20,000 spellings at its start.

`scripts/compile_lists.py` writes them. They are used only where they were made of exactly the lists and the code that
are installed; else each module builds its tables from the lists, which takes longer and says the same.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.resources
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

FILE = "compiled.json.gz"
_FOLDERS = ("facts/data", "verification/data")
# All code that decides what stands in the tables. The test that compares the file with tables made anew finds a gap.
_MODULES = (
    "facts/drugs.py", "facts/entailment.py", "facts/language.py", "facts/lexicon.py", "facts/portuguese.py",
    "facts/tokens.py",
    "verification/compiled.py", "verification/concepts.py", "verification/derivation.py", "verification/exclusive.py",
    "verification/kinds.py", "verification/paraphrases.py", "verification/stems.py",
)  # fmt: skip

T = TypeVar("T")

Packed = dict[str, dict[str, str]]
"""Tables by name, all values as text."""


class Table(Protocol[T]):
    """What is looked up by one key: a dictionary, or an `Unpacking` one."""

    def get(self, key: str, default: T, /) -> T:
        """The value, or the default."""

    def __contains__(self, key: object, /) -> bool: ...


class Unpacking(Generic[T]):
    """A table whose values are read when they are first asked for: a process asks for few of them.

    Args:
        packed: the values as text.
        unpack: reads one.
    """

    def __init__(self, packed: Mapping[str, str], unpack: Callable[[str], T]) -> None:
        self._packed = packed
        self._unpack = unpack
        self._known: dict[str, T] = {}

    def get(self, key: str, default: T, /) -> T:
        """The value, or the default."""
        if key not in self._packed:
            return default
        if key not in self._known:
            self._known[key] = self._unpack(self._packed[key])
        return self._known[key]

    def __contains__(self, key: object, /) -> bool:
        return key in self._packed


def pack_keys(keys: Iterable[str]) -> str:
    """A set of keys as text.

    >>> unpack_keys(pack_keys({"syn:1", "ent:blood thinner"})) == {"ent:blood thinner", "syn:1"}
    True
    """
    return "\t".join(sorted(keys))


def unpack_keys(text: str) -> frozenset[str]:
    """The set of keys that `pack_keys` wrote."""
    return frozenset(text.split("\t"))


def pack_table(table: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """A table of sets of keys as text; an empty set is as good as none."""
    return {key: pack_keys(keys) for key, keys in table.items() if keys}


@lru_cache(maxsize=1)
def read_tables() -> Packed | None:
    """The compiled tables, or nothing where there are none that fit the lists and the code."""
    try:
        raw = importlib.resources.files("chartcite.verification.data").joinpath(FILE).read_bytes()
        read = json.loads(gzip.decompress(raw))
        tables: Packed = read["tables"]
        return tables if read["digest"] == digest() else None
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        # Without the file, or with a damaged one, the lists are still there.
        return None


def digest() -> str:
    """Of the contents of all lists, and of the code that makes tables of them."""
    root = importlib.resources.files("chartcite")
    found = {
        f"{folder}/{file.name}": file.read_bytes()
        for folder in _FOLDERS
        for file in root.joinpath(folder).iterdir()
        if file.name.endswith(".tsv")
    }
    found |= {name: root.joinpath(name).read_bytes() for name in _MODULES}
    whole = hashlib.sha256()
    for name in sorted(found):
        whole.update(f"{name}\n{len(found[name])}\n".encode())
        whole.update(found[name])
    return whole.hexdigest()


def write_tables(tables: Packed) -> bytes:
    """The content of the file: the same bytes for the same tables."""
    text = json.dumps({"digest": digest(), "tables": tables}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)
