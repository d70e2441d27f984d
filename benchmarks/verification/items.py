"""Claims with the texts they cite and a person's (or a generator's) word on whether these carry them.

The form is JSONL: {"id", "kind", "supported", "claim", "citations": [ids], "sources": [{"id", "text"}]}, and optionally
"split" and "language" (`en` without); of a source the "time" of its note. A checker is shown the cited sources alone,
in the order of the citations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartcite.lab.datafiles import read_objects
from chartcite.lab.errors import BadTable, MissingData
from chartcite.verification.verdicts import Source


@dataclass(frozen=True, slots=True)
class Item:
    """One claim.

    Attributes:
        kind: of the wrong edit or of the true paraphrase, or the gold label of a data set.
        file: the name of the file it came from.
        cluster: items with the same value are not independent; empty means the item's own id.
    """

    id: str
    kind: str
    supported: bool
    claim: str
    sources: tuple[Source, ...]
    split: str = ""
    language: str = "en"
    file: str = ""
    cluster: str = ""


def read_items(path: Path) -> Iterator[Item]:
    """The items of one file.

    Raises:
        MissingData: there is no such file.
        BadTable: a line is not of the form; the message names the line, never its content.
    """
    if not path.is_file():
        raise MissingData(f"There is no file of claims at {path}.", "Name a JSONL file of claims.")
    for n, row in enumerate(read_objects(path), start=1):
        try:
            yield _item(row, path.name)
        except (KeyError, TypeError, ValueError) as error:
            raise BadTable(f"{path.name}, row {n}: not a claim with citations and sources.", "See the form.") from error


def _source(row: Mapping[str, Any]) -> Source:
    section = tuple(row.get("section", ()))
    return Source(str(row["id"]), row["text"], section, str(row.get("time", ""))[:10], str(row.get("doc_id", "")))


def _item(row: Mapping[str, Any], file: str) -> Item:
    held = {str(s["id"]): _source(s) for s in row["sources"]}
    if not isinstance(row["supported"], bool) or not isinstance(row["claim"], str):
        raise TypeError
    cited = tuple(held[str(identity)] for identity in row["citations"])
    return Item(
        str(row["id"]), str(row["kind"]), row["supported"], row["claim"], cited,
        row.get("split") or "", row.get("language") or "en", file,
    )  # fmt: skip


def is_for_testing(item: Item) -> bool:
    """Whether nobody who writes rules may read this item: its split is `test`, or its file's name begins so."""
    return item.split == "test" or item.file.startswith("test")


def texts_of(items: Sequence[Item]) -> tuple[str, ...]:
    """The distinct cited texts, in order: what BM25 takes its statistics from."""
    return tuple(dict.fromkeys(source.text for item in items for source in item.sources))
