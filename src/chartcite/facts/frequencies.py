"""How often: `bid`, `q.i.d.`, `twice daily`, `every 8 hours`, `q2-3h`, `two a week`, `6/6h`, as times a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from chartcite.facts.patterns import alternatives

Range = tuple[Fraction, Fraction]
_CODES: dict[str, int | Fraction] = {
    "qd": 1, "q.d.": 1, "bid": 2, "b.i.d.": 2, "tid": 3, "t.i.d.": 3, "qid": 4, "q.i.d.": 4, "qod": Fraction(1, 2),
    "q.o.d.": Fraction(1, 2), "bd": 2, "tds": 3, "qds": 4, "daily": 1, "once daily": 1, "every day": 1, "each day": 1,
    "everyday": 1, "every other day": Fraction(1, 2), "every second day": Fraction(1, 2),
    "alternate days": Fraction(1, 2), "on alternate days": Fraction(1, 2), "weekly": Fraction(1, 7),
    "once weekly": Fraction(1, 7), "every week": Fraction(1, 7), "each week": Fraction(1, 7),
    "wkly": Fraction(1, 7), "once a week": Fraction(1, 7), "q week": Fraction(1, 7), "q wk": Fraction(1, 7),
    "q month": Fraction(12, 365), "q mo": Fraction(12, 365), "q day": 1, "q hour": 24, "mthly": Fraction(12, 365),
    "alt days": Fraction(1, 2), "alternate day": Fraction(1, 2), "every alternate day": Fraction(1, 2),
    "on alt days": Fraction(1, 2), "every 2nd day": Fraction(1, 2),
    "every other week": Fraction(1, 14), "fortnightly": Fraction(1, 14), "every fortnight": Fraction(1, 14),
    "qweek": Fraction(1, 7), "qwk": Fraction(1, 7), "hourly": 24, "every hour": 24, "each hour": 24,
    "qhour": 24, "qh": 24,
    "monthly": Fraction(12, 365), "once monthly": Fraction(12, 365), "every month": Fraction(12, 365),
    "each month": Fraction(12, 365), "qmonth": Fraction(12, 365), "yearly": Fraction(1, 365),
    "annually": Fraction(1, 365), "every year": Fraction(1, 365), "each year": Fraction(1, 365),
    "diário": 1, "diária": 1, "diários": 1, "diárias": 1, "todos os dias": 1, "todo dia": 1, "cada dia": 1,
    "semanal": Fraction(1, 7), "semanais": Fraction(1, 7), "mensal": Fraction(12, 365),
    "mensalmente": Fraction(12, 365), "por mês": Fraction(12, 365), "ao mês": Fraction(12, 365), "por hora": 24,
    "a cada hora": 24, "dia sim, dia não": Fraction(1, 2), "em dias alternados": Fraction(1, 2),
    "dias alternados": Fraction(1, 2), "toda semana": Fraction(1, 7), "na semana": Fraction(1, 7),
    "a cada semana": Fraction(1, 7),
    "diariamente": 1, "ao dia": 1, "por dia": 1, "semanalmente": Fraction(1, 7), "por semana": Fraction(1, 7),
}  # fmt: skip
_ADVERBS = {
    name: n for n, names in enumerate(("once", "twice duas", "thrice"), start=1) for name in names.split()
}  # fmt: skip
_NUMBERS = _ADVERBS | {
    name: n
    for n, names in enumerate(
        ("one um uma", "two dois", "three três tres", "four quatro", "five cinco", "six seis", "seven sete",
         "eight oito", "nine nove", "ten dez", "eleven", "twelve doze"), start=1
    )
    for name in names.split()
}  # fmt: skip
_PER = {
    "hour": Fraction(1, 24), "hr": Fraction(1, 24), "h": Fraction(1, 24), "day": Fraction(1), "d": Fraction(1),
    "dia": Fraction(1), "night": Fraction(1), "week": Fraction(7), "wk": Fraction(7), "semana": Fraction(7),
    "sem": Fraction(7),
    "fortnight": Fraction(14), "month": Fraction(365, 12), "mo": Fraction(365, 12), "mês": Fraction(365, 12),
    "year": Fraction(365), "yr": Fraction(365), "ano": Fraction(365),
    "daily": Fraction(1), "nightly": Fraction(1), "weekly": Fraction(7), "monthly": Fraction(365, 12),
    "yearly": Fraction(365), "annually": Fraction(365),
}  # fmt: skip
_BASES = {"hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year"}
_SPANS = {"h": Fraction(1, 24), "m": Fraction(1, 1440), "d": Fraction(1), "n": Fraction(1), "w": Fraction(7)}
_N = rf"\d{{1,2}}|{alternatives(_NUMBERS)}"
_RANGE = rf"(?:{_N})(?:\s*(?:-|–|to|or)\s*(?:{_N}))?"
_TIME = r"hour|hr|h|day|d|dia|night|week|wk|semana|fortnight|month|mo|mês|year|yr|ano"
_ADVERB = r"daily|nightly|weekly|monthly|yearly|annually"
_UNIT = r"minutes?|mins?|hours?|hrs?|h|horas?|days?|d|dias?|nights?|weeks?|wks?|w|semanas?|months?|mos?|meses"
_CODE = alternatives(_CODES)
_PATTERN = re.compile(
    rf"""
    (?<![\w/.,-])(?:
      (?P<n>{_RANGE})\s*-?\s*(?:x|times|vez(?:es)?)\s*-?\s*
        (?:(?:/|\b(?:an?|per|each|every|ao|por|na|à|in\s+a)\b)\s*(?P<per>{_TIME}|(?<=/)sem)|(?P<per2>{_ADVERB}))(?!\w)
    | (?P<e2>\d{{1,2}}|{"|".join(_NUMBERS)})(?:-|\s+(?=\w+\s*(?:[,.;)]|$|and\b)))
        (?P<eu2>hourly|weekly|monthly|yearly)(?!\w)
    | (?P<days>{_N})\s+(?:days?|nights?)\s*(?:/|\b(?:of\s+the|of\s+each|of\s+every|an?|per|each|every|in\s+the)\s+)
        (?P<per7>week|wk|month|mo)(?!\w)
    | (?P<adverb>(?:once\s+(?:or|to)\s+)?(?:once|twice|thrice|duas))[\s-]+
        (?:(?:/|\b(?:an?|per|each|every|ao|por)\b)[\s-]*(?P<per3>{_TIME})|(?P<per4>{_ADVERB}))(?!\w)
    | (?P<word>{alternatives(_NUMBERS)})\s+(?:an?|per)\s+(?P<per5>day|week|night)(?!\w)
    | q\.?\s?(?P<q>\d{{1,2}}(?:\s?(?:-|–|to)\s?\d{{1,2}})?)\s?-?(?P<qu>{_UNIT})\b\.?(?!\w)
    | (?:every|each|cada|de(?=\s+\d+\s+em\b))\s+(?P<e>{_RANGE})\s+(?:em\s+\d{{1,2}}\s+)?(?P<eu>{_UNIT})(?!\w)
    | (?P<h3>\d{{1,2}})/(?P=h3)\s?(?:h(?:oras?|s|rs)?)(?!\w)
    | (?P<n2>\d{{1,2}}(?:\s?[-–]\s?\d{{1,2}})?)/(?P<per6>day|night|week|wk|month)(?!\w)
    | (?P<code>{_CODE})(?!\w)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "Two glasses of wine a week", but not "a week of fever", "in a week", "a day later".
_BARE = re.compile(
    rf"(?:(?<!\w)(?<!\bin\s)(?<!\bfor\s)(?<!\bafter\s)(?<!\bwithin\s)(?<!\bthan\s)(?<!\bover\s)(?<!\babout\s)(?<!\bonly\s)(?<!\bof\s)"
    rf"(?:an?|per|each)\s+|(?<=[^\W\d_]{{2}})/(?=wk|week|day|night|month))"
    rf"(?P<per>{_TIME})(?!\w)(?!\s+(?:of|ago|earlier|later|before|prior|after|off|old)\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half)\b)[^.;:()]{0,40}$", re.IGNORECASE
)


def find_frequencies(text: str) -> Iterator[tuple[int, int, Range]]:
    """Yield `(start, end, (lowest, highest) times a day)`, left to right."""
    for found in _PATTERN.finditer(text):
        rate = _rate(found)
        if rate is not None:
            yield found.start(), found.end(), rate


def find_paces(text: str) -> Iterator[tuple[int, int, Range]]:
    """`a week` and `per night` by themselves, where something was counted before: `two glasses of wine a week`."""
    for found in _BARE.finditer(text):
        if _COUNTED.search(text, 0, found.start()):
            rate = 1 / _PER[found["per"].lower()]
            yield found.start(), found.end(), (rate, rate)


def _rate(found: re.Match[str]) -> Range | None:
    if found["code"]:
        once = Fraction(_CODES[re.sub(r"\s+", " ", found["code"]).lower()])
        return once, once
    if found["h3"]:
        hours = int(found["h3"])
        return (Fraction(24, hours), Fraction(24, hours)) if hours else None
    if found["e2"]:
        # "Two-hourly" is every two hours, "once weekly" once a week.
        span = _PER[_BASES[found["eu2"].lower()]]
        count = _count(found["e2"])
        rate = Fraction(count) / span if found["e2"].lower() in _ADVERBS else 1 / (count * span) if count else None
        return None if rate is None else (rate, rate)
    if found["q"] or found["e"]:
        low, high = _ends(found["q"] or found["e"])
        span = _span(found["qu"] or found["eu"])
        return (1 / (high * span), 1 / (low * span)) if low and high else None
    per = _PER[next(name for name in (found[f"per{n}"] for n in ("", *range(2, 8))) if name).lower()]
    low, high = _ends(found["n"] or found["n2"] or found["adverb"] or found["word"] or found["days"] or "one")
    return low / per, high / per


def _span(unit: str) -> Fraction:
    unit = unit.lower()
    return Fraction(365, 12) if unit.startswith(("mo", "mes")) else _SPANS[unit[0].replace("s", "w")]


def _ends(text: str) -> Range:
    ends = [Fraction(_count(part)) for part in re.split(r"\s*(?:-|–|\bto\b|\bor\b)\s*", text.strip())]
    return ends[0], ends[-1]


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMBERS[text.lower()]
