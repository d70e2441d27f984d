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
    """Patterns are matched on text in lower case, but for `named`, which needs capitals.

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


@lru_cache(maxsize=4)
def load_cues(language: str) -> Cues:
    """The lists of one language, `en` or `pt`."""
    path = files("chartcite.cascade.interpret").joinpath(f"data/{language}.toml")
    data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))

    def words(names: Sequence[str], patterns: Sequence[str] = ()) -> re.Pattern[str]:
        return re.compile("|".join([rf"\b{re.escape(w)}\b" for w in names] + list(patterns)))

    return Cues(
        latest=words(data["latest"], data["latest_patterns"]),
        first=words(data["first"], data["first_patterns"]),
        absence=words([], data["absence_patterns"]),
        number=words(data["number"] + data["when"]),
        preamble=re.compile(rf"^(?:{'|'.join(data['preamble_patterns'])})", re.IGNORECASE),
        courtesy=re.compile(rf"(?:(?:{'|'.join(data['courtesy_patterns'])})[\s.,!]*)+"),
        request=re.compile("|".join(data["request_patterns"])),
        opening=re.compile(rf"(?:{'|'.join(data['opening_words'])})\b"),
        vague=re.compile(rf"(?:{'|'.join(data['vague_patterns'])})[\s.?!]*"),
        named=re.compile(data["named_pattern"]),
        topic=re.compile(rf"\b(?:{'|'.join(data['topic_patterns'])})\s+(?:(?:{'|'.join(data['articles'])})\s+)*"),
        intent=re.compile(rf"(?:{'|'.join(data['intent_stems'])})"),
        generic=frozenset(map(fold, data["generic"])),
        everyday=frozenset(map(fold, data["everyday"])),
        negations=frozenset(map(fold, data["negations"])),
    )
