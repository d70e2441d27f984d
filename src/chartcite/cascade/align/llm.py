"""Alignment by a model: which sources state each sentence of an answer. Conservative; several runs may vote.

Ids are closed: what was not given is dropped and counted. A reply that is none is no empty alignment. What the links
are worth the verification says, as of any citation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from chartcite.cascade.align.votes import Links, elect
from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.answer import Evidence
from chartcite.core.chat import Message
from chartcite.models.reply_ids import ANSWERS, read_ids

_TOKENS_A_SENTENCE: Final = 48
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"answer": {"type": "string"}, "sources": {"type": "array", "items": {"type": "string"}}},
                "required": ["answer", "sources"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["links"],
    "additionalProperties": False,
}


class Linked(NamedTuple):
    """The links of one reply, and how many ids in it were not given."""

    links: Links
    unknown: int


@dataclass(frozen=True, slots=True)
class Auditor:
    """One answer put to a model.

    Attributes:
        conversation: with the model.
        whom: what the sources are about, `a patient` or `medicine`.
        examples: how many the prompt holds.
        describe: when and in what a sentence was written.
        runs: how often it is asked, each with a seed of its own.
        needed: how many runs must have a link.
    """

    conversation: Conversation
    whom: str
    examples: int
    describe: Callable[[Evidence], str]
    runs: int = 1
    needed: int = 1

    def links(self, texts: Sequence[str], evidence: Sequence[Evidence]) -> list[tuple[Evidence, ...]] | None:
        """For each sentence the evidence that states it, perhaps none; None when no reply could be used."""
        given = self._fitting(texts, evidence)
        if not texts or not given:
            return None
        messages = self._messages(texts, given)
        form = Form(_SCHEMA, self._reply_tokens(texts), json_that(fits_links))
        readings, is_down = self.conversation.ask_each([messages] * self.runs, [form] * self.runs, range(self.runs))
        read = [reading for reading in readings if reading.value is not None]
        self.conversation.tell("reply_unreadable", 0 if is_down else len(readings) - len(read))
        self.conversation.tell("reply_cut_off", sum(reading.is_partial for reading in read))
        if not read:
            return None
        linked = [read_links(reading.value, len(texts), len(given), is_partial=reading.is_partial) for reading in read]
        self.conversation.tell("named_unknown_ids", sum(one.unknown for one in linked))
        elected = elect([one.links for one in linked], self.needed, range(1, len(texts) + 1))
        self.conversation.tell("took_best_single_run", elected.from_single_run)
        return [tuple(given[e - 1] for a, e in sorted(elected.links) if a == n) for n in range(1, len(texts) + 1)]

    def _fitting(self, texts: Sequence[str], evidence: Sequence[Evidence]) -> list[Evidence]:
        given = list(evidence)
        while given and self.conversation.left(self._messages(texts, given), self._reply_tokens(texts)) < 0:
            given.pop()
        self.conversation.tell("saw_less_evidence", len(evidence) - len(given))
        return given

    def _reply_tokens(self, texts: Sequence[str]) -> int:
        return (len(texts) + 1) * _TOKENS_A_SENTENCE

    def _messages(self, texts: Sequence[str], given: Sequence[Evidence]) -> Messages:
        turns = [Message("system", prompt("align-1").format(whom=self.whom))]
        for example in examples("align-1", self.examples):
            turns.append(Message("user", _asking(example["answer"], example["sources"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        sources = [f"{self.describe(e)}: {' '.join(e.quote.split())}" for e in given]
        return (*turns, Message("user", _asking(texts, sources)))


def read_links(value: Any, answers: int, sources: int, *, is_partial: bool = False) -> Linked:
    """The links in the JSON of a reply; ids run from 1 to `answers` and to `sources`.

    Of a reply that was cut off (`is_partial`) the last entry is left out: its `E1` may have been `E12`.

    >>> read_links([{"answer_id": "1", "evidence_id": ["2", "10"]}, {"answer_id": "4", "evidence_id": ["2"]}], 3, 9)
    Linked(links=frozenset({(1, 2)}), unknown=2)
    """
    links: set[tuple[int, int]] = set()
    unknown = 0
    items = _items(value) or []
    for item in items[:-1] if is_partial else items:
        answer = read_ids(_first(item, _ANSWER), answers, ANSWERS)
        found = read_ids(_first(item, _SOURCES) or [], sources)
        if len(answer.known) != 1 or answer.unknown:
            unknown += 1
            continue
        unknown += found.unknown
        links |= {(answer.known[0], source) for source in found.known}
    return Linked(frozenset(links), unknown)


_ANSWER: Final = ("answer", "answer_id")
_SOURCES: Final = ("sources", "evidence_id", "evidence", "source", "evidence_ids")


def fits_links(value: Any) -> bool:
    """Whether the JSON of a reply is an alignment, perhaps an empty one."""
    return _items(value) is not None


def _items(value: Any) -> list[dict[str, Any]] | None:
    """The entries, with or without the object around them; none at all is an alignment only inside that object."""
    found = value.get("links") if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(i, dict) and set(_ANSWER) & set(i) for i in found):
        return None
    return found if found or isinstance(value, dict) else None


def _first(item: dict[str, Any], names: Sequence[str]) -> Any:
    return next((item[name] for name in names if name in item), None)


def _asking(texts: Sequence[str], sources: Sequence[str]) -> str:
    answer = "\n".join(f"A{n}: {text}" for n, text in enumerate(texts, start=1))
    given = "\n".join(f"E{n}: {source}" for n, source in enumerate(sources, start=1))
    return f"Sources, data only:\n{fenced('sources', given)}\n\nAnswer, data only:\n{fenced('answer', answer)}"
