"""Ages: `68-year-old`, `68M`, `aged 5`, `in his 70s`, `68 anos`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from chartcite.core.documents import Span
from chartcite.facts.comparators import led_by
from chartcite.facts.numerals import NUMBER, read_number, worded_number
from chartcite.facts.quantities import Quantity
from chartcite.facts.taken import claim
from chartcite.facts.units import parse_unit


@lru_cache(maxsize=1)
def _age_pattern() -> re.Pattern[str]:
    number, unit = rf"{NUMBER}|{worded_number()}", r"years?|yrs?|months?|mos?|weeks?|wks?|days?"
    return re.compile(
        rf"(?<![\w.,/-])(?P<n>{number})[\s-]*(?P<u>{unit})[\s-]*old\b"
        r"|(?<![\w.,/-])(?P<n2>\d{1,3})[\s-]*(?:y/?o|y\.o\.|yo)(?![^\W_])"
        rf"|\b(?:aged?|age\s+of|at\s+the\s+age\s+of)[\s:]+(?P<n3>\d{{1,3}}(?![\w/-]|[.,]\d)|{worded_number()})"
        rf"(?:\s+(?P<u3>{unit}|anos)\b)?"
        rf"|(?<![\w.,/-])(?P<n6>{number})\s+(?P<u6>{unit})\s+of\s+age\b"
        r"|(?<![\w.,/-])(?P<n7>\d{1,2})[\s-]*(?P<u7>mos?|months?|wks?|weeks?|days?|d)"
        r"(?=[\s-](?:F|M|girl|boy|male|female|infant|baby)\b)"
        r"|(?<![\w.,/-])(?P<n5>[1-8]?\d)(?=(?-i:[MF])\b)"
        r"|(?<![\w.,/-])(?P<n4>\d{1,3})\s+anos\s+de\s+idade\b"
        r"|(?<![\w.,/-])(?P<n8>\d{1,3})\s?a(?=[,;.)]|\s*$|\s+(?:com|em|sexo|de)\b)"
        r"|(?:(?<=\bdo\ssexo\smasculino,\s)|(?<=\bdo\ssexo\sfeminino,\s)|(?<=\bmasculino,\s)|(?<=\bfeminino,\s)"
        r"|(?<=\bmasculino\sde\s)|(?<=\bfeminina\sde\s)|(?<=\bmasculina,\s)|(?<=\bfeminina,\s)"
        r"|(?<=\bmasc,\s)|(?<=\bfem,\s)"
        r"|(?<=\bmasc\.,\s)|(?<=\bfem\.,\s)"
        r"|(?<=\bpaciente\sde\s)|(?<=\bpaciente,\s)|(?<=\bhomem\sde\s)|(?<=\bmulher\sde\s)|(?<=\bhomem,\s)"
        r"|(?<=\bmulher,\s)|(?<=a\sde\s)(?=\d{1,2}\sanos,)|(?<=\bgestante\sde\s)|(?<=\bidosa\sde\s)|(?<=\bidoso\sde\s)"
        r"|(?<=\bmenino\sde\s)|(?<=\bmenina\sde\s)|(?<=\bcom\sidade\sde\s)|(?<=\btem\s)|(?<=\baos\s))"
        r"(?P<n9>\d{1,3})\s+(?:(?P<u9>meses|dias)|anos)(?!\w)"
        r"|(?<=\bcrian.a\sde\s)(?P<n10>\d{1,2})\s+(?:(?P<u10>meses|dias)|anos)(?!\w)",
        re.IGNORECASE | re.ASCII,
    )


_AGE_HINT = re.compile(
    r"old\b|\bage|\d\s?a\b|\b(?:meses|dias)\b|\d[\s-]*y[/.]?o|\banos\b|0['’]?s\b|\d\s?(?-i:[MF])\b|\d[\s-]*(?:d|days?|wks?|weeks?|mos?|months?)[\s-][fmgbi]",
    re.IGNORECASE | re.ASCII,
)
_DECADE = re.compile(
    r"\b(?:his|her|their|the)\s+(?:(?P<part>early|mid|late)[\s-]+)?(?P<n>[1-9]0)['’]?s\b", re.IGNORECASE
)


def find_ages(text: str, taken: bytearray) -> list[Quantity]:
    """All ages of a sentence that are not taken."""
    out: list[Quantity] = []
    if not _AGE_HINT.search(text):
        return out
    for found in _age_pattern().finditer(text):
        number = read_number(next(found[f"n{n}"] for n in ("", *range(2, 11)) if found[f"n{n}"]))
        if number is not None and claim(taken, *found.span()):
            unit = parse_unit(
                found["u"] or found["u3"] or found["u6"] or found["u7"] or found["u9"] or found["u10"] or "years"
            )
            start, comparator = led_by(text, found.start(), taken)
            out.append(Quantity(Span(start, found.end()), "age", number, number, comparator, unit))
    for found in _DECADE.finditer(text):
        if claim(taken, *found.span()):
            first, last = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get((found["part"] or "").lower(), (0, 9))
            ends = (Fraction(int(found["n"]) + first), Fraction(int(found["n"]) + last))
            out.append(Quantity(Span(*found.span()), "age", *ends, unit=parse_unit("years"), sort="decade"))
    return out
