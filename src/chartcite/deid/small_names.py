"""Names in small letters, as people type them: after a title or `my name is`, and those that the record knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from typing import Final

from chartcite.deid.name_reader import is_listed
from chartcite.deid.vocabulary import eponyms, everyday_names, first_names, is_word
from chartcite.text.folding import fold

_LEFT = r"(?<![\w.'’-])"
_TITLE = re.compile(
    rf"{_LEFT}(?:[Dd]r[as]?|[Mm]rs|[Dd]octor|[Dd]outora?|[Nn]urse|[Ss]ra|[Ss]rta|[Ee]nf(?:ermeir[oa])?)\.?[ ]{{1,2}}"
    r"(?=[a-zß-ÿ])"
)
_DOUBTFUL_TITLE = re.compile(rf"{_LEFT}(?:[Mm]rs?|[Mm]s|[Mm]iss|[Ss]r|[Pp]rof|[Dd]ona|[Ss]eu)\.?[ ]{{1,2}}(?=[a-zß-ÿ])")
_NAME_IS = re.compile(
    rf"{_LEFT}(?i:(?:my|her|his|their|whose|patient['’]?s)[ ]name(?:[ ]is|['’]?s)|call[ ]me|me[ ]chamo|chamo-me|"
    rf"meu[ ]nome[ ]é|o[ ]nome[ ]d(?:el[ae])[ ]é)[ ]{{1,2}}(?=[a-zß-ÿ])"
)
_I_AM = re.compile(
    rf"{_LEFT}(?i:i[ ]am|i['’]?m|this[ ]is|(?:eu[ ])?sou(?:[ ][oa])?|aqui[ ]é(?:[ ][oa])?|wife|husband|son|daughter|"
    rf"mother|father|brother|sister|partner|espos[oa]|marido|filh[oa]|mãe|pai|irmã|irmão)"
    rf"(?:[ ](?:is|named|called))?[ ]{{1,2}}(?=[a-zß-ÿ])"
)
_PARTICLES: Final = frozenset((
    "af", "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "el", "enf",
    "ibn", "la", "las", "le", "los", "ten", "ter", "van", "von", "y",
))  # fmt: skip
_VERB = re.compile(r"(?:ed|ing|ly|ies|ers|ors|ou|ava|ndo)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_RUN = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[ ]{1,2}")


def find_small_names(text: str, names: Set[str]) -> Iterator[tuple[int, int]]:
    """Spans of names in small letters; `names` are the folded ones that the record knows."""
    for pattern, begins in ((_TITLE, _is_no_word), (_DOUBTFUL_TITLE, _is_in_lists), (_NAME_IS, _is_no_word),
                            (_I_AM, _is_first)):  # fmt: skip
        follows = _is_no_word if pattern in (_NAME_IS, _I_AM) else _is_in_lists
        for cue in pattern.finditer(text):
            end = _read(text, cue.end(), begins, follows)
            if end > cue.end():
                yield cue.end(), end
    if names:
        yield from _known(text, names)


def _read(text: str, start: int, begins: Callable[[str], bool], follows: Callable[[str], bool]) -> int:
    """Where the name that begins at `start` ends; `start` itself where none does."""
    place = end = start
    words = 0
    while words < 3 and (found := _WORD.match(text, place)):
        word = found.group()
        if not (word in _PARTICLES and _GAP.match(text, found.end())):
            if not word.islower() or not (follows if words else begins)(word):
                break
            end = found.end()
            words += 1
        gap = _GAP.match(text, found.end())
        if gap is None:
            break
        place = gap.end()
    return end


def _known(text: str, names: Set[str]) -> Iterator[tuple[int, int]]:
    """Known names wherever they stand, and first names and everyday words that stand right beside one."""
    runs = [(found.span(), fold(found.group())) for found in _RUN.finditer(text)]
    sure = [word in names and word not in everyday_names() and word not in _PARTICLES for _, word in runs]
    for n, ((start, end), word) in enumerate(runs):
        if not text[start:end].islower():
            continue
        if sure[n] or ((word in names or _is_first(word)) and any(_beside(text, runs, sure, n))):
            yield start, end


def _beside(text: str, runs: list[tuple[tuple[int, int], str]], sure: list[bool], n: int) -> Iterator[bool]:
    for other in (n - 1, n + 1):
        if 0 <= other < len(runs):
            first, second = sorted((runs[n][0], runs[other][0]))
            yield sure[other] and text[first[1] : second[0]] in (" ", ", ", ".")


def _is_no_word(word: str) -> bool:
    return len(word) > 2 and not is_word(word) and not _VERB.search(word) and fold(word) not in _PARTICLES


def _is_in_lists(word: str) -> bool:
    return _is_no_word(word) and fold(word) not in eponyms() and (is_listed(word) or fold(word) in first_names())


def _is_first(word: str) -> bool:
    folded = fold(word)
    return _is_no_word(word) and folded in first_names() and folded not in everyday_names()
