"""haystack-ai: document embedder, in-memory store, one retrieval pipeline per mode, filter on the patient.

As its documentation shows: docs.haystack.deepset.ai, "SentenceTransformersDocumentEmbedder" (indexing),
"InMemoryEmbeddingRetriever" with "Metadata Filtering", and for `hybrid` "DocumentJoiner" with reciprocal rank fusion of
the embedding and the BM25 retriever. Saved with `save_to_disk`. Passages are cut already, so there is no splitter.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack_integrations.components.embedders.sentence_transformers import (
    SentenceTransformersDocumentEmbedder,
    SentenceTransformersTextEmbedder,
)

PACKAGES = ("haystack-ai", "sentence-transformers", "torch")


class Engine:
    """See the module."""

    modes = ("dense", "hybrid")

    def __init__(self, model: Path, work: Path, setting: str) -> None:
        self._file = work / "store.json"
        self._store = InMemoryDocumentStore(embedding_similarity_function="cosine")
        self._documents = SentenceTransformersDocumentEmbedder(model=str(model), progress_bar=False)
        self._documents.warm_up()
        self._pipelines = {mode: self._pipeline(model, mode) for mode in self.modes}

    def _pipeline(self, model: Path, mode: str) -> Any:
        made = Pipeline()
        made.add_component("embedder", SentenceTransformersTextEmbedder(model=str(model), progress_bar=False))
        made.add_component("dense", InMemoryEmbeddingRetriever(self._store))
        made.connect("embedder.embedding", "dense.query_embedding")
        if mode == "hybrid":
            made.add_component("bm25", InMemoryBM25Retriever(self._store))
            made.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
            made.connect("dense", "joiner")
            made.connect("bm25", "joiner")
        made.warm_up()
        return made

    def ingest(self, passages: list[dict[str, str]]) -> None:
        documents = [Document(id=p["id"], content=p["text"], meta={"patient": p["patient"]}) for p in passages]
        self._store.write_documents(self._documents.run(documents=documents)["documents"])
        self._store.save_to_disk(str(self._file))

    def search(self, mode: str, query: str, patient: str, k: int) -> list[str]:
        own = {"field": "meta.patient", "operator": "==", "value": patient}
        if mode == "dense":
            wanted = {"embedder": {"text": query}, "dense": {"filters": own, "top_k": k}}
            return [d.id for d in self._pipelines[mode].run(wanted)["dense"]["documents"]]
        each = {"filters": own, "top_k": 2 * k}
        asked = {
            "embedder": {"text": query}, "dense": each, "bm25": {"query": query, **each}, "joiner": {"top_k": k},
        }  # fmt: skip
        return [d.id for d in self._pipelines[mode].run(asked)["joiner"]["documents"]]
