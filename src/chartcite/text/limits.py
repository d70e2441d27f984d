"""Word limits: the soft cut of an answer and the first words of a query. Words are what white space separates."""

from __future__ import annotations

import re
from typing import Final

from chartcite.text.sentences import split_sentences

KEEP_SHARE: Final = 0.6
"""Of the limit, that a cut at a sentence end must keep."""
_WORD = re.compile(r"\S+")
_ENDED = re.compile(r"[.!?…][)\]}\"'”’»]*\Z")
_PREAMBLE = re.compile(
    r"(?:(?:the |a )?(?:clinician[- ])?(?:interpreted |short |final |rewritten |search )?(?:question|query)(?: is)?"
    r"|q|pergunta|consulta)\s*[:：]\s*",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’«»`*"
_LOOSE_ENDS = " ,;:-–—(["


def soft_cut(text: str, limit_words: int = 75, keep_share: float = KEEP_SHARE) -> str:
    """Return at most `limit_words` words, ending with a sentence where that keeps enough.

    A text within the limit comes back as it is. A longer one is cut after its last sentence that ends inside the
    limit, if at least `keep_share` of the limit remains; else after the last word, with one full stop.

    Raises:
        ValueError: the text is empty.
    """
    text = text.strip()
    if not text:
        raise ValueError("the text to cut is empty")
    ends = [word.end() for word in _WORD.finditer(text)]
    if len(ends) <= limit_words:
        return text
    room = ends[limit_words - 1]
    for unit in reversed(split_sentences(text)):
        kept = text[: unit.end]
        if unit.end <= room and _ENDED.search(text, unit.start, unit.end):
            if len(kept.split()) >= keep_share * limit_words - 1e-9:
                return kept
            break
    return _with_full_stop(text[:room])


def _with_full_stop(text: str) -> str:
    trimmed = text.rstrip(_LOOSE_ENDS) or text
    return trimmed if _ENDED.search(trimmed) else trimmed + "."


def first_words(text: str, limit: int = 15) -> str:
    """Return the first words of a query, without a preamble such as `Question:` and without quotes around it.

    Raises:
        ValueError: nothing is left.
    """
    query = " ".join(text.split()).strip(_QUOTES + " ")
    query = _PREAMBLE.sub("", query, count=1) if _PREAMBLE.match(query) else query
    words = query.strip(_QUOTES + " ").split()
    if not words:
        raise ValueError("the query is empty")
    if len(words) <= limit:
        return " ".join(words)
    return " ".join(words[:limit]).rstrip(_LOOSE_ENDS + _QUOTES) or words[0]
