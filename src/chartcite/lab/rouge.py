"""ROUGE by Google's library `rouge-score`, with a choice of what a word is.

Lin, *ROUGE: A Package for Automatic Evaluation of Summaries*, ACL workshop 2004. F1, no stemmer. The library's own
tokens (`ascii`) are ASCII letters and digits: accented letters vanish, `não` is `n` and `o`, and other words than the
reference's look like them. `unicode` tokens are letters and digits of any script; on ASCII text both are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Literal

from chartcite.lab.extras import need
from chartcite.lab.measured import Measured, Needs
from chartcite.lab.text_scores import against_best

Tokens = Literal["unicode", "ascii"]
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Rouge:
    """One kind of ROUGE as a metric; needs text. `tokens`: `unicode`, or `ascii` as the library has them."""

    tokens: Tokens = "unicode"
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("rouge_score",)
    kind: ClassVar[str]
    called: ClassVar[str]
    remark: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """As the metric's file."""
        return self.called

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"rouge-score, {self.kind}, F1, {self.tokens} words, no stemmer{self.remark}"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return against_best(self.name, gold, predicted, partial(rouge, self.kind, tokens=self.tokens))


class UnicodeWords:
    """A tokenizer in `rouge-score`'s form.

    >>> UnicodeWords().tokenize("Não há INFECÇÃO: 2.5 mg")
    ['não', 'há', 'infecção', '2', '5', 'mg']
    """

    def tokenize(self, text: str) -> list[str]:
        """Letters and digits in a row; an accent is the same whether it is part of its letter or follows it."""
        return _WORD.findall(unicodedata.normalize("NFC", text.lower()))


def rouge(kind: str, predicted: str, reference: str, tokens: Tokens = "unicode") -> float:
    """F1 of one pair, by the library's name for the kind (`rouge1`, `rougeL`, `rougeLsum`).

    Raises:
        MissingExtra: `rouge-score` is not installed.
    """
    return float(_scorer(kind, tokens).score(reference, predicted)[kind].fmeasure)


@lru_cache(maxsize=8)
def _scorer(kind: str, tokens: Tokens) -> Any:
    words = UnicodeWords() if tokens == "unicode" else need("rouge_score.tokenizers").DefaultTokenizer()
    return need("rouge_score.rouge_scorer").RougeScorer([kind], tokenizer=words)
