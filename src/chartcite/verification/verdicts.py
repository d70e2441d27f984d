"""What a check says: a verdict, the vetoes that speak against the claim, and the words nothing accounts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chartcite.core.documents import Span

Verdict = Literal["supported", "contradicted", "unsupported"]
VetoKind = Literal[
    "number", "unit", "comparator", "frequency", "date", "negation", "certainty", "history", "experiencer", "side",
    "order", "binding", "reversal", "direction",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A cited text: a sentence, a passage or a note.

    `section` is the path of headers it stood under: `Colon cancer.` under `Family History` is not the patient's.
    `head` names the columns of a table's row, from the column at which the row begins.
    `day` is the ISO day of its note, for what the text does not date itself; `document` names that note. Both are
    empty where nobody says them.
    """

    id: str
    text: str
    section: tuple[str, ...] = ()
    day: str = ""
    document: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Veto:
    """One thing that the source says otherwise. Spans are offsets in the claim and in the source's text.

    `claim_text` is for showing, never for logs; `why` holds no text of either.
    """

    kind: VetoKind
    claim_span: Span
    claim_text: str
    source_id: str
    source_span: Span | None
    why: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """How likely it is, says a model, that the cited text carries a claim; `by` names the model."""

    score: float
    by: str

    def to_dict(self) -> dict[str, object]:
        """The schema's form."""
        return {"score": self.score, "by": self.by}


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """The outcome for one claim. `verified` means that rules found it in the cited text, nothing more.

    Attributes:
        uncovered: the claim's words that nothing cited accounts for; for showing, never for logs.
        reason: one sentence without words of the record.
        grounded: what a model said, if one was asked; never mixed up with `verified`.
    """

    verdict: Verdict
    verified: bool
    vetoes: tuple[Veto, ...]
    best_source: str | None
    reason: str
    uncovered: tuple[str, ...] = ()
    grounded: Grounded | None = None
