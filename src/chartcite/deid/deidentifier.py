"""Hides what identifies somebody in the texts of one partition, and puts it back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chartcite.core.unseen import seen
from chartcite.deid.calendar import moved, respelt
from chartcite.deid.dates import find_all
from chartcite.deid.finder import Found, find
from chartcite.deid.known import RecordFacts
from chartcite.deid.masks import find_masks
from chartcite.deid.mentions import KINDS, Kind, Mention
from chartcite.deid.surrogates import Surrogates
from chartcite.text.escapes import blank_escapes
from chartcite.text.folding import fold

_RUN = re.compile(r"[^\W\d_]+")
_YEAR = 2019


class HiddenSpan(NamedTuple):
    """`[start, end)` of the text as it was seen, `[new_start, new_end)` of the hidden one."""

    start: int
    end: int
    new_start: int
    new_end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text with surrogates, and where they stand, from left to right."""

    text: str
    spans: tuple[HiddenSpan, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many mentions of each kind were hidden."""
        counted = Counter(span.kind for span in self.spans)
        return {kind: counted[kind] for kind in KINDS if counted[kind]}


class Deidentifier:
    """See the module. Deterministic: the same secret, record and texts in the same order give the same surrogates.

    Args:
        secret: bytes that only this partition's owner has.
        record: what the record says of itself.

    >>> from chartcite.deid.known import read_record
    >>> hider = Deidentifier(b"secret", read_record(()))
    >>> hidden = hider.hide("Seen by Dr. Okafor on 2019-03-02.")
    >>> "Okafor" in hidden.text, hidden.counts
    (False, {'name': 1, 'date': 1})
    >>> hider.restore(hidden.text)
    'Seen by Dr. Okafor on 2019-03-02.'
    """

    def __init__(self, secret: bytes, record: RecordFacts) -> None:
        self._record = record
        self._surrogates = Surrogates(secret, record)

    def hide(self, text: str) -> Hidden:
        """The text with surrogates; where one could not be told from the rest, a mark (`[name 3]`) stands in."""
        text = seen(text)  # a name stays a name whatever stands between its letters
        found = self._found(text)
        hidden = self._put(text, found, frozenset())
        for opaque in (frozenset({"date"}), frozenset(KINDS)):
            if self.restore(hidden.text) == text:
                break
            found = self._found(text)  # anew: a surrogate that was just given may stand in the text as something else
            hidden = self._put(text, found, opaque)
        return hidden

    def move(self, when: str) -> str:
        """An ISO date or date-time, whole or partial, moved as dates in texts are; empty where it cannot be."""
        day, clock = when[:10].rstrip("T"), when[10:]
        new = moved(day, self._surrogates.shift, _YEAR) if day else None
        return f"{new}{clock}" if new else ""

    def restore(self, text: str) -> str:
        """A text about hidden ones with everything put back: surrogates, also inflected, and dates in any spelling."""
        taken = bytearray(len(text))
        for start, end in find_masks(text, self._record.names.names):  # were never hidden
            taken[start:end] = b"\1" * (end - start)
        changes: list[tuple[int, int, str]] = []
        for start, end, original in (*self._whole(text), *self._dates(text), *self._words(text)):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                changes.append((start, end, original))
        out, last = [], 0
        for start, end, original in sorted(changes):
            out += [text[last:start], original]
            last = end
        return "".join((*out, text[last:]))

    def _found(self, text: str) -> list[Found]:
        """What the rules find, and invented words in use that the text itself has."""
        found = find(text, self._record)
        taken = bytearray(len(text))
        for one in found:
            taken[one.mention.start : one.mention.end] = b"\1" * (one.mention.end - one.mention.start)
        plain = blank_escapes(text)
        for run in _RUN.finditer(plain):
            if self._surrogates.is_stand_in(run.group()) and not any(taken[run.start() : run.end()]):
                found.append(Found(Mention(run.start(), run.end(), "name")))
        for match in self._pattern().finditer(plain) if self._surrogates.back else ():
            if not any(taken[match.start() : match.end()]) and self._surrogates.kinds[match.group()] != "name":
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                found.append(Found(Mention(match.start(), match.end(), "id")))
        return sorted(found, key=lambda f: f.mention.start)

    def _put(self, text: str, found: list[Found], opaque: frozenset[str]) -> Hidden:
        out: list[str] = []
        spans: list[HiddenSpan] = []
        last = length = 0
        full = [f for f in found if len(f.date) == 10 and not f.date.startswith("-")]
        starts = [f.mention.start for f in full]
        for one in found:
            start, end, kind = one.mention
            written = text[start:end]
            if kind in opaque:
                surrogate = self._surrogates.opaque(kind, written, text)
            else:
                year = _year_for(full, starts, one)
                surrogate = self._surrogates.stand_in(kind, written, text, one.date, year)
            length += start - last
            out += [text[last:start], surrogate]
            spans.append(HiddenSpan(start, end, length, length + len(surrogate), kind))
            length += len(surrogate)
            last = end
        return Hidden("".join((*out, text[last:])), tuple(spans))

    def _pattern(self) -> re.Pattern[str]:
        known = sorted((s for s in self._surrogates.back if not re.fullmatch(r"\d{4}", s)), key=lambda s: (-len(s), s))
        alternatives = "|".join(map(re.escape, known)) or r"(?!)"
        return re.compile(rf"(?<![^\W_])(?<!\d[./-])(?:{alternatives})(?![^\W_]|[./-]\d|,\d)")

    def _whole(self, text: str) -> Iterator[tuple[int, int, str]]:
        for match in self._pattern().finditer(blank_escapes(text)):
            yield match.start(), match.end(), self._surrogates.back[match.group()]

    def _dates(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Dates that a model wrote in its own spelling, or took from a more precise one."""
        dates = sorted(
            find_all(blank_escapes(text), day_first=self._record.day_first), key=lambda d: (d.start - d.end, d.start)
        )
        full = [d for d in dates if d.form.count("-") == 2 and not d.form.startswith("-")]
        for one in dates:
            written = text[one.start : one.end]
            known = self._surrogates.back.get(written)
            if known is not None:
                yield one.start, one.end, known
                continue
            near = min(full, key=lambda d: abs(d.start - one.start), default=None)
            form = self._moved_back(one.form, int(near.form[:4]) if near else _YEAR)
            said = respelt(written, one.form, form) if form else None
            if said:
                yield one.start, one.end, said

    def _moved_back(self, form: str, year: int) -> str | None:
        """The date that a moved one stands for; of a month or year the one that all hidden dates in it agree on."""
        if not form.startswith("-") and form.count("-") < 2:
            origins = {
                old[: len(form)] for new, old in self._surrogates.days_back.items() if new.startswith(f"{form}-")
            }
            if len(origins) == 1:
                return origins.pop()
        return moved(form, self._surrogates.shift.back(), year)

    def _words(self, text: str) -> Iterator[tuple[int, int, str]]:
        for run in _RUN.finditer(blank_escapes(text)):
            original = self._surrogates.words_back.get(fold(run.group()))
            if original is not None:
                word = run.group()
                yield (
                    run.start(),
                    run.end(),
                    original.upper() if word.isupper() else original.lower() if word.islower() else original,
                )


def _year_for(full: Sequence[Found], starts: Sequence[int], one: Found) -> int:
    """The year that a date without one is reckoned in: that of the nearest whole date before it, else after it.

    `full` are the whole dates in the order of the text, `starts` where they start.
    """
    before = bisect_left(starts, one.mention.start)
    near = full[before - 1 : before] if before else full[:1]
    return int(near[0].date[:4]) if near else _YEAR
