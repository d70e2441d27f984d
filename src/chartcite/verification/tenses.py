"""Whether a part of a sentence speaks of the past: `had`, `was treated`, `has had`; `has`, `is treated` do not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from chartcite.facts.lexicon import word_set

_PRESENT = word_set(
    "has have is are am currently now active current remains remain takes take taking today continues still uses "
    "lives works smokes drinks tem está atualmente"
)
_PAST = word_set(
    "had was were did underwent took gave made became got went came lost fell felt began grew rose held kept left "
    "bled broke drank ate ran led wore woke slept swept sought brought struck cut quit used teve foi s/p"
)
_ADVERBS = word_set("already also since never not previously recently once twice ever just now")
_BREAKS = word_set(", ; : . ( ) and but or while whereas who which then")


def is_past(texts: Sequence[str]) -> bool:
    """Whether these folded words, a part of a sentence, speak of the past."""
    words = list(texts)
    if any(words[i] in ("has", "have") and _is_perfect(words[i + 1 : i + 4]) for i in range(len(words))):
        return True
    if not _PRESENT.isdisjoint(words):
        return False
    return any(word in _PAST or _is_participle(word) for word in words)


def _is_perfect(after: Sequence[str]) -> bool:
    """`Has had`, `has already caused`; `has been on` goes on."""
    verb = [word for word in after if word not in _ADVERBS]
    if verb[:1] == ["been"]:
        return len(verb) > 1 and _is_participle(verb[1])
    return bool(verb) and (verb[0] in _DONE or _is_participle(verb[0]))


_DONE = word_set(
    "had given taken made got gone lost fallen begun grown risen held bled broken undergone seen come done"
)


def _is_participle(word: str) -> bool:
    return len(word) > 4 and word.endswith("ed")


def runs(texts: Sequence[str]) -> list[bool]:
    """For each token whether its run between commas is of the past; a run without a verb joins the last."""
    out: list[bool] = []
    start, before = 0, None
    for end in range(len(texts) + 1):
        if end < len(texts) and texts[end] not in _BREAKS:
            continue
        run = texts[start:end]
        tense = is_past(run) if _has_verb(run) else (is_past(texts) if before is None else before)
        out += [tense] * (min(end + 1, len(texts)) - start)
        start, before = end + 1, tense
    return out


def _has_verb(run: Sequence[str]) -> bool:
    return any(word in _PRESENT or word in _PAST or _is_participle(word) for word in run)


def has_verb_beside(texts: Sequence[str], at: int) -> bool:
    """Whether the run between commas that a token stands in has a verb."""
    start = max((i + 1 for i in range(at) if texts[i] in _BREAKS), default=0)
    end = next((i for i in range(at, len(texts)) if texts[i] in _BREAKS), len(texts))
    return _has_verb(texts[start:end])


@lru_cache(maxsize=256)
def past_tokens(texts: tuple[str, ...]) -> tuple[bool, ...]:
    """The same, remembered: the words of one sentence are asked about one by one."""
    return tuple(runs(texts))
