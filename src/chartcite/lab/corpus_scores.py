"""Scores of `sacrebleu`: one a case, and one over the corpus, where a case without a prediction is an empty text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chartcite.lab.measured import Measured, Summary
from chartcite.lab.text_scores import against_all


def by_sacrebleu(
    name: str, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str], case_scorer: Any, corpus_scorer: Any
) -> Measured:
    """Values and their mean by `case_scorer`; as a further summary `NAME.corpus` by `corpus_scorer`; both 0 to 1."""
    by_case = against_all(
        name, gold, predicted, lambda text, refs: float(case_scorer.sentence_score(text, list(refs)).score) / 100
    )
    judged = {case: refs for case, refs in gold.items() if refs}
    most = max(map(len, judged.values()), default=0)
    corpus = f"{name}.corpus"
    if not judged:
        return replace(by_case, summaries=(*by_case.summaries, Summary(corpus, None, 0, reason="there is no case")))
    texts = [predicted.get(case, "") for case in judged]
    # sacrebleu wants references by place, and takes None for one that a case has not got.
    places = [[refs[i] if i < len(refs) else None for refs in judged.values()] for i in range(most)]
    score = float(corpus_scorer.corpus_score(texts, places).score) / 100
    whole = Summary(corpus, score, len(judged), missing=by_case.summaries[0].missing)
    return replace(by_case, summaries=(*by_case.summaries, whole))
