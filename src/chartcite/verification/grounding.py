"""How likely it is that the cited text carries a claim, by a model fitted on what the rules found (layer 3).

The rules say yes only when everything is accounted for. Between that and a plain no lies a claim with a word or two
left over, or with a binding that the rules could not settle: a logistic model weighs what was left over and which
vetoes spoke, each by how often it is right. Its inputs are counts, nothing of the text; likeness is none of them, since
it does not tell true claims from wrong ones (docs/log.md). Weights, their origin and figures: `data/grounding.json`,
made by `scripts/fit_grounding.py`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from chartcite.verification.clues import clues
from chartcite.verification.exclusive import members
from chartcite.verification.kinds import kinds
from chartcite.verification.support import Account, Uncovered
from chartcite.verification.verdicts import VetoKind

NAME = "accounting"
_MANY = 4
"""Counts above this weigh no more."""


@dataclass(frozen=True, slots=True)
class GroundingModel:
    """A logistic model over named features; a claim is accepted from `threshold` on."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def probability(self, features: Mapping[str, float]) -> float:
        """The probability that a claim with these features is carried by what it cites."""
        # Summed exactly: the features come in no fixed order.
        score = math.fsum([self.bias, *(self.weights.get(name, 0.0) * value for name, value in features.items())])
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, score))))


@lru_cache(maxsize=1)
def load_grounding() -> GroundingModel:
    """The committed model."""
    data = json.loads(files("chartcite.verification").joinpath("data/grounding.json").read_text("utf-8"))
    return GroundingModel(data["weights"], data["bias"], data["threshold"])


_FINAL: frozenset[VetoKind] = frozenset(
    ("number", "unit", "comparator", "frequency", "date", "side", "negation", "experiencer", "certainty")
)
"""Vetoes that no score outweighs: a wrong figure, date, side or person, a lost or invented denial or doubt."""
_FINAL_CLUES = frozenset(("rival:opposite", "rival:kind", "relation:cause"))
"""Nor does it where the evidence has the opposite, another site or relative, nor for a cause that nothing states."""


def may_be_lifted(accounts: Sequence[Account]) -> bool:
    """Whether the model's word counts at all: not against these vetoes and clues, nor for a drug nobody named."""
    if any(veto.kind in _FINAL for account in accounts for veto in account.vetoes):
        return False
    if any(clue in _FINAL_CLUES for account in accounts for clue in clues(account)):
        return False
    return not any(_sort(item, account) == "drug" for account in accounts for item in account.uncovered)


def features(accounts: Sequence[Account]) -> dict[str, float]:
    """What is known of a claim from the accounts of its sentences: counts by name, each at most `_MANY`, and shares."""
    found: Counter[str] = Counter()
    covered = left = 0
    for account in accounts:
        covered += account.covered
        left += len(account.uncovered)
        for item in account.uncovered:
            found[f"left:{_sort(item, account)}"] += 1
            found[f"behind:{_before(item, account)}"] += 1
        for clue in clues(account):
            found[clue] += 1
        for kind, why in {(veto.kind, veto.why) for veto in account.vetoes}:
            found[f"veto:{kind}"] += 1
            found[f"why:{why}"] += 1
        found["together"] += len(account.evidence.parts) > 1
    made = {name: float(min(count, _MANY)) for name, count in found.items()}
    made["is_clean"] = float(not left and not any(account.vetoes for account in accounts))
    made["has_veto"] = float(any(account.vetoes for account in accounts))
    made["covered_log"] = math.log1p(covered)
    made["left_log"] = math.log1p(left)
    made["left_share"] = left / (left + covered) if left + covered else 1.0
    return made


def _sort(item: Uncovered, account: Account) -> str:
    """What sort of thing was left over: the more it could be a fact, the worse."""
    if item.kind != "word":
        return item.kind
    word = next((m.word for m in account.matched if m.word.at == item.at), None)
    if word is None:
        return "word"
    sorts = min(kinds(word.keys), default="")
    if sorts or members(word.keys):
        return sorts or "opposable"
    if word.status.polarity == "negated":
        return "denied"
    return "listed" if len(word.keys) > 1 else _look(word.text)


_BEHIND = {
    word: group
    for group, words in {
        "and": "and or , ; nor e ou",
        "a": "a an um uma",
        "the": "the this that his her their o os as",
        "is": "was were is are been be has had have foi foram é são",
        "in": "in on at from with for during after by to of into under over near since until em no na com para de do",
    }.items()
    for word in words.split()
}  # fmt: skip
"""What stands before a word that is left over: behind `and` it adds, behind `was` it may only say otherwise."""


def _before(item: Uncovered, account: Account) -> str:
    tokens = account.claim.tokens
    return _BEHIND.get(tokens[item.at - 1].text, "word") if 0 < item.at <= len(tokens) else "start"


def _look(word: str) -> str:
    if word.endswith(("ed", "ing")):
        return "verb"
    return "adverb" if word.endswith("ly") else "word"
