"""Templates: one family a line, read into a tree and rendered with a fact.

- `[a|b|]`: a free choice
- `<present:has|absent:has no>`: what depends on the fact's variant; `<a,b:text>` serves two
- `{slot}`, `{slot:form}`: a value, in a form by name
- `{slot.do}`, `{side@site}`: Portuguese, with its article; a word that agrees with another slot
- `{~slot}`: Portuguese, the ending o, a, os, as that agrees with a slot
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from chartcite.lab.planted_edits.model import Form, Value

_SLOT = re.compile(r"(?P<name>\w+)(?:\.(?P<article>\w+))?(?:@(?P<agree>\w+))?(?::(?P<form>\w+))?")
_ENDINGS = {"m": "o", "f": "a", "mp": "os", "fp": "as"}
_ARTICLES = {
    "o": ("o", "a", "os", "as"), "do": ("do", "da", "dos", "das"), "no": ("no", "na", "nos", "nas"),
    "ao": ("ao", "à", "aos", "às"), "pelo": ("pelo", "pela", "pelos", "pelas"), "um": ("um", "uma", "uns", "umas"),
}  # fmt: skip
_ORDER = ("m", "f", "mp", "fp")
_AN = re.compile(r"(?:[aeioAEIO8]|11\b|18\b|un(?!i)|ul|up|um|[FHLMNRSX][A-Z0-9]|HbA)")
_NOT_AN = re.compile(r"(?:one\b|once\b|eu)")
_KEEP = ("pH", "eGFR", "pO2")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value."""

    name: str
    article: str
    agree: str
    form: str


@dataclass(frozen=True, slots=True)
class Ending:
    """A Portuguese ending that agrees with a slot."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, numbered within the family, so that the same draw can be repeated for another fact."""

    number: int
    options: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """Alternatives by variant."""

    options: tuple[tuple[frozenset[str], tuple[Node, ...]], ...]


Node = str | Slot | Ending | Choice | Switch
Pick = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Template:
    """A template family: `shape.section.n` and its tree."""

    family: str
    section: str
    nodes: tuple[Node, ...]

    @property
    def ends_open(self) -> bool:
        """Whether it may end in an afterthought: with a choice before its full stop."""
        return any(isinstance(node, Choice) for node in self.nodes[-2:])

    def suits(self, variant: str) -> bool:
        """Whether it can be said of a fact in this variant."""
        return _suits(self.nodes, variant)


class _Reader:
    """Reads one line."""

    def __init__(self, line: str) -> None:
        self._line, self._at, self._choices = line, 0, 0

    def sequence(self, stop: str) -> tuple[Node, ...]:
        """Nodes up to one of the stop characters, which stays."""
        found: list[Node] = []
        while self._at < len(self._line) and self._line[self._at] not in stop:
            mark = self._line[self._at]
            if mark == "{":
                found.append(self._slot())
            elif mark == "[":
                found.append(self._choice())
            elif mark == "<":
                found.append(self._switch())
            else:
                found.append(mark)
                self._at += 1
        return tuple(found)

    def _slot(self) -> Node:
        end = self._line.index("}", self._at)
        inner, self._at = self._line[self._at + 1 : end], end + 1
        if inner.startswith("~"):
            return Ending(inner[1:])
        match = _SLOT.fullmatch(inner)
        if match is None:
            raise ValueError(f"not a slot: {inner}")
        return Slot(match["name"], match["article"] or "", match["agree"] or "", match["form"] or "")

    def _choice(self) -> Node:
        number, options = self._choices, []
        self._choices += 1
        while self._line[self._at] != "]":
            self._at += 1
            options.append(self.sequence("|]"))
        self._at += 1
        return Choice(number, tuple(options))

    def _switch(self) -> Node:
        options = []
        while self._line[self._at] != ">":
            self._at += 1
            colon = self._line.index(":", self._at)
            variants = frozenset(self._line[self._at : colon].split(","))
            self._at = colon + 1
            options.append((variants, self.sequence("|>")))
        self._at += 1
        return Switch(tuple(options))


def read(family: str, section: str, line: str) -> Template:
    """One line as a template."""
    return Template(family, section, _Reader(line).sequence(""))


def _suits(nodes: tuple[Node, ...], variant: str) -> bool:
    for node in nodes:
        if isinstance(node, Switch) and not any(variant in names for names, _ in node.options):
            return False
        if isinstance(node, Choice) and not all(_suits(option, variant) for option in node.options):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Filling:
    """What a template is rendered with: values, the variant, and forms that were chosen for some slots."""

    values: Mapping[str, Value]
    variant: str
    forms: Mapping[str, str]

    def form_of(self, name: str, asked: str = "") -> Form:
        """The form of a slot: the chosen one before the one the template asks for."""
        value, chosen = self.values[name], self.forms.get(name, "")
        for key in (f"{chosen}_{asked}" if asked else chosen, chosen, asked):
            if key and key in value.forms:
                return value.forms[key]
        return value.forms["usual"]


def render(template: Template, filling: Filling, pick: Pick) -> tuple[str, frozenset[str]]:
    """The sentence, without its capital, and the slots that it states.

    Args:
        template: one that suits the variant.
        filling: the values; a part that depends on the variant states the slot `variant`.
        pick: chooses an option, given the number of the choice and of its options.

    Raises:
        KeyError: the template asks for a slot that the fact has not.
    """
    used: set[str] = set()
    text = "".join(_walk(template.nodes, filling, pick, used))
    return _tidy(text), frozenset(used)


def _walk(nodes: tuple[Node, ...], filling: Filling, pick: Pick, used: set[str]) -> Iterator[str]:
    for node in nodes:
        match node:
            case str():
                yield node
            case Slot():
                used.add(node.name)
                yield _fill(node, filling)
            case Ending():
                yield _ENDINGS[filling.form_of(node.name).gender or "m"]
            case Choice():
                yield from _walk(node.options[pick(node.number, len(node.options))], filling, pick, used)
            case Switch():
                used.add("variant")
                inner = next(option for names, option in node.options if filling.variant in names)
                yield from _walk(inner, filling, pick, used)


def _fill(slot: Slot, filling: Filling) -> str:
    if slot.agree:
        gender = filling.form_of(slot.agree).gender or "m"
        chosen = filling.form_of(slot.name, slot.form)
        value = filling.values[slot.name]
        agreed = value.forms.get(gender)
        return agreed.text if agreed and not filling.forms.get(slot.name) and not slot.form else chosen.text
    form = filling.form_of(slot.name, slot.form)
    if not slot.article:
        return form.text
    return f"{_ARTICLES[slot.article][_ORDER.index(form.gender or 'm')]} {form.text}"


def _tidy(text: str) -> str:
    text = re.sub(r" {2,}", " ", text).strip()
    text = re.sub(r"\b([aA])\(n\) (?=(\S+))", _article, text)
    text = re.sub(r" +([,;.:])(?=\s|$)", r"\1", text)
    return text.replace("?.", "?").replace("..", ".").replace(".,", ",").replace(",.", ".")


def _article(found: re.Match[str]) -> str:
    vowel = bool(_AN.match(found[2])) and not _NOT_AN.match(found[2])
    return f"{found[1]}{'n' if vowel else ''} "


def capital(text: str) -> str:
    """With a capital, unless the first word keeps its own letters.

    >>> capital("chest pain."), capital("pH 7.31.")
    ('Chest pain.', 'pH 7.31.')
    """
    return text if text.startswith(_KEEP) else text[:1].upper() + text[1:]
