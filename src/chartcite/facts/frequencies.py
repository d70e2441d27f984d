"""How often: `bid`, `q.i.d.`, `twice daily`, `every 8 hours`, `6/6h`, as times a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

_CODES: dict[str, int | Fraction] = {
    "qd": 1, "q.d.": 1, "bid": 2, "b.i.d.": 2, "tid": 3, "t.i.d.": 3, "qid": 4, "q.i.d.": 4, "qod": Fraction(1, 2),
    "q.o.d.": Fraction(1, 2), "bd": 2, "tds": 3, "qds": 4, "daily": 1, "once daily": 1, "every day": 1, "each day": 1,
    "everyday": 1, "q24h": 1, "every other day": Fraction(1, 2), "alternate days": Fraction(1, 2),
    "weekly": Fraction(1, 7), "once weekly": Fraction(1, 7), "every week": Fraction(1, 7), "hourly": 24,
    "diariamente": 1, "ao dia": 1,
}  # fmt: skip
_NUMBERS = {
    name: n
    for n, names in enumerate(
        ("once one", "twice two duas", "thrice three três", "four quatro", "five cinco", "six seis", "seven",
         "eight oito"), start=1
    )
    for name in names.split()
}  # fmt: skip
_DAYS = {"day": 1, "d": 1, "dia": 1, "week": 7, "wk": 7, "semana": 7, "daily": 1, "weekly": 7}
_WORD = "|".join(_NUMBERS)
_CODE = "|".join(re.escape(c).replace(r"\ ", r"\s+") for c in sorted(_CODES, key=len, reverse=True))
_PATTERN = re.compile(
    rf"""
    (?<![\w/-])(?:
      (?P<n>\d{{1,2}}|{_WORD})(?:\s*-?(?:x|times|vezes))?\s*(?:/|\ba\b|\bper\b|\beach\b|\bevery\b|\bao\b|\bpor\b|\b)\s*
        (?P<per>day|d(?=\W|$)|dia|week|wk|semana|daily|weekly)(?!\w)
    | q\.?\s?(?P<h1>\d{{1,2}})\s?(?:h(?:rs?|ours?)?\.?)(?!\w)
    | (?:every|de)\s+(?P<h2>\d{{1,2}}|{_WORD})\s+(?:em\s+\d{{1,2}}\s+)?(?:hours?|hrs?|h|horas?)(?!\w)
    | (?:every)\s+(?P<d2>\d{{1,2}}|{_WORD})\s+(?P<du>days?|weeks?)(?!\w)
    | (?P<h3>\d{{1,2}})/(?P=h3)\s?h(?!\w)
    | (?P<code>{_CODE})(?!\w)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def find_frequencies(text: str) -> Iterator[tuple[int, int, Fraction]]:
    """Yield `(start, end, times a day)`, left to right."""
    for found in _PATTERN.finditer(text):
        rate = _rate(found)
        if rate is not None:
            yield found.start(), found.end(), rate


def _rate(found: re.Match[str]) -> Fraction | None:
    if found["code"]:
        return Fraction(_CODES[re.sub(r"\s+", " ", found["code"]).lower()])
    if found["n"]:
        number, per = found["n"].lower(), found["per"].lower()
        if number.isdecimal() and not re.search(r"x|times|vezes", found[0], re.IGNORECASE):
            # "5/day" and "3 day" without "times" are something else.
            return None
        return Fraction(_count(number), _DAYS[per])
    if found["d2"]:
        days = _count(found["d2"]) * (7 if found["du"].lower().startswith("w") else 1)
        return Fraction(1, days) if days else None
    hours = _count(found["h1"] or found["h2"] or found["h3"])
    return Fraction(24, hours) if hours else None


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMBERS[text.lower()]
