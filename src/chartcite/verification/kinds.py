"""What sort of thing a word names, where things of one sort are easily exchanged: drugs, sites, relatives."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from chartcite.facts.drugs import brand_rows, listed_drugs
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.verification import compiled
from chartcite.verification.analysis import Word
from chartcite.verification.compiled import Packed, Table, Unpacking, pack_table, unpack_keys
from chartcite.verification.concepts import DATA, name_keys

Kind = Literal["drug", "site", "relative"]


@lru_cache(maxsize=1)
def _kinds() -> Table[frozenset[Kind]]:
    packed = compiled.read_tables()
    return _built() if packed is None else Unpacking(packed["kinds"], unpack_keys)  # type: ignore[arg-type]


def pack_kinds() -> Packed:
    """The table of this module as text."""
    return {"kinds": pack_table(_built())}


def _built() -> dict[str, frozenset[Kind]]:
    table: dict[str, set[Kind]] = {}
    listed = [(kind, name) for kind, names in read_rows(DATA, "names.tsv") for name in names.split("|")]
    for kind, name in (*(("drug", name) for name in _drugs()), *(("site", name) for name in _sites()), *listed):
        for key in name_keys(name):
            table.setdefault(key, set()).add(kind)  # type: ignore[arg-type]
    return {key: frozenset(found) for key, found in table.items()}


_DIRECTIONS = word_set("anterior posterior lateral medial lower upper middle side sided superior inferior back")


def _drugs() -> list[str]:
    return [*listed_drugs(), *(generic for generic, *_ in brand_rows())]


def _sites() -> list[str]:
    return [name for row in read_rows(FACTS, "body_parts.tsv") for name in row if name not in _DIRECTIONS]


def kinds_of(word: Word) -> frozenset[Kind]:
    """The sorts of a word; of a phrase those that all its words share (`coronary artery`)."""
    found = kinds(word.keys)
    if found or not word.parts:
        return found
    return frozenset[Kind].intersection(*(kinds(part) for part in word.parts))


@lru_cache(maxsize=16384)
def kinds(keys: frozenset[str]) -> frozenset[Kind]:
    """The sorts of a word with these keys; empty for most."""
    table = _kinds()
    return frozenset[Kind]().union(*(table.get(key, frozenset()) for key in keys))
