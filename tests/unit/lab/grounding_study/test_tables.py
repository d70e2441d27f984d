"""Tables I to IV and the levels of grounding, on rows written by hand with figures worked out by hand."""

from __future__ import annotations

import pytest

from chartcite.lab.experiment.spec import Statistics
from chartcite.lab.statistics.proportion import clopper_pearson
from chartcite.lab.studies.grounding_study.grounding import by_query, levels
from chartcite.lab.studies.grounding_study.measured_judges import judge_rows, says_yes_to_all
from chartcite.lab.studies.grounding_study.paper_tables import overall, rerank_effect, score_summaries, source_shares
from chartcite.lab.studies.grounding_study.ranking import dedupe, reranked
from chartcite.lab.studies.grounding_study.tables import (
    AnswerRow,
    CandidateRow,
    ChunkRow,
    ClaimRow,
    JudgedRow,
    PlantedJudgedRow,
    RemovedRow,
)

HOW = Statistics(resamples=500)


def candidate(rank: int, text: str, chunk_id: str = "") -> CandidateRow:
    return CandidateRow("s", "q", "which goats", rank, 1 / rank, 1, chunk_id or f"d:{rank}", "d", text)


def chunk(
    query: str,
    final: int,
    original: int | None,
    source: str = "d",
    score: float | None = 0.0,
    first: float | None = 0.0,
) -> ChunkRow:
    text = f"{query} {final}"
    return ChunkRow("s", query, "?", final, original, first, score, 1, text, source, text, text)


def test_duplicates_are_whole_texts_or_ids_never_beginnings() -> None:
    same_beginning = "header " * 60
    rows = [
        candidate(1, same_beginning + "goats 12"), candidate(2, same_beginning + "goats 13"),
        candidate(3, "a  text\nof two lines"), candidate(4, "a text of two lines"), candidate(5, "other", "d:1"),
    ]  # fmt: skip
    found = dedupe(rows)
    assert [r.original_rank for r in found.kept] == [1, 2, 3]
    assert (found.same_chunk, found.same_text) == (1, 1)


def test_equal_scores_keep_the_order_of_the_first_stage() -> None:
    rows = [candidate(n, f"text {n}") for n in range(1, 6)]
    made = reranked(rows, lambda _query, texts: [1.0, 2.0, 2.0, 0.0, 1.0], 4)
    assert [r.original_rank for r in made] == [2, 3, 1, 5]
    assert [r.final_rank for r in made] == [1, 2, 3, 4]
    assert [r.rerank_score for r in made] == [2.0, 2.0, 1.0, 1.0]


def test_table_three_counts_what_kept_its_rank_and_where_the_first_ones_were() -> None:
    rows = [
        chunk("a", 1, 1), chunk("a", 2, 3), chunk("a", 3, 2),
        chunk("b", 1, 12), chunk("b", 2, 2), chunk("b", 3, 1),
    ]  # fmt: skip
    found = rerank_effect("s", rows)
    assert (found.chunks, found.unchanged, found.unchanged_share) == (6, 2, 2 / 6)
    assert (found.top_mean, found.top_min, found.top_max) == (6.5, 1, 12)
    assert (found.top_in_first_3, found.top_outside_first_10, found.tops) == (1, 1, 2)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "nothing was found"),
        ([chunk("a", 1, None)], "there was no first stage"),
        ([chunk("a", 1, 1, score=None)], "nothing was reranked"),
    ],
    ids=["empty", "no first stage", "not reranked"],
)
def test_table_three_is_empty_with_the_reason(rows: list[ChunkRow], why: str) -> None:
    found = rerank_effect("s", rows)
    assert (found.unchanged, found.top_mean, found.reason) == (None, None, why)


def test_table_two_has_every_document_and_its_share_of_the_collection() -> None:
    rows = [chunk("a", 1, 1, "x"), chunk("a", 2, 2, "y"), chunk("b", 1, 1, "x"), chunk("b", 2, 2, "x")]
    found = source_shares("s", rows, {"a": 1, "b": 2}, {"x": 10, "y": 20, "z": 10})
    assert [(r.source, r.chunks, r.share, r.given, r.collection_share) for r in found] == [
        ("x", 3, 0.75, 3, 0.25), ("y", 1, 0.25, 0, 0.5), ("z", 0, 0.0, 0, 0.25)
    ]  # fmt: skip


def test_table_four_has_the_deviation_with_n_less_one() -> None:
    rows = [chunk("a", 1, 1, first=1.0, score=3.0), chunk("a", 2, 2, first=3.0, score=1.0), chunk("b", 1, 1, first=5.0)]
    first, second, top = score_summaries("s", rows)
    assert (first.n, first.mean, first.sd, first.low, first.high) == (3, 3.0, 2.0, 1.0, 5.0)
    assert (second.n, second.low, second.high) == (3, 0.0, 3.0)
    assert (top.n, top.mean) == (2, 1.5)


def test_table_one_counts_claims_pieces_removed_and_full_queries() -> None:
    claims = [ClaimRow("s", "a", n, 1, "x", (1,)) for n in (1, 2)] + [ClaimRow("s", "b", 1, 1, "x", (1,))]
    judged = [
        JudgedRow("j", "s", query, n, "given", said, 1, True, "")
        for query, n, said in [("a", 1, True), ("a", 2, False), ("b", 1, True)]
    ]
    answers = [AnswerRow("s", q, "?", "", "rules", 5, False, 0) for q in "abc"]
    removed = [RemovedRow("s", "c", 0, "no", "no answer")]
    found = overall("s", "j", "given", ["a", "b", "c"], [chunk("a", 1, 1)] * 6, answers, claims, removed, judged)
    assert (found.queries, found.chunks_mean, found.given_mean) == (3, 2.0, 5.0)
    assert (found.claims, found.claims_mean, found.claims_min, found.claims_max, found.removed) == (3, 1.0, 0, 2, 1)
    assert (found.supported, found.unsupported, found.accuracy, found.full_queries) == (2, 1, 2 / 3, 1)


def test_table_one_has_no_share_when_a_verdict_is_missing() -> None:
    claims = [ClaimRow("s", "a", 1, 1, "x", (1,))]
    judged = [JudgedRow("j", "s", "a", 1, "given", None, None, False, "EndpointFailed: it is gone")]
    found = overall("s", "j", "given", ["a"], [], [], claims, [], judged)
    assert (found.supported, found.accuracy, found.full_queries) == (None, None, None)
    assert "it is gone" in found.reason


def test_all_supported_has_the_exact_bounds_of_the_errata() -> None:
    verdicts = {f"q{n:02}": [True] * 8 for n in range(25)}
    claim, query, whole = levels("s", "j", "given", verdicts, HOW)
    assert (claim.n, query.n) == (200, 25)
    assert claim.exact_low == pytest.approx(0.0250 ** (1 / 200))  # 0.9817
    assert round(100 * (claim.exact_low or 0), 1) == 98.2
    assert round(100 * (query.exact_low or 0), 1) == 86.3
    assert (claim.cluster_low, claim.cluster_high) == (1.0, 1.0)
    assert (whole.value, whole.exact_low) == (1.0, None)


def test_the_interval_over_queries_is_wider_where_claims_of_a_query_fail_together() -> None:
    verdicts = {f"q{n:02}": [n % 5 > 0] * 8 for n in range(25)}
    claim = levels("s", "j", "given", verdicts, HOW)[0]
    assert claim.value == 0.8
    exact = clopper_pearson(160, 200)
    assert claim.exact_low == exact.low
    assert claim.cluster_low is not None
    assert exact.low is not None
    assert claim.cluster_low < exact.low - 0.05


def test_a_query_without_a_claim_counts_as_unsupported() -> None:
    verdicts: dict[str, list[bool]] = {"a": [True, True], "b": []}
    claim, query, whole = levels("s", "j", "given", verdicts, HOW)
    assert (claim.value, query.value, whole.value) == (1.0, 0.5, 0.5)
    assert by_query(verdicts) == {"a": 1.0, "b": 0.0}


def planted(kind: str, true: bool, said: bool | None) -> PlantedJudgedRow:
    return PlantedJudgedRow(
        "j", f"q/{kind}", "q", kind, true, said, said is not None, "" if said is not None else "gone"
    )


def test_a_judge_is_measured_by_kind_and_one_that_always_agrees_is_told() -> None:
    rows = [planted("quoted", True, True), planted("number", False, False), planted("negation", False, True)]
    found = {r.kind: r for r in judge_rows("j", rows, 0.95)}
    assert (found["all true"].value, found["all false"].value) == (1.0, 0.5)
    assert (found["number"].right, found["negation"].right) == (1, 0)
    assert not says_yes_to_all(list(found.values()))
    yes = judge_rows("j", [planted("quoted", True, True), planted("number", False, True)], 0.95)
    assert says_yes_to_all(yes)


def test_a_judge_that_failed_once_has_no_figure() -> None:
    found = {r.kind: r for r in judge_rows("j", [planted("quoted", True, None), planted("number", False, True)], 0.95)}
    assert found["all true"].value is None
    assert found["all true"].reason == "gone"
    assert found["all false"].value == 0.0
