"""Which spellings mean the same: abbreviations, brand and generic names, synonyms. One key a group, from data files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from chartcite.facts.drugs import combinations, listed_classes, listed_drugs
from chartcite.facts.entailment import opaque_phrases, site_words
from chartcite.facts.language import in_language, is_mark
from chartcite.facts.lexicon import FACTS, read_rows, read_words, word_set
from chartcite.facts.tokens import fold, tokenise
from chartcite.verification import compiled
from chartcite.verification.compiled import Packed, Table, Unpacking, pack_keys, pack_table, unpack_keys
from chartcite.verification.stems import stem

DATA = "chartcite.verification.data"
SLASH = "/"
_LISTS = ("abbreviations.tsv", "brand_generic.tsv", "synonyms.tsv")


class Phrase(NamedTuple):
    """Several words that are one concept."""

    stems: tuple[str, ...]
    keys: frozenset[str]


class Concepts(NamedTuple):
    """`words`: keys of single words, by stem. `exact`: those that count only as written. `phrases`: by first stem."""

    words: Table[frozenset[str]]
    exact: Table[frozenset[str]]
    phrases: Table[tuple[Phrase, ...]]


class Sense(NamedTuple):
    """One meaning of an abbreviation that has several; it holds beside one of these folded words (`#`: any number)."""

    key: str
    beside: frozenset[str]


class _Builder:
    def __init__(self) -> None:
        self.words: dict[str, set[str]] = {}
        self.exact: dict[str, set[str]] = {}
        self.phrases: dict[tuple[str, ...], set[str]] = {}
        # "na" is a Portuguese preposition and "Na" is sodium.
        self._light = read_words(DATA, "harmless.tsv")
        self._cues = {fold(row[2]).replace("-", " ") for row in read_rows(FACTS, "assertion_cues.tsv")}

    def add(self, spelling: str, key: str, is_exact: bool = False) -> None:
        """Put a spelling into a group; a phrase that is a cue of assertion stays words."""
        stems = phrase_stems(spelling)
        is_short = len(stems) == 1 and len(spelling) <= 2 and not spelling.islower()
        if is_exact or is_short:
            self.exact.setdefault(spelling, set()).add(key)
        if is_exact or (is_short and (spelling.isupper() or spelling.lower() in self._light)):
            return
        if len(stems) == 1:
            self.words.setdefault(stems[0], set()).add(key)
        elif stems and fold(spelling) not in self._cues and not _only_denies(stems):
            self.phrases.setdefault(stems, set()).add(key)

    def ordered(self) -> dict[str, tuple[Phrase, ...]]:
        """The phrases by their first stem, long ones first."""
        by_first: dict[str, list[Phrase]] = {}
        for stems, keys in self.phrases.items():
            by_first.setdefault(stems[0], []).append(Phrase(stems, frozenset(keys)))
        for rows in by_first.values():
            rows.sort(key=lambda row: len(row.stems), reverse=True)
        return {first: tuple(rows) for first, rows in by_first.items()}


_DENYING = frozenset(map(stem, word_set("no not without never denies does do did is was are has")))


_ARTICLES = frozenset(("a", "an", "any", "the"))


def _only_denies(stems: Sequence[str]) -> bool:
    """`No fever`, `does not smoke`: the cues of denial read these, in whatever words the other side denies them."""
    return stems[0] in _DENYING and sum(word not in _DENYING and word not in _ARTICLES for word in stems) == 1


_PLAIN = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)*")


@lru_cache(maxsize=32768)
def phrase_stems(spelling: str) -> tuple[str, ...]:
    """The stems of a spelling's words."""
    if _PLAIN.fullmatch(spelling):
        words = spelling.lower().split(" ")
        if not any(map(is_mark, words)):
            return tuple(map(stem, words))
    return tuple(stem(t.text) for t in in_language(tokenise(spelling), spelling) if not t.is_mark)


@lru_cache(maxsize=1)
def concepts() -> Concepts:
    """The groups of all lists; built on first use, where they are not compiled."""
    packed = compiled.read_tables()
    if packed is None:
        built = _built()
        return Concepts(_freeze(built.words), _freeze(built.exact), built.ordered())
    return Concepts(
        Unpacking(packed["words"], unpack_keys),
        Unpacking(packed["exact"], unpack_keys),
        Unpacking(packed["phrases"], _unpack_phrases),
    )


def _unpack_phrases(text: str) -> tuple[Phrase, ...]:
    rows = (row.split("\t", 1) for row in text.split("\n"))
    return tuple(Phrase(tuple(stems.split(" ")), unpack_keys(keys)) for stems, keys in rows)


def _pack_phrases(phrases: Sequence[Phrase]) -> str:
    return "\n".join(f"{' '.join(phrase.stems)}\t{pack_keys(phrase.keys)}" for phrase in phrases)


def pack_concepts() -> Packed:
    """The tables of this module as text."""
    built = _built()
    return {
        "words": pack_table(_freeze(built.words)),
        "exact": pack_table(_freeze(built.exact)),
        "phrases": {first: _pack_phrases(rows) for first, rows in built.ordered().items()},
        "heads": pack_table(_built_heads()),
        "generals": pack_table(_built_generals()),
    }


def _built() -> _Builder:
    builder = _Builder()
    for key, spelling in _listed_spellings():
        builder.add(spelling, key)
    for n, (short, *_) in enumerate(read_rows(FACTS, "abbreviations_cased.tsv")):
        builder.add(short, f"cas:{n}", is_exact=True)
    for general in (*_entailed_names(), *opaque_phrases()):
        builder.add(general, entailed_key(general))
    for n, group in enumerate(read_rows(DATA, "paraphrases.tsv")):
        for spelling in group:
            # Most phrases of this list are found loosely, by their words (see `paraphrases`). One that denies has to be
            # a token of its own, so that its denial reaches no other word: "cannot sleep" is insomnia.
            if len(phrase_stems(spelling)) == 1 or denies(spelling):
                builder.add(spelling, f"par:{n}")
    _add_combinations(builder)
    return builder


@lru_cache(maxsize=1)
def _hidden() -> dict[tuple[str, ...], frozenset[str]]:
    return {
        phrase_stems(phrase): frozenset(s for word in words for s in phrase_stems(word))
        for phrase, words in opaque_phrases().items()
    }


def hidden_stems(stems: tuple[str, ...]) -> frozenset[str]:
    """Which words of a phrase it does not say: a flu shot is no flu."""
    return _hidden().get(stems, frozenset())


def _add_combinations(builder: _Builder) -> None:
    """`sacubitril/valsartan` is `sacubitril-valsartan`, in any order of the components."""
    for name, components in combinations().items():
        parts = [phrase_stems(component) for component in components]
        keys = {key for stems in {phrase_stems(name)} for key in builder.phrases.get(stems, ())} or {f"com:{name}"}
        for order in permutations(parts) if len(parts) <= _MOST_REORDERED else (parts,):
            builder.phrases.setdefault(tuple(s for part in order for s in part), set()).update(keys)


_MOST_REORDERED = 3


def _listed_spellings() -> Iterator[tuple[str, str]]:
    """Group and spelling, of the lists whose phrases are joined to one token."""
    for name in _LISTS:
        for n, group in enumerate(read_rows(FACTS, name)):
            yield from ((f"{name[:3]}:{n}", spelling) for spelling in group)
    for n, row in enumerate(read_rows(FACTS, "abbreviations_cased.tsv")):
        yield from ((f"cas:{n}", spelling) for spelling in row[1:])
    for n, row in enumerate(read_rows(FACTS, "abbreviations_ambiguous.tsv")):
        yield from ((f"amb:{n}", spelling) for spelling in row[1].split("|"))
    for name, one in listed_classes().items():
        yield from ((f"cls:{name}", spelling) for spelling in one.spellings)


def _entailed_names() -> Iterator[str]:
    """What something may be a kind of, when that takes several words to say."""
    for _, names in kind_rows():
        yield from (name for name in names if len(phrase_stems(name)) > 1)


def entailed_key(name: str) -> str:
    """The group of a name that takes several words."""
    return f"ent:{' '.join(phrase_stems(name))}"


_DENIALS = word_set(
    "no not without unable never cannot can't couldn't didn't doesn't lack lacks nothing nil free isn't wasn't won't"
)


@lru_cache(maxsize=16384)
def denies(spelling: str) -> bool:
    """Whether a spelling or a text holds a word of denial."""
    return not _DENIALS.isdisjoint(spelling.split())


def _freeze(table: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {word: frozenset(keys) for word, keys in table.items()}


def word_keys(text: str, raw: str) -> frozenset[str]:
    """What one word can be matched by: its stem and the groups it belongs to.

    Args:
        text: the folded word.
        raw: the word as written.
    """
    return stem_keys(stem(text), raw)


def stem_keys(root: str, raw: str) -> frozenset[str]:
    """The same for a stem, which must not be stemmed again: `diseas` is no plural."""
    known = concepts()
    keys = known.words.get(root, frozenset()) | known.exact.get(raw, frozenset())
    return keys | {root}


@lru_cache(maxsize=1)
def _senses() -> dict[str, tuple[Sense, ...]]:
    table: dict[str, list[Sense]] = {}
    for n, (short, _, beside) in enumerate(read_rows(FACTS, "abbreviations_ambiguous.tsv")):
        table.setdefault(short, []).append(Sense(f"amb:{n}", frozenset(fold(word) for word in beside.split("|"))))
    return {short: tuple(senses) for short, senses in table.items()}


def is_ambiguous(raw: str) -> bool:
    """Whether a word as written is an abbreviation with several meanings."""
    return raw in _senses()


def sense_keys(raw: str, around: frozenset[str]) -> frozenset[str]:
    """The meanings of an ambiguous abbreviation that the folded words of its sentence speak for.

    A number or a percent sign counts only where no word speaks for any meaning.
    """
    senses = _senses().get(raw, ())
    spoken = frozenset(sense.key for sense in senses if sense.beside & around - _SIGNS)
    if spoken:
        return spoken
    found = [sense.key for sense in senses if sense.beside & around]
    return frozenset(found) if len(found) == 1 else frozenset()


_SIGNS = frozenset("#%")


def name_keys(name: str) -> frozenset[str]:
    """The groups that a spelling of one or more words names; its stem when it is in no group.

    The loose groups of paraphrases are left out, since a set of opposites or a kind of things must not grow by them.
    """
    return frozenset(key for key in _spelled(name) if not key.startswith("par:"))


def loose_keys(name: str) -> frozenset[str]:
    """The groups that a spelling names, with the one of paraphrases that it heads.

    Only that one: "spouse" stands in the groups of "wife" and of "husband", who are not each other.
    """
    return name_keys(name) | _heads().get(" ".join(phrase_stems(name)), frozenset())


@lru_cache(maxsize=1)
def _heads() -> Table[frozenset[str]]:
    """For the stems of each name that heads a group of paraphrases, these groups."""
    packed = compiled.read_tables()
    return _built_heads() if packed is None else Unpacking(packed["heads"], unpack_keys)


def _built_heads() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for n, group in enumerate(read_rows(DATA, "paraphrases.tsv")):
        table.setdefault(" ".join(phrase_stems(group[0])), set()).add(f"par:{n}")
    return _freeze(table)


def _spelled(name: str) -> frozenset[str]:
    stems = phrase_stems(name)
    if len(stems) > 1:
        found = phrase_at(stems, 0)
        return found[0].keys if found is not None and found[1] == len(stems) else frozenset()
    return word_keys(stems[0], name) if stems else frozenset()


def phrase_at(stems: Sequence[str], at: int) -> tuple[Phrase, int] | None:
    """The longest listed phrase that starts at a position, and where it ends; `/` may stand between its words."""
    for phrase in concepts().phrases.get(stems[at], ()):
        end = _end_of(phrase, stems, at)
        if end:
            return phrase, end
    return None


def _end_of(phrase: Phrase, stems: Sequence[str], at: int) -> int:
    for n, expected in enumerate(phrase.stems):
        if n and at < len(stems) and stems[at] == SLASH:
            at += 1
        if at >= len(stems) or stems[at] != expected:
            return 0
        at += 1
    return at


@lru_cache(maxsize=1)
def _direct_generals() -> Table[frozenset[str]]:
    """For each key of something specific, the keys of what it is a kind of, one level up."""
    packed = compiled.read_tables()
    return _built_generals() if packed is None else Unpacking(packed["generals"], unpack_keys)


def _built_generals() -> dict[str, frozenset[str]]:
    direct: dict[str, set[str]] = {}
    for specifics, names in kind_rows():
        found = frozenset[str]().union(*(loose_keys(name) for name in names))
        for specific in specifics:
            for key in name_keys(specific):
                direct.setdefault(key, set()).update(found)
    for name, classes in listed_drugs().items():
        for key in name_keys(name):
            direct.setdefault(key, set()).update(f"cls:{c}" for c in classes)
    for name, one in listed_classes().items():
        direct.setdefault(f"cls:{name}", set()).update(f"cls:{c}" for c in one.broader)
    return _freeze(direct)


def kind_rows() -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Names of something specific, and of what it is a kind of or entails."""
    for specific, *general in read_rows(FACTS, "generalisations.tsv"):
        yield (specific,), general
    for name, components in combinations().items():
        yield (name,), components
    for specifics, names in read_rows(DATA, "entailments.tsv"):
        yield specifics.split("|"), names.split("|")
    for word, sites in site_words().items():
        yield (word,), sorted(sites - {word})


@lru_cache(maxsize=16384)
def _all_generals(key: str) -> frozenset[str]:
    """The same over all levels."""
    direct = _direct_generals()
    found: set[str] = set()
    waiting = [key]
    while waiting:
        for name in direct.get(waiting.pop(), frozenset()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


@lru_cache(maxsize=16384)
def generals(keys: frozenset[str]) -> frozenset[str]:
    """What something with these keys also is: `linezolid` is an antibiotic, a CT is imaging."""
    return frozenset[str]().union(*map(_all_generals, keys))
