"""chartcite: each passage ingested as a note of its own, so that the texts are the same; then `search` in a partition.

`setting` is the encoder's configuration name, empty for the bundled one; the peers' model is given in torch
(`sentence_transformers:`) or the same weights in ONNX (`onnx_folder:`). `default` is what `ask` uses; `hybrid` and
`dense` leave the reranking out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chartcite.library.book import Book
from chartcite.library.settings import Settings

PACKAGES = ("chartcite", "onnxruntime")
_MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "hybrid": {"rerank": "none"},
    "dense": {"rerank": "none", "method": "dense"},
}


class Engine:
    """See the module."""

    def __init__(self, model: Path, work: Path, setting: str) -> None:
        encoder: dict[str, Any] = {"encoder": setting.replace("{model}", str(model))} if setting else {}
        # Without token vectors there is no late interaction to fuse.
        self.modes = tuple(mode for mode in _MODES if not (setting and mode == "default"))
        self._source = work / "notes.jsonl"
        self._books = {mode: Book(work / "store", Settings(**encoder, **_MODES[mode])) for mode in self.modes}
        loaded = self._books[self.modes[0]].engines.encoder
        for book in self._books.values():
            book.engines.__dict__["encoder"] = loaded  # one model for all modes

    def ingest(self, passages: list[dict[str, str]]) -> None:
        with self._source.open("w", encoding="utf-8") as out:
            for p in passages:
                note = {"doc_id": p["id"], "patient_id": p["patient"] or "one", "text": p["text"]}
                out.write(json.dumps(note, ensure_ascii=False) + "\n")
        ledger = self._books[self.modes[0]].ingest(self._source)
        if ledger.passages != len(passages):
            print(f"{len(passages)} texts became {ledger.passages} passages")

    def search(self, mode: str, query: str, patient: str, k: int) -> list[str]:
        found = self._books[mode].search(query, patient=patient or "one")
        return [place.doc_id for passage in found[:k] for place in passage.places][:k]
