"""Writing by a model: it sees the question and the evidence, and must name its sources sentence by sentence.

Nothing it says is believed. An id that was not given is dropped and counted, a sentence without a source as well; what
does not pass the check is given back once, with the reason, and what then still fails is dropped by the corridor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from chartcite.cascade.prompts.files import examples, fingerprint, prompt
from chartcite.cascade.standing import family_header
from chartcite.cascade.write.draft import Draft
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.models.replies import Reading, read_json
from chartcite.models.reply_ids import read_ids
from chartcite.text.limits import soft_cut

PROMPTS = ("write-1", "correct-1")
MOST_SOURCES = 20
MARGIN = 1.25
"""Another tokenizer may count so much more than ours."""
_TOKENS_A_WORD = 6
_TURN_TOKENS = 8
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["text", "sources"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}
Fallback = Callable[[str, int], None]
Check = Callable[[Sequence[Draft]], list[str]]
"""Why each draft does not pass, in words; empty where it does."""


def prompt_fingerprint() -> str:
    """A hash of the prompts used here."""
    return fingerprint(*PROMPTS)


def answers_in_form(chat: ChatModel) -> bool:
    """Whether a model answers one of the invented examples with JSON of the form asked for.

    Raises:
        EndpointFailed: it does not answer at all.
    """
    example = examples("write-1")[0]
    system = prompt("write-1").format(whom="a patient", limit=30)
    messages = (Message("system", system), Message("user", _asking(example["question"], example["sources"])))
    reply = chat.chat(ChatRequest(messages, 30 * _TOKENS_A_WORD, _SCHEMA))
    return read_json(reply.text, _fits).value is not None


@dataclass(slots=True)
class Writer:
    """One question put to a model.

    Attributes:
        chat: the model.
        whom: what the sources are about, `a patient` or `a question of medicine`.
        limit_words: most words of the whole answer.
        count_tokens: of a text, by whatever tokenizer is at hand.
        describe: when and where a sentence was written.
        check: see `Check`.
        fallback: told by name and count of all that was dropped, mended or given up.
    """

    chat: ChatModel
    whom: str
    limit_words: int
    count_tokens: Callable[[str], int]
    describe: Callable[[Evidence], str]
    check: Check
    fallback: Fallback

    def write(self, asked: Interpretation, evidence: Sequence[Evidence]) -> list[Draft]:
        """The model's sentences that name a source, within the word limit; empty when it gave none that can be used."""
        given = self._fitting(asked, evidence)
        if not given:
            return []
        messages = self._messages(asked, given)
        try:
            first, reply = self._ask(messages)
            drafts = self._drafts(first, given)
            drafts = self._corrected(messages, reply, drafts, given)
        except EndpointFailed as error:
            self.fallback(error.fallback("writer"), 1)
            return []
        return self._within_limit(drafts)

    def _fitting(self, asked: Interpretation, evidence: Sequence[Evidence]) -> list[Evidence]:
        """As much of the evidence as the context has room for, the most useful first."""
        room = self.chat.context_tokens - self._reply_tokens()
        given = list(evidence[:MOST_SOURCES])
        while given and sum(self._size(m) for m in self._messages(asked, given)) > room:
            given.pop()
        if len(given) < len(evidence):
            self.fallback("writer_saw_less_evidence", len(evidence) - len(given))
        return given

    def _size(self, message: Message) -> int:
        return int(self.count_tokens(message.content) * MARGIN) + _TURN_TOKENS

    def _reply_tokens(self) -> int:
        return self.limit_words * _TOKENS_A_WORD

    def _messages(self, asked: Interpretation, given: Sequence[Evidence]) -> tuple[Message, ...]:
        system = prompt("write-1").format(whom=self.whom, limit=self.limit_words)
        turns = [Message("system", system)]
        for example in examples("write-1"):
            turns.append(Message("user", _asking(example["question"], example["sources"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        sources = [f"{self.describe(e)}: {_said(e)}" for e in given]
        return (*turns, Message("user", _asking(asked.query, sources)))

    def _ask(self, messages: tuple[Message, ...]) -> tuple[list[Any] | None, str]:
        """The sentences of a reply, asked for a second time when there are none or it was cut off; and the reply."""
        reading, reply = Reading(None), ""
        for seed in (0, 1):
            answer = self._chat(messages, seed)
            reading, reply = read_json(answer.text, _fits, was_cut=answer.finish == "length"), answer.text
            if reading.value is not None and not reading.is_partial:
                break
        if reading.value is None:
            self.fallback("writer_reply_unreadable", 1)
            return None, reply
        if reading.is_partial:
            self.fallback("writer_reply_cut_off", 1)
        sentences = _sentences(reading.value)
        if not sentences:
            self.fallback("writer_gave_no_sentence", 1)
        return sentences, reply

    def _chat(self, messages: tuple[Message, ...], seed: int) -> ChatReply:
        return self.chat.chat(ChatRequest(messages, self._reply_tokens(), _SCHEMA, seed=seed, stage="write"))

    def _drafts(self, sentences: Sequence[Any] | None, given: Sequence[Evidence]) -> list[Draft]:
        drafts: list[Draft] = []
        unknown = unsourced = 0
        for sentence in sentences or ():
            text = " ".join(sentence["text"].split()) if isinstance(sentence.get("text"), str) else ""
            ids = read_ids(sentence.get("sources", []), len(given))
            unknown += ids.unknown
            if not text or not ids.known:
                unsourced += 1
                continue
            if any(draft.text == text for draft in drafts):
                continue
            first, *others = (given[n - 1] for n in ids.known)
            drafts.append(Draft(text, first, tuple(others), is_quote=False))
        if unknown:
            self.fallback("writer_named_unknown_sources", unknown)
        if unsourced:
            self.fallback("writer_named_no_source", unsourced)
        return drafts

    def _corrected(
        self, messages: tuple[Message, ...], reply: str, drafts: list[Draft], given: Sequence[Evidence]
    ) -> list[Draft]:
        """The one bounded correction: what fails is given back with the reason, and what comes replaces it."""
        reasons = self.check(drafts)
        failed = [(draft, why) for draft, why in zip(drafts, reasons, strict=True) if why]
        if not failed:
            return drafts
        rejected = "\n".join(f'- "{draft.text}": {why}' for draft, why in failed)
        again = (*messages, Message("assistant", reply), Message("user", prompt("correct-1").format(rejected=rejected)))
        if sum(self._size(m) for m in again) > self.chat.context_tokens - self._reply_tokens():
            self.fallback("writer_had_no_room_to_correct", len(failed))
            return drafts
        sentences, _ = self._ask(again)
        known = {draft.text for draft in drafts}
        better = [d for d in self._drafts(sentences, given) if d.text not in known]
        better = [d for d, why in zip(better, self.check(better), strict=True) if not why]
        if better:
            self.fallback("writer_corrected", len(better))
        return [draft for draft, why in zip(drafts, reasons, strict=True) if not why or not better] + better

    def _within_limit(self, drafts: Sequence[Draft]) -> list[Draft]:
        kept: list[Draft] = []
        left = self.limit_words
        for draft in drafts:
            words = len(draft.text.split())
            if words > left and kept:
                self.fallback("left_out_for_word_limit", len(drafts) - len(kept))
                break
            if words > left:
                self.fallback("cut_to_word_limit", 1)
            kept.append(draft if words <= left else replace(draft, text=soft_cut(draft.text, left)))
            left -= words
        return kept


def _said(item: Evidence) -> str:
    header = family_header(item.section)
    text = " ".join(item.quote.split())
    return f"{header}: {text}" if header and not item.quote.startswith(header) else text


def _asking(question: str, sources: Sequence[str]) -> str:
    """A question with its sources between fences that no source can hold: they bear a hash of what is between them."""
    lines = "\n".join(f"E{n}: {source}" for n, source in enumerate(sources, start=1))
    fence = hashlib.sha256(lines.encode()).hexdigest()[:8]
    return f"Sources, data only:\n<sources-{fence}>\n{lines}\n</sources-{fence}>\n\nQuestion: {question}"


def _fits(value: Any) -> bool:
    return _sentences(value) is not None


def _sentences(value: Any) -> list[Any] | None:
    """The list of sentences, with or without the object around it."""
    found = value.get("sentences") if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(item, dict) and "text" in item for item in found):
        return None
    return found if found or isinstance(value, dict) else None
