"""`bm25_ngram`: the verifier of paper 001, "BM25 score threshold + exact n-gram overlap", as a baseline.

The post leaves everything but these words open. Ours, each a field of `[verifier.bm25_ngram]`:

- BM25 (k1 1.2, b 0.75) with the claim as the query and the cited text as the document, over the analyser's terms;
  document frequencies and mean length are those of all distinct texts that the run cites;
- the score is divided by that of the claim against itself, so that a threshold means the same for every claim;
  `min_score` 0.5;
- overlap: the share of the claim's distinct word `n`-grams (n 3, lower case, no stemming; shorter claims: the whole)
  that stand in the cited text; `min_overlap` 0.6. Both must be reached.

It measures shared words, so it verifies topic, not truth: "no fever" and "fever" share nearly everything. That is why
it stands here beside a check of what is said.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from chartcite.lab.experiment.spec import Bm25Ngram
from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck
from chartcite.text.analyser import Analyser

_WORD = re.compile(r"\w+(?:[.,]\d+)*")


class Bm25NgramVerifier:
    """See the module. `texts`: the collection that the statistics are taken from."""

    def __init__(self, texts: Sequence[str], language: str, options: Bm25Ngram) -> None:
        self._terms = Analyser(language).terms
        self._options = options
        documents = [self._terms(text) for text in texts]
        self._size = len(documents)
        self._frequency = Counter(term for document in documents for term in set(document))
        self._mean = sum(map(len, documents)) / self._size if self._size else 1.0

    def check(self, what: ToCheck) -> Finding:
        """All cited texts together, then one by one."""
        score, overlap = self.figures(what.text, "\n".join(c.quote for c in what.citations))
        supports = tuple(self._holds(*self.figures(what.text, c.quote)) for c in what.citations)
        reason = f"BM25 {score:.2f} of the claim's own, {overlap:.2f} of its {self._options.n}-grams"
        return Finding(self._holds(score, overlap), supports, reason)

    def figures(self, claim: str, text: str) -> tuple[float, float]:
        """Relative BM25 score and n-gram overlap, both 0 to 1 (the score may be above 1 for a repetitive text)."""
        terms = self._terms(claim)
        own = self._bm25(terms, terms)
        return (self._bm25(terms, self._terms(text)) / own if own else 0.0), _overlap(claim, text, self._options.n)

    def _holds(self, score: float, overlap: float) -> bool:
        return score >= self._options.min_score and overlap >= self._options.min_overlap

    def _bm25(self, query: Sequence[str], document: Sequence[str]) -> float:
        k1, b, counts = self._options.k1, self._options.b, Counter(document)
        norm = k1 * (1 - b + b * len(document) / (self._mean or 1.0))
        return math.fsum(
            times * self._idf(term) * counts[term] / (counts[term] + norm)
            for term, times in Counter(query).items()
            if counts[term]
        )

    def _idf(self, term: str) -> float:
        n = self._frequency[term]
        return math.log(1 + (self._size - n + 0.5) / (n + 0.5))


def _overlap(claim: str, text: str, n: int) -> float:
    words, others = _WORD.findall(claim.lower()), _WORD.findall(text.lower())
    n = min(n, len(words))
    if not n:
        return 0.0
    ours, theirs = _ngrams(words, n), _ngrams(others, n)
    return len(ours & theirs) / len(ours)


def _ngrams(words: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def load(given: Given) -> Bm25NgramVerifier:
    """Needs the run's cited texts."""
    return Bm25NgramVerifier(given.texts, given.language, given.options.bm25_ngram)
