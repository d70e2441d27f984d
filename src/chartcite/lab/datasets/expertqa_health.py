"""ExpertQA, its health questions: claims of real LLM answers with their evidence and an expert's judgement.

Malaviya et al., NAACL 2024. The label is the expert's word on support by the evidence cited (`Complete` supported,
`Partial` and `Incomplete` partial, `Missing` not enough; `N/A` and no word: nobody judged). It says nothing on whether
the claim is true; that is the first of `ratings` (correctness), then reliability, informativeness and worthiness.
Read: the shared form, and the published `data/lfqa/{domain,rand}_{test,val}.jsonl`, of which rows whose field is
"Healthcare / Medicine" are kept. A claim's cluster is its question.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim, Label
from chartcite.lab.datafiles import locate, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

FIELD = "Healthcare / Medicine"
_LABELS: dict[str, Label] = {
    "Complete": "supported", "Partial": "partial", "Incomplete": "partial", "Missing": "not_enough"
}  # fmt: skip
_RATED = ("correctness", "reliability", "informativeness", "worthiness")


class ExpertqaHealth(Dataset):
    """Claims; `group` is the system that answered; ids count from 0 in the files' order."""

    card = Card(
        "expertqa_health",
        "MIT",
        "github chaitanyamalaviya/ExpertQA",
        "Malaviya et al., NAACL 2024, ExpertQA: Expert-Curated Questions and Attributed Answers",
        expected=(Expected("claims", 516, "c0", "c515"),),
        note="57 claims have no evidence at all. The published folder repeats questions between its two splittings.",
    )

    def claims(self, folder: Path) -> Iterator[Claim]:
        """Claims with the evidence texts they cite as context."""
        for n, row in enumerate(_rows(folder)):
            support = row.get("support") or ""
            question = field(row, "question", "expertqa_health")
            yield Claim(
                f"c{n}", field(row, "claim", "expertqa_health"), "", _LABELS.get(support), support,
                context=tuple(row.get("evidence") or ()), ratings=tuple(row.get(name) or "" for name in _RATED),
                question=question, answer=row.get("answer") or "", group=row.get("model") or "", cluster=question,
            )  # fmt: skip


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    shared = locate(folder, "claims.jsonl")
    if shared is not None:
        yield from read_objects(shared)
        return
    names = [f"{kind}_{split}.jsonl" for kind in ("domain", "rand") for split in ("test", "val")]
    wanted("expertqa_health", folder, "claims.jsonl", *(f"{sub}{n}" for n in names for sub in ("", "data/lfqa/")))
    seen: set[tuple[str, str, str]] = set()
    for name in names:
        path = locate(folder, name, f"data/lfqa/{name}")
        for row in read_objects(path) if path else ():
            yield from (c for c in _claims(row) if _new(seen, (c["question"], c["model"], c["claim"])))


def _claims(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if (row.get("metadata") or {}).get("field") != FIELD:
        return
    for model, answer in (row.get("answers") or {}).items():
        for claim in answer.get("claims") or ():
            yield claim | {
                "question": row["question"], "model": model, "claim": claim.get("claim_string") or "",
                "answer": answer.get("answer_string") or "",
            }  # fmt: skip


def _new(seen: set[tuple[str, str, str]], key: tuple[str, str, str]) -> bool:
    before = len(seen)
    seen.add(key)
    return len(seen) > before


DATASET = ExpertqaHealth()
