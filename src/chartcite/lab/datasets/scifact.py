"""SciFact: scientific claims against abstracts, with gold sentences (Wadden et al., EMNLP 2020).

As retrieval: a claim is the question, its cited abstracts are relevant; on the 300 dev claims this is exactly BEIR's
test set. As verification: labels and rationale sentences (112 dev claims have none: `not_enough`). The public release
says `CONTRADICT` and `doc_id`/`abstract`, the Hugging Face export `REFUTE` and `_id`/`sentences`; both are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, Claim, CorpusItem, EvidenceSentence, Label, Relevant
from chartcite.lab.datafiles import read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

_LABELS: dict[str, Label] = {"SUPPORT": "supported", "REFUTE": "contradicted", "CONTRADICT": "contradicted"}
_SPLITS = ("train", "dev")


class Scifact(Dataset):
    """Corpus, cases and claims; splits `train` (the only one to tune on) and `dev`."""

    card = Card(
        "scifact",
        "claims and evidence CC BY 4.0, abstracts ODC-By 1.0",
        "github allenai/scifact",
        "Wadden et al., EMNLP 2020, Fact or Fiction: Verifying Scientific Claims",
        expected=(
            Expected("corpus", 5183, "4983", "198309074"),
            Expected("cases", 809, "0", "1407", "train"),
            Expected("cases", 300, "1", "1395", "dev"),
            Expected("claims", 809, "0", "1407", "train"),
            Expected("claims", 300, "1", "1395", "dev"),
        ),
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """5,183 abstracts, in the data set's own sentences."""
        for row in read_objects(wanted("scifact", folder, "corpus.jsonl", "data/corpus.jsonl")):
            sentences = tuple(s.strip() for s in row.get("sentences") or field(row, "abstract", "scifact"))
            doc_id = str(row["_id"] if "_id" in row else field(row, "doc_id", "scifact"))
            yield CorpusItem(doc_id, " ".join(sentences), row.get("title") or "", sentences)

    def cases(self, folder: Path) -> Iterator[Case]:
        """Each claim as a question."""
        for split, row in _claims(folder):
            cited = tuple(Relevant(str(doc)) for doc in row.get("cited_doc_ids", ()))
            yield Case(str(row["id"]), row["claim"], split, relevant=cited)

    def claims(self, folder: Path) -> Iterator[Claim]:
        """Each claim with its label over its cited abstracts."""
        for split, row in _claims(folder):
            evidence = row.get("evidence") or {}
            words = sorted({part["label"] for parts in evidence.values() for part in parts})
            yield Claim(
                str(row["id"]), row["claim"], split, _LABELS.get(words[0]) if words else "not_enough", "|".join(words),
                tuple(str(doc) for doc in row.get("cited_doc_ids", ())), _sentences(evidence),
            )  # fmt: skip


def _claims(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for split in _SPLITS:
        name = f"claims_{split}.jsonl"
        for row in read_objects(wanted("scifact", folder, name, f"data/{name}")):
            field(row, "id", "scifact"), field(row, "claim", "scifact")
            yield split, row


def _sentences(evidence: dict[str, list[dict[str, Any]]]) -> tuple[EvidenceSentence, ...]:
    """Each rationale is one alternative: its sentences together suffice."""
    rationales = [(doc, part["sentences"]) for doc, parts in evidence.items() for part in parts]
    return tuple(EvidenceSentence(str(doc), s, n) for n, (doc, chosen) in enumerate(rationales) for s in chosen)


DATASET = Scifact()
