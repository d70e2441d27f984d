"""PubMedQA, the labelled part: yes/no/maybe questions with the abstract that answers them (Jin et al., EMNLP 2019).

The question is the title of its own abstract, so retrieval over it is nearly solved (nDCG@10 .976 with BM25): use it
for answers. Read: the shared form and the published `ori_pqal.json` (with `test_ground_truth.json`, where it is there,
for the split).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import locate, read_object, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

# The published names of the shared form's fields.
_PUBLISHED = {
    "question": "QUESTION", "contexts": "CONTEXTS", "long_answer": "LONG_ANSWER", "answer": "final_decision"
}  # fmt: skip


class Pubmedqa(Dataset):
    """Corpus (abstracts without their conclusion) and cases."""

    card = Card(
        "pubmedqa",
        "MIT; abstracts from PubMed",
        "github pubmedqa/pubmedqa",
        "Jin et al., EMNLP 2019, PubMedQA",
        expected=(
            Expected("corpus", 1000, "21645374", "17559449"),
            Expected("cases", 1000, "21645374", "17559449"),
        ),
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """One abstract a question; its paragraphs are the sentences."""
        for doc_id, row in _rows(folder):
            parts = tuple(row["contexts"])
            yield CorpusItem(doc_id, "\n".join(parts), "", parts)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The long answer is the reference, yes/no/maybe the label."""
        for doc_id, row in _rows(folder):
            yield Case(
                doc_id, row["question"], row.get("split") or "", references=(row["long_answer"],),
                relevant=(Relevant(doc_id),), label=row["answer"],
            )  # fmt: skip


def _rows(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    path = wanted("pubmedqa", folder, "pqal.jsonl", "ori_pqal.json", "data/ori_pqal.json")
    if ".jsonl" in path.name:
        for row in read_objects(path):
            for name in _PUBLISHED:
                field(row, name, "pubmedqa")
            yield field(row, "_id", "pubmedqa"), row
        return
    key = locate(folder, "test_ground_truth.json", "data/test_ground_truth.json")
    test = set(read_object(key)) if key else set()
    for doc_id, row in read_object(path).items():
        shared = {ours: field(row, theirs, "pubmedqa") for ours, theirs in _PUBLISHED.items()}
        yield doc_id, shared | {"split": ("test" if doc_id in test else "dev") if test else ""}


DATASET = Pubmedqa()
