"""What a claim is judged against, taken from the saved chunks: nothing is retrieved again."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.studies.grounding_study.options import Against
from chartcite.lab.studies.grounding_study.tables import ChunkRow
from chartcite.lab.studies.grounding_study.writing import Numbered, given_sources


def evidence(against: Against, chunks: Sequence[ChunkRow], given: int, cited: Sequence[int]) -> list[Numbered]:
    """Numbered sources.

    Args:
        against: `cited` for the sources that the claim names, `given` for all that the writer saw, `retrieved` for all
            that were kept of the retrieval.
        chunks: of the query, in their final order.
        given: how many the writer saw.
        cited: the numbers that the claim names.
    """
    numbered = given_sources(chunks, len(chunks) if against == "retrieved" else given)
    return [source for source in numbered if source.n in set(cited)] if against == "cited" else numbered
