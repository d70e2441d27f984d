"""Options as given: letters, sorts (`none of the above`, `yes`, ...), and what makes them no options at all."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from string import ascii_uppercase
from typing import get_args

from chartcite.core.choice import Option, OptionSort
from chartcite.core.errors import InvalidOptions
from chartcite.facts.tokens import fold

MOST_OPTIONS = len(ascii_uppercase)
MAX_OPTION_CHARS = 1_000
_LETTER = re.compile(r"[A-Za-z0-9]{1,3}")
_MARKS = re.compile(r"[\s.,;:!()\[\]\"'’“”]+")


def read_options(given: Sequence[str] | Mapping[str, str]) -> tuple[Option, ...]:
    """The options with their letters; a sequence gets `A`, `B`, ...

    Raises:
        InvalidOptions: fewer than two, more than 26, blank, too long, two that say the same, or a letter that is none.
    """
    pairs = list(given.items()) if isinstance(given, Mapping) else list(zip(ascii_uppercase, given, strict=False))
    if not 2 <= len(given) <= MOST_OPTIONS:
        raise InvalidOptions(
            f"{len(given)} options were given.", f"A question has between 2 and {MOST_OPTIONS} of them."
        )
    options = tuple(Option(letter.strip().upper(), " ".join(text.split()), _sort(text)) for letter, text in pairs)
    for option in options:
        if not _LETTER.fullmatch(option.letter):
            raise InvalidOptions("The name of an option is no letter.", "Give options as A=..., B=..., C=....")
        if not any(char.isalnum() for char in option.text) or len(option.text) > MAX_OPTION_CHARS:
            raise InvalidOptions(
                f"Option {option.letter} is empty or longer than {MAX_OPTION_CHARS} characters.", "Give it a text."
            )
    if len({o.letter for o in options}) < len(options):
        raise InvalidOptions("Two options have the same letter.", "Name each option once.")
    seen: dict[str, str] = {}
    for option in options:
        same = option.sort if option.sort != "content" else _folded(option.text)
        if same in seen:
            raise InvalidOptions(f"Options {seen[same]} and {option.letter} say the same.", "Leave one of them out.")
        seen[same] = option.letter
    return options


def _sort(text: str) -> OptionSort:
    words = _folded(text)
    return next((sort for sort, patterns in _sorts() if any(p.fullmatch(words) for p in patterns)), "content")


@lru_cache(maxsize=1)
def _sorts() -> tuple[tuple[OptionSort, tuple[re.Pattern[str], ...]], ...]:
    table = tomllib.loads(files("chartcite.cascade.choose").joinpath("data/sorts.toml").read_text("utf-8"))
    return tuple((name, tuple(map(re.compile, table[name]))) for name in get_args(OptionSort) if name != "content")


def _folded(text: str) -> str:
    """Case, accents and marks off, a decimal point kept.

    >>> _folded(" Não é possível  responder. "), _folded("2.5 mg")
    ('nao e possivel responder', '2.5 mg')
    """
    kept = re.sub(r"(?<=\d)([.,])(?=\d)", lambda mark: "\x00" if mark[1] == "." else "\x01", fold(text.casefold()))
    return _MARKS.sub(" ", kept).strip().replace("\x00", ".").replace("\x01", ",")
