"""Conversation: how a stage talks with a model. Prompts are measured, replies read, and read badly asked for again.

Nothing a model says is believed here or later: this file only says whether a reply has the form that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Message, ask_all
from chartcite.core.errors import EndpointFailed
from chartcite.models.replies import Reading, read_json

MARGIN: Final = 1.25
"""Another tokenizer may count so much more than ours."""
TURN_TOKENS: Final = 8
SECOND_TRY: Final = 1000
"""Added to the seed when a reply could not be read; far from the seeds of runs that vote."""
SAID_SHARE: Final = 4
"""A person's own words take at most a quarter of the context."""
Fallback = Callable[[str, int], None]
Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The form of the replies that a stage asks for.

    Attributes:
        schema: for servers that can hold a model to it.
        tokens: of a reply, at most.
        read: what a reply says; the second argument is whether the server cut it off.
    """

    schema: Mapping[str, Any]
    tokens: int
    read: Callable[[str, bool], Reading]


def json_that(fits: Callable[[Any], bool]) -> Callable[[str, bool], Reading]:
    """Reads JSON of a shape."""
    return lambda raw, was_cut: read_json(raw, fits, was_cut=was_cut)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One stage's talk with a model about one question.

    Attributes:
        chat: the model.
        stage: for the account of calls.
        who: begins the names of this stage's fallbacks.
        count_tokens: of a text, by whatever tokenizer is at hand.
        fallback: told by name and count of all that was dropped, mended or given up.
        temperature: of all requests.
    """

    chat: ChatModel
    stage: str
    who: str
    count_tokens: Callable[[str], int]
    fallback: Fallback
    temperature: float = 0.0

    def tell(self, what: str, count: int = 1) -> None:
        """Name a fallback of this stage, if there was any."""
        if count:
            self.fallback(f"{self.who}_{what}", count)

    def failed(self, error: EndpointFailed) -> None:
        """Name what failed."""
        self.fallback(error.fallback(self.who), 1)

    def size(self, text: str) -> int:
        """Tokens that a text may be to the model."""
        return int(self.count_tokens(text) * MARGIN)

    def left(self, messages: Sequence[Message], reply_tokens: int) -> int:
        """Tokens of the context that are left beside these turns and the reply; negative when they do not fit."""
        return self.chat.context_tokens - reply_tokens - sum(self.size(m.content) + TURN_TOKENS for m in messages)

    def clipped(self, text: str, tokens: int) -> str:
        """The first words of a text, as many as the model may count so many tokens for; all of them, mostly."""
        words = text.split()
        if (size := self.size(text)) <= tokens:
            return " ".join(words)
        kept = words[: max(1, len(words) * tokens // size)]
        while len(kept) > 1 and self.size(" ".join(kept)) > tokens:
            kept = kept[: max(1, len(kept) * 9 // 10)]
        return " ".join(kept)

    def clip_said(self, said: str) -> str:
        """A person's own words, cut to their share of the context and told so."""
        kept = self.clipped(said, self.chat.context_tokens // SAID_SHARE)
        self.tell("saw_part_of_the_message", int(len(kept.split()) < len(said.split())))
        return kept

    def ask(self, messages: Messages, form: Form, seed: int = 0) -> tuple[Reading, str]:
        """A reply in the form and as it came; asked for a second time when it has not the form or was cut off.

        Raises:
            EndpointFailed: the model cannot be reached, or may not be asked any more.
        """
        reading, reply = Reading(None), ""
        for number in (seed, seed + SECOND_TRY):
            said = self.chat.chat(self._request(messages, form, number))
            reading, reply = _read(said, form), said.text
            if not _is_bad(reading):
                break
        self._tell_form(reading)
        return reading, reply

    def ask_each(
        self, asked: Sequence[Messages], forms: Sequence[Form], seeds: Sequence[int], *, tries: int = 2
    ) -> tuple[list[Reading], bool]:
        """The replies to several requests, side by side where the model allows it, and whether it failed on the way.

        What has not the form is asked for again, in all `tries` times; what has none then has no value. What failed is
        told, what could not be read is left to the caller to tell.
        """
        found = [Reading(None)] * len(asked)
        waiting = list(range(len(asked)))
        for shift in range(0, tries * SECOND_TRY, SECOND_TRY):
            replies = ask_all(self.chat, [self._request(asked[n], forms[n], seeds[n] + shift) for n in waiting])
            for n, said in zip(waiting, replies, strict=True):
                if isinstance(said, ChatReply):
                    found[n] = _read(said, forms[n])
            failure = next((said for said in replies if isinstance(said, EndpointFailed)), None)
            if failure is not None:
                self.failed(failure)
                return found, True
            waiting = [n for n in waiting if _is_bad(found[n])]
            if not waiting:
                break
        return found, False

    def _request(self, messages: Messages, form: Form, seed: int) -> ChatRequest:
        return ChatRequest(messages, form.tokens, form.schema, self.temperature, seed, self.stage)

    def _tell_form(self, reading: Reading) -> None:
        self.tell("reply_unreadable", int(reading.value is None))
        self.tell("reply_cut_off", int(reading.value is not None and reading.is_partial))


def _read(said: ChatReply, form: Form) -> Reading:
    return form.read(said.text, said.finish == "length")


def _is_bad(reading: Reading) -> bool:
    return reading.value is None or reading.is_partial
