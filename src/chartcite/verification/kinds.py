"""What sort of thing a word names, where things of one sort are easily exchanged: drugs, parts of the body, relatives."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.verification.concepts import name_keys

Kind = Literal["drug", "site", "relative"]

_RELATIVES = (
    "father|dad", "mother|mom|mum", "brother|brothers", "sister|sisters", "son|sons", "daughter|daughters", "grandfather",
    "grandmother", "grandparent", "aunt", "uncle", "cousin", "nephew", "niece", "wife", "husband", "spouse", "partner",
    "sibling|siblings", "parents|parent", "pai", "mãe", "irmão", "irmã", "avô", "avó", "filho", "filha", "tio", "tia",
)  # fmt: skip


@lru_cache(maxsize=1)
def _kinds() -> dict[str, frozenset[Kind]]:
    table: dict[str, set[Kind]] = {}
    for kind, names in (("drug", _drugs()), ("site", _sites()), ("relative", _relatives())):
        for name in names:
            for key in name_keys(name):
                table.setdefault(key, set()).add(kind)  # type: ignore[arg-type]
    return {key: frozenset(found) for key, found in table.items()}


def _drugs() -> list[str]:
    return [row[0] for row in read_rows(FACTS, "drugs.tsv")] + [row[0] for row in read_rows(FACTS, "brand_generic.tsv")]


def _sites() -> list[str]:
    return [name for row in read_rows(FACTS, "body_parts.tsv") for name in row if name not in ("anterior", "posterior")]


def _relatives() -> list[str]:
    return [name for names in _RELATIVES for name in names.split("|")]


def kinds(keys: frozenset[str]) -> frozenset[Kind]:
    """The sorts of a word with these keys; empty for most."""
    table = _kinds()
    return frozenset[Kind]().union(*(table.get(key, frozenset()) for key in keys))
