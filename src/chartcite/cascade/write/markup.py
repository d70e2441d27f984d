"""What a model may not write into an answer: links, pictures, tags, and marks that cannot be seen.

The words of a link can all stand in the record; shown in a page that renders them they would fetch what a note's author
chose, with the answer in the address. A sentence about a patient needs none of it.
"""

from __future__ import annotations

import re
import unicodedata

_MARKUP = re.compile(r"\w+://|\bwww\.|\bdata:\S|\]\s*\(|!\[|</?[a-z!][^<>]*>|```", re.IGNORECASE)
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs"})


def holds_markup(text: str) -> bool:
    """Whether a sentence holds more than words.

    >>> holds_markup("See [the dose](x)."), holds_markup("INR < 2.0 [1], dose > 5 mg (low)")
    (True, False)
    """
    return bool(_MARKUP.search(text)) or any(unicodedata.category(c) in _UNSEEN for c in text)
