"""The concepts of the fictional world, read from `data/*.toml`. Independent of every lexicon of the product."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Lang = Literal["en", "pt"]
Table = Mapping[str, Any]


@cache
def load(name: str) -> dict[str, Any]:
    """One data file."""
    return tomllib.loads((files("chartcite.lab.longchart") / "data" / name).read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Unit:
    """A way to report an analyte: `value * factor + shift`, rounded to `digits`; `ref` is the printed range."""

    unit: str
    factor: float
    digits: int
    ref: str
    shift: float = 0.0

    def show(self, home: float) -> str:
        """The value, given in the home unit, as this unit prints it.

        >>> Unit("umol/L", 88.4, 0, "53-106").show(1.0)
        '88'
        """
        return f"{home * self.factor + self.shift:.{self.digits}f}"


def units_of(analyte: str, lang: Lang) -> list[Unit]:
    """The units in which a country's laboratories report it, home laboratory first."""
    table = load("analytes.toml")[analyte]
    return [Unit(**row) for row in table.get(f"units_{lang}", table["units"])]


def names(kind: str, key: str, lang: Lang) -> list[str]:
    """Every listed name of a concept; the first is the usual one.

    `kind`: analyte, drug, condition, symptom, procedure, excluded, course, or a table of the pool.
    """
    table = _entry(kind, key)
    given = table.get(lang, key.replace("_", " "))
    found = [given] if isinstance(given, str) else list(given)
    extra = table.get("brands", []) if kind == "drug" else []
    short = table.get("short", []) if kind == "analyte" and lang == "en" else []
    return list(dict.fromkeys([*found, *short, *extra]))


def name(kind: str, key: str, lang: Lang) -> str:
    """The usual name."""
    return names(kind, key, lang)[0]


def _entry(kind: str, key: str) -> Table:
    entry: Table
    match kind:
        case "analyte" | "drug" | "condition" | "symptom" | "procedure":
            entry = load(f"{kind}s.toml")[key]
        case "excluded":
            entry = load("causes.toml")["excluded"][key]
        case "course":
            entry = load("causes.toml")["courses"][key]
        case "cause":
            entry = load("causes.toml")[key]
        case _:
            entry = load("pool.toml")[kind.removeprefix("pool_")][key]
    return entry


def causes() -> dict[str, Table]:
    """Reasons for admission by key."""
    return {key: row for key, row in load("causes.toml").items() if key not in ("excluded", "courses")}


def drug_table(key: str) -> Table:
    """A drug of the ladder file, or a course given in hospital in the same form."""
    row: Table = load("drugs.toml").get(key) or load("causes.toml")["courses"][key]
    return row


def drug_name(key: str, lang: Lang) -> str:
    """The generic name of a drug or course."""
    return drug_names(key, lang)[0]


def drug_names(key: str, lang: Lang) -> list[str]:
    """Generic name, then brands."""
    return names("drug" if key in load("drugs.toml") else "course", key, lang)
