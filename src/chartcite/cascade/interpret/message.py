"""What a long message is made of: its subject line, and its sentences without greeting, thanks and signature.

Knows the shape of a message, nothing of medicine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chartcite.cascade.interpret.cues import Cues
from chartcite.text.sentences import split_sentences

MAX_SUBJECT_WORDS = 12
_MASK = re.compile(r"\[[A-Z][A-Z _]+\]")
_LABEL = re.compile(r"^\s*(?:subject|assunto)\s*:(?P<subject>[^\n]*)\n\s*(?:message|mensagem)\s*:", re.IGNORECASE)
_ONLY_BODY = re.compile(r"^\s*(?:message|mensagem)\s*:", re.IGNORECASE)
# Dots or question marks that end a sentence with no space behind them: `in gums...dentist said`, `why?She`.
_RUN_ON = re.compile(r"(?<=[^\W\d_])(?:\.{2,}|[?!]+|(?<=[a-z]{2})\.(?=[A-Z][a-z]))(?=\s?[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it will be read; all strings are slices of the text with white space folded."""

    subject: str
    sentences: tuple[str, ...]


def read_message(text: str, cues: Cues) -> Message:
    """Take a message apart.

    A subject is what is labelled so, or a short first line that the next one does not continue.
    """
    subject, body = _subject(text)
    body = _RUN_ON.sub(lambda m: m[0] + "\n\n", _MASK.sub(" ", body))
    units = (" ".join(body[s.start : s.end].split()) for s in split_sentences(body))
    kept = tuple(u for u in units if u and not cues.courtesy.fullmatch(u.lower()))
    headline = " ".join(_MASK.sub(" ", subject).split())
    return Message("" if cues.courtesy.fullmatch(headline.lower()) else headline, kept)


def _subject(text: str) -> tuple[str, str]:
    labelled = _LABEL.match(text)
    if labelled:
        return labelled["subject"], text[labelled.end() :]
    text = _ONLY_BODY.sub("", text).strip()
    first, _, rest = text.partition("\n")
    short = 0 < len(first.split()) <= MAX_SUBJECT_WORDS
    ended = first.rstrip().endswith((".", "?", "!", ":")) or rest[:1] == "\n" or rest.lstrip()[:1].isupper()
    return (first, rest) if short and rest.strip() and ended else ("", text)
