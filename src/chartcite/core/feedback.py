"""Feedback: what a person says of an answer and of its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from chartcite.core.errors import UsageError

FeedbackVerdict = Literal["right", "wrong", "missing"]
"""`missing`: the answer lacks what the record has. `right` of an answer without sentences: nothing is there."""
MOST_COMMENT_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's word on one answer.

    Attributes:
        answer: as it was shown, schema `chartcite.answer/1`.
        verdict: of the whole answer.
        sentences: verdicts of single sentences, by their number from 1.
        comment: free text; it may say things of the patient, and is kept and deleted as the record is.
        who: the user.
    """

    answer: Mapping[str, Any]
    verdict: FeedbackVerdict
    sentences: Mapping[int, FeedbackVerdict] = field(default_factory=dict)
    comment: str = ""
    who: str = ""

    def __post_init__(self) -> None:
        known = get_args(FeedbackVerdict)
        if self.verdict not in known or any(v not in known for v in self.sentences.values()):
            raise UsageError("Feedback has a verdict that is none.", f"Verdicts: {', '.join(known)}.")
        shown = self.answer.get("sentences")
        count = len(shown) if isinstance(shown, list) else 0
        if any(not 1 <= n <= count for n in self.sentences):
            raise UsageError("Feedback is of a sentence that the answer has not got.", "Count sentences from 1.")
        if len(self.comment) > MOST_COMMENT_CHARS:
            raise UsageError(f"The comment has more than {MOST_COMMENT_CHARS:,} characters.", "Say it in fewer words.")

    def to_dict(self) -> dict[str, Any]:
        """The stored form; numbers of sentences as text."""
        return {
            "schema": "chartcite.feedback/1", "verdict": self.verdict,
            "sentences": {str(n): v for n, v in sorted(self.sentences.items())}, "comment": self.comment,
            "who": self.who, "answer": dict(self.answer),
        }  # fmt: skip
