"""Words that exclude each other: up and down, started and stopped, mild and severe, oral and intravenous."""

from __future__ import annotations

from functools import lru_cache

from chartcite.facts.lexicon import read_rows
from chartcite.verification import compiled
from chartcite.verification.compiled import Packed, Table, Unpacking, pack_keys, unpack_keys
from chartcite.verification.concepts import DATA, name_keys

Member = tuple[int, int]
"""Number of a set, number of the member in it."""


@lru_cache(maxsize=1)
def _members() -> Table[frozenset[Member]]:
    packed = compiled.read_tables()
    return _built() if packed is None else Unpacking(packed["members"], _unpack)


def _unpack(text: str) -> frozenset[Member]:
    pairs = (pair.split(".") for pair in unpack_keys(text))
    return frozenset((int(n), int(m)) for n, m in pairs)


def pack_members() -> Packed:
    """The table of this module as text."""
    return {"members": {key: pack_keys(f"{n}.{m}" for n, m in found) for key, found in _built().items()}}


def _built() -> dict[str, frozenset[Member]]:
    table: dict[str, set[Member]] = {}
    for n, row in enumerate(read_rows(DATA, "opposites.tsv")):
        for m, spellings in enumerate(row):
            for spelling in spellings.split("|"):
                for key in name_keys(spelling):
                    table.setdefault(key, set()).add((n, m))
    return {key: frozenset(found) for key, found in table.items()}


@lru_cache(maxsize=16384)
def members(keys: frozenset[str]) -> frozenset[Member]:
    """Which sets a word with these keys belongs to, and as which member."""
    table = _members()
    return frozenset[Member]().union(*(table.get(key, frozenset()) for key in keys))


def exclude(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two words say things that cannot both be meant."""
    ones, others = members(first), members(second)
    return any(n == k and m != j for n, m in ones for k, j in others) and not ones & others


@lru_cache(maxsize=16384)
def member_keys(keys: frozenset[str]) -> frozenset[str]:
    """One key for each membership: members are spelled in many ways that mean the same."""
    return frozenset(f"={n}.{m}" for n, m in members(keys))


def complements(keys: frozenset[str]) -> frozenset[str]:
    """Keys of what a denial of this word asserts, where there are only two possibilities: not negative is positive."""
    sizes = _sizes()
    return frozenset(f"={n}.{1 - m}" for n, m in members(keys) if sizes[n] == 2)


def others(keys: frozenset[str]) -> frozenset[str]:
    """Keys of what, when asserted, denies this word: what is slow is not fast."""
    sizes = _sizes()
    return frozenset(f"={n}.{k}" for n, m in members(keys) for k in range(sizes[n]) if k != m)


@lru_cache(maxsize=1)
def _sizes() -> tuple[int, ...]:
    return tuple(len(row) for row in read_rows(DATA, "opposites.tsv"))
