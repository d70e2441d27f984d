"""Every spelling under which a thing is looked for: synonyms, abbreviations, brands, kinds.

A thing of several words may be listed as a whole (`shortness of breath`: dyspnea) or by its words (`kidney biopsy`:
renal biopsy); either way its words may stand in any order. What is listed here is exactly what is searched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chartcite.cascade.focus import spellings
from chartcite.facts.drugs import combinations, generic_name, listed_classes, listed_drugs
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.tokens import fold

Analyse = Callable[[str], Sequence[str]]
_GROUPS = (
    "abbreviations.tsv",
    "abbreviations_cased.tsv",
    "brand_generic.tsv",
    "drug_names.tsv",
    "synonyms.tsv",
    "portuguese_short.tsv",
)
PRESENCE = "chartcite.cascade.presence.data"
_SMALL = word_set("of in the a an to on at with for and de do da dos das em no na nos nas com ao a o os as por")
_IDLE = word_set("disease disorder syndrome mellitus xl xr er sr cr la level levels nivel doenca order orders")
"""Words that a record often leaves out, behind what they belong to."""
_OF_TESTS = word_set("level levels test tests value values serum plasma nivel niveis dosagem teste")
_SHORT_CHARS = 3
_MOST_KINDS = 60


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling.

    Attributes:
        text: as listed.
        terms: its index terms; none of a stop word in capitals, which is looked for in every passage.
        exact: as it must be written, of a short one in capitals (`MI`); else empty.
        beside: words one of which must stand in the same sentence, of an abbreviation with several meanings.
        is_name: a drug or a measured thing: only the very term will do (creatine is no creatinine).
        is_asked: as the question has it: other endings of its words will do as well (`smoked`: smoker).
    """

    text: str
    terms: tuple[str, ...]
    exact: str = ""
    beside: tuple[str, ...] = ()
    is_name: bool = False
    is_asked: bool = False


Slot = tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """What is looked for: a text has the thing if it has one form of each slot of one of the patterns, close together.

    `kinds` are patterns of one slot each, of what is a kind of the thing.
    """

    patterns: tuple[tuple[Slot, ...], ...]
    kinds: Slot = ()
    is_listed: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """All spellings, the asked one first; of a thing listed by its words, those of each word."""
        return tuple(dict.fromkeys(form.text for slots in self.patterns for slot in slots for form in slot))


@dataclass(frozen=True, slots=True)
class Reading:
    """The forms of a thing as one language of the record has them in its index, and how a text is read in it."""

    forms: Forms
    analyse: Analyse


Named = Callable[[str], Sequence[str]]
"""What a word or phrase of the question is called in the other language of the record."""


def _nothing(_: str) -> Sequence[str]:
    return ()


def readings_of(
    thing: str, readings: Sequence[Analyse], *, is_test: bool = False, lang: str = "en", named: Named = _nothing
) -> list[Reading]:
    """The forms of a thing, read in each language of the record."""
    return [Reading(forms_of(thing, one, is_test=is_test, lang=lang, named=named), one) for one in readings]


def forms_of(
    thing: str, analyse: Analyse, *, is_test: bool = False, lang: str = "en", named: Named = _nothing
) -> Forms:
    """All forms of a thing; of a test that is listed as one, only its names as a test (PSA: no psoriasis)."""
    measured = " ".join(w for w in _words(thing) if fold(w) not in _OF_TESTS) if is_test else ""
    if is_test and _key(measured) in _measured_keys():
        names = [name for group in _measured() if _key(measured) in map(_key, group) for name in group]
        return Forms(((_distinct(_forms(dict.fromkeys([thing, *names]), analyse), ()),),), (), True)
    whole = (*_slot(thing, analyse, named), *(_capitals(thing, analyse) if lang == "pt" else ()))
    words = [w for w in _words(thing) if fold(w) not in _SMALL]
    slots = tuple(_slots(words, analyse, named))
    kept = tuple(slot for word, slot in slots if fold(word) not in _IDLE) or tuple(slot for _, slot in slots)
    if is_test:  # "lead level" is no synonym of "causes"
        kept = tuple(tuple(_forms([word], analyse, is_asked=True)) for word, _ in slots)
    patterns: list[tuple[Slot, ...]] = [(whole,)] if whole else []
    if len(words) > 1 and all(kept):
        patterns.append(kept)
    kinds = tuple(f for name in _kinds(thing) for f in _forms([name, *_others(name)], analyse))
    return Forms(tuple(patterns), _distinct(kinds, whole), len(whole) > 1)


def _capitals(thing: str, analyse: Analyse) -> Iterator[Form]:
    """Spellings in capitals that the index takes for stop words: HAS is hypertension, in Portuguese only."""
    for text in (thing, *_others(thing)):
        if text.isupper() and text in _cased() and not analyse(text):
            yield Form(text, (), text)


def _slots(words: Sequence[str], analyse: Analyse, named: Named) -> Iterator[tuple[str, Slot]]:
    """The words of a thing, listed ones of several words together, each with its forms."""
    i = 0
    while i < len(words):
        length = next(
            (n for n in range(min(4, len(words) - i), 1, -1) if n < len(words) and _others(" ".join(words[i : i + n]))),
            1,
        )
        spoken = " ".join(words[i : i + length])
        yield spoken, _slot(spoken, analyse, named)
        i += length


def _slot(spoken: str, analyse: Analyse, named: Named) -> Slot:
    others = _others(spoken)
    # That list is for finding and joins what is near (epilepsy, seizure): it fills only the gaps of our own.
    elsewhere = () if set(names := named(spoken)) & set(others) else names
    found = (*_forms([spoken], analyse, is_asked=True), *_forms((*others, *elsewhere), analyse))
    return _distinct((*found, *_ambiguous(spoken, analyse)), ())


def _forms(texts: Iterable[str], analyse: Analyse, *, is_asked: bool = False) -> Iterator[Form]:
    for text in texts:
        for written in (text, *(spellings(text) if text.isalpha() else ())):
            terms = tuple(analyse(written))
            is_short = len(written) <= _SHORT_CHARS and written.isupper() and written.isalpha()
            if terms:  # what is not searched (`AS`, a stop word) is not said to be
                exact = written if is_short or written in _cased() else ""
                yield Form(written, terms, exact, (), is_name(written), is_asked)


def _distinct(forms: Iterable[Form], without: Slot) -> Slot:
    known = {(f.terms, f.exact, f.beside) for f in without}
    out: list[Form] = []
    for form in forms:
        key = (form.terms, form.exact, form.beside)
        if key not in known:
            known.add(key)
            out.append(form)
    return tuple(out)


def _ambiguous(spoken: str, analyse: Analyse) -> Iterator[Form]:
    key = _key(spoken)
    for short, meanings, beside in read_rows(FACTS, "abbreviations_ambiguous.tsv"):
        if any(_key(one) == key for one in meanings.split("|")):
            yield Form(short, tuple(analyse(short)), short, tuple(beside.split("|")))


def _others(spoken: str) -> list[str]:
    """The other spellings of all groups that have this one."""
    key = _key(spoken)
    found = [entry for group in _groups().get(key, ()) for entry in group]
    found += [word for word, denied in read_rows(FACTS, "restated.tsv") if _key(denied) == key]  # afebrile, of fever
    return [entry for entry in dict.fromkeys(found) if entry != spoken]


def _kinds(thing: str) -> list[str]:
    """What is a kind of the thing: of an infection a pneumonia, of a statin atorvastatin, of codeine what holds it."""
    key = _key(thing)
    keys = {key, *(_key(other) for other in _others(thing))}
    found = [row[0] for row in read_rows(FACTS, "generalisations.tsv") if any(_key(g) in keys for g in row[1:])]
    classes = {name for name, one in listed_classes().items() if any(_key(s) in keys for s in one.spellings)}
    while more := {n for n, one in listed_classes().items() if n not in classes and classes & set(one.broader)}:
        classes |= more
    found += [name for name, own in listed_drugs().items() if classes & set(own)]
    generic = generic_name(thing)
    found += [name for name, parts in combinations().items() if generic and generic in parts]
    return list(dict.fromkeys(found))[:_MOST_KINDS]


@lru_cache(maxsize=1)
def _groups() -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    table: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    listed = (row for name in _GROUPS for row in read_rows(FACTS, name))
    for group in (*read_rows(PRESENCE, "names.tsv"), *listed, *_measured()):
        for key in dict.fromkeys(map(_key, group)):
            table.setdefault(key, []).append(group)
    return table


@lru_cache(maxsize=1)
def _cased() -> frozenset[str]:
    exact = {
        s.removesuffix("*")
        for row in read_rows(FACTS, "measurements.tsv")
        for s in row[3].split("|")
        if s.endswith("*")
    }
    return frozenset(row[0] for row in read_rows(FACTS, "abbreviations_cased.tsv")) | exact


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Whether a word is a listed drug or measured thing, which another ending would make another one."""
    return generic_name(text) is not None or _key(text) in _measured_keys()


@lru_cache(maxsize=1)
def _measured() -> tuple[tuple[str, ...], ...]:
    """The names of each measured thing."""
    rows = read_rows(FACTS, "measurements.tsv")
    return tuple(tuple(s.removesuffix("*") for s in (row[0], *row[3].split("|"))) for row in rows)


@lru_cache(maxsize=1)
def _measured_keys() -> frozenset[tuple[str, ...]]:
    return frozenset(_key(name) for group in _measured() for name in group)


@lru_cache(maxsize=4096)
def is_listed(text: str) -> bool:
    """Whether some list has a text as a name, in either language."""
    return is_name(text) or _key(text) in _groups() or _key(text) in _more_keys()


@lru_cache(maxsize=1)
def _more_keys() -> frozenset[tuple[str, ...]]:
    """What the lists of kinds, of symptoms in both languages and of classes of drugs have."""
    cells = [cell for row in read_rows(FACTS, "generalisations.tsv") for cell in row]
    cells += [name for row in read_rows(FACTS, "bilingual.tsv") for side in row for name in side.split("|")]
    cells += [spelling for one in listed_classes().values() for spelling in one.spellings]
    cells += [cell for row in read_rows(FACTS, "abbreviations_ambiguous.tsv") for cell in (row[0], *row[1].split("|"))]
    return frozenset(map(_key, cells)) - {()}


def _words(text: str) -> list[str]:
    return [w for w in re.split(r"[\s\-/,()]+", text) if w]


@lru_cache(maxsize=65536)
def _key(text: str) -> tuple[str, ...]:
    """Its words in any order, without plurals, small words, accents; a short one in capitals as written."""
    if len(text) <= _SHORT_CHARS and text.isupper() and text.isalpha():
        return (text,)
    words = [fold(w).removesuffix("'s") for w in _words(text)]
    return tuple(sorted(_singular(w) for w in words if w not in _SMALL))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
