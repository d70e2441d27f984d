"""Search: first-stage lists, fusion, rerank, expansion. Every hit keeps its rank and score in each list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chartcite.core.neural import Reranker
from chartcite.core.retrieval import Hit, Place, SearchSettings
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.fusion import convex_combination, reciprocal_rank_fusion
from chartcite.retrieval.method import Method
from chartcite.retrieval.probe import Probe, Scored

Lists = Mapping[str, Sequence[Scored]]


def search(
    probe: Probe,
    method: Method,
    settings: SearchSettings,
    reranker: Callable[[], Reranker],
    text_of: Callable[[int], str],
    fallback: Callable[[str, int], None],
) -> list[Hit]:
    """The `top_k` best passages, or what the method makes of them.

    Args:
        probe: the query on its partition.
        method: a first stage from `methods/`.
        settings: depths, fusion and rerank kind (`fused`, `cross`, `none`).
        reranker: loads the cross-encoder when it is wanted.
        text_of: the text of a passage number.
        fallback: told, with their number, of passages that the token budget left out.
    """
    hits = rank(probe, method, settings, reranker, text_of)
    if method.expand is None:
        return hits
    budget = Budget(settings.max_tokens, lambda passage: probe.count_tokens(text_of(passage)))
    taken = method.expand(hits, probe, settings, budget)
    if budget.refused:
        fallback("over_token_budget", budget.refused)
    return taken


def rank(
    probe: Probe,
    method: Method,
    settings: SearchSettings,
    reranker: Callable[[], Reranker],
    text_of: Callable[[int], str],
) -> list[Hit]:
    """The `top_k` best passages, nothing taken in around them; arguments as of `search`."""
    depth = max(2 * settings.top_k, settings.rerank_depth)
    lists: dict[str, Sequence[Scored]] = dict(method.rank(probe, depth))
    ranked = _fuse(lists, settings)
    first = {} if settings.rerank == "none" else {"first_stage": [Scored(*pair) for pair in ranked]}
    if settings.rerank == "fused":
        lists["late"] = _late(probe, [p for p, _ in ranked[: settings.rerank_depth]])
        ranked = _fuse(lists, settings)
    elif settings.rerank == "cross":
        head = [p for p, _ in ranked[: settings.rerank_depth]]
        lists["cross"] = _cross(probe, head, reranker(), text_of)
        lowest = lists["cross"][-1].score if lists["cross"] else 0.0
        tail = [(p, lowest - n) for n, (p, _) in enumerate(ranked[settings.rerank_depth :], start=1)]
        ranked = [(p, s) for p, s in lists["cross"]] + tail  # scores fall with rank, as a run's readers expect
    return _hits(probe, ranked[: settings.top_k], lists | first)


def _fuse(lists: Lists, settings: SearchSettings) -> list[tuple[int, float]]:
    if len(lists) == 1:
        return [(passage, score) for passage, score in next(iter(lists.values()))]
    weights = [settings.weight(name) for name in lists]
    if settings.fusion == "convex":
        return convex_combination(list(lists.values()), weights)
    return reciprocal_rank_fusion([[p for p, _ in ranked] for ranked in lists.values()], settings.rrf_k, weights)


def _late(probe: Probe, candidates: Sequence[int]) -> list[Scored]:
    scores = probe.late(candidates)
    scored = [Scored(passage, float(score)) for passage, score in zip(candidates, scores, strict=True) if score > 0]
    return sorted(scored, key=lambda s: (-s.score, s.passage))


def _cross(probe: Probe, head: Sequence[int], reranker: Reranker, text_of: Callable[[int], str]) -> list[Scored]:
    scores = reranker.score(probe.spoken, [text_of(passage) for passage in head])
    return sorted((Scored(p, s) for p, s in zip(head, scores, strict=True)), key=lambda s: (-s.score, s.passage))


def _hits(probe: Probe, ranked: Sequence[tuple[int, float]], lists: Lists) -> list[Hit]:
    parts: dict[int, dict[str, tuple[int, float]]] = {}
    for name, scored in lists.items():
        for rank, (passage, score) in enumerate(scored, start=1):
            parts.setdefault(passage, {})[name] = (rank, score)
    return [
        Hit(passage, rank, score, tuple(Place(*p) for p in probe.index.places(passage)), parts.get(passage, {}))
        for rank, (passage, score) in enumerate(ranked, start=1)
    ]
