"""A mark for each sentence: the same for two that say the same, but for white space and case.

A fragment of up to three words (`None.`, `Stable`) says nothing without its header, which counts with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from chartcite.core.documents import Sentence
from chartcite.core.unseen import seen

SIZE = 8
"""Bytes of a mark: of a million sentences two that differ share one once in thirty million records."""
NO_MARK = bytes(SIZE)
"""Of a header, which states nothing."""
_FRAGMENT_WORDS = 3


def marks(text: str, sentences: Sequence[Sentence]) -> bytes:
    """The marks of a document's sentences, one behind the other, in their order."""
    return b"".join(mark(text[s.start : s.end], s) for s in sentences)


def mark(said: str, sentence: Sentence) -> bytes:
    """The mark of one sentence, by its text and what it is."""
    if sentence.kind == "header":
        return NO_MARK
    words = seen(said).split()
    folded = " ".join(words).casefold()
    if len(words) <= _FRAGMENT_WORDS and sentence.section:
        folded = f"{' '.join(sentence.section[-1].split()).casefold()}\n{folded}"
    return blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()
