"""Checkers by name. A checker is a function from a claim and its cited sources to a verdict, and nothing else.

A new one is a line in `MAKERS`. A maker gets the distinct texts of the set and its language, which statistics need.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chartcite.core.errors import NotConfigured, UnknownImplementation
from chartcite.models.llm.openai_chat import load as load_chat
from chartcite.verification.check import check_claim
from chartcite.verification.full import full_check
from chartcite.verification.judge import judge as ask_judge
from chartcite.verification.verdicts import Source, Verdict
from verification.anchorcite_core import AnchorciteCore
from verification.baselines import Paper001, difflib_ratio, trigram_overlap, unigram_overlap
from verification.items import Item, texts_of

Checker = Callable[[str, Sequence[Source]], Verdict]
Maker = Callable[[Sequence[str], str], Checker]


def rules(claim: str, sources: Sequence[Source]) -> Verdict:
    """Ours, without a model."""
    return check_claim(claim, sources).verdict


def full(claim: str, sources: Sequence[Source]) -> Verdict:
    """Ours, rules and bundled model."""
    return full_check(claim, sources).verdict


def endpoint_judge(_texts: Sequence[str], _language: str) -> Checker:
    """A model behind CHARTCITE_JUDGE_URL (and _MODEL, _KEY), as `ask` uses it: its sensitivity and specificity."""
    url, model = (os.environ.get(f"CHARTCITE_JUDGE_{name}", "") for name in ("URL", "MODEL"))
    if not url:
        raise NotConfigured("The judge needs an endpoint.", "Set CHARTCITE_JUDGE_URL and CHARTCITE_JUDGE_MODEL.")
    key = os.environ.get("CHARTCITE_JUDGE_KEY", "")
    # The claims are invented, so that another machine may see them.
    chat = load_chat("judge", url, model, key=key, context_tokens=4096, timeout_s=120, allow_remote=True)
    return lambda claim, sources: ask_judge(chat, "", claim, sources).verdict


MAKERS: Mapping[str, Maker] = {
    "full": lambda _texts, _language: full,
    "rules": lambda _texts, _language: rules,
    "unigram_overlap": lambda _texts, _language: unigram_overlap,
    "trigram_overlap": lambda _texts, _language: trigram_overlap,
    "difflib": lambda _texts, _language: difflib_ratio,
    "paper001": Paper001,
    "judge": endpoint_judge,
    "anchorcite": lambda _texts, _language: AnchorciteCore(),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """An item, what a checker said of it, and how long that took."""

    item: Item
    verdict: Verdict
    ms: float

    @property
    def accepted(self) -> bool:
        """Whether the checker lets the claim pass."""
        return self.verdict == "supported"


def named(names: Sequence[str]) -> dict[str, Maker]:
    """The makers asked for; without names all that work here, and stderr says which do not.

    Raises:
        UnknownImplementation: no such checker.
        NotConfigured: one that was named needs something that is not there.
    """
    makers: dict[str, Maker] = {}
    for name in names or MAKERS:
        if name not in MAKERS:
            raise UnknownImplementation(f"There is no checker called {name!r}.", f"Known: {', '.join(MAKERS)}.")
        try:
            MAKERS[name]((), "en")
        except NotConfigured as error:
            if names:
                raise
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        makers[name] = MAKERS[name]
    return makers


def judge(make: Maker, items: Sequence[Item]) -> list[Judged]:
    """Check every item, in order. The first is checked once more before the clock runs, so that lists are loaded."""
    checkers = {
        language: make(texts_of([i for i in items if i.language == language]), language)
        for language in dict.fromkeys(item.language for item in items)
    }
    judged: list[Judged] = []
    for item in items:
        checker = checkers[item.language]
        if not judged:
            checker(item.claim, item.sources)
        start = time.perf_counter()
        verdict = checker(item.claim, item.sources)
        judged.append(Judged(item, verdict, 1000 * (time.perf_counter() - start)))
    return judged
