"""Multiple choice: a question with options, a verdict for each, and the one chosen. Schema `chartcite.choice/1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from chartcite.core.answer import Citation, Searched, VerdictWord
from chartcite.core.chat import Usage
from chartcite.core.scope import Scope

CHOICE_SCHEMA = "chartcite.choice/1"

OptionSort = Literal["content", "yes", "no", "maybe", "none", "all", "unknown"]
"""What an option says: something, yes, no, perhaps, none of the others, all of them, that it cannot be told."""
How = Literal["stated", "borne_out", "all_borne_out", "contradicted", "by_exclusion", "by_absence"]
ChoiceReason = Literal["no_option_borne_out", "several_borne_out", "time_not_resolved", "empty_record"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option as given."""

    letter: str
    text: str
    sort: OptionSort = "content"


@dataclass(frozen=True, slots=True)
class OptionVerdict:
    """What the record says of one option.

    Attributes:
        verdict: `supported` (borne out by what it cites), `contradicted`, or `unsupported` (neither).
        statement: what was checked: the option as a claim.
        why: one sentence without words of the record.
        citations: what bears it out, or speaks against it.
    """

    option: Option
    verdict: VerdictWord
    statement: str = ""
    why: str = ""
    citations: tuple[Citation, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "letter": self.option.letter, "text": self.option.text, "sort": self.option.sort, "verdict": self.verdict,
            "statement": self.statement, "why": self.why, "citations": [c.to_dict() for c in self.citations],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """The option chosen, or why none was. Same input, same bytes.

    Attributes:
        options: in the order in which they were given; that order decides nothing.
        chosen: a letter, or None.
        how: by what the option was chosen; `by_exclusion` and `by_absence` cite nothing for it.
        reason: why none was chosen.
        by: who chose: `rules`, or `model` where its choice is borne out.
        proposed: the letter that a model named, whether or not it was taken.
    """

    question: str
    query: str
    scope: Scope
    options: tuple[OptionVerdict, ...]
    chosen: str | None
    how: How | None
    reason: ChoiceReason | None
    searched: Searched
    fallbacks: tuple[Mapping[str, Any], ...]
    config: str
    partition_seq: int
    as_of: str | None = None
    is_negated: bool = False
    by: Literal["rules", "model"] = "rules"
    proposed: str | None = None
    llm_calls: int = 0
    usage: Mapping[str, Usage] = field(default_factory=dict)

    @property
    def abstained(self) -> bool:
        """Whether no option was chosen."""
        return self.chosen is None

    @property
    def answer(self) -> OptionVerdict | None:
        """The option chosen, with its citations."""
        return next((o for o in self.options if o.option.letter == self.chosen), None)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "schema": CHOICE_SCHEMA, "question": self.question, "query": self.query, "scope": self.scope.to_dict(),
            "as_of": self.as_of, "is_negated": self.is_negated, "chosen": self.chosen, "how": self.how,
            "abstained": self.abstained, "reason": self.reason, "by": self.by, "proposed": self.proposed,
            "options": [o.to_dict() for o in self.options], "searched": self.searched.to_dict(),
            "fallbacks": [dict(f) for f in self.fallbacks], "llm_calls": self.llm_calls, "config": self.config,
            "partition_seq": self.partition_seq,
        }  # fmt: skip
