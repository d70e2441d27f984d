"""Whether an answer over time is exact: the right value, unit and day, and nothing that could be taken for it.

Rules of counting, on the sentences as shown, whoever wrote them; nothing here uses chartcite's own rules of facts.

- An amount is a number with its unit behind it, as the record writes it (table bars and flags between them, a decimal
  comma, `K/uL` for `x10^3/uL`). It has a day where its sentence names that day in any usual form, or where a note of
  that day is cited for it.
- value: some sentence has the amount with its day; in no sentence does another number bear that unit.
- dose: the drug's first word and the amount in one sentence, no other amount of that unit in a sentence with that drug;
  of a first dose also its day.
- change, trend: both amounts, each with its day, no third number with either unit but a difference (behind `by`, `por`,
  `em`); of a trend also its direction in words, and the lowest and highest that are said to be so may stand beside.
- dose change: the drug and both amounts in one sentence.
- duration: the days in words (`2 days`, or whole weeks or months that give them).
- count: the number, as a digit or a word, with what is counted behind it, and all days that the gold names.
- order: the sentence has both events and `before` or `after` (`antes`, `depois`) between them, the right way round.
- list: every drug with its amount, and no amount with a drug that is not on the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

TYPES = ("value", "dose", "change", "dose_change", "trend", "duration", "count", "order", "list")
_ALIASES: Mapping[str, tuple[tuple[str, int], ...]] = {
    "x10^3/uL": (("x10^3/uL", 1), ("10*3/uL", 1), ("K/uL", 1), ("x10^9/L", 1), ("10*9/L", 1), ("/uL", 1000)),
    "x10^9/L": (("x10^9/L", 1), ("10*9/L", 1), ("x10^3/uL", 1), ("10*3/uL", 1)),
    "mEq/L": (("mEq/L", 1), ("mmol/L", 1)), "mcg": (("mcg", 1), ("ug", 1), ("µg", 1)),
    "units": (("units", 1), ("unidades", 1), ("UI", 1), ("U", 1)), "points": (("points", 1), ("pontos", 1)),
    "mmHg": (("mmHg", 1), ("mm[Hg]", 1)), "mL/min/1.73m2": (("mL/min/1.73m2", 1), ("mL/min/{1.73_m2}", 1)),
    "mIU/L": (("mIU/L", 1), ("m[IU]/L", 1), ("mUI/L", 1)),
}  # fmt: skip
_NUMBER = r"(?<![\d.,/])(?P<number>\d+(?:[.,]\d+)?(?:[/-]\d+(?:[.,]\d+)?)?)"
_FLAG = r"(?:[\s|]*(?:\*?[HL]\*?)?[\s|]+|\s?)"
_MONTHS = (
    ("jan", "january", "janeiro"), ("feb", "february", "fevereiro"), ("mar", "march", "março"),
    ("apr", "april", "abril"), ("may", "may", "maio"), ("jun", "june", "junho"), ("jul", "july", "julho"),
    ("aug", "august", "agosto"), ("sep", "september", "setembro"), ("oct", "october", "outubro"),
    ("nov", "november", "novembro"), ("dec", "december", "dezembro"),
)  # fmt: skip
_UP = re.compile(r"\b(?:rose|risen|increased?|went up|higher|subiu|aumentou|elevou)\b", re.IGNORECASE)
_DOWN = re.compile(r"\b(?:fell|fallen|decreased?|went down|dropped|lower|caiu|diminuiu|baixou|desceu)\b", re.IGNORECASE)
_SAME = re.compile(
    r"\b(?:did not change|stable|unchanged|stayed|no change|não mudou|estável|não se alterou|sem alteração)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(r"\b(?:by|por|em|of)\s+[-+]?$|\b(?:lowest|highest|menor|maior)\b[^.;\d]{0,60}$", re.IGNORECASE)
_SPAN = re.compile(r"\b(\d+)\s+(days?|dias?|weeks?|semanas?)\b", re.IGNORECASE)
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS_PT = ("zero", "uma?", "du?as|dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez")
_COUNTED = (
    r"(?:[^\W\d]+\s+)?(?:times?|days?|stays?|admissions?|hospitali[sz]ations?|courses?|changes?|episodes?|occasions?|"
    r"procedures?|operations?|vez(?:es)?|dias?|interna\w+|altera\w+|mudan\w+|cursos?|epis[oó]dios?|procedimentos?)\b"
)
_WORD = re.compile(r"[^\W\d_]{3,}")


class Sentence(NamedTuple):
    """A sentence as shown, and the days of the notes that it cites."""

    text: str
    days: tuple[str, ...]


def is_exact(gold: Mapping[str, Any], sentences: Sequence[Sentence], *, is_first: bool = False) -> bool:
    """Whether the answer is exact; of another type than `TYPES` never.

    Args:
        gold: the answer of a longchart question.
        sentences: those shown; none is an abstention and never exact.
        is_first: the question wants to know when something was first.
    """
    match gold["type"]:
        case "value":
            return _alone([gold], sentences)
        case "dose":
            return _dose(gold, sentences, with_day=is_first)
        case "change":
            return _alone([gold["from"], gold["to"]], sentences)
        case "trend":
            said = " ".join(s.text for s in sentences)
            return _direction(gold["direction"], said) and _alone([gold["from"], gold["to"]], sentences)
        case "dose_change":
            ends = gold["from"], gold["to"]
            return any(all(_has(end, s) and _names(end["drug"], s.text) for end in ends) for s in sentences)
        case "duration":
            return any(_days(m) == gold["days"] for s in sentences for m in _SPAN.finditer(s.text))
        case "count":
            return _count(gold, sentences)
        case "order":
            return any(_in_order(gold, s.text) for s in sentences)
        case "list":
            return _list(gold["items"], sentences)
    return False


def amounts(text: str, unit: str) -> Iterator[tuple[str, int]]:
    """Each number that bears a unit, in that unit, and where it begins."""
    for form, scale in _ALIASES.get(unit, ((unit, 1),)):
        behind = rf"{_FLAG}{re.escape(form)}(?![\w/^*])" if form else r"(?![\d.,/%]|\s?[\w%])"
        for found in re.finditer(_NUMBER + behind, text, re.IGNORECASE):
            yield _plain(found["number"], scale), found.start()


def day_forms(day: str) -> re.Pattern[str]:
    """Every usual way to write an ISO date, both orders of day and month."""
    year, month, of_month = day.split("-")
    m, d = str(int(month)), str(int(of_month))
    names = "|".join(_MONTHS[int(month) - 1])
    y = rf"(?:{year}|{year[2:]})"
    return re.compile(
        rf"(?<!\d)(?:{day}|0?{m}[/.-]0?{d}[/.-]{y}|0?{d}[/.-]0?{m}[/.-]{y}|0?{d}\s(?:de\s)?(?:{names})\.?\s(?:de\s)?{y}|"
        rf"(?:{names})\.?\s0?{d},?\s{y})(?!\d)",
        re.IGNORECASE,
    )


def _plain(number: str, scale: int = 1) -> str:
    """`1,90` is `1.9`; a pair stays a pair."""
    parts = re.split(r"([/-])", number.replace(",", "."))
    return "".join(str(Fraction(p) / scale) if p not in "/-" else p for p in parts)


def _has(end: Mapping[str, Any], sentence: Sentence) -> bool:
    """Whether a sentence has an amount."""
    wanted = _plain(str(end.get("value") or end.get("amount")))
    return any(number == wanted for number, _ in amounts(sentence.text, end["unit"]))


def _alone(ends: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> bool:
    """Every end with its day, and no number with one of their units beside them, unless it is called a difference."""
    if not all(any(_has(end, s) and _is_of(end["date"], s) for s in sentences) for end in ends):
        return False
    wanted = {_plain(str(end["value"])) for end in ends}
    return all(
        number in wanted or _DIFFERENCE.search(s.text[:at])
        for s in sentences for unit in {end["unit"] for end in ends} for number, at in amounts(s.text, unit)
    )  # fmt: skip


def _is_of(day: str, sentence: Sentence) -> bool:
    return day in sentence.days or bool(day_forms(day).search(sentence.text))


def _names(drug: str, text: str) -> bool:
    return drug.split(maxsplit=1)[0].lower() in text.lower()


def _dose(gold: Mapping[str, Any], sentences: Sequence[Sentence], *, with_day: bool) -> bool:
    own = [s for s in sentences if _names(gold["drug"], s.text)]
    if not any(_has(gold, s) and (not with_day or _is_of(gold["since"], s)) for s in own):
        return False
    wanted = _plain(gold["amount"])
    return all(number == wanted for s in own for number, _ in amounts(s.text, gold["unit"]))


def _direction(direction: str, text: str) -> bool:
    """The gold's direction is in words, and no other is."""
    said = {"rose": _UP, "fell": _DOWN, "stable": _SAME}
    return {name for name, cue in said.items() if cue.search(text)} == {direction}


def _days(span: re.Match[str]) -> int:
    return int(span[1]) * (7 if span[2].lower().startswith(("week", "semana")) else 1)


def _count(gold: Mapping[str, Any], sentences: Sequence[Sentence]) -> bool:
    n = int(gold["count"])
    words = [*([_WORDS[n], _WORDS_PT[n]] if n < len(_WORDS) else [])]
    number = re.compile(rf"(?<![\d./,-])(?:{'|'.join([str(n), *words])})\s+{_COUNTED}", re.IGNORECASE)
    days = gold.get("dates") or ()
    return any(number.search(s.text) for s in sentences) and all(any(_is_of(d, s) for s in sentences) for d in days)


def _in_order(gold: Mapping[str, Any], text: str) -> bool:
    first, second = _words(gold["first"]), _words(gold["second"])
    for word, is_right_way in (("before", True), ("antes", True), ("after", False), ("depois", False)):
        left, cue, right = text.lower().partition(f" {word} ")
        if cue:
            ends = (first - second, second - first) if is_right_way else (second - first, first - second)
            return _most(ends[0], left) and _most(ends[1], right)
    return False


def _words(event: str) -> set[str]:
    return set(_WORD.findall(event.lower()))


def _most(words: set[str], text: str) -> bool:
    return bool(words) and 2 * sum(word in text for word in words) >= len(words)


def _list(items: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> bool:
    if not all(any(_names(i["drug"], s.text) and _has(i, s) for s in sentences) for i in items):
        return False
    units = {i["unit"] for i in items}
    dosed = [s for s in sentences if any(True for unit in units for _ in amounts(s.text, unit))]
    return all(any(_names(i["drug"], s.text) and _has(i, s) for i in items) for s in dosed)
