"""The full verdict: the rules, and where they leave it open a model (layer 3). It fails closed.

`verified` stays the rules' word alone. The verdict becomes `supported` also for a claim that the rules could not
account for in full, when the model's score reaches its threshold. A claim against which the rules raised a veto is
never lifted by a user's own model, whose blind spots nobody here has measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chartcite.core.neural import Grounder
from chartcite.verification.check import examine
from chartcite.verification.grounding import NAME, features, load_grounding, may_be_lifted
from chartcite.verification.verdicts import CheckedClaim, Grounded, Source


@dataclass(frozen=True, slots=True)
class UserModel:
    """A user's model of inference, and the probability from which it counts as support."""

    model: Grounder
    threshold: float


def full_check(claim: str, sources: Sequence[Source], user: UserModel | None = None) -> CheckedClaim:
    """Check a claim by rules and model.

    Args:
        claim: one sentence or a few.
        sources: what it cites.
        user: a model of one's own in the place of the bundled one.

    Returns:
        As `check_claim`, with `grounded` where a model has judged; without one where there was nothing to judge.
    """
    checked, accounts = examine(claim, sources)
    if not accounts:
        return checked
    if user is not None:
        score = user.model.entailment(claim, "\n".join(source.text for source in sources))
        if score is None:
            return checked
        grounded, lifts = Grounded(round(score, 4), user.model.name), score >= user.threshold and not checked.vetoes
    else:
        model = load_grounding()
        score = model.probability(features(accounts))
        grounded, lifts = Grounded(round(score, 4), NAME), score >= model.threshold and may_be_lifted(accounts)
    if checked.verified or not lifts:
        return replace(checked, grounded=grounded)
    reason = f"not all of it could be matched; {grounded.by} finds it carried by the cited text"
    return replace(checked, verdict="supported", reason=reason, grounded=grounded)
