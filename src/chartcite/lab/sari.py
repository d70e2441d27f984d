"""What both families of SARI share: n-grams of source, prediction and references, and what was kept, deleted, added.

Xu et al., *Optimizing Statistical Machine Translation for Text Simplification*, TACL 4, 2016. Words are sacrebleu's 13a
tokens of the text in lower case; n is 1 to 4; counts of source and prediction are multiplied by the number of
references, so that they compare with those of all references together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chartcite.lab.extras import need

Grams = Counter[tuple[str, ...]]
ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Revision:
    """Gold of metrics that also look at what a text was made from: the source and the references."""

    source: str
    references: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.references)


@dataclass(frozen=True, slots=True)
class Operations:
    """N-grams of one order. `kept` and `deleted` by the prediction, `to_keep` and `to_delete` by the references."""

    kept: Grams
    to_keep: Grams
    deleted: Grams
    to_delete: Grams
    added: frozenset[tuple[str, ...]]
    to_add: frozenset[tuple[str, ...]]


def operations(source: str, predicted: str, references: Sequence[str]) -> list[Operations]:
    """One for each order.

    Raises:
        MissingExtra: sacrebleu, whose tokens these are, is not installed.
    """
    tokens = words()
    sides = [tokens(text.lower()).split() for text in (source, predicted, *references)]
    found = []
    for n in ORDERS:
        own, ours, *theirs = (Counter(zip(*(side[i:] for i in range(n)), strict=False)) for side in sides)
        wanted: Grams = sum(theirs, Counter())
        was, now = (Counter({gram: count * len(theirs) for gram, count in c.items()}) for c in (own, ours))
        found.append(
            Operations(was & now, was & wanted, was - now, was - wanted, frozenset(ours) - set(own),
                       frozenset(wanted) - set(own))
        )  # fmt: skip
    return found


@lru_cache(maxsize=1)
def words() -> Callable[[str], str]:
    """Sacrebleu's 13a tokenizer: from a text to its tokens with blanks between.

    Raises:
        MissingExtra: sacrebleu is not installed.
    """
    tokenizer: Callable[[str], str] = need("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    return tokenizer
