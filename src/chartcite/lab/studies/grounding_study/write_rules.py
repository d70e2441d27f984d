"""The rules writer: chartcite's own cascade on the numbered sources alone, each a document; sentences are quotes.

The sources go into a small store of their own, one collection a query, so that nothing but what was retrieved and saved
can be cited. A sentence that the chunk's edge cuts off is not among them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from chartcite.core.errors import UsageError
from chartcite.lab.experiment.stage import OpenBook
from chartcite.lab.rows import json_line
from chartcite.lab.studies.grounding_study.writing import INSUFFICIENT_REASON, NO_SOURCE, Numbered, Written
from chartcite.library.settings import Settings
from chartcite.text.sentences import split_sentences

_ENDED = re.compile(r"[.!?…:][)\]}\"'”’»]*\Z")
_READ_WHOLE = 1_000_000


class RulesWriter:
    """See the module. A context manager: the small store is made on entry and removed on exit.

    Args:
        folder: where the small store may be; removed if it is there.
        settings: the strategy's.
        opener: how to open a store.
    """

    def __init__(self, folder: Path, settings: Settings, opener: OpenBook) -> None:
        own = {
            "splitter": "sentences", "method": "hybrid", "rerank": "none", "per_document": 0, "writer_url": "",
            "judge_url": "", "skip_retrieval_sentences": _READ_WHOLE, "order": "rank",
        }  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._book = opener(folder / "store", settings.model_copy(update=own), True)
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._book.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def write(self, query: str, sources: Sequence[Numbered]) -> Written:
        """Quote what answers the query."""
        self._asked += 1
        name, path = f"query {self._asked}", self._folder / f"{self._asked}.jsonl"
        notes = [(s.n, s.source, whole_sentences(s.text)) for s in sources]
        lines = [json_line({"doc_id": str(n), "title": title, "text": text}) for n, title, text in notes if text]
        if not lines:
            return Written((), "rules", len(sources), reason=NO_SOURCE)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        self._book.ingest(path, collection=name)
        try:
            answer = self._book.ask(query, collection=name)
        except UsageError as error:
            return Written((), "rules", len(sources), reason=f"{error.kind}: {error}")
        finally:
            self._book.delete(collection=name)
        said = tuple((s.text, tuple(sorted({int(c.doc_id) for c in s.citations}))) for s in answer.sentences)
        fallbacks = tuple(
            f"{f['name']}: {f.get('count', 1)}" for f in answer.fallbacks if f["name"] != "read_whole_record"
        )
        return Written(said, "rules", len(sources), fallbacks=fallbacks, reason="" if said else INSUFFICIENT_REASON)


def whole_sentences(text: str) -> str:
    """A chunk without the sentences that its edges cut off, as far as their form shows it.

    A first unit that begins in lower case or with a mark, and a last one without an end, are cut.

    >>> whole_sentences("of the cohort. Goats were tested. Sheep were")
    'Goats were tested.'
    """
    units = list(split_sentences(text))
    while units and not _begins(text[units[0].start : units[0].end]):
        units.pop(0)
    if units and units[-1].kind == "sentence" and not _ENDED.search(text[units[-1].start : units[-1].end].rstrip()):
        units.pop()
    return text[units[0].start : units[-1].end] if units else ""


def _begins(unit: str) -> bool:
    first = unit.lstrip(" \t\"'“‘([•*-–")[:1]
    return first.isupper() or first.isdigit()
