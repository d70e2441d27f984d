"""What the stages read from one raw reply, in one form for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from chartcite.cascade.align.llm import fits_links, read_links
from chartcite.cascade.interpret.llm import read_query
from chartcite.cascade.interpret.rules import MAX_QUERY_WORDS
from chartcite.cascade.score.llm import fits_grades, read_grades
from chartcite.models.replies import read_json
from chartcite.text.limits import first_words
from chartcite.verification.judge import read_verdict

Stage = Literal["align", "judge", "score", "query"]
STAGES: Sequence[Stage] = ("align", "judge", "score", "query")
FAIL = "FAIL"


def read(stage: Stage, raw: str, *, answers: int, sources: int, was_cut: bool = False) -> Any:
    """What a stage takes from a reply, as the items' files write it; `FAIL` when it takes nothing.

    Args:
        stage: `align`, `judge`, `score` or `query`.
        raw: the reply.
        answers: number of answer sentences.
        sources: number of sentences given.
        was_cut: the server said so.
    """
    if stage == "align":
        found = read_json(raw, fits_links, was_cut=was_cut)
        if found.value is None:
            return FAIL
        links = read_links(found.value, answers, sources, is_partial=found.is_partial).links
        return [list(pair) for pair in sorted(links)]
    if stage == "judge":
        judged = read_verdict(raw, sources, "judge")
        return {"supported": judged.verdict == "supported"} if judged.is_conclusive else FAIL
    if stage == "score":
        found = read_json(raw, fits_grades, was_cut=was_cut)
        return FAIL if found.value is None else _grades(found.value, sources)
    query = read_query(raw, was_cut)
    return FAIL if query.value is None else first_words(str(query.value), MAX_QUERY_WORDS)


def _grades(value: Any, sources: int) -> dict[str, int | str]:
    graded = read_grades(value, sources)
    return {
        str(n): graded.grades.get(n, "invalid" if n in graded.invalid else "missing") for n in range(1, sources + 1)
    }
