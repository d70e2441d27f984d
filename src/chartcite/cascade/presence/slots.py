"""A question of presence by its words: closed words around one open place. Knows no order of words.

`data/slots.toml` has the closed words (who asks, of whom, where to look, what may be said of a thing). A question
whose other words are one piece asks for that piece, however it is put: telegraphic (`any hx gout?`) or in a whole
sentence. Where no closed word says that the record is asked, the piece must be a name that a list has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from chartcite.cascade.presence.forms import is_listed, is_name
from chartcite.cascade.presence.frames import may_be_thing
from chartcite.core.presence import About
from chartcite.facts.drugs import generic_name, listed_classes
from chartcite.records.naming import is_disease, is_procedure
from chartcite.text.folding import fold

MOST_WORDS = 40
_MOST_OPEN = 6
"""Words of a thing that no list has."""
_BESIDE = 2
"""Closed words on a side that may belong to the name."""
_MOST_NAME = 8
"""Pieces of a listed name."""
_LEAST_DRUG = 5
"""Letters of a drug that may look like a closed word (`levotiroxina` like forms of `levar`)."""
_MORE = 2
"""Words beside a known one where nothing says that the record is asked (`left leg pain`)."""
_KINDS = ("block", "kin", "own", "who_asked", "allergy", "drug", "procedure", "test", "strong", "plain")
_WORD = r"[^\W_][\w'’/+-]*"
_IS = re.compile(r"\b[éÉ]\b")
_IS_MARK = "\N{LATIN SMALL LETTER OPEN E}"
"""Stands for `é` among the closed words."""
_EPONYM = re.compile(r"(?i:doen[çc]a|s[íi]ndrome|mal) d[eo] (?:von )?[^\W\d_a-zà-ÿ]\w+\Z")
"""`doença` belongs to the name it stands before: *doença de Graves* is nothing grave."""
_LEAD = re.compile(r"^(?:an?|the|any|some|uma?|algum|alguma|[oa]s?) (?=\w+ )", re.IGNORECASE)
_SPECIALTY = re.compile(r"(?:ology|iatry|logist|iatrist|logia|iatria|logista|iatra)$")


class _Piece(NamedTuple):
    kind: str
    start: int
    end: int


def by_slot(text: str, lang: str) -> tuple[About, str] | None:
    """In what sense and of what a question without end mark and date asks; None if it is none of presence.

    >>> by_slot("any hx gout", "en"), by_slot("gout: did the doctors note it in him", "en")
    (('thing', 'gout'), ('thing', 'gout'))
    >>> by_slot("why gout", "en") is None, by_slot("is the gout hereditary", "en") is None
    (True, True)
    """
    folded, words = _folded(text), _slots(lang)
    if len(folded) != len(text) or len(text.split()) > MOST_WORDS or asks_otherwise(text, lang):
        return None
    pieces = _with_names(_pieces(folded, words), text)
    open_ = [n for n, piece in enumerate(pieces) if piece.kind == "open"]
    kinds = {piece.kind for piece in pieces}
    if not open_ or "block" in kinds or words.informant.search(folded):
        return None
    first, last = pieces[open_[0]], pieces[open_[-1]]
    between = [p for p in pieces[open_[0] : open_[-1]] if p.kind != "open"]
    if any(not words.joint.fullmatch(folded[p.start : p.end]) for p in between):
        return None
    if "who_asked" in kinds and not {"kin", "own"} <= kinds:
        return None
    thing = _state(_LEAD.sub("", _widest(text, pieces, open_[0], open_[-1], words)), words)
    if not _is_named(thing, folded[first.start : last.end], lang):
        return None
    about = _about(kinds, folded[: first.start].rstrip(), thing, words)
    is_said = bool(kinds & {"strong", "allergy", "kin", "procedure", "test", "drug"})
    return (about, thing) if _is_thing(thing, words, lang, is_said=is_said) else None


def _is_named(thing: str, folded: str, lang: str) -> bool:
    """Whether a thing is worded as a name is: in the language of the question, with no word that no name has.

    A listed word stands for itself (`levetiracetam` begins as forms of `levar` do), as a listed phrase does.
    """
    is_known, is_one = is_listed(thing), " " not in thing
    if _is_other_language(folded, lang) and not (is_known and is_one):
        return False
    return (is_known and not is_one) or may_be_thing(thing, lang)


def _folded(text: str) -> str:
    """As `fold` leaves it, but for `é` alone: `is` is no `e`, which joins two things."""
    folded = fold(text)
    for found in _IS.finditer(text) if len(folded) == len(text) else ():
        folded = f"{folded[: found.start()]}{_IS_MARK}{folded[found.end() :]}"
    return folded


def asks_otherwise(text: str, lang: str) -> bool:
    """Whether a question begins as one that wants something else told: `Side effects of`, `Show the trend`."""
    return _slots(lang).start_block.match(fold(text)) is not None


def _is_other_language(thing: str, lang: str) -> bool:
    """Whether a thing has a closed word of the other language: then that is the one it is asked in."""
    own, other = _slots(lang), _slots("en" if lang == "pt" else "pt")
    return any(other.closed.fullmatch(word) and not own.joint.fullmatch(word) for word in thing.split())


def _pieces(folded: str, words: _Slots) -> list[_Piece]:
    found, at = [], 0
    while at < len(folded):
        one = words.closed.match(folded, at) or words.word.match(folded, at)
        if one is None:
            at += 1
        else:
            found.append(_Piece((one.lastgroup or "open").rstrip("0123456789"), at, one.end()))
            at = one.end()
    return found


def _with_names(pieces: list[_Piece], text: str) -> list[_Piece]:
    """The pieces, those of a listed name as one open piece: `endoscopia digestiva alta` asks for no discharge.

    What says of which kind the thing is (`drug allergy`) stays what it is.
    """
    found, at = [], 0
    while at < len(pieces):
        most = min(_MOST_NAME, len(pieces) - at)
        length = next((n for n in range(most, 0, -1) if _is_name(pieces[at : at + n], text)), 0)
        run = pieces[at : at + max(1, length)]
        found.append(_Piece("open" if length else run[0].kind, run[0].start, run[-1].end))
        at += len(run)
    return found


def _is_name(run: Sequence[_Piece], text: str) -> bool:
    """Whether some pieces are a listed name of several words, or one drug."""
    written = text[run[0].start : run[-1].end]
    if len(run) == 1:
        return run[0].kind != "open" and len(written) >= _LEAST_DRUG and generic_name(written) is not None
    kinds = {piece.kind for piece in run}
    is_bare = "plain" in (run[0].kind, run[-1].kind)
    return not is_bare and kinds <= {"open", "plain", "block"} and "block" in kinds and is_listed(written)


def _about(kinds: set[str], before: str, thing: str, words: _Slots) -> About:
    if "kin" in kinds:
        return "own_or_family"
    if "allergy" in kinds:
        return "allergy"
    is_drug = _is_drug(thing)
    if not is_drug and is_name(thing) and kinds & {"drug", "procedure", "test"}:
        return "test"
    if "drug" in kinds or (is_drug and words.drug_on.search(before)):
        return "drug"
    if "procedure" in kinds and not is_drug:
        return "procedure"
    return "test" if "test" in kinds and not is_drug else "thing"


def _widest(text: str, pieces: Sequence[_Piece], first: int, last: int, words: _Slots) -> str:
    """The open words with the closed ones beside them that belong to a listed name: `blood test`, `end of life`."""
    sides = [(a, b) for a in range(first, first - _BESIDE - 1, -1) for b in range(last, last + _BESIDE + 1)]
    for a, b in sorted(sides, key=lambda side: side[0] - side[1]):
        if a >= 0 and b < len(pieces) and (a, b) != (first, last):
            wider = text[pieces[a].start : pieces[b].end]
            added = [pieces[n] for n in (a, b) if n not in (first, last)]
            is_bare = {one.kind for one in added} <= {"plain"} or any(words.is_small(text, one) for one in added)
            if not is_bare and (is_listed(wider) or _EPONYM.match(wider)):
                return wider
    return text[pieces[first].start : pieces[last].end]


def _is_drug(thing: str) -> bool:
    classes = {fold(spelling) for one in listed_classes().values() for spelling in one.spellings}
    return generic_name(thing) is not None or fold(thing) in classes


def _state(thing: str, words: _Slots) -> str:
    """What somebody has who is called so: of `diabetic` diabetes."""
    return next((name for pattern, name in words.states if pattern.fullmatch(fold(thing))), thing)


def _is_thing(thing: str, words: _Slots, lang: str, *, is_said: bool) -> bool:
    parts = re.split(rf"\s+(?:{words.small})\s+", thing, flags=re.IGNORECASE)
    if any(_SPECIALTY.search(fold(word)) for word in thing.split()):
        return False
    if is_listed(thing) or any(one[1] == thing for one in words.states):
        return True
    if is_said:
        return len(thing.split()) <= _MOST_OPEN
    head = parts[0].split()
    ends = [" ".join(head[n:] if lang == "en" else head[: len(head) - n]) for n in range(min(len(head), _MORE + 1))]
    main = head[-1] if lang == "en" else head[0]
    return any(map(is_listed, ends)) or (len(head) <= _MORE + 1 and (is_disease(main) or is_procedure(main)))


@dataclass(frozen=True, slots=True)
class _Slots:
    closed: re.Pattern[str]
    word: re.Pattern[str]
    joint: re.Pattern[str]
    small: str
    start_block: re.Pattern[str]
    informant: re.Pattern[str]
    drug_on: re.Pattern[str]
    states: Sequence[tuple[re.Pattern[str], str]]

    def is_small(self, text: str, piece: _Piece) -> bool:
        """Whether a piece is a word that no name begins or ends with."""
        return re.fullmatch(self.small, text[piece.start : piece.end], re.IGNORECASE) is not None


@lru_cache(maxsize=2)
def _slots(lang: str) -> _Slots:
    text = files("chartcite.cascade.presence").joinpath("data/slots.toml").read_text("utf-8")
    data: Mapping[str, Any] = tomllib.loads(text)[lang]
    return _Slots(
        closed=_closed(data), word=re.compile(_WORD), joint=re.compile(data["joints"]), small=data["tail_small"],
        start_block=re.compile(data["start_block"]), informant=re.compile(rf"\b{data['informant']}"),
        drug_on=re.compile(data["drug_on"]),
        states=tuple((re.compile(pattern), name) for pattern, name in data["states"]),
    )  # fmt: skip


def _closed(data: Mapping[str, Any]) -> re.Pattern[str]:
    """All closed words in one pattern: of those that begin at a place the one with the most words, then the first kind.

    A group is called by its kind and a number, since a kind has words of several lengths.
    """
    listed = [(pattern, kind) for kind in _KINDS for pattern in data[kind]]
    listed.sort(key=lambda row: (-row[0].count(" "), _KINDS.index(row[1])))
    groups: list[tuple[str, list[str]]] = []
    for pattern, kind in listed:
        if groups and groups[-1][0] == kind:
            groups[-1][1].append(pattern)
        else:
            groups.append((kind, [pattern]))
    named = (f"(?P<{kind}{n}>{'|'.join(patterns)})" for n, (kind, patterns) in enumerate(groups))
    return re.compile(rf"(?:{'|'.join(named)})(?![\w])")
