"""A folder of TREC-style files: `topics.tsv` (`id<TAB>text`), `qrels.txt`, and `corpus.jsonl` (`{"id", "text"}`).

Topics without judgements are kept: they can be answered, not scored.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import locate, read_objects, read_text, wanted
from chartcite.lab.dataset import Card, Dataset, field
from chartcite.lab.errors import BadTable
from chartcite.lab.trec import read_qrels


class TrecFiles(Dataset):
    """Corpus and cases; `title` and `text` of a document are optional but one."""

    card = Card("trec_files", "the data's own", "any folder with topics.tsv, qrels.txt and corpus.jsonl")

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """Documents of `corpus.jsonl`."""
        for row in read_objects(wanted("trec_files", folder, "corpus.jsonl")):
            doc_id = row["_id"] if "_id" in row else field(row, "id", "trec_files")
            yield CorpusItem(str(doc_id), row.get("text") or "", row.get("title") or "")

    def cases(self, folder: Path) -> Iterator[Case]:
        """Topics in the file's order."""
        path = wanted("trec_files", folder, "topics.tsv", "queries.tsv")
        judged = locate(folder, "qrels.txt", "qrels.tsv")
        qrels = read_qrels(judged) if judged else {}
        seen: set[str] = set()
        for n, line in enumerate(read_text(path).splitlines(), start=1):
            if not line.strip():
                continue
            topic, _tab, text = (part.strip() for part in line.partition("\t"))
            if not topic or not text or topic in seen:
                raise BadTable(f"{path.name}, line {n}: no id, no text, or a repeated id.", "id<TAB>text")
            seen.add(topic)
            yield Case(topic, text, relevant=tuple(Relevant(d, g) for d, g in qrels.get(topic, {}).items()))


DATASET = TrecFiles()
