"""Any BEIR folder: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv` (Thakur et al., NeurIPS 2021).

The card is the form's; the data's own licence and counts are the folder's business. A query without a judgement in any
split is left out, as in BEIR.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, field
from chartcite.lab.errors import MissingData
from chartcite.lab.trec import read_qrels


class Beir(Dataset):
    """Corpus and cases of a folder in BEIR's form; splits by the names of the files in `qrels/`."""

    card = Card("beir", "the data's own", "any folder in BEIR's form", "Thakur et al., NeurIPS 2021, BEIR")

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """Documents as `corpus.jsonl` has them."""
        for row in read_objects(wanted("beir", folder, "corpus.jsonl")):
            yield CorpusItem(str(field(row, "_id", "beir")), row.get("text") or "", row.get("title") or "")

    def cases(self, folder: Path) -> Iterator[Case]:
        """Judged queries, by split and in the order of `queries.jsonl`."""
        queries = {str(field(r, "_id", "beir")): r.get("text") or "" for r in read_objects(
            wanted("beir", folder, "queries.jsonl"))}  # fmt: skip
        files = sorted((folder / "qrels").glob("*.tsv"))
        if not files:
            raise MissingData(f"The data set beir is not in {folder}: there is no qrels/SPLIT.tsv.")
        for path in files:
            qrels = read_qrels(path)
            for query, text in queries.items():
                if query in qrels:
                    judged = tuple(Relevant(doc, grade) for doc, grade in qrels[query].items())
                    yield Case(query, text, path.stem, relevant=judged)


DATASET = Beir()
