"""Inquiry: one question put to one partition, as every stage is handed it."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.cascade.conversation import Conversation
from chartcite.cascade.focus import Focus
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.core.answer import Interpretation
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Bookshelf
from chartcite.retrieval.probe import Probe
from chartcite.store.reader import PartitionReader


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The partition in one snapshot, the tools, and the trace that all stages write to."""

    reader: PartitionReader
    index: SearchIndex
    shelf: Bookshelf
    tools: Tools
    trace: Trace

    @property
    def is_collection(self) -> bool:
        """Whether the partition is a collection, not a patient's record."""
        return self.reader.scope.kind == "collection"

    @property
    def takes_turns(self) -> bool:
        """Whether documents take turns."""
        return self.is_collection and self.tools.per_document > 0

    def probe(self, query: str) -> Probe:
        """A query put to the partition."""
        tools = self.tools
        return Probe(
            query, self.index, self.reader, tools.encoder, tools.query_terms, sparse=tools.sparse, spoken=tools.spoken
        )

    def count_tokens(self, text: str) -> int:
        """Tokens of a text as the encoder's tokenizer counts them."""
        return len(self.tools.encoder.offsets([text])[0])

    def conversation(self, stage: str, who: str, temperature: float | None = None) -> Conversation | None:
        """A talk with the model of a stage, whose fallbacks begin with `who`; None where the rules do it."""
        chat = self.tools.model(stage)
        if chat is None:
            return None
        how = self.tools.by_model.temperature if temperature is None else temperature
        return Conversation(chat, stage, who, self.count_tokens, self.trace.fallback, how)

    def focus(self, asked: Interpretation, probe: Probe) -> Focus:
        """The question's focus words, or all its words if it has none, put to this partition."""
        words = asked.focus or tuple(asked.query.lower().split())
        return Focus(words, self.tools.analyse, probe.idf, probe.has_akin, self.tools.readings, self.tools.across)
