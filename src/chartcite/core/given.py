"""Given: outputs put in place of a stage's own, so that an error can be traced to the stage that made it.

The lab gives the correct query, evidence or answer (oracle substitution) and runs the rest of the corridor as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class GivenEvidence:
    """One sentence of the partition, named by its number or by a span of the document's text.

    Attributes:
        doc_id: of the document.
        sentence: our number of the sentence in it; or
        start, end: code points of its text, half-open; exactly one of the two ways.
        relevance: 1-5, as scoring would have graded it.
    """

    doc_id: str
    sentence: int | None = None
    start: int | None = None
    end: int | None = None
    relevance: int = 5

    def __post_init__(self) -> None:
        is_span = self.start is not None and self.end is not None
        if is_span == (self.sentence is not None) or (self.start is None) != (self.end is None):
            raise UsageError("Given evidence needs a sentence number or a span, not both.", "Give start and end.")
        if not 1 <= self.relevance <= 5:
            raise UsageError("The relevance of given evidence is not one of 1 to 5.", "Give 5 for essential.")


@dataclass(frozen=True, slots=True)
class Given:
    """What is put in place of the stages' own outputs; None: the stage runs.

    Attributes:
        query: in place of interpretation. It may be longer than 15 words.
        evidence: in place of retrieval, scoring and selection, most useful first; may be empty.
        sentences: in place of writing, one answer sentence each. All of them are shown, also those that the check does
            not bear out, as such (`verified` is false): it is the caller's text, not an answer.
        answerable: the caller knows that the record answers, as a task may say: the best evidence there is stands, and
            only an empty record has none. Never so for a person's question.
    """

    query: str | None = None
    evidence: tuple[GivenEvidence, ...] | None = None
    sentences: tuple[str, ...] | None = None
    answerable: bool = False

    def __post_init__(self) -> None:
        if self.query is not None and not self.query.strip():
            raise UsageError("The given query is empty.", "Leave it out to have the question interpreted.")
        if self.sentences is not None and not all(text.strip() for text in self.sentences):
            raise UsageError("A given answer sentence is empty.", "Leave it out.")


NOTHING_GIVEN = Given()
