"""`endpoint`: the judge's model (`judge_url`), another than the writer's, asked as `ask` asks it.

Sources that do not fit into its context together are shown in groups, the best first, until one supports the claim. It
fails closed: a reply without a verdict is no support.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chartcite.core.chat import ChatModel
from chartcite.lab.experiment.errors import MissingEndpoint
from chartcite.lab.experiment.verifiers import with_doubts
from chartcite.lab.studies.grounding_study.judges import Said
from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.library.calls.account import Account
from chartcite.library.chats import unlimited
from chartcite.library.engines import Engines
from chartcite.verification.judge import REPLY_TOKENS, judge, judge_prompt
from chartcite.verification.verdicts import Source

_MARGIN = 1.25
"""Another tokenizer may count so much more than ours."""
_FRAME_TOKENS = 60


class EndpointJudge:
    """See the module. `count_tokens`: of a text, by whatever tokenizer is at hand; `account`: of the calls."""

    def __init__(self, chat: ChatModel, count_tokens: Callable[[str], int], account: Account | None = None) -> None:
        self._chat, self._count, self._account = chat, count_tokens, account or Account()
        self.name = chat.name

    def judge(self, query: str, claim: str, sources: Sequence[Numbered]) -> Said:
        """The first support that is found, else the first group's verdict."""
        first: Said | None = None
        for group in self._groups(query, claim, sources):
            found = judge(self._chat, query, claim, [Source(str(s.n), s.text) for s in group])
            best = group[found.source - 1].n if found.source else None
            reason = with_doubts(found.reason, self._account)
            said = Said(found.verdict == "supported", best, found.is_conclusive, reason)
            if said.supported:
                return said
            first = first or said
        return first or Said(False, None, True, "no source")

    def _groups(self, query: str, claim: str, sources: Sequence[Numbered]) -> Iterator[list[Numbered]]:
        fixed = self._size(judge_prompt()) + self._size(query) + self._size(claim) + _FRAME_TOKENS + REPLY_TOKENS
        room = self._chat.context_tokens - fixed
        group: list[Numbered] = []
        used = 0
        for source in sources:
            size = self._size(source.text) + 8
            if group and used + size > room:
                yield group
                group, used = [], 0
            group.append(source)
            used += size
        if group:
            yield group

    def _size(self, text: str) -> int:
        return int(self._count(text) * _MARGIN)


def load(engines: Engines) -> EndpointJudge:
    """The judge that the settings name.

    Raises:
        MissingEndpoint: they name none.
        ModelRefused: it is the writer's own model, or on another machine, and that was not allowed.
    """
    models = unlimited(engines, engines.settings)
    if models.judge is None:
        raise MissingEndpoint("The judge needs an endpoint, and none is set.", "Set judge_url and judge_model.")
    return EndpointJudge(models.judge, lambda text: len(engines.encoder.offsets([text])[0]), models.account)
