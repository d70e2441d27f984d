"""What is known of a file before it is read, and whether a line of the ledger is that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Expected:
    """The right line of one source. No `outcome`: it is no source at all. `chars` is -1 where only readers know.

    `formats` gives documents by format, the last one being that of the source; `kinds` the errors it may name.
    """

    outcome: str
    formats: Mapping[str, int] = field(default_factory=dict)
    patients: Mapping[str, int] = field(default_factory=dict)
    chars: int = -1
    failed: int = 0
    skipped: int = 0
    kinds: tuple[str, ...] = ()

    def differs(self, row: Mapping[str, Any], kinds: Mapping[str, int]) -> Iterator[str]:
        """In words, what a line has else."""
        right = {"outcome": self.outcome, "documents": sum(self.formats.values()), "failed": self.failed,
                 "skipped": self.skipped}  # fmt: skip
        if self.chars >= 0:
            right["chars"] = self.chars
        for name, value in right.items():
            if row[name] != value:
                yield f"{name} {row[name]} for {value} {dict(kinds)}"
        if self.kinds and set(kinds) - set(self.kinds):
            yield f"{dict(kinds)} for {self.kinds}"
        if not all(p["reason"] and p["reason"][0].isupper() for p in row["problems"]):
            yield "a problem without a reason"


def read(form: str, text: str, patient: str) -> Expected:
    """A file of one document whose text is known."""
    return Expected("read", {form: 1}, {patient: 1}, chars=len(text))


def refused(*kinds: str) -> Expected:
    """A file of which nothing can be read."""
    return Expected("failed", chars=0, failed=1, kinds=kinds)


def by_format(files: Iterable[Expected]) -> dict[str, dict[str, int]]:
    """The table by format that these files must give; `chars` where all of them are known."""
    out: dict[str, Counter[str]] = {}
    unknown: set[str] = set()
    for one in files:
        if not one.outcome:
            continue
        for form, documents in one.formats.items():
            out.setdefault(form, Counter())["documents"] += documents
            if one.chars < 0 or len(one.formats) > 1:
                unknown.add(form)
            out[form]["chars"] += max(one.chars, 0)
        main = list(one.formats)[-1] if one.formats else ""
        out.setdefault(main, Counter()).update(sources=1, failed=one.failed, skipped=one.skipped)
    fields = ("sources", "documents", "chars", "failed", "skipped")
    return {
        form: {name: counts[name] for name in fields if name != "chars" or form not in unknown}
        for form, counts in out.items()
    }
