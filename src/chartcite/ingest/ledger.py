"""The ledger: what became of every source, with reason and advice, and never any of its text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from chartcite.core.copies import CopiedShare
from chartcite.core.errors import ChartciteError
from chartcite.core.reading import Problem

_SHOWN_PROBLEMS = 1000  # of one source; the rest is counted

SourceOutcome = Literal["read", "unchanged", "partial", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """Why one record, or a whole source, is not in the store."""

    where: str
    kind: str
    reason: str
    advice: str
    skipped: bool

    @classmethod
    def of(cls, where: str, error: ChartciteError, *, skipped: bool = False) -> ProblemLine:
        """From a named error."""
        return cls(where, error.kind, _sentence(str(error)), _sentence(error.advice), skipped)


def _sentence(text: str) -> str:
    """A ledger's lines all start with a capital letter and end with a full stop."""
    return text[:1].upper() + text[1:] + ("" if not text or text.endswith((".", "!", "?")) else ".")


@dataclass(slots=True)
class FormatCount:
    """What came in one format. `partitions` are the patients and collections it went to."""

    sources: int = 0
    documents: int = 0
    chars: int = 0
    failed: int = 0
    skipped: int = 0
    partitions: set[str] = field(default_factory=set)

    def add(self, other: FormatCount) -> None:
        """Add what another source has."""
        self.sources += other.sources
        self.documents += other.documents
        self.chars += other.chars
        self.failed += other.failed
        self.skipped += other.skipped
        self.partitions |= other.partitions

    def to_dict(self) -> dict[str, int]:
        """For `--json`."""
        return {
            "sources": self.sources, "documents": self.documents, "chars": self.chars, "failed": self.failed,
            "skipped": self.skipped, "partitions": len(self.partitions),
        }  # fmt: skip


@dataclass(slots=True)
class SourceEntry:
    """One source while it is read, and what came of it."""

    name: str
    format: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    chars: int = 0
    problems: list[ProblemLine] = field(default_factory=list)
    already: int = 0
    formats: dict[str, FormatCount] = field(default_factory=dict)

    def note(self, document_format: str, chars: int, partition: str) -> None:
        """Note a document that has a place; the format is that of its provenance."""
        self.format = document_format
        count = self.formats.setdefault(document_format.partition(";")[0], FormatCount())
        count.documents += 1
        count.chars += chars
        count.partitions.add(partition)

    def by_format(self) -> dict[str, FormatCount]:
        """Its documents by format; what failed goes to the format of the source, or to none when nothing was read."""
        found = {name: FormatCount(0, one.documents, one.chars, 0, 0, one.partitions)
                 for name, one in self.formats.items()}  # fmt: skip
        main = found.setdefault(self.format.partition(";")[0], FormatCount())
        main.sources += 1
        main.failed += self.counts["failed"]
        main.skipped += self.counts["skipped"]
        return found

    def add(self, problem: ProblemLine) -> None:
        """Note a problem; of a source with very many only the first are kept, all are counted."""
        self.counts["skipped" if problem.skipped else "failed"] += 1
        if len(self.problems) < _SHOWN_PROBLEMS:
            self.problems.append(problem)

    def add_problem(self, problem: Problem) -> None:
        """Note a reader's problem."""
        self.add(ProblemLine.of(problem.where, problem.error, skipped=problem.skipped))

    @property
    def documents(self) -> int:
        """Documents of this source that are in the store now."""
        return self.already + sum(self.counts[o] for o in ("added", "updated", "unchanged"))

    @property
    def outcome(self) -> SourceOutcome:
        """One word for the source."""
        if self.counts["failed"]:
            return "partial" if self.documents else "failed"
        if self.counts["added"] or self.counts["updated"]:
            return "read"
        return "unchanged" if self.documents else "skipped"

    def to_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "source": self.name,
            "outcome": self.outcome,
            "documents": self.documents,
            **{name: self.counts[name] for name in ("added", "updated", "failed", "skipped")},
            "chars": self.chars,
            "problems": [
                {"where": p.where, "kind": p.kind, "reason": p.reason, "advice": p.advice, "skipped": p.skipped}
                for p in self.problems
            ],
        }


@dataclass(slots=True)
class Ledger:
    """All sources of one run.

    `workers_lost`: workers elsewhere that ended in the middle; others did their texts. `cut`: texts whose end the
    encoder did not read, because they are too long for it. `gone`: sources of an earlier run that are not in their
    folder any more, and whose documents stay. `copied`: how much of the record of each patient whose documents came is
    copied forward, by name.
    """

    sources: list[SourceEntry] = field(default_factory=list)
    passages: int = 0
    encoded: int = 0
    cut: int = 0
    workers_lost: int = 0
    gone: list[str] = field(default_factory=list)
    copied: dict[str, CopiedShare] = field(default_factory=dict)

    @property
    def patients(self) -> set[str]:
        """The patients whose documents came in this run, new or not."""
        places = {place for source in self.sources for count in source.formats.values() for place in count.partitions}
        return {name for kind, _, name in (place.partition(" ") for place in places) if kind == "patient"}

    @property
    def copied_in_all(self) -> CopiedShare:
        """Of all of `copied` together."""
        found = self.copied.values()
        return CopiedShare(sum(one.sentences for one in found), sum(one.copied for one in found))

    def total(self, name: str) -> int:
        """Sum over the sources of `added`, `updated`, `unchanged`, `failed` or `skipped`."""
        already = sum(s.already for s in self.sources) if name == "unchanged" else 0
        return already + sum(s.counts[name] for s in self.sources)

    def by_format(self) -> dict[str, FormatCount]:
        """What came in each format, by name; the empty name is for sources of which nothing was read in this run."""
        found: dict[str, FormatCount] = {}
        for source in self.sources:
            for name, count in source.by_format().items():
                found.setdefault(name, FormatCount()).add(count)
        return dict(sorted(found.items()))

    @property
    def failed(self) -> bool:
        """Whether anything that should be in the store is not."""
        return any(s.counts["failed"] for s in self.sources)

    def to_dict(self) -> dict[str, object]:
        """For `--json`."""
        names = ("added", "updated", "unchanged", "failed", "skipped")
        return {
            "schema": "chartcite.ledger/1",
            **{name: self.total(name) for name in names},
            "passages": self.passages,
            "encoded": self.encoded,
            "cut": self.cut,
            **({"workers_lost": self.workers_lost} if self.workers_lost else {}),
            "gone": self.gone,
            "copied": {
                **self.copied_in_all.to_dict(),
                "patients": [{"patient": name, **one.to_dict()} for name, one in sorted(self.copied.items())],
            },
            "formats": [{"format": name or None, **count.to_dict()} for name, count in self.by_format().items()],
            "sources": [s.to_dict() for s in self.sources],
        }
