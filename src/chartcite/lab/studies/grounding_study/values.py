"""Values by query, which paired tests take.

- `gold@k`, `gold_mrr`: whether a chunk that holds the expected phrase (of the expected document, where one is named) is
  among the first k; the reciprocal of the rank of the first. Only queries with a phrase.
- `answered`: whether there is a claim. Only queries that the documents answer, as far as is known.
- `answer_has_phrase`: whether the answer holds the expected phrase word for word.
- `abstained`: whether there is none, for queries that the documents do not answer.
- `strict_citation`, `grounding`, `grounding_wide`: the share of the claims that the cited, the given and the retrieved
  chunks support, by judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.lab.cases import Case
from chartcite.lab.experiment.tables import ValueRow
from chartcite.lab.studies.grounding_study.grounding import by_query
from chartcite.lab.studies.grounding_study.results import Results
from chartcite.lab.studies.grounding_study.tables import ChunkRow

YARDSTICK = "always"
"""The judge that says yes to all: in the tables for comparison, in no test."""
MEASURES = {"cited": "strict_citation", "given": "grounding", "retrieved": "grounding_wide"}


def values_of(results: Results, strategy: str) -> list[ValueRow]:
    """All values of one strategy."""
    claimed = {row.query_id for row in results.claims_of(strategy)}
    rows = [
        ValueRow(strategy, q, results.cases[q].group, name, "", value)
        for q in results.queries
        for name, value in [
            *_gold(results.cases[q], [c for c in results.chunks_of(strategy) if c.query_id == q], _depths(results)),
            *_answering(results, strategy, q, q in claimed),
        ]
    ]
    return [*rows, *_grounded(results, strategy)]


def holds(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase, white space and case aside."""
    return " ".join(phrase.split()).casefold() in " ".join(text.split()).casefold()


def _depths(results: Results) -> tuple[int, ...]:
    return tuple(dict.fromkeys((1, results.options.context, results.options.candidates)))


def _gold(case: Case, chunks: Sequence[ChunkRow], depths: Sequence[int]) -> Iterator[tuple[str, float]]:
    if not case.references:
        return
    documents = {r.item_id for r in case.relevant}
    rank = next(
        (c.final_rank for c in chunks if (not documents or c.source in documents)
         and any(holds(c.full_text, phrase) for phrase in case.references)), None,
    )  # fmt: skip
    for k in depths:
        yield f"gold@{k}", float(rank is not None and rank <= k)
    yield "gold_mrr", 1 / rank if rank else 0.0


def _answering(results: Results, strategy: str, query: str, claimed: bool) -> Iterator[tuple[str, float]]:
    if results.is_unanswerable(query):
        yield "abstained", float(not claimed)
        return
    yield "answered", float(claimed)
    if phrases := results.cases[query].references:
        said = " ".join(s.text for s in results.sentences_of(strategy) if s.query_id == query)
        yield "answer_has_phrase", float(any(holds(said, phrase) for phrase in phrases))


def _grounded(results: Results, strategy: str) -> Iterator[ValueRow]:
    for judge, against in results.judged_ways:
        if judge == YARDSTICK or results.without_verdict(strategy, judge, against):
            continue  # the first is in no test, the second has no value
        for query, share in by_query(results.verdicts(strategy, judge, against)).items():
            yield ValueRow(strategy, query, results.cases[query].group, MEASURES[against], judge, share)
