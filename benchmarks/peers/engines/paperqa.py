"""paper-qa: its index and its retrieval; the parts that call a language model are left out.

As its README shows: "Adding documents manually" with texts that are cut already (`Docs.aadd_texts`), an embedding of
sentence-transformers (`st-` names), retrieval by `Docs.retrieve_texts` (maximal marginal relevance over a numpy store),
saved as a pickle. It has no filter by patient or other metadata in that store; what it offers to keep texts apart is
one `Docs` for each, which is what is done here.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import defaultdict
from pathlib import Path

from paperqa import Doc, Docs, Settings, Text

PACKAGES = ("paper-qa", "sentence-transformers", "torch")


class Engine:
    """See the module."""

    modes = ("dense",)

    def __init__(self, model: Path, work: Path, setting: str) -> None:
        self._file = work / "docs.pkl"
        self._settings = Settings(embedding=f"st-{model}")
        self._model = self._settings.get_embedding_model()
        self._docs: dict[str, Docs] = defaultdict(Docs)
        self._loop = asyncio.new_event_loop()

    def ingest(self, passages: list[dict[str, str]]) -> None:
        by_patient: dict[str, list[dict[str, str]]] = defaultdict(list)
        for passage in passages:
            by_patient[passage["patient"]].append(passage)
        for patient, own in by_patient.items():
            name = patient or "collection"
            doc = Doc(docname=name, citation=name, dockey=name)
            texts = [Text(text=p["text"], name=p["id"], doc=doc) for p in own]
            adding = self._docs[patient].aadd_texts(texts, doc, self._settings, self._model)
            self._loop.run_until_complete(adding)
        # It embeds when first asked; asking once makes that part of the ingest.
        for patient in by_patient:
            self.search("dense", "warm up", patient, 1)
        self._file.write_bytes(pickle.dumps(dict(self._docs)))

    def search(self, mode: str, query: str, patient: str, k: int) -> list[str]:
        found = self._docs[patient].retrieve_texts(query, k, self._settings, self._model)
        return [text.name for text in self._loop.run_until_complete(found)]
