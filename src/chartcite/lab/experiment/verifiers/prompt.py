"""`prompt`: a language model is asked whether the cited texts support the sentence (paper 001's second verifier).

The model is the judge that the experiment's settings name (`judge_url`, `judge_model`); without one this verifier is
recorded without verdicts and with the reason, and so is a sentence for which the endpoint failed; it never stands in
with another figure. The reply must hold a JSON object with a boolean; anything else is no verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

from chartcite.core.chat import ChatModel, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.lab.experiment.errors import MissingEndpoint
from chartcite.lab.experiment.tables import Cited
from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck, with_doubts
from chartcite.library.calls.account import Account
from chartcite.library.chats import unlimited
from chartcite.library.engines import Engines
from chartcite.models.replies import read_json

Complete = Callable[[str], str]
"""Prompt to reply."""
_REPLY_TOKENS = 60
_SCHEMA: Final = {
    "type": "object", "properties": {"supported": {"type": "boolean"}}, "required": ["supported"],
    "additionalProperties": False,
}  # fmt: skip


class Prompted:
    """See the module. `complete` may raise EndpointFailed; `account` is of its calls."""

    def __init__(self, complete: Complete, account: Account | None = None) -> None:
        self._complete, self._account = complete, account or Account()
        self._template = (files("chartcite.lab.experiment.verifiers") / "prompt.txt").read_text("utf-8")

    def check(self, what: ToCheck) -> Finding:
        """One question for all citations together, and one for each when there are several."""
        try:
            whole = self._asked(what.text, what.citations)
            each = (whole,) if len(what.citations) == 1 else tuple(self._asked(what.text, (c,)) for c in what.citations)
        except EndpointFailed as error:
            return Finding(None, (None,) * len(what.citations), f"{error.kind}: {error}")
        reason = {True: "the model says yes", False: "the model says no", None: "the reply is no verdict"}[whole]
        return Finding(whole, each, with_doubts(reason, self._account))

    def _asked(self, text: str, citations: tuple[Cited, ...]) -> bool | None:
        # One pass over the template, so that a text that holds a mark is not taken for one.
        head, _, rest = self._template.partition("<<<STATEMENT>>>")
        middle, _, tail = rest.partition("<<<PASSAGES>>>")
        passages = "\n".join(f"[{n}] {c.quote}" for n, c in enumerate(citations, start=1))
        found = read_json(self._complete(f"{head}{text}{middle}{passages}{tail}"), _is_verdict).value
        return None if found is None else bool(found["supported"])


def _is_verdict(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("supported"), bool)


def completing(chat: ChatModel) -> Complete:
    """A chat model as something that completes a prompt."""

    def complete(prompt: str) -> str:
        return chat.chat(ChatRequest((Message("user", prompt),), _REPLY_TOKENS, _SCHEMA, stage="judge")).text

    return complete


def load(given: Given) -> Prompted:
    """The judge of the settings.

    Raises:
        MissingEndpoint: they name none.
        ModelRefused: it is the writer's own model, or on another machine, and that was not allowed.
    """
    models = unlimited(Engines(given.settings), given.settings)
    if models.judge is None:
        raise MissingEndpoint(
            "The verifier prompt needs a language model, and none is set.",
            "Set judge_url and judge_model below [settings], or leave it out.",
        )
    return Prompted(completing(models.judge), models.account)
