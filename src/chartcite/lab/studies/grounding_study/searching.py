"""The first stage of a strategy: chunks of the collection for a query, as rows."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.experiment.spec import Strategy
from chartcite.lab.experiment.stage import COLLECTION
from chartcite.lab.studies.grounding_study.options import WHOLE_COLLECTION
from chartcite.lab.studies.grounding_study.tables import CandidateRow
from chartcite.library.book import Book
from chartcite.library.found import FoundPassage
from chartcite.library.settings import Settings


def first_stage(settings: Settings, candidates: int) -> Settings:
    """The settings under which a strategy's candidates are searched: its own, without any reranking."""
    whole = settings.method == WHOLE_COLLECTION
    return settings.model_copy(update={"rerank": "none", "top_k": 1 if whole else candidates})


def whole_collection(settings: Settings) -> Settings:
    """The settings under which a search gives every chunk, in the order of the collection."""
    return first_stage(settings.model_copy(update={"method": WHOLE_COLLECTION, "max_tokens": 0}), 1)


def has_first_stage(strategy: Strategy) -> bool:
    """Whether a strategy chooses candidates before it reranks them."""
    return strategy.settings.method != WHOLE_COLLECTION


def candidates(book: Book, strategy: Strategy, case: Case) -> list[CandidateRow]:
    """What a book opened with `first_stage` finds; one row with the reason when it finds nothing."""
    head = (strategy.name, case.id, case.question)
    try:
        found = book.search(case.question, collection=COLLECTION)
    except UsageError as error:
        return [CandidateRow(*head, None, None, None, "", "", "", f"{error.kind}: {error}")]
    if not found:
        return [CandidateRow(*head, None, None, None, "", "", "", "nothing found")]
    return list(_rows(head, found, has_first_stage(strategy)))


def _rows(head: tuple[str, str, str], found: Sequence[FoundPassage], is_ranked: bool) -> list[CandidateRow]:
    return [
        CandidateRow(
            *head, f.rank if is_ranked else None, float(f.score) if is_ranked else None, f.page, chunk_id(f),
            f.places[0].doc_id, f.text,
        )
        for f in found
    ]  # fmt: skip


def chunk_id(found: FoundPassage) -> str:
    """Where a chunk stands first: `file.pdf:1200-2510`."""
    first = found.places[0]
    return f"{first.doc_id}:{first.start}-{first.end}"
