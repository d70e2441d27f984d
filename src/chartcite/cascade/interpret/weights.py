"""How much each word of a message weighs for what it asks: what it names, where it stands, how rare it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chartcite.cascade.interpret.cues import Cues
from chartcite.cascade.interpret.medical import Kind, medical_kind
from chartcite.facts.tokens import fold

WORD = re.compile(r"[^\W_](?:[\w.'’/%+-]*[\w%+])?", re.UNICODE)
SUBJECT = -1
Rarity = Callable[[str], float]
"""How rare a word is in the partition, from 0 (in every passage) to 1 (in none)."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Factors, except `repeated` (added for each further time, twice at most). Chosen as docs/results.md says.

    Attributes:
        drug, condition, intent: of what a word names or wants; other words have 1.
        subject, asking: of words of the subject line, of the sentence that asks.
        topic: of words after `diagnosed with` and the like.
        rare: power of the word's rarity in the partition; 0 leaves it out.
        neighbour: share of its heaviest neighbour's weight that a word of the same phrase has at least.
        least: words below this share of the heaviest one are left out.
        most_words: of a query that is made of words only.
        most_verbatim: words of a question that goes into the query as it stands.
        most_added: words of the rest of the message that go with it.
        topic_only: of the rest only the subject line and what stands after `diagnosed with` and the like goes with a
            question that names something medical; and everyday words of the question count.
        most_edits: by which a misspelt word may differ from the one that it is read as.
    """

    drug: float = 3.0
    condition: float = 2.0
    intent: float = 2.0
    subject: float = 4.0
    asking: float = 2.0
    repeated: float = 0.5
    topic: float = 2.0
    rare: float = 1.0
    neighbour: float = 0.6
    least: float = 0.0
    most_words: int = 12
    most_verbatim: int = 11
    most_added: int = 4
    topic_only: bool = False
    most_edits: int = 2


@dataclass(frozen=True, slots=True)
class Word:
    """A word with the sentence it stands in (`SUBJECT` for the subject line), its place there and its weight.

    `turned_by` is the negation before it, by place and word: whoever takes the word takes that too. `is_name` says
    that it names something medical, `is_topic` that it stands in the subject line or after `diagnosed with`.
    """

    text: str
    sentence: int
    at: int
    weight: float
    turned_by: tuple[int, str] | None = None
    is_name: bool = False
    is_topic: bool = False


def weigh(
    sentences: Sequence[tuple[int, str]], asking: int | None, cues: Cues, weights: Weights, rarity: Rarity | None
) -> list[Word]:
    """All words of some numbered sentences, in their order; words without a say weigh 0."""
    found = [(n, at, word) for n, text in sentences for at, word in enumerate(WORD.findall(text))]
    times = Counter(fold(word) for _, _, word in found)
    named = {n: _after_topic_cue(text, cues) for n, text in sentences}
    heads = {fold(word) for n, _, word in found if n == SUBJECT}
    words = []
    for n, at, word in found:
        folded = fold(word)
        kind = medical_kind(word, cues.generic.__contains__)
        weight = _own(word, folded, kind, n == asking, cues, weights, rarity)
        weight *= 1 + weights.repeated * (min(times[folded], 3) - 1)
        weight *= weights.subject if folded in heads else 1
        weight *= weights.asking if n == asking else 1
        weight *= weights.topic if at in named[n] else 1
        words.append(Word(word, n, at, weight, None, bool(kind), n == SUBJECT or at in named[n]))
    return _with_neighbours(words, cues, weights.neighbour)


def _own(
    word: str, folded: str, kind: Kind, is_asking: bool, cues: Cues, weights: Weights, rarity: Rarity | None
) -> float:
    if folded in cues.negations:
        return 0.0
    if _is_number(folded):
        return 1.0 if is_asking else 0.0  # a date or dose that is asked about
    intent = bool(cues.intent.match(folded))
    is_everyday = folded in cues.everyday and not (is_asking and weights.topic_only)
    if not intent and (folded in cues.generic or is_everyday or len(folded) < 2):
        return 0.0
    own = weights.intent if intent else {"drug": weights.drug, "condition": weights.condition, "": 1.0}[kind]
    if rarity is not None and weights.rare and not intent:
        own *= max(rarity(word), 0.05) ** weights.rare
    return own


def _is_number(folded: str) -> bool:
    return not any(c.isalpha() for c in folded)


def _after_topic_cue(text: str, cues: Cues) -> frozenset[int]:
    """Places of the first two words of weight after `diagnosed with` and the like."""
    places: set[int] = set()
    spans = [m.span() for m in WORD.finditer(text)]
    for cue in cues.topic.finditer(text.lower()):
        after = [at for at, (start, _) in enumerate(spans) if start >= cue.end()]
        places.update(after[:2])
    return frozenset(places)


def _with_neighbours(words: list[Word], cues: Cues, share: float) -> list[Word]:
    """A word of weight lifts those right beside it; a negation weighs nothing by itself."""
    lifted = []
    for i, word in enumerate(words):
        beside = [w.weight for w in (*words[max(i - 1, 0) : i], *words[i + 1 : i + 2]) if w.sentence == word.sentence]
        if not word.weight:
            lifted.append(word)
            continue
        weight = max([word.weight, *(share * b for b in beside)])
        lifted.append(replace(word, weight=weight, turned_by=_negation(words, i, cues)))
    return lifted


def _negation(words: list[Word], i: int, cues: Cues) -> tuple[int, str] | None:
    """The negation right before a word, or with one word without a say between: `not be able`, `no clots`."""
    for before in words[max(i - 2, 0) : i][::-1]:
        if before.sentence != words[i].sentence or before.weight:
            return None
        if fold(before.text) in cues.negations:
            return before.at, before.text
    return None
