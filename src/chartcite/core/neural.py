"""Ports of the neural engines. Scores and vectors are plain numpy; no engine's type crosses this border."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    TokenCodes = NDArray[np.int8]


EMBEDDED_ELSEWHERE: Final = "question_embedded_on_another_machine"
"""What a result tells where its encoder is a server elsewhere (`is_remote`)."""


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """One passage. `vector`: float32 [dims], unit length. `tokens`: int8 [n_tokens, token_dims], or [0, token_dims].

    `cut`: how many tokens at the end the model did not read, because its window is full; the ledger counts such texts.
    """

    vector: Vector
    tokens: TokenCodes
    cut: int = 0


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """One query. `vector`: float32 [dims], unit length.

    `tokens`: float32 [n_tokens, token_dims], already scaled so that `tokens @ codes.T` of a passage's int8 codes
    estimates cosine similarities. `cut` as in `EncodedPassage`.
    """

    vector: Vector
    tokens: Vector
    cut: int = 0


class Encoder(Protocol):
    """Text to vectors. Safe to call from several threads; the same text gives the same bytes."""

    name: str
    fingerprint: str  # changes whenever a stored vector would
    dims: int
    token_dims: int  # 0: no token vectors
    max_tokens: int  # of a passage, special tokens not counted

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run of the model (a batch-mate never changes a vector)."""
        ...

    def encode_query(self, text: str) -> EncodedQuery:
        """One query, with the model's own instruction in front; cut at the model's limit."""
        ...

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of each text's tokens, without special tokens and without truncation."""
        ...


@runtime_checkable
class BatchEncoder(Protocol):
    """An encoder that is better asked for several texts at once: one that sits behind a network.

    Its vectors are as reproducible as what answers there.
    """

    batch_tokens: int  # most tokens of one batch, by `offsets`; a single longer text goes alone

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        """As `encode_passage`, one for each text."""
        ...


@dataclass(frozen=True, slots=True)
class SparseText:
    """One text as weighted terms of a model's vocabulary.

    `terms`: int64 [n], term numbers, ascending. `weights`: float32 [n], above zero. `cut` as in `EncodedPassage`.
    """

    terms: NDArray[np.int64]
    weights: Vector
    cut: int = 0


class SparseEncoder(Protocol):
    """Text to weighted terms, SPLADE-like: the score of a passage is the dot product of its weights and the query's.

    Safe to call from several threads; the same text gives the same bytes.
    """

    name: str
    fingerprint: str
    vocabulary: int  # term numbers are below it
    max_tokens: int

    def encode_passage(self, text: str) -> SparseText:
        """One passage, one run of the model."""
        ...

    def encode_query(self, text: str) -> SparseText:
        """One query; cut at the model's limit."""
        ...

    def term(self, number: int) -> str:
        """What a term number stands for, to be shown beside a hit."""
        ...

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of each text's tokens, without special tokens and without truncation."""
        ...


class Reranker(Protocol):
    """Scores how well a text answers a query. Relevance, not truth."""

    name: str
    fingerprint: str

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One raw score (logit) a text, higher is better; each text is scored alone."""
        ...


class Grounder(Protocol):
    """Says how far a text entails a claim. Safe to call from several threads."""

    name: str
    fingerprint: str

    def entailment(self, claim: str, text: str) -> float | None:
        """A probability; None when the pair is longer than the model reads."""
        ...
