"""Which cases and which items of a data set an experiment takes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from chartcite.lab.cases import Case, Claim, CorpusItem
from chartcite.lab.dataset import Dataset
from chartcite.lab.errors import BadInput, MissingData
from chartcite.lab.experiment.spec import Data
from chartcite.lab.experiment.tables import ClaimRow, GoldRow

Row = TypeVar("Row")


def chosen_cases(dataset: Dataset, folder: Path, data: Data) -> tuple[list[Case], int]:
    """The cases of the split and group, at most `limit` of them; and how many there are without the limit.

    Raises:
        MissingData: no case is left.
        BadInput: two cases with one id.
    """
    found = [
        case
        for case in dataset.cases(folder)
        if data.split in ("", case.split) and data.group in ("", case.group)
    ]  # fmt: skip
    if not found:
        wanted = " ".join(f"{k} {v!r}" for k, v in (("split", data.split), ("group", data.group)) if v)
        raise MissingData(f"The data set {data.dataset} has no case{' of ' + wanted if wanted else ''}.")
    if len({case.id for case in found}) < len(found):
        raise BadInput("Two cases have the same id.", "Name one split (data.split).")
    return spaced(found, data.limit), len(found)


def spaced(rows: Sequence[Row], limit: int) -> list[Row]:
    """At most `limit` rows, evenly spaced; all of them when it is 0.

    >>> spaced("abcdefgh", 4)
    ['a', 'c', 'e', 'g']
    """
    n = len(rows)
    return [rows[i * n // limit] for i in range(limit)] if 0 < limit < n else list(rows)


def chosen_items(dataset: Dataset, folder: Path, data: Data, cases: Iterable[Case]) -> Iterator[CorpusItem]:
    """The items of the corpus group; with `corpus_limit`, what the cases' judgements name and the first so many."""
    named = {r.item_id for case in cases for r in case.relevant}
    others = 0
    for item in dataset.corpus(folder):
        if data.corpus_group not in ("", item.group):
            continue
        if data.corpus_limit and item.id not in named:
            if others >= data.corpus_limit:
                continue
            others += 1
        yield item


def text_of(item: CorpusItem) -> str:
    """A document's text: the title, where there is one, above the body."""
    title, body = item.title.strip(), item.text
    return f"{title}\n\n{body}" if title and body.strip() else title or body


def gold_of(
    cases: Iterable[Case], claims: Iterable[Claim], sentences: Mapping[str, tuple[str, ...]], pool: Container[str]
) -> Iterator[GoldRow]:
    """Relevant items by case, and whether the pool has them; gold sentences where a claim of the same id names some."""
    evidence: dict[tuple[str, str], list[int]] = {}
    for claim in claims:
        for e in claim.evidence:
            evidence.setdefault((claim.id, e.item_id), []).append(e.sentence)
    for case in cases:
        for relevant in case.relevant:
            if relevant.grade > 0:
                own = sentences.get(relevant.item_id, ())
                numbers = sorted(set(evidence.get((case.id, relevant.item_id), ())))
                texts = tuple(own[n] for n in numbers if n < len(own))
                yield GoldRow(case.id, relevant.item_id, texts, relevant.item_id in pool)


def claims_of(claims: Iterable[Claim], sentences: Mapping[str, tuple[str, ...]]) -> Iterator[ClaimRow]:
    """Labelled claims with what they are checked against: gold sentences, else the whole items, else the context."""
    for claim in claims:
        if claim.label is None:
            continue
        gold = [
            sentences[e.item_id][e.sentence]
            for e in claim.evidence
            if e.sentence < len(sentences.get(e.item_id, ()))
        ]  # fmt: skip
        whole = [s for item in claim.items for s in sentences.get(item, ())]
        sources = tuple(dict.fromkeys(gold or whole or claim.context))
        if sources:
            yield ClaimRow(claim.id, claim.claim, claim.label, sources, claim.cluster or claim.id)
