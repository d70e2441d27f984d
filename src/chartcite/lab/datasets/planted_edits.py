"""planted_edits: the claims that `chartcite lab generate planted_edits` writes, each right or wrong by construction.

One sentence of an invented note is one item of the corpus. A claim's items are the sentences that it cites; what else
stands in the note is in the corpus too, but the claim does not cite it. The group is the kind; `raw_label` says it too,
after `right` or `wrong`. A wrong claim is labelled `not_enough`: not every kind contradicts its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, Claim, CorpusItem, Relevant
from chartcite.lab.datafiles import locate, read_objects
from chartcite.lab.dataset import Card, Dataset, field
from chartcite.lab.errors import MissingData


class PlantedEdits(Dataset):
    """Corpus, cases and claims; splits `dev` and `test`, by template family and by word; the group is the kind."""

    card = Card(
        "planted_edits",
        "Apache-2.0; generated, every sentence is invented",
        "chartcite lab generate planted_edits",
        note="Sentences from templates, not records. Tune on dev only: test has other templates and other words.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The sentences of the invented notes."""
        for row in _rows(folder):
            for source in _field(row, "sources"):
                yield CorpusItem(_field(source, "id"), _field(source, "text"), lang=_field(row, "language"))

    def cases(self, folder: Path) -> Iterator[Case]:
        """Each claim as a question; relevant is what a right claim cites."""
        for claim in self.claims(folder):
            cited = tuple(Relevant(item) for item in claim.items if claim.label == "supported")
            yield Case(claim.id, claim.claim, claim.split, relevant=cited, group=claim.group, lang=claim.lang,
                       cluster=claim.cluster)  # fmt: skip

    def claims(self, folder: Path) -> Iterator[Claim]:
        """The claims with the sentences that they cite."""
        for row in _rows(folder):
            texts = {_field(source, "id"): _field(source, "text") for source in _field(row, "sources")}
            cited = tuple(_field(row, "citations"))
            kind, right = _field(row, "kind"), _field(row, "supported")
            yield Claim(
                _field(row, "id"), _field(row, "claim"), _field(row, "split"), "supported" if right else "not_enough",
                f"{'right' if right else 'wrong'}: {kind}", cited, context=tuple(_field(texts, one) for one in cited),
                group=kind, lang=_field(row, "language"), cluster=_field(row, "family"),
            )  # fmt: skip


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    path = locate(folder, "claims.jsonl")
    if path is None:
        raise MissingData(
            f"The data set planted_edits is not in {folder}: there is no claims.jsonl.",
            f"Make it, into a folder that is new or empty: chartcite lab generate planted_edits --out {folder}",
        )
    return read_objects(path)


def _field(row: dict[str, Any], name: str) -> Any:
    return field(row, name, "planted_edits")


DATASET = PlantedEdits()
