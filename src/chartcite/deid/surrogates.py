"""What stands in for what identifies: the same for the same text in one partition, never two alike, never a word of it.

Everything follows from the partition's secret, the words of its record and the order in which texts are hidden.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from chartcite.deid.calendar import Shift, moved, respelt
from chartcite.deid.invented import Pool, candidates
from chartcite.deid.known import RecordFacts
from chartcite.deid.mentions import Kind
from chartcite.deid.vocabulary import first_names, is_word, surnames
from chartcite.text.folding import fold

_RUN = re.compile(r"[^\W\d_]+")
_PARTICLES: Final = frozenset(
    [
        "van",
        "von",
        "der",
        "den",
        "de",
        "da",
        "do",
        "dos",
        "das",
        "del",
        "della",
        "di",
        "du",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "ter",
        "ten",
        "af",
        "y",
        "e",
        "of",
        "the",
        "and",
        "at",
        "for",
        "in",
        "s",
        "st",
    ]
)
_CODE: Final = "BCDFGHJKLMNPQRSTVWXZ"
_DIGITS: Final = "0123456789"
_SHORTEST_SHAPED = 6
"""Signs that a number must have to be replaced by one of its own form; a shorter one might be a value of the record."""
_PLAIN_YEAR: Final = 2019
_MOST_READY: Final = 5_000
"""Known names that get their surrogates beforehand; of more each gets its own when it is met."""


class Surrogates:
    """One partition's surrogates, and the way back.

    Args:
        secret: of the partition.
        record: its words are never used as surrogates.
    """

    def __init__(self, secret: bytes, record: RecordFacts) -> None:
        self.shift = Shift.of(secret)
        self.back: dict[str, str] = {}
        """Surrogate as a whole -> what it stands for."""
        self.kinds: dict[str, Kind] = {}
        self.words_back: dict[str, str] = {}
        """Folded invented word -> the word it stands for."""
        self.days_back: dict[str, str] = {}
        """Moved date of day or month -> the date that it was."""
        self._secret = secret
        self._record = record
        self._given: dict[tuple[Kind, str, str], str] = {}
        self._words: dict[tuple[bool, str], str] = {}
        self._spelt: dict[tuple[bool, str], str] = {}
        self._firsts: dict[str, set[str]] = {}
        for name in sorted(record.names.names) if len(record.names.names) <= _MOST_READY else ():
            self._word(name.capitalize(), is_place=False)

    def stand_in(self, kind: Kind, written: str, avoid: str, form: str = "", year: int = _PLAIN_YEAR) -> str:
        """The surrogate of one mention.

        Args:
            kind: its kind.
            written: as it stands in the text.
            avoid: the text, of which nothing may be taken for a surrogate.
            form: of a date, what it says.
            year: that a date without one is reckoned in.
        """
        key = (kind, written, f"{form}/{year}" if form.startswith("--") else form)
        if key not in self._given:
            self._given[key] = self._new(kind, written, avoid, form, year)
        return self._given[key]

    def opaque(self, kind: Kind, written: str, avoid: str) -> str:
        """A mark that can be mistaken for nothing, `[name 3]`."""
        key = (kind, written, "opaque")
        if key not in self._given:
            marks = (f"[{kind} {n}]" for n in count(1))
            self._given[key] = self._register(
                next(m for m in marks if m not in avoid and m not in self.back), written, kind
            )
        return self._given[key]

    def is_stand_in(self, word: str) -> bool:
        """Whether a word is an invented one that is in use."""
        return fold(word) in self.words_back

    def _new(self, kind: Kind, written: str, avoid: str, form: str, year: int) -> str:
        if kind == "date":
            return self._date(written, avoid, form, year)
        if kind == "name":
            proposals = self._names(written)
        elif kind == "place":
            proposals = iter([self._reworded(written, is_place=True)])
        else:
            proposals = self._shaped(kind, written)
        for proposal in proposals:
            if proposal != written and self._is_free(proposal, written, avoid):
                return self._register(proposal, written, kind)
        return self.opaque(kind, written, avoid)

    def _is_free(self, surrogate: str, written: str, avoid: str) -> bool:
        return self.back.get(surrogate, written) == written and surrogate not in avoid

    def _register(self, surrogate: str, written: str, kind: Kind) -> str:
        self.back[surrogate] = written
        self.kinds[surrogate] = kind
        return surrogate

    def _date(self, written: str, avoid: str, form: str, year: int) -> str:
        new = moved(form, self.shift, year)
        said = respelt(written, form, new) if new else None
        if new and said:
            for spelling in (said, *_other_spellings(said)):
                if self.back.get(spelling, written) == written and (spelling == said or spelling not in avoid):
                    if not form.startswith("-") and len(form) > 4:
                        self.days_back[new] = form
                    return self._register(spelling, written, "date")
        return self.opaque("date", written, avoid)

    def _names(self, written: str) -> Iterator[str]:
        """The name in invented words; initials follow the first name that goes with the surname, where one does."""
        for turn in range(24):
            yield self._reworded(written, is_place=False, turn=turn)
            if not re.search(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])", written):
                return

    def _reworded(self, written: str, *, is_place: bool, turn: int = 0) -> str:
        runs = _RUN.findall(written)
        full = [fold(run) for run in runs if len(run) > 1]
        if not is_place and len(full) > 1:
            self._firsts.setdefault(full[-1], set()).add(full[0])
            self._firsts.setdefault(full[0], set()).add(full[-1])

        def one(found: re.Match[str]) -> str:
            run = found.group()
            if len(run) == 1:
                return self._initial(run, full, turn) if run.isupper() and not is_place else run
            if fold(run) in _PARTICLES or (is_place and is_word(run)):
                return run
            return self._word(run, is_place=is_place)

        return _RUN.sub(one, written)

    def _initial(self, letter: str, others: list[str], turn: int) -> str:
        """The initial of the surrogate of a first name that the record puts beside that surname; else a secret one."""
        known = {first for other in others for first in self._firsts.get(other, ()) if first[0] == letter.lower()}
        if len(known) == 1 and not turn:
            return self._word(known.pop().capitalize(), is_place=False)[0]
        return _CODE[(self._digest(b"initial", letter)[0] + turn) % len(_CODE)]

    def _word(self, run: str, *, is_place: bool) -> str:
        """One word of a name, in the capitals of the original; other capitals within a word make it another word."""
        folded = run.casefold()
        plain = run.isupper() or run.islower()
        spelling = self._spelt.setdefault((is_place, folded), run.capitalize() if plain else run)
        key = (is_place, folded if plain or run == spelling or run.capitalize() == run else run)
        if key not in self._words:
            word = self._invent(folded if key[1] == folded else run, is_place=is_place)
            self._words[key] = word
            self.words_back[fold(word)] = spelling if key[1] == folded else run
        elif not plain and self.words_back[fold(self._words[key])] == run.capitalize() != run and key[1] == folded:
            self.words_back[fold(self._words[key])] = run
        word = self._words[key]
        return word.upper() if run.isupper() else word.lower() if run.islower() else word

    def _invent(self, word: str, *, is_place: bool) -> str:
        sex = first_names().get(fold(word), ("", False))[0]
        if sex and fold(word) in surnames() and not first_names()[fold(word)][1]:
            sex = ""
        pool: Pool = "place" if is_place else {"F": "woman", "M": "man"}.get(sex, "surname")  # type: ignore[assignment]
        for invented in candidates(pool, self._digest(pool.encode(), word)):
            folded = fold(invented)
            if not (
                folded in self.words_back
                or folded in self._record.words
                or is_word(folded)
                or folded in first_names()
                or folded in surnames()
            ):
                return invented
        raise AssertionError("candidates never end")  # pragma: no cover

    def _shaped(self, kind: Kind, written: str) -> Iterator[str]:
        """Numbers, codes and addresses of the same form."""
        if kind == "age":
            yield from (f"90+{mark}" for mark in ("", *(f"({n})" for n in range(2, 40))))
            return
        for turn in range(200):
            stream = self._stream(kind, written, turn)
            code = "".join(_CODE[next(stream) % len(_CODE)].lower() for _ in range(8))
            if kind == "email":
                yield f"{code}@mail.invalid"
            elif kind == "url":
                yield f"https://{code}.invalid"
            elif kind == "ip":
                yield (
                    f"2001:db8::{next(stream):x}{next(stream):02x}"
                    if ":" in written
                    else f"198.{18 + next(stream) % 2}.{next(stream)}.{next(stream)}"
                )
            elif kind == "address":
                number, street = (
                    100 + next(stream),
                    next(candidates("place", self._digest(b"street", written + str(turn)))),
                )
                yield (
                    f"Rua {street}, {number}"
                    if re.match(r"(?:Rua|R\.|Av|Tr|Al|Pra|P[çc]a|Rod|Es|La|Qu)", written)
                    else f"{number} {street} Lane"
                )
            elif sum(c.isalnum() for c in written) < _SHORTEST_SHAPED - (kind == "postcode"):
                yield _short_code(stream)
            else:
                yield "".join(_like(c, stream) for c in written)

    def _stream(self, kind: Kind, written: str, turn: int) -> Iterator[int]:
        for block in count():
            yield from self._digest(kind.encode(), f"{turn}/{block}/{written}")

    def _digest(self, what: bytes, text: str) -> bytes:
        return hmac.digest(self._secret, what + b"\0" + text.encode("utf-8", "surrogatepass"), "sha256")


def _like(char: str, stream: Iterator[int]) -> str:
    if char.isdigit():
        return _DIGITS[next(stream) % 10]
    if char.isalpha():
        letter = _CODE[next(stream) % len(_CODE)]
        return letter if char.isupper() else letter.lower()
    return "-" if char in '"\\' or not char.isprintable() else char


def _short_code(stream: Iterator[int]) -> str:
    return "".join((_CODE if n % 2 == 0 else "23456789")[next(stream) % 8] for n in range(6))


def _other_spellings(said: str) -> Iterator[str]:
    """The same date with a zero more or less, for a surrogate that is taken."""
    yield re.sub(r"(?<!\d)(\d)(?!\d)", r"0\1", said, count=1)
    yield re.sub(r"(?<!\d)(\d)(?!\d)", r"0\1", said)
    yield re.sub(r"(?<!\d)0(\d)(?!\d)", r"\1", said)
