"""What the doors say, in the reader's language: English stands in the code, other languages in one table each.

A text is looked up as it stands in the code, names in braces included (`The {place} holds no answer.`). What lower
rooms say of themselves (errors, reasons, checks) comes with its values filled in already: `told` finds the text that
it was made from. A text without a translation is shown in English, never left out; tests see to it that there is none.
JSON, names of fallbacks, settings and commands are the same in every language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

Language = Literal["en", "pt"]
LANGUAGES: tuple[Language, ...] = ("en", "pt")
OutputLanguage = Literal["auto", "en", "pt"]
_GAP = re.compile(r"\{(\d*)\}")


@dataclass(frozen=True, slots=True)
class Table:
    """One language's words.

    Attributes:
        text: of each English text its translation, with the same names in braces.
        nouns: of each English noun its singular and plural.
        told: of each text of a lower room, `{}` for each value in it, its translation; `{1}` is the second value.
    """

    text: Mapping[str, str]
    nouns: Mapping[str, tuple[str, str]]
    told: Mapping[str, str]


@lru_cache(maxsize=4)
def table(lang: Language) -> Table:
    """The words of a language; none for English, which stands in the code."""
    text: dict[str, str] = {}
    nouns: dict[str, tuple[str, str]] = {}
    told: dict[str, str] = {}
    folder = files("chartcite.app.words").joinpath(lang)
    for name in ("text.toml", "told.toml", "page.toml") if lang != "en" else ():
        data = tomllib.loads(folder.joinpath(name).read_text("utf-8"))
        text |= data.get("text", {})
        nouns |= {one: (forms[0], forms[1]) for one, forms in data.get("nouns", {}).items()}
        told |= data.get("told", {})
    return Table(text, nouns, told)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language.

    >>> Words("pt").plural(2, "document"), Words("en").plural(1_200, "passage")
    ('2 documentos', '1,200 passages')
    """

    lang: Language = "en"

    def __call__(self, text: str, **values: object) -> str:
        """A text of ours with its values; without values braces stay as they are."""
        said = table(self.lang).text.get(text, text)
        return said.format(**values) if values else said

    def number(self, count: int) -> str:
        """`1,200`, or `1.200` in Portuguese."""
        return f"{count:,}" if self.lang == "en" else f"{count:,}".replace(",", ".")

    def decimal(self, number: float) -> str:
        """`1,200.5`, or `1.200,5` in Portuguese."""
        said = f"{number:,.1f}"
        return said if self.lang == "en" else said.translate(str.maketrans(",.", ".,"))

    def noun(self, one: str, count: int = 1, many: str = "") -> str:
        """A noun for a count."""
        forms = table(self.lang).nouns.get(one) or (one, many or f"{one}s")
        return forms[0] if count == 1 else forms[1]

    def plural(self, count: int, one: str, many: str = "") -> str:
        """`1 passage`, `1,200 passages`; `many` is the English plural where it is another."""
        return f"{self.number(count)} {self.noun(one, count, many)}"

    def told(self, said: str) -> str:
        """What a lower room said in English, or a sentence made of it since; as it is where it is not known."""
        found = table(self.lang).told
        if not found or not said:
            return said
        if said in found:
            return found[said]
        text = said.removesuffix(".")  # lines of the ledger begin with a capital and end with a full stop
        forms = {said: "", _small(said): "", text: said[len(text) :], _small(text): said[len(text) :]}
        for form, stop in forms.items():
            if form in found:
                return _like(said, found[form] + stop)
        for pattern, translation in _patterns(self.lang):
            for form, stop in forms.items():
                match = pattern.fullmatch(form)
                if match:
                    return _like(said, self._filled(translation, match.groups()) + stop)
        return said

    def _filled(self, translation: str, values: tuple[str, ...]) -> str:
        order = iter(range(len(values)))

        def value(gap: re.Match[str]) -> str:
            return self.told(values[int(gap[1]) if gap[1] else next(order)])

        return _GAP.sub(value, translation)


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _like(said: str, translation: str) -> str:
    """With a capital where the English has one."""
    return translation[:1].upper() + translation[1:] if said[:1].isupper() else translation


@lru_cache(maxsize=4)
def _patterns(lang: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Texts with gaps as patterns, those that say most first: what fills a gap at an end may be a text of its own.

    A gap counts as six letters (chosen by hand): `{}, {} dimensions, {}` goes before `{}-dimension token vectors`, and
    `pictures, left out: {}` before `{}, left out: {}`.
    """
    with_gaps = [(text, said) for text, said in table(lang).told.items() if "{}" in text]
    with_gaps.sort(key=lambda pair: (-len(pair[0].replace("{}", 6 * "_")), pair[0]))
    return tuple(
        (re.compile("(.*?)".join(map(re.escape, text.split("{}"))), re.DOTALL), said) for text, said in with_gaps
    )


ENGLISH = Words("en")
