"""Ages over 89, which are rare enough to tell who somebody is; younger ages stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.deid.mentions import Mention

_NUMBER = r"(?P<n>9\d|1[0-2]\d)"
_AGE = re.compile(
    rf"(?<![\w.,/-]){_NUMBER}(?=[\s-]*(?:years?|yrs?)[\s-]*(?:old|of\s+age)\b|[\s-]*(?:y/?o|y\.o\.|yo)(?![^\W_])"
    rf"|[\s-]*anos\b(?!\s+(?:de\s+(?:trabalho|casad|uso)|atr)))"
    rf"|\b(?:aged?|idade|age\s+of|at\s+the\s+age\s+of)[\s:]+(?P<n2>9\d|1[0-2]\d)(?![\w/-]|[.,]\d|\s*(?:days?|weeks?|months?|%))"
    r"|(?<![\w.,/-])(?P<n3>9\d|10\d|11\d)(?=\s?(?-i:[MF])\b)"
    r"|(?<![\w.,/-])(?P<n4>9\d|10\d|11\d)(?=\s+y(?:ears?)?(?:,|\s*$|\s+(?:male|female|man|woman)\b))",
    re.IGNORECASE | re.MULTILINE,
)


def find_ages(text: str) -> Iterator[Mention]:
    """The numbers of ages over 89."""
    for found in _AGE.finditer(text):
        group = next(name for name in ("n", "n2", "n3", "n4") if found[name])
        if int(found[group]) > 89:
            yield Mention(*found.span(group), "age")
