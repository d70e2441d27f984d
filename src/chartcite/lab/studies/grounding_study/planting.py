"""Claims whose label is known by how they were made, from the sources that were given for a query.

True: a sentence of a source word for word (`quoted`), or without a part in brackets (`shortened`). False: a claim of
the query's own answer that its source supports, else a sentence of a source, with another number, with or without its
negation, or with a word of direction turned round; a claim that was supported for another query, from a document that
is not among these sources (`other_query`); a sentence about drugs and places that do not exist (`invented`). A false
claim could be true by chance of what else the sources say; a changed number is taken only if no source has it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files

from chartcite.lab.studies.grounding_study.claims import parts_of
from chartcite.lab.studies.grounding_study.tables import PlantedRow
from chartcite.lab.studies.grounding_study.write_rules import whole_sentences
from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.text.sentences import split_sentences

TRUE_KINDS = ("quoted", "shortened")
_EDITS = ("number", "negation", "direction")
FALSE_KINDS = (*_EDITS, "other_query", "invented")
_WORDS = range(8, 61)
_NUMBER = re.compile(r"(?<![\w.,−-])\d+(?:\.\d+)?(?![\w]|[.,]\d)")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_NOT = re.compile(r"\s+not\b")
_NEGATED = re.compile(r"\b(?:no|not|nor|none|never|neither|without|cannot)\b|n't\b", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:was|were|is|are|has|have|had|can|could|may|might|should|will|would)\b")
_OPPOSITES = {
    "increased": "decreased", "increase": "decrease", "higher": "lower", "larger": "smaller", "longer": "shorter",
    "stronger": "weaker", "older": "younger", "positive": "negative", "positively": "negatively", "above": "below",
    "before": "after", "earlier": "later", "elevated": "reduced", "more": "less", "first": "last", "gain": "loss",
}  # fmt: skip
_TURNED = _OPPOSITES | {value: key for key, value in _OPPOSITES.items()}
_DIRECTION = re.compile(rf"\b(?:{'|'.join(sorted(_TURNED))})\b")


@dataclass(frozen=True, slots=True)
class SupportedClaim:
    """A claim that its source supports, the query it was made for, and the documents that it cites."""

    query_id: str
    text: str
    documents: frozenset[str]


def plant(
    query_id: str, sources: Sequence[Numbered], supported: Sequence[SupportedClaim], per_kind: int, seed: int
) -> list[PlantedRow]:
    """At most `per_kind` planted claims of each kind; fewer where the sources have nothing to make one of.

    The same arguments give the same claims.

    Args:
        query_id: the query that the claims are planted for.
        sources: what was given for it.
        supported: supported claims of all queries.
        per_kind: see above.
        seed: of the drawing.
    """
    texts = "\n".join(" ".join(source.text.split()) for source in sources)
    sentences = _sentences(sources)
    here = {source.source for source in sources}
    elsewhere = [c.text for c in supported if c.query_id != query_id and not c.documents & here and c.text not in texts]
    own = [c.text for c in supported if c.query_id == query_id]
    makers: dict[str, Callable[[str], str]] = {
        "quoted": _same, "shortened": shortened, "number": partial(other_number, texts=texts), "negation": negated,
        "direction": turned,
    }  # fmt: skip
    rows: list[PlantedRow] = []
    for kind in (*TRUE_KINDS, *FALSE_KINDS):
        pool = {"other_query": elsewhere, "invented": [s for s in invented() if s.split()[0] not in texts]}
        drawn = _shuffled(pool.get(kind, sentences), f"{seed}/{query_id}/{kind}")
        if kind in _EDITS:
            drawn = _shuffled(own, f"{seed}/{query_id}/{kind}") + drawn
        maker = makers.get(kind, _same)
        made = list(dict.fromkeys(text for sentence in drawn if (text := maker(sentence))))[:per_kind]
        rows += [
            PlantedRow(f"{query_id}/{kind}/{n}", query_id, kind, kind in TRUE_KINDS, text)
            for n, text in enumerate(made, start=1)
        ]
    return rows


def _same(sentence: str) -> str:
    return sentence


def shortened(sentence: str) -> str:
    """Without its first part in brackets; empty if there is none or little is left.

    >>> shortened("The OR was higher in older animals (OR 7.3; p < 0.001) than in lambs.")
    'The OR was higher in older animals than in lambs.'
    """
    text, n = _BRACKETS.subn("", sentence, count=1)
    return text if n and _is_whole(text) else ""


def other_number(sentence: str, texts: str) -> str:
    """With its first number changed to one that no source has; empty without a number.

    >>> other_number("In all, 35 of 100 goats were positive.", "35 100 36 70")
    'In all, 38 of 100 goats were positive.'
    """
    found = _NUMBER.search(sentence)
    if not found:
        return ""
    known, old = set(_NUMBER.findall(texts)), found.group()
    places = len(old.partition(".")[2])
    value = float(old)
    for changed in (value + 1, value * 2, value + 3, value * 3, value + 7, value + 11, value * 5, value + 13):
        new = f"{changed:.{places}f}"
        if new not in known:
            return sentence[: found.start()] + new + sentence[found.end() :]
    return ""


def negated(sentence: str) -> str:
    """Its opposite: `not` after its first auxiliary, or its only `not` taken off; empty where that cannot be done.

    >>> negated("The goats were tested."), negated("The goats were not tested.")
    ('The goats were not tested.', 'The goats were tested.')
    """
    if len(_NEGATED.findall(sentence)) == 1 and _NOT.search(sentence):
        return _NOT.sub("", sentence, count=1)
    found = _AUXILIARY.search(sentence)
    if not found or _NEGATED.search(sentence):
        return ""
    return f"{sentence[: found.end()]} not{sentence[found.end() :]}"


def turned(sentence: str) -> str:
    """With its only word of direction turned round; empty where it has none, or several that might cancel out.

    >>> turned("Titres were higher in sheep.")
    'Titres were lower in sheep.'
    """
    found = _DIRECTION.findall(sentence)
    return _DIRECTION.sub(_TURNED[found[0]], sentence) if len(found) == 1 else ""


@lru_cache(maxsize=1)
def invented() -> tuple[str, ...]:
    """Sentences that nothing can support: their drugs, places and trials do not exist."""
    text = (files("chartcite.lab.studies.grounding_study") / "data" / "invented.txt").read_text("utf-8")
    return tuple(text.splitlines())


def _sentences(sources: Sequence[Numbered]) -> list[str]:
    """Whole sentences of some length that claim something, each once, in order."""
    found: dict[str, None] = {}
    for source in sources:
        text = whole_sentences(source.text)
        for unit in split_sentences(text):
            said = " ".join(text[unit.start : unit.end].split())
            if unit.kind == "sentence" and _is_whole(said) and all(part.sort == "claim" for part in parts_of(said)):
                found[said] = None
    return list(found)


def _is_whole(sentence: str) -> bool:
    """Whether it looks like a sentence and not like a part of a legend or of a line that was cut."""
    return len(sentence.split()) in _WORDS and sentence[:1].isupper() and sentence.endswith(".")


def _shuffled(texts: Sequence[str], seed: str) -> list[str]:
    drawn = list(texts)
    random.Random(seed).shuffle(drawn)  # noqa: S311 - nothing secret
    return drawn
