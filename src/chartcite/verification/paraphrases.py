"""Phrases found by their words, in any order and with gaps: `the gallbladder was taken out` is a cholecystectomy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.verification import compiled
from chartcite.verification.analysis import Word
from chartcite.verification.compiled import Packed, Table, Unpacking
from chartcite.verification.concepts import (
    DATA,
    denies,
    entailed_key,
    generals,
    hidden_stems,
    kind_rows,
    name_keys,
    phrase_stems,
    stem_keys,
)
from chartcite.verification.derivation import family
from chartcite.verification.stems import stem

_REACH = 3
"""How many words may stand between those of a phrase."""
_SILENT = frozenset(stem(word) for word in ("a", "an", "the", "of", "to", "his", "her", "their", "is", "was", "be"))
_PARTICLES = word_set("on off up down out in by with for over under")

Index = Mapping[str, Sequence[Word]]


class Spelling(NamedTuple):
    """A phrase: for each of its words the keys that may stand for it, the group that it names, and the words."""

    parts: tuple[frozenset[str], ...]
    key: str
    words: tuple[str, ...]


class _Table(NamedTuple):
    by_anchor: Table[Sequence[Spelling]]
    by_key: Table[Sequence[Spelling]]
    specifics: Table[Sequence[Spelling]]


@lru_cache(maxsize=16384)
def _part(word: str) -> frozenset[str]:
    if word in _PARTICLES:
        return frozenset((word,))
    return stem_keys(word, word) | family(word)


def _spelling(text: str, key: str) -> Spelling | None:
    stems = tuple(s for s in phrase_stems(text) if s not in _SILENT)
    if len(stems) < 2 or denies(text):
        return None
    return Spelling(tuple(map(_part, stems)), key, stems)


def _groups() -> Iterator[tuple[Iterable[str], str]]:
    for name in ("abbreviations.tsv", "synonyms.tsv"):
        for n, group in enumerate(read_rows(FACTS, name)):
            yield group, f"{name[:3]}:{n}"
    for n, group in enumerate(read_rows(DATA, "paraphrases.tsv")):
        yield group, f"par:{n}"
    for n, group in enumerate(read_rows(FACTS, "abbreviations_cased.tsv")):
        yield group[1:], f"cas:{n}"
    for n, row in enumerate(read_rows(FACTS, "abbreviations_ambiguous.tsv")):
        yield row[1].split("|"), f"amb:{n}"
    for name in dict.fromkeys(name for _, names in kind_rows() for name in names):
        yield (name,), entailed_key(name)


@lru_cache(maxsize=1)
def _table() -> _Table:
    packed = compiled.read_tables()
    if packed is None:
        return _Table(*_built())
    spellings = Unpacking[Spelling | None](packed["spellings"], _unpack)

    def listed(numbers: str) -> tuple[Spelling, ...]:
        return tuple(s for n in numbers.split(" ") if (s := spellings.get(n, None)) is not None)

    return _Table(*(Unpacking[Sequence[Spelling]](packed[name], listed) for name in _Table._fields))


def _unpack(text: str) -> Spelling:
    key, words = text.split("\t")
    stems = tuple(words.split(" "))
    return Spelling(tuple(map(_part, stems)), key, stems)


def pack_paraphrases() -> Packed:
    """The tables of this module as text; they name each phrase by its number."""
    numbers: dict[Spelling, str] = {}
    tables: Packed = {}
    for name, table in zip(_Table._fields, _built(), strict=True):
        tables[name] = {
            key: " ".join(numbers.setdefault(spelling, str(len(numbers))) for spelling in found)
            for key, found in sorted(table.items())
        }
    tables["spellings"] = {n: f"{spelling.key}\t{' '.join(spelling.words)}" for spelling, n in numbers.items()}
    return tables


def _built() -> tuple[Mapping[str, Sequence[Spelling]], ...]:
    """The phrases by the keys of one of their words, by their group, and by the groups of what they entail."""
    keyed: dict[str, list[Spelling]] = {}
    for group, key in _groups():
        for text in group:
            found = _spelling(text, key)
            if found is not None:
                keyed.setdefault(key, []).append(found)
    return _by_anchor(keyed.values()), _tuples(keyed), _tuples(_specifics())


def _by_anchor(groups: Iterable[Sequence[Spelling]]) -> dict[str, list[Spelling]]:
    """Phrases by the keys of their rarest word: few are looked at in vain."""
    spellings = [spelling for group in groups for spelling in group]
    uses = Counter(part for spelling in spellings for part in spelling.parts)
    anchors: dict[str, list[Spelling]] = {}
    for spelling in spellings:
        for key in min(spelling.parts, key=lambda part: uses[part]):
            anchors.setdefault(key, []).append(spelling)
    return anchors


def _specifics() -> dict[str, list[Spelling]]:
    """Phrases by the groups of what they entail."""
    table: dict[str, list[Spelling]] = {}
    for texts, names in kind_rows():
        direct = frozenset[str]().union(*(name_keys(name) for name in names))
        for text in texts:
            found = _spelling(text, entailed_key(text))
            for key in direct | generals(direct) if found else ():
                table.setdefault(key, []).append(found)  # type: ignore[arg-type]
    return table


def _tuples(table: Mapping[str, Sequence[Spelling]]) -> dict[str, tuple[Spelling, ...]]:
    """Each once, short ones first; of equals the one that is listed first."""
    return {key: _ordered(found) if len(found) > 1 else tuple(found) for key, found in table.items()}


def _ordered(found: Sequence[Spelling]) -> tuple[Spelling, ...]:
    return tuple(sorted(dict.fromkeys(found), key=lambda s: (s.key, len(s.parts))))


def index_words(words: Iterable[Word]) -> dict[str, list[Word]]:
    """All words by each of their keys, those that say nothing as well: `taken out` needs its `out`."""
    index: dict[str, list[Word]] = {}
    for word in words:
        derived, hidden = _derived(word.text)
        for key in word.keys.union(derived, *(part for part in word.parts if not part & hidden)):
            index.setdefault(key, []).append(word)
    return index


@lru_cache(maxsize=8192)
def _derived(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems and families of the words of a text, and the stems that it does not say."""
    words = () if denies(text) else text.split()
    hidden = hidden_stems(tuple(map(stem, words))) if len(words) > 1 else frozenset[str]()
    said = (word for word in words if stem(word) not in hidden)
    return frozenset[str]().union(*(family(word) | {stem(word)} for word in said)), hidden


def named(index: Index) -> dict[int, frozenset[str]]:
    """For each word by position, the groups named by the phrases that it is a part of."""
    table, known = _table().by_anchor, frozenset(index)
    found: dict[int, set[str]] = {}
    for spelling in {s for key in index for s in table.get(key, ())}:
        if any(map(known.isdisjoint, spelling.parts)):
            continue
        for words in _occurrences(spelling, index):
            for word in words:
                # "Aortic aneurysm" says only a part of "thoracic aortic aneurysm", one listed phrase.
                if words.count(word) >= len(word.parts):
                    found.setdefault(word.at, set()).add(spelling.key)
    return {at: frozenset(keys) for at, keys in found.items()}


def spelled_out(keys: Iterable[str], index: Index) -> tuple[Word, ...]:
    """The words that name one of these groups, or something that is a kind of it, by a phrase."""
    table = _table()
    for key in sorted(keys):  # in one order, whatever the hash seed
        for spelling in table.by_key.get(key, ()):
            for words in _occurrences(spelling, index):
                return (_telling(words),)
        for spelling in table.specifics.get(key, ()):
            for words in _occurrences(spelling, index):
                if all(word.status.polarity == "affirmed" for word in words):
                    return (_telling(words),)
    return ()


def _occurrences(spelling: Spelling, index: Index) -> Iterator[tuple[Word, ...]]:
    """The places where all words of a phrase stand close together in one segment."""
    places = []
    for part in spelling.parts:
        by_place = {word.at: word for key in part if key in index for word in index[key]}
        if not by_place:
            return
        places.append([by_place[at] for at in sorted(by_place)])
    reach = len(places) + _REACH
    for first in places[0]:
        chosen = [first]
        for found in places[1:]:
            near = [word for word in found if _is_near(word, first, reach) and (word.parts or word not in chosen)]
            if not near:
                break
            chosen.append(min(near, key=lambda word: abs(word.at - first.at)))
        else:
            yield tuple(chosen)


def _is_near(word: Word, other: Word, reach: int) -> bool:
    apart = abs(word.at - other.at)
    # "Auditory or visual hallucinations": side by side, a conjunction is a word of the phrase.
    return apart < reach if word.segment == other.segment else apart <= reach - _REACH


def _telling(words: Sequence[Word]) -> Word:
    """The word whose status counts for the phrase: one that is denied, doubtful or past, if any is."""
    return max(words, key=lambda word: (_weight(word), word.is_content))


def _weight(word: Word) -> int:
    status = word.status
    return (status.polarity != "affirmed") + status.is_possible + status.is_historical + status.is_hypothetical
