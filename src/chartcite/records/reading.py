"""Facts of sentences, each distinct wording read once: a record repeats its lists of medicines many times."""

from __future__ import annotations

from chartcite.facts.read import SentenceFacts, read_facts


class FactsReader:
    """Lives as long as one question: no sentence of a patient outlasts it."""

    def __init__(self) -> None:
        self._known: dict[str, SentenceFacts] = {}

    def __call__(self, text: str) -> SentenceFacts:
        """The facts of one sentence, spans counted in it."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = read_facts(text, 0, len(text))
        return found
