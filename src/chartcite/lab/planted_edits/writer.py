"""Writing facts down: a family of the split, a rendering that can be repeated, a note around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits.draw import Bench, invent
from chartcite.lab.planted_edits.grammar import Filling, Template, capital, render
from chartcite.lab.planted_edits.lexicon import SPLITS
from chartcite.lab.planted_edits.model import Fact, Lang, Said, Split
from chartcite.lab.planted_edits.people import persona
from chartcite.lab.planted_edits.shapes import Shape, families, shapes
from chartcite.lab.planted_edits.wrong import same_substance

_NO_FORMS: Mapping[str, str] = {}
_JOINS = {"en": (", and ", "; ", ", while "), "pt": (", e ", "; ", ", enquanto ")}


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact with the sentence or two sentences of the note that state it."""

    shape: Shape
    fact: Fact
    templates: tuple[Template, ...]
    sentences: tuple[Said, ...]
    name: str

    @property
    def used(self) -> frozenset[str]:
        """The slots that its sentences state."""
        return frozenset().union(*(said.used for said in self.sentences))


class Writer:
    """Writes in one language with the words and families of one split."""

    def __init__(self, lang: Lang, split: Split, dice: Dice, name: str) -> None:
        self.lang, self.split, self.dice, self._name = lang, split, dice, name
        self.persona = persona(lang, split, dice)

    def bench(self) -> Bench:
        """For drawing slots."""
        return Bench(self.lang, self.split, self.dice)

    def fact(self, shape: Shape, variant: str) -> Fact:
        """A new fact about this patient."""
        return replace(invent(shape, variant, self.bench()), persona=self.persona)

    def choose(self, shape: str, variant: str, *sections: str) -> Template | None:
        """A family of one of the sections that suits the variant."""
        found = [t for s in sections for t in families(self.lang, shape, self.split, s) if t.suits(variant)]
        return self.dice.pick(found) if found else None

    def say(self, template: Template, fact: Fact, name: str, forms: Mapping[str, str] = _NO_FORMS) -> Said:
        """Render; the same template under the same name makes the same choices."""
        text, used = render(template, Filling(fact.all, fact.variant, forms), self._pick(template, name))
        return Said(capital(text), template.family, used - fact.persona.keys(), text)

    def tell(self, shape: Shape, variant: str, forms: Mapping[str, str] = _NO_FORMS, section: str = "evidence",
             fact: Fact | None = None) -> Telling | None:  # fmt: skip
        """A fact and its source sentences."""
        fact = fact or self.fact(shape, variant)
        wanted = [section, *(["second"] if families(self.lang, shape.name, self.split, "second") else [])]
        chosen = [t for s in wanted if (t := self.choose(shape.name, variant, s))]
        if len(chosen) < len(wanted):
            return None
        name = f"{self.dice.unit()}"
        said = tuple(self.say(t, fact, name, forms) for t in chosen)
        return Telling(shape, fact, tuple(chosen), said, name)

    def beside(self, told: Sequence[Telling], *, alike: bool = False) -> Telling:
        """A sentence of the same note that says nothing about the facts told; `alike`: in the first one's shape."""
        while True:
            shape = told[0].shape if alike else self.dice.pick(list(shapes().values()))
            if families(self.lang, shape.name, self.split, "second"):
                continue
            other = self.tell(shape, self.dice.pick(shape.variants))
            if other and all(_apart(one, other) for one in told):
                return other

    def joined(self, one: Said, two: Said) -> str:
        """Two claims as one sentence."""
        return one.text.rstrip(".") + self.dice.pick(_JOINS[self.lang]) + two.raw

    def added(self, claim: str, shape: str) -> str | None:
        """The claim with a detail that no source states."""
        details = details_of(self.lang, self.split).get(shape, ())
        return claim.rstrip(".") + self.dice.pick(details) + "." if details else None

    def _pick(self, template: Template, name: str) -> Callable[[int, int], int]:
        return lambda number, options: Dice(self._name, template.family, name, number).between(0, options - 1)


def _apart(one: Telling, two: Telling) -> bool:
    """Whether neither can bear on the other: another cluster, or the same form of sentence about another thing."""
    if one.shape.cluster != two.shape.cluster:
        return True
    heads = [t.fact.slots[t.shape.head] for t in (one, two)]
    if one.shape.name != two.shape.name or one.shape.name == "findings_list":
        return False
    return heads[0].key != heads[1].key and not same_substance(heads[0], heads[1])


@cache
def details_of(lang: Lang, split: Split) -> Mapping[str, tuple[str, ...]]:
    """Details to add, by shape."""
    text = (files("chartcite.lab.planted_edits") / "data" / lang / "added.txt").read_text("utf-8")
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        if line.startswith("== "):
            names, number = line[3:].split(), 0
        elif line.strip() and not line.startswith("#"):
            if SPLITS[number % 2] == split:
                for name in names:
                    found.setdefault(name, []).append(line.rstrip())
            number += 1
    return {name: tuple(lines) for name, lines in found.items()}
