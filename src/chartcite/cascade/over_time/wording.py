"""Wording: a computed sentence from its parts, with the place behind each value where its citation belongs.

The words stand in `data/LANG.toml`, one file a language; nothing here knows how a result was come by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from string import Formatter

from chartcite.records.entries import Source, shown

Language = str
"""`en` or `pt`."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A part of a sentence and the sentences of the record that bear it out."""

    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A computed sentence.

    Attributes:
        sources: each once, in the order of the text.
        places: (offset in `text`, place in `sources`) of what bears out the words that end there.
    """

    text: str
    sources: tuple[Source, ...]
    places: tuple[tuple[int, int], ...]


Part = str | Cited | Sequence[Cited]


def say(lang: Language, form: str, **parts: Part) -> Said:
    """The sentence of a form (`rose`, `order`), those of its parts that it has put in; it begins with a capital.

    Raises:
        KeyError: the wording file has no such form, or a part is missing.
    """
    text, sources, places = "", dict[Source, int](), list[tuple[int, int]]()
    for before, name, _, _ in Formatter().parse(words(lang)[form]):
        text += before
        for separator, part in _listed(parts[name]) if name else ():
            text += separator + (part if isinstance(part, str) else part.text)
            for source in () if isinstance(part, str) else part.sources:
                places.append((len(text), sources.setdefault(source, len(sources))))
    return Said(capital(text), tuple(sources), tuple(dict.fromkeys(places)))


def _listed(part: Part) -> Iterator[tuple[str, str | Cited]]:
    if isinstance(part, str | Cited):
        yield "", part
        return
    for n, one in enumerate(part):
        yield ", " if n else "", one


def at_day(lang: Language, value: str, day: str, sources: Sequence[Source]) -> Cited:
    """`1.9 mg/dL (2019-01-10)`."""
    return Cited(words(lang)["point"].format(value=value, day=day), tuple(sources))


def phrase(lang: Language, form: str, **parts: str) -> str:
    """A part of a sentence: `in 2013`, `3 days`."""
    return words(lang)[form].format(**parts)


def counted(lang: Language, what: str, n: int) -> str:
    """`1 day`, `3 times`; `what` is `day` or `time`."""
    return phrase(lang, f"{what}_{'1' if n == 1 else 'n'}", n=str(n))


def number(lang: Language, value: Fraction) -> str:
    """A number in decimals, as the language writes them.

    >>> number("en", Fraction("0.80")), number("pt", Fraction("0.8"))
    ('0.8', '0,8')
    """
    return shown(value).replace(".", ",") if lang == "pt" else shown(value)


def bare(lang: Language, name: str) -> str:
    """A name without the article before it."""
    for article in words(lang)["articles"].split("|"):
        if name.startswith(article):
            return name[len(article) :]
    return name


def capital(text: str) -> str:
    """The text with a capital at its head; `pH` and `eGFR` stay as they are."""
    first = text.split(maxsplit=1)[0] if text else ""
    return text if any(c.isupper() for c in first[1:]) else text[:1].upper() + text[1:]


@lru_cache(maxsize=2)
def words(lang: Language) -> Mapping[str, str]:
    """The wording file of a language."""
    return tomllib.loads(files("chartcite.cascade.over_time").joinpath(f"data/{lang}.toml").read_text("utf-8"))
