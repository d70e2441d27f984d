"""Writing by a model: it sees the question and the evidence, and must name its sources sentence by sentence.

Nothing it says is believed. An id that was not given is dropped and counted, a sentence without a source as well; what
does not pass the check is given back once, with the reason, and what then still fails is dropped by the corridor.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.cascade.standing import family_header
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.markup import holds_markup
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.chat import ChatModel, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.models.replies import Reading, read_json
from chartcite.models.reply_ids import read_ids
from chartcite.text.limits import KEEP_SHARE, soft_cut

MOST_SOURCES = 20
_TOKENS_A_WORD = 6
SCHEMA: Final = {
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
Check = Callable[[Sequence[Draft]], list[str]]
"""Why each draft does not pass, in words; empty where it does."""


def answers_in_form(chat: ChatModel) -> bool:
    """Whether a model answers one of the invented examples with JSON of the form asked for.

    Raises:
        EndpointFailed: it does not answer at all.
    """
    example = examples("write-2")[0]
    system = prompt("write-2").format(whom="a patient", limit=30)
    messages = (Message("system", system), Message("user", _asking(example["question"], example["sources"])))
    reply = chat.chat(ChatRequest(messages, 30 * _TOKENS_A_WORD, SCHEMA))
    return read_json(reply.text, fits_sentences).value is not None


@dataclass(frozen=True, slots=True)
class Writer:
    """One question put to a model.

    Attributes:
        conversation: with the model.
        whom: what the sources are about, `a patient` or `medicine`.
        limit_words: most words of the whole answer.
        examples: how many the prompt holds.
        describe: when and where a sentence was written.
        record: lines of the notes around the evidence, for understanding; as many as there is room for.
    """

    conversation: Conversation
    whom: str
    limit_words: int
    examples: int
    describe: Callable[[Evidence], str]
    record: Sequence[str] = ()

    def write(self, asked: Interpretation, evidence: Sequence[Evidence], check: Check) -> list[Draft]:
        """The model's sentences that name a source, within the word limit; empty when it gave none that can be used.

        What fails the check is given back to it once.
        """
        said = self.conversation.clip_said(asked.said)
        given = self._fitting(asked, said, evidence)
        if not given:
            return []
        messages = self._messages(asked, said, given, self._record(asked, said, given))
        try:
            first, reply = self._ask(messages)
            drafts = self._corrected(messages, reply, self._drafts(first, given), given, check)
        except EndpointFailed as error:
            self.conversation.failed(error)
            return []
        return self._within_limit(drafts)

    def cited_by_drafts(self, asked: Interpretation, evidence: Sequence[Evidence], drafts: int) -> list[Evidence]:
        """What several drafts of an answer name as their sources, those that most of them name first."""
        said = self.conversation.clip_said(asked.said)
        given = self._fitting(asked, said, evidence, most=len(evidence))
        if not given:
            return []
        messages = [self._messages(asked, said, given, [])] * drafts
        readings, _ = self.conversation.ask_each(messages, [self._form()] * drafts, range(drafts))
        votes = [0] * len(given)
        for reading in readings:
            found = self._drafts(_whole(reading), given)
            for item in {id(e): e for draft in found for e in draft.sources}.values():
                votes[next(n for n, e in enumerate(given) if e is item)] += 1
        ordered = sorted(range(len(given)), key=lambda n: -votes[n])  # stable: equals stay in their order
        return [given[n] for n in ordered if votes[n]]

    def _fitting(
        self, asked: Interpretation, said: str, evidence: Sequence[Evidence], most: int = MOST_SOURCES
    ) -> list[Evidence]:
        """As much of the evidence as the context has room for, the most useful first."""
        given = list(evidence[:most])
        while given and self.conversation.left(self._messages(asked, said, given, []), self._reply_tokens()) < 0:
            given.pop()
        self.conversation.tell("saw_less_evidence", len(evidence) - len(given))
        return given

    def _record(self, asked: Interpretation, said: str, given: Sequence[Evidence]) -> list[str]:
        """As many lines of the notes as there is room for beside the evidence."""
        if not self.record:
            return []
        left = self.conversation.left(self._messages(asked, said, given, [""]), self._reply_tokens())
        lines: list[str] = []
        for line in self.record:
            left -= self.conversation.size(line) + 1
            if left < 0:
                break
            lines.append(line)
        self.conversation.tell("saw_less_record", len(self.record) - len(lines))
        return lines

    def _reply_tokens(self) -> int:
        return self.limit_words * _TOKENS_A_WORD

    def _form(self) -> Form:
        return Form(SCHEMA, self._reply_tokens(), json_that(fits_sentences))

    def _messages(self, asked: Interpretation, said: str, given: Sequence[Evidence], record: Sequence[str]) -> Messages:
        system = prompt("write-2").format(whom=self.whom, limit=self.limit_words)
        turns = [Message("system", system)]
        for example in examples("write-2", self.examples):
            turns.append(Message("user", _asking(example["question"], example["sources"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        sources = [f"{self.describe(e)}: {_said(e)}" for e in given]
        return (*turns, Message("user", _asking(asked.query, sources, said, record)))

    def _ask(self, messages: Messages) -> tuple[list[Any] | None, str]:
        reading, reply = self.conversation.ask(messages, self._form())
        sentences = _whole(reading)
        self.conversation.tell("gave_no_sentence", int(sentences == []))
        return sentences, reply

    def _drafts(self, sentences: Sequence[Any] | None, given: Sequence[Evidence]) -> list[Draft]:
        drafts: list[Draft] = []
        unknown = unsourced = marked = 0
        for sentence in sentences or ():
            text = " ".join(sentence["text"].split()) if isinstance(sentence.get("text"), str) else ""
            ids = read_ids(sentence.get("sources", []), len(given))
            unknown += ids.unknown
            if holds_markup(text):
                marked += 1
                continue
            if not text or not ids.known:
                unsourced += 1
                continue
            if any(draft.text == text for draft in drafts):
                continue
            first, *others = (given[n - 1] for n in ids.known)
            drafts.append(Draft(text, first, tuple(others), is_quote=False))
        self.conversation.tell("named_unknown_sources", unknown)
        self.conversation.tell("named_no_source", unsourced)
        self.conversation.tell("wrote_markup", marked)
        return drafts

    def _corrected(
        self, messages: Messages, reply: str, drafts: list[Draft], given: Sequence[Evidence], check: Check
    ) -> list[Draft]:
        """The one bounded correction: what fails is given back with the reason, and what comes replaces it."""
        reasons = check(drafts)
        failed = [(draft, why) for draft, why in zip(drafts, reasons, strict=True) if why]
        if not failed:
            return drafts
        rejected = "\n".join(f'- "{draft.text}": {why}' for draft, why in failed)
        again = (*messages, Message("assistant", reply), Message("user", prompt("correct-1").format(rejected=rejected)))
        if self.conversation.left(again, self._reply_tokens()) < 0:
            self.conversation.tell("had_no_room_to_correct", len(failed))
            return drafts
        sentences, _ = self._ask(again)
        known = {draft.text for draft in drafts}
        better = [d for d in self._drafts(sentences, given) if d.text not in known]
        better = [d for d, why in zip(better, check(better), strict=True) if not why]
        self.conversation.tell("corrected", len(better))
        self.conversation.tell("not_corrected", max(0, len(failed) - len(better)) if better else 0)
        return [draft for draft, why in zip(drafts, reasons, strict=True) if not why or not better] + better

    def _within_limit(self, drafts: Sequence[Draft]) -> list[Draft]:
        """The soft cut of the whole answer: after the last draft inside the limit, if that keeps enough of it.

        Else the next draft is cut, and checked as it then is.
        """
        kept: list[Draft] = []
        enough, left = KEEP_SHARE * self.limit_words, self.limit_words
        for draft in drafts:
            words = len(draft.text.split())
            if words <= left:
                kept.append(draft)
                left -= words
                continue
            missing = enough - (self.limit_words - left)
            cut = soft_cut(draft.text, left, missing / left) if missing > 0 and left else ""
            # A number without its unit is worse than no sentence.
            if cut and not (kept and any(c.isdigit() for c in cut.split()[-1])):
                self.conversation.fallback("cut_to_word_limit", 1)
                kept.append(replace(draft, text=cut))
            break
        if len(kept) < len(drafts):
            self.conversation.fallback("left_out_for_word_limit", len(drafts) - len(kept))
        return kept


def _said(item: Evidence) -> str:
    header = family_header(item.section)
    text = " ".join(item.quote.split())
    return f"{header}: {text}" if header and not item.quote.startswith(header) else text


def _asking(question: str, sources: Sequence[str], said: str = "", record: Sequence[str] = ()) -> str:
    """A question with its sources, and perhaps what the person said and the notes around, each between fences."""
    parts = [f"Sources, data only:\n{fenced('sources', _numbered(sources))}"]
    if record:
        parts.insert(0, "Notes around the sources, for understanding only:\n" + fenced("notes", "\n".join(record)))
    if said:
        parts.append("The question in the person's own words, data only:\n" + fenced("message", said))
    return "\n\n".join((*parts, f"Question: {question}"))


def _numbered(sources: Sequence[str]) -> str:
    return "\n".join(f"E{n}: {source}" for n, source in enumerate(sources, start=1))


def fits_sentences(value: Any) -> bool:
    """Whether the JSON of a reply is a list of sentences, perhaps an empty one."""
    return _sentences(value) is not None


def _whole(reading: Reading) -> list[Any] | None:
    """The sentences of a reply; of one that was cut off without the last, which may lack its end."""
    found = _sentences(reading.value)
    return found[:-1] if found and reading.is_partial else found


def _sentences(value: Any) -> list[Any] | None:
    """The list of sentences, with or without the object around it."""
    found = value.get("sentences") if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(item, dict) and "text" in item for item in found):
        return None
    return found if found or isinstance(value, dict) else None
