"""What is said of presence in words, in the language of the question: one statement, and what it rests on.

The words stand in `data/LANG.toml`. Dates stay ISO, as everywhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from chartcite.core.presence import Presence, Said, Wording

LANGUAGES = ("en", "pt")
MOST_KINDS = 12
"""Names of kinds in words; `looked.kinds` has all of them."""
_NOBODY = Said(0, None, None)


def wording(presence: Presence, lang: str) -> Wording:
    """Statement and remarks in a language."""
    own = replace(presence, lang=lang)
    return Wording(statement(own), tuple(remarks(own)))


def statement(presence: Presence) -> str:
    """The answer in one sentence."""
    words, looked = _words(presence.lang), presence.looked
    if presence.about in _OF_VALUES:
        return _several(presence, words)
    own = words.get(presence.about, {}).get(presence.status) or words["status"][presence.status]
    said = _said(presence, presence.status)
    yes, no = _said(presence, "present"), _said(presence, "denied")
    if presence.status == "conflicting" and not yes.sentences:
        yes = _said(presence, "historical")
    units = words["units"]
    text = own.format(
        thing=presence.thing, when=_when(said, presence.lang), sentences=_count(said.sentences, "sentence", units),
        have=units["have_one" if (yes if presence.status == "conflicting" else said).sentences == 1 else "have"],
        say=units["say_one" if (no if presence.status == "conflicting" else said).sentences == 1 else "say"],
        notes=_count(looked.documents, "note", units), names=_count(len(looked.forms), "name", units),
        range=units["range"].format(first=looked.first, last=looked.last) if looked.first else "",
        whose=_whose(presence), yes=_count(yes.sentences, "sentence", units),
        no=_count(no.sentences, "sentence", units), yes_when=_when(yes, presence.lang),
        no_when=_when(no, presence.lang),
    )  # fmt: skip
    return words["more"]["on_day"].format(day=presence.day) + text[0].lower() + text[1:] if presence.day else text


_OF_VALUES = ("side", "year", "reaction", "whose", "amount")


def _several(presence: Presence, words: Mapping[str, Mapping[str, str]]) -> str:
    """The versions of a value that does not change, with their days."""
    units = words["units"]
    each = (
        f"{value}: {_count(said.sentences, 'sentence', units)}{_when(said, presence.lang)}"
        for value, said in presence.said.items()
    )
    return words["more"]["several"].format(thing=presence.thing, versions="; ".join(each))


def remarks(presence: Presence) -> Iterator[str]:
    """What else a reader must know: other words of the record, and of a thing that is not there what was searched."""
    words = _words(presence.lang)
    more, units = words["more"], words["units"]
    if presence.status in ("present", "historical"):
        yield from _otherwise(presence, more, units)
    if presence.by_kind:
        yield more["by_kind"].format(thing=presence.thing)
    if presence.other_days:
        have = units["have_one" if presence.other_days == 1 else "have"]
        yield more["other_days"].format(sentences=_count(presence.other_days, "sentence", units), have=have)
    if presence.status in ("not_mentioned", "other_sense"):
        yield from _searched(presence, more, units)


def _otherwise(presence: Presence, more: Mapping[str, str], units: Mapping[str, str]) -> Iterator[str]:
    there, no = _said(presence, presence.status), _said(presence, "denied")
    if no.sentences:
        name = "denied_too"
        if no.first and there.last and no.first > there.last:
            name = "denied_later"
        elif no.last and there.first and no.last < there.first:
            name = "denied_before"
        yield more[name].format(sentences=_count(no.sentences, "sentence", units), when=_when(no, presence.lang))
    ended = _said(presence, "historical")
    if presence.about == "drug" and presence.status == "present" and (ended.last or "") >= (there.last or "9"):
        yield more["ended_later"].format(
            sentences=_count(ended.sentences, "sentence", units), when=_when(ended, presence.lang)
        )
    if presence.about == "drug" and presence.status == "historical" and (taken := _said(presence, "present")).sentences:
        yield more["taken_before"].format(
            sentences=_count(taken.sentences, "sentence", units), when=_when(taken, presence.lang)
        )
    if presence.about == "own_or_family" and presence.whose:
        yield more["of_relatives_too"].format(whose=_whose(presence))


def _searched(presence: Presence, more: Mapping[str, str], units: Mapping[str, str]) -> Iterator[str]:
    looked = presence.looked
    if presence.nearest:
        yield more["nearest"].format(words=", ".join(presence.nearest))
    yield more["names"].format(words=", ".join(looked.forms))
    if looked.kinds:
        left = len(looked.kinds) - MOST_KINDS
        yield more["kinds"].format(words=", ".join(looked.kinds[:MOST_KINDS]) + (f" … (+{left})" if left > 0 else ""))
    if looked.types and set(looked.types) != {""}:
        counts = (f"{name or units['note']} {count:,}" for name, count in looked.types.items())
        yield more["types"].format(words=", ".join(counts))
    if looked.undated:
        have = units["have_one" if looked.undated == 1 else "have"]
        yield more["undated"].format(notes=_count(looked.undated, "note", units), have=have)
    if looked.empty:
        yield more["empty"].format(notes=_count(looked.empty, "note", units))


def _said(presence: Presence, status: str) -> Said:
    return presence.said.get(status, _NOBODY)


def _when(said: Said, lang: str) -> str:
    if not said.first:
        return ""
    units = _words(lang)["units"]
    return units["on" if said.first == said.last else "between"].format(first=said.first, last=said.last)


def _whose(presence: Presence) -> str:
    return _words(presence.lang)["units"]["whose"].format(words=", ".join(presence.whose)) if presence.whose else ""


def _count(n: int, unit: str, units: Mapping[str, str]) -> str:
    return f"{n:,} {units[unit if n == 1 else f'{unit}s']}"


@lru_cache(maxsize=2)
def _words(lang: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("chartcite.cascade.presence").joinpath(f"data/{lang}.toml").read_text("utf-8"))
