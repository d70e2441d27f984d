"""The category sheet: answers of two systems side by side, blinded, for a person to label; and the labels read back.

Paper 000's table 5 sorts questions whose metrics disagree into four categories and says which of RAG and full context
answered better. Its finding on time rests on 10 of them and that on absence on 3, so every count here has its interval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chartcite.lab.cases import Case
from chartcite.lab.csv_safe import Cell, read_table
from chartcite.lab.errors import BadTable
from chartcite.lab.statistics.proportion import wilson
from chartcite.lab.studies.long_context.tables import AnsweredRow

CATEGORIES: Mapping[str, str] = {
    "entity": "specific entity extraction: a drug, a value, a procedure",
    "temporal": "temporal and longitudinal reasoning: changes, order, comparison of visits",
    "nuance": "clinical nuance and status: instructions, mental state, the course in summary",
    "absence": "absence or negative information",
}
"""The paper's SEE, TLR, CNS and ANI."""
BETTER = ("1", "2", "both", "neither")
COLUMNS = ("item", "question", "reference", "answer_1", "answer_2", "category", "better")


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the sheet. `swapped`: answer 1 is the second system's."""

    number: int
    case: Case
    first: str
    second: str
    swapped: bool

    @property
    def name(self) -> str:
        """`001` and so on; says nothing of the case."""
        return f"{self.number:03d}"

    def cells(self) -> dict[str, Cell]:
        """The line, its two labels empty."""
        one, two = (self.second, self.first) if self.swapped else (self.first, self.second)
        reference = " / ".join(self.case.references) or "(the record does not say)"
        said = [text or "(no answer)" for text in (one, two)]
        return dict(zip(COLUMNS, (self.name, self.case.question, reference, *said, "", ""), strict=True))


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """How often each system was better, of the questions of one category (`all`: of all that were labelled).

    `first_share` is of those where one of the two was better, with Wilson's interval; `both` and `neither` stand apart.
    """

    category: str
    n: int
    first: int
    second: int
    both: int
    neither: int
    first_share: float | None
    low: float | None
    high: float | None
    reason: str = ""


def items(
    cases: Sequence[Case], first: Mapping[str, AnsweredRow], second: Mapping[str, AnsweredRow], seed: int
) -> list[Item]:
    """The lines of a sheet: cases that both systems were asked, in the order given; sides drawn from the seed."""
    both = [case for case in cases if case.id in first and case.id in second]
    return [
        Item(n, case, first[case.id].text, second[case.id].text, _swapped(case.id, seed))
        for n, case in enumerate(both, start=1)
    ]


def _swapped(case_id: str, seed: int) -> bool:
    return hashlib.sha256(f"{seed}:{case_id}".encode()).digest()[0] % 2 == 1


def counted(path: Path, sheet: Sequence[Item], level: float) -> list[CategoryRow]:
    """Counts from a filled sheet. A line with both labels empty is left out and counted in the reason of `all`.

    Raises:
        BadTable: a line without item, an item that is not on the sheet or there twice, a label that is none, one of two
            labels empty; the line is named.
    """
    known = {item.name: item for item in sheet}
    found: dict[str, tuple[str, str]] = {}
    for row in read_table(path, ("item", "category", "better")):
        where = f"{path.name}, line {row.line}"
        name, category, better = (row.cells[c].strip().lower() for c in ("item", "category", "better"))
        name = name.zfill(3)  # a spreadsheet makes 1 of 001
        if name not in known or name in found:
            raise BadTable(f"{where}: the item is not on the sheet, or there twice.", "Is it the sheet of this run?")
        if not category and not better:
            continue
        if category not in CATEGORIES or better not in BETTER:
            raise BadTable(
                f"{where}: the category or the better answer is none that is known.",
                f"category: {', '.join(CATEGORIES)}; better: {', '.join(BETTER)}.",
            )
        found[name] = (category, _system(better, known[name].swapped))
    rows = [_row(name, [b for c, b in found.values() if c == name], level) for name in CATEGORIES]
    whole = _row("all", [b for _, b in found.values()], level)
    return [*rows, _noted(whole, len(known) - len(found))]


def _noted(row: CategoryRow, missing: int) -> CategoryRow:
    reason = "; ".join(part for part in (row.reason, f"{missing} lines without labels" if missing else "") if part)
    return replace(row, reason=reason)


def _system(better: str, swapped: bool) -> str:
    """Which system a label means."""
    if better not in ("1", "2"):
        return better
    return "first" if (better == "1") != swapped else "second"


def _row(category: str, better: Sequence[str], level: float) -> CategoryRow:
    first, second = better.count("first"), better.count("second")
    share = wilson(first, first + second, level=level)
    return CategoryRow(
        category, len(better), first, second, better.count("both"), better.count("neither"), share.value, share.low,
        share.high, share.reason,
    )  # fmt: skip
