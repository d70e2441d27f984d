"""Words that narrow nothing: a question whose other words are all among these asks for what the rules think it does.

Any word that is in no list (`her husband's`, `for blood pressure`, `target`, `not`) leaves a question to the ranking.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=64)
def plain(*lists: str) -> frozenset[str]:
    """The words of some lists (`value`, `dose`), of those that they name, and of `always`.

    Raises:
        KeyError: there is no list of that name.
    """
    data, found, todo = _data(), set[str](), ["always", *lists]
    while todo:
        row = data[todo.pop()]
        found.update(row["words"].split())
        todo += row.get("with", [])
    return frozenset(found)


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("chartcite.cascade.over_time").joinpath("data/plain.toml").read_text("utf-8"))
