"""The words that questions and messages are made of, by language; the lists lie in `data/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from chartcite.facts.tokens import fold


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns are matched on text in lower case, but for `named`; Portuguese ones take words without their accents.

    Attributes:
        latest, first, absence, number: what kind of answer is asked for.
        preamble: what stands before the question proper.
        courtesy: a whole sentence that is greeting, thanks or signature.
        request: how a sentence that asks begins or what it holds.
        opening: the first word of a question.
        vague: a whole question that names nothing: `Can you help me?`
        named: a person's name before a verb; `name` is the group.
        topic: what stands right before the thing a message is about: `diagnosed with`, `suffering from`.
        intent: beginnings of the words that say what is wanted of a topic: treatment, cause, dose.
        generic: words that any question may have and no answer needs; folded, as are those of the next two.
        everyday: words that any story may have beside them.
        negations: words that turn what they stand before.
    """

    latest: re.Pattern[str]
    first: re.Pattern[str]
    absence: re.Pattern[str]
    number: re.Pattern[str]
    preamble: re.Pattern[str]
    courtesy: re.Pattern[str]
    request: re.Pattern[str]
    opening: re.Pattern[str]
    vague: re.Pattern[str]
    named: re.Pattern[str]
    topic: re.Pattern[str]
    intent: re.Pattern[str]
    generic: frozenset[str]
    everyday: frozenset[str]
    negations: frozenset[str]


_ACCENTED = "àáâãçéêíóôõú"


def _without_accents_too(pattern: str) -> str:
    """The pattern that takes a letter without its accent as well: `[úu]ltim[oa]`; inside brackets too."""
    out, is_class = "", False
    for letter in pattern:
        is_class = letter == "[" or (is_class and letter != "]")
        pair = letter + fold(letter) if letter in _ACCENTED else letter
        out += pair if is_class or len(pair) == 1 else f"[{pair}]"
    return out


@lru_cache(maxsize=4)
def load_cues(language: str) -> Cues:
    """The lists of one language, `en` or `pt`."""
    path = files("chartcite.cascade.interpret").joinpath(f"data/{language}.toml")
    data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))

    def made(pattern: str, flags: int = 0) -> re.Pattern[str]:
        return re.compile(_without_accents_too(pattern) if language == "pt" else pattern, flags)

    def words(names: Sequence[str], patterns: Sequence[str] = ()) -> re.Pattern[str]:
        return made("|".join([rf"\b{re.escape(w)}\b" for w in names] + list(patterns)))

    return Cues(
        latest=words(data["latest"], data["latest_patterns"]),
        first=words(data["first"], data["first_patterns"]),
        absence=words([], data["absence_patterns"]),
        number=words(data["number"] + data["when"]),
        preamble=made(rf"^(?:{'|'.join(data['preamble_patterns'])})", re.IGNORECASE),
        courtesy=made(rf"(?:(?:{'|'.join(data['courtesy_patterns'])})[\s.,!]*)+"),
        request=made("|".join(data["request_patterns"])),
        opening=made(rf"(?:{'|'.join(data['opening_words'])})\b"),
        vague=made(rf"(?:{'|'.join(data['vague_patterns'])})[\s.?!]*"),
        named=re.compile(data["named_pattern"]),
        topic=made(rf"\b(?:{'|'.join(data['topic_patterns'])})\s+(?:(?:{'|'.join(data['articles'])})\s+)*"),
        intent=made(rf"(?:{'|'.join(data['intent_stems'])})"),
        generic=frozenset(map(fold, data["generic"])),
        everyday=frozenset(map(fold, data["everyday"])),
        negations=frozenset(map(fold, data["negations"])),
    )
