"""A store from documents in memory, as ingest would make it; and models that are asked only once for a text."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from chartcite.core.documents import Document
from chartcite.core.neural import EncodedPassage, EncodedQuery, Encoder, Reranker
from chartcite.core.scope import Scope
from chartcite.core.stored import DerivedText, PreparedDocument
from chartcite.ingest.prepare import draft, fingerprint, term_counts
from chartcite.library.book import Book


def fill(book: Book, patient: str, documents: Sequence[Document]) -> None:
    """Commit documents, one transaction each, in the order given."""
    scope, kitchen, writer = Scope.patient(patient), book.engines.kitchen, book.store.writer(uuid.uuid4().hex)
    for document in documents:
        made = draft(document, kitchen)
        missing = writer.missing(scope, made.digests, kitchen.recipe)
        texts = [
            DerivedText(
                digest, term_counts(text, kitchen), kitchen.encoder.encode_passage(text) if digest in missing else None
            )
            for digest, text in zip(made.digests, made.texts, strict=True)
        ]
        prepared = PreparedDocument(document, fingerprint(document), made.sentences, made.passages, texts, "")
        outcome = writer.commit(scope, prepared, kitchen.recipe)
        if outcome != "added":
            raise AssertionError(f"a document was {outcome}")


class RememberedEncoder:
    """An encoder that runs its model once a text. Holds everything: for scripts."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._passages: dict[str, EncodedPassage] = {}
        self._queries: dict[str, EncodedQuery] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode_passage(self, text: str) -> EncodedPassage:
        """As the encoder does."""
        if text not in self._passages:
            self._passages[text] = self._encoder.encode_passage(text)
        return self._passages[text]

    def encode_query(self, text: str) -> EncodedQuery:
        """As the encoder does."""
        if text not in self._queries:
            self._queries[text] = self._encoder.encode_query(text)
        return self._queries[text]


class RememberedReranker:
    """A cross-encoder that runs its model once a pair."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._known: dict[tuple[str, str], float] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reranker, name)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """As the reranker does."""
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
        self._known.update(
            ((query, text), score) for text, score in zip(new, self._reranker.score(query, new), strict=True)
        )
        return [self._known[query, text] for text in texts]
