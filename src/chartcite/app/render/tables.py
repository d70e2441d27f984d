"""Plain tables: settings, partitions, checks. Columns are as wide as their content; the last one wraps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line

if TYPE_CHECKING:
    from chartcite.app.checks import Check
    from chartcite.app.config import Config
    from chartcite.core.stored import PartitionSummary

_STATUS = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def columns(
    rows: Sequence[Sequence[str]], paper: Paper, head: Sequence[str], right: frozenset[int] = frozenset()
) -> Iterator[Text]:
    """Rows below a bold head; the last column takes what is left of the line. `right` aligned columns hold numbers."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(cell_len(row[i]) for row in [*cells, list(head)]) for i in range(len(head) - 1)]
    for n, row in enumerate([list(head), *cells]):
        style = "bold" if n == 0 else ""
        start = "".join(
            _cell(cell, width, i in right) + "  " for i, (cell, width) in enumerate(zip(row, widths, strict=False))
        )
        yield from paper.hanging(Text(start, style), Text(row[-1], style))


def _cell(text: str, width: int, right: bool) -> str:
    return " " * (width - cell_len(text)) + text if right else set_cell_size(text, width)


def config_lines(config: Config, file: Path, paper: Paper) -> Iterator[Text]:
    """Each setting, its value and its origin."""
    rows = [(name, str(value), config.origins[name]) for name, value in config.shown().items()]
    yield from columns(rows, paper, [paper.words(head) for head in ("Setting", "Value", "From")])
    yield Text()
    there = "" if file.is_file() else paper.words(" (there is none)")
    said = paper.words("Configuration file: {file}", file=one_line(str(file)))
    yield from paper.hanging("", Text(said + there, "dim"))


def partition_lines(partitions: Sequence[PartitionSummary], paper: Paper) -> Iterator[Text]:
    """What the store holds."""
    if not partitions:
        yield Text(paper.words("The store is empty."))
        return
    words = paper.words
    rows = [
        (words(p.scope.kind), words.number(p.documents), p.first or "-", p.last or "-", p.scope.name)
        for p in partitions
    ]
    head = [words(name) for name in ("Kind", "Documents", "First", "Last", "Name")]
    yield from columns(rows, paper, head, frozenset((1,)))


def check_lines(checks: Sequence[Check], paper: Paper) -> Iterator[Text]:
    """What the doctor found, with advice where something is amiss."""
    wide = max(len(check.name) for check in checks)
    for check in checks:
        head = Text(f"{check.status:<4}  ", _STATUS[check.status]) + Text(f"{check.name:<{wide}}  ")
        yield from paper.hanging(head, Text(one_line(paper.words.told(check.detail))))
        if check.advice:
            yield from paper.hanging(
                paper.words("try: "), Text(one_line(paper.words.told(check.advice)), "dim"), indent=len(head.plain)
            )
    counts = {status: sum(check.status == status for check in checks) for status in _STATUS}
    yield Text()
    yield Text(", ".join(f"{count} {status}" for status, count in counts.items() if count), "bold")
