"""llama-index-core: a VectorStoreIndex over nodes, HuggingFaceEmbedding, retriever with a metadata filter.

As its documentation shows: docs.llamaindex.ai, "VectorStoreIndex" (creating nodes directly), "HuggingFaceEmbedding",
"Metadata filters", and "Persisting data". Passages are cut already, so they are nodes and no parser runs. Metadata are
kept out of the embedded text, so that the same texts are embedded as elsewhere.
"""

from __future__ import annotations

from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters
from llama_index.embeddings.huggingface import HuggingFaceEmbedding

PACKAGES = ("llama-index-core", "llama-index-embeddings-huggingface", "sentence-transformers", "torch")


class Engine:
    """See the module."""

    modes = ("dense",)

    def __init__(self, model: Path, work: Path, setting: str) -> None:
        self._folder = work / "index"
        self._embedding = HuggingFaceEmbedding(model_name=str(model))

    def ingest(self, passages: list[dict[str, str]]) -> None:
        nodes = [
            TextNode(
                id_=p["id"], text=p["text"], metadata={"patient": p["patient"]},
                excluded_embed_metadata_keys=["patient"],
            )
            for p in passages
        ]  # fmt: skip
        self._index = VectorStoreIndex(nodes, embed_model=self._embedding)
        self._index.storage_context.persist(persist_dir=str(self._folder))

    def search(self, mode: str, query: str, patient: str, k: int) -> list[str]:
        own = MetadataFilters(filters=[ExactMatchFilter(key="patient", value=patient)])
        retriever = self._index.as_retriever(similarity_top_k=k, filters=own)
        return [found.node.node_id for found in retriever.retrieve(query)]
