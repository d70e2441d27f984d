"""Who is in the data set: sizes, languages, splits, twins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Person, Split
from chartcite.lab.longchart.lexicon import Lang, load

Sex = Literal["F", "M"]
_SIZES = (800, 790, 430, 330, 280, 240, 210, 180, 160, 150, 130, 120, 110, 100, 90, 80, 72, 64, 58, 52)


@dataclass(frozen=True, slots=True)
class Role:
    """A person, how many notes are wanted, and what decides the outline (shared by twins)."""

    person: Person
    size: int
    shape: str
    age: int


def cast_roles(patients: int, seed: int, language_mix: Mapping[str, float], scale: float = 1.0) -> list[Role]:
    """Everybody. Neighbours form twin pairs in the middle of the list; splits alternate by pair and by single.

    `language_mix`: share of patients by language; `scale`: multiplies all sizes (tests use small records).
    """
    portuguese = round(patients * language_mix.get("pt", 0.0) / max(1e-9, sum(language_mix.values())))
    english = patients - portuguese
    return _roles("en", english, seed, scale) + _roles("pt", portuguese, seed, scale)


def _roles(lang: Lang, count: int, seed: int, scale: float) -> list[Role]:
    sizes = _sizes(count, lang)
    pairs = _pairs(count, lang)
    roles: list[Role] = []
    filled = {"test": 0, "dev": 0}
    number, turn = 0, 0
    while number < count:
        members = [number, number + 1] if number in pairs else [number]
        split: Split = "test" if filled["test"] <= filled["dev"] else "dev"
        filled[split] += len(members)
        sex: Sex = "F" if turn // 2 % 2 == (seed % 2) else "M"
        turn += 1
        size = min(sizes[m] for m in members)
        for member in members:
            roles.append(_role(lang, member, members, size, seed, split, sex, pairs.get(number, -1), scale))
        number += len(members)
    return roles


def _sizes(count: int, lang: Lang) -> list[int]:
    if lang == "pt":
        return [150, 120, 70, 56, 90, 60][:count] + [60] * max(0, count - 6)
    step = max(1, len(_SIZES) // max(1, count)) if count < len(_SIZES) // 2 else 1
    listed = list(_SIZES[::step])
    return (listed + [70] * count)[:count]


def _pairs(count: int, lang: Lang) -> dict[int, int]:
    if lang == "pt":
        return {0: 0} if count >= 2 else {}
    starts = [s for s in (3, 8, 13) if s + 1 < count] or ([0] if count >= 2 else [])
    return {start: index for index, start in enumerate(starts)}


def _role(
    lang: Lang, member: int, members: list[int], size: int, seed: int, split: Split, sex: Sex, pair: int, scale: float
) -> Role:
    dice = Dice(seed, lang, member, "person")
    table = load("people.toml")[lang]
    shape_name = f"{lang}{members[0]}"
    shape = Dice(seed, shape_name, "who")
    nominal = date(1938, 1, 1) + timedelta(days=shape.between(0, 8800))
    born = nominal + timedelta(days=dice.between(-300, 300))
    first = Dice(seed, lang, "women" if sex == "F" else "men").shuffled(table["women" if sex == "F" else "men"])
    last = Dice(seed, lang, "surnames").shuffled(table["surnames"])
    name = f"{first[member % len(first)]} {last[member % len(last)]}"
    twin = ""
    if len(members) == 2:
        pairs = table["twin_women" if sex == "F" else "twin_men"]
        name = pairs[pair % len(pairs)][members.index(member)]
        other = members[1] if member == members[0] else members[0]
        twin = f"lc-{lang}-{other + 1:02d}"
    person = Person(
        f"lc-{lang}-{member + 1:02d}", name, sex, born, lang, split,
        dice.pick(table["jobs"]), dice.pick(table["homes"]), dice.pick(table["hospitals"]), twin,
    )  # fmt: skip
    # Twins are of the same middling size, so that their records hold the same kinds of notes.
    return Role(person, max(12, round(size * scale)), shape_name, 2010 - nominal.year)
