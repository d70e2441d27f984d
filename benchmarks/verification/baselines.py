"""Checkers that measure likeness, to be beaten. Each says `supported` or `unsupported`, never `contradicted`.

The threshold of all three is .6, set here and not fitted: what `difflib.get_close_matches` takes as close, and what the
n-gram overlap of paper 001 has in `lab/experiment`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from chartcite.lab.experiment.spec import Bm25Ngram
from chartcite.lab.experiment.tables import Cited
from chartcite.lab.experiment.verifiers import ToCheck
from chartcite.lab.experiment.verifiers.bm25_ngram import Bm25NgramVerifier
from chartcite.verification.verdicts import Source, Verdict

THRESHOLD = 0.6
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")


def unigram_overlap(claim: str, sources: Sequence[Source]) -> Verdict:
    """Share of the claim's distinct words, lower case, that stand in the cited texts together."""
    return _verdict(_shared(claim, sources, 1) >= THRESHOLD)


def trigram_overlap(claim: str, sources: Sequence[Source]) -> Verdict:
    """The same of runs of three words; a shorter claim counts as one run."""
    return _verdict(_shared(claim, sources, 3) >= THRESHOLD)


def difflib_ratio(claim: str, sources: Sequence[Source]) -> Verdict:
    """`SequenceMatcher.ratio` of the claim and the likest of: a cited text, a sentence of one, all of them joined."""
    matcher = SequenceMatcher(b=claim.lower())
    for text in _candidates(sources):
        matcher.set_seq1(text.lower())
        if matcher.real_quick_ratio() >= THRESHOLD and matcher.quick_ratio() >= THRESHOLD <= matcher.ratio():
            return "supported"
    return "unsupported"


class Paper001:
    """BM25 and exact 3-grams, with the options of `lab/experiment`; `texts` give the document frequencies."""

    def __init__(self, texts: Sequence[str], language: str) -> None:
        self._verifier = Bm25NgramVerifier(texts, language, Bm25Ngram())

    def __call__(self, claim: str, sources: Sequence[Source]) -> Verdict:
        """All cited texts together."""
        cited = tuple(Cited("", 0, len(s.text), s.text) for s in sources)
        return _verdict(self._verifier.check(ToCheck(claim, cited)).supported is True)


def _shared(claim: str, sources: Sequence[Source], n: int) -> float:
    words = words_of(claim)
    n = min(n, len(words))
    ours = _runs(words, n)
    theirs = set().union(*(_runs(words_of(s.text), n) for s in sources)) if n else set()
    return len(ours & theirs) / len(ours) if ours else 0.0


def words_of(text: str) -> list[str]:
    """Words and numbers, lower case."""
    return _WORD.findall(text.lower())


def _runs(words: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)} if n else set()


def _candidates(sources: Sequence[Source]) -> tuple[str, ...]:
    texts = [s.text for s in sources]
    return tuple(dict.fromkeys((*texts, " ".join(texts), *(p for t in texts for p in _SENTENCE_END.split(t)))))


def _verdict(is_supported: bool) -> Verdict:
    return "supported" if is_supported else "unsupported"
