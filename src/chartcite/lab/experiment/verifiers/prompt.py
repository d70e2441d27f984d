"""`prompt`: a language model is asked whether the cited texts support the sentence (paper 001's second verifier).

An adapter: it needs something that completes a prompt. an experiment cannot name an endpoint yet, so this verifier is
recorded without verdicts and with the reason; it never stands in with another figure. The reply must be one JSON object
with a boolean; anything else is no verdict.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files

from chartcite.lab.experiment.errors import MissingEndpoint
from chartcite.lab.experiment.tables import Cited
from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck

Complete = Callable[[str], str]


class Prompted:
    """See the module. `complete`: prompt to reply."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete
        self._template = (files("chartcite.lab.experiment.verifiers") / "prompt.txt").read_text("utf-8")

    def check(self, what: ToCheck) -> Finding:
        """One question for all citations together, and one for each when there are several."""
        whole = self._asked(what.text, what.citations)
        each = (whole,) if len(what.citations) == 1 else tuple(self._asked(what.text, (c,)) for c in what.citations)
        reason = {True: "the model says yes", False: "the model says no", None: "the reply is no verdict"}[whole]
        return Finding(whole, each, reason)

    def _asked(self, text: str, citations: tuple[Cited, ...]) -> bool | None:
        # One pass over the template, so that a text that holds a mark is not taken for one.
        head, _, rest = self._template.partition("<<<STATEMENT>>>")
        middle, _, tail = rest.partition("<<<PASSAGES>>>")
        passages = "\n".join(f"[{n}] {c.quote}" for n, c in enumerate(citations, start=1))
        try:
            reply = json.loads(self._complete(f"{head}{text}{middle}{passages}{tail}"))
        except ValueError:
            return None
        found = reply.get("supported") if isinstance(reply, dict) else None
        return found if isinstance(found, bool) else None


def load(given: Given) -> Prompted:  # noqa: ARG001 - what every verifier is made with
    """Raises MissingEndpoint: an experiment cannot name one yet."""
    raise MissingEndpoint(
        "The verifier prompt needs a language model, and none is set.", "Leave it out, or see docs/lab.md."
    )
