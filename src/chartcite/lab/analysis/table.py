"""A table of metrics: a row an answer, a column a metric or a judge; a cell without a value is None.

As CSV: a column `item` (unique), perhaps `cluster` (what is not independent: a patient, a question), every other column
a metric.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chartcite.lab.csv_safe import read_table
from chartcite.lab.errors import BadInput, BadTable

Column = Mapping[str, float | None]
"""By item."""


@dataclass(frozen=True, slots=True)
class MetricTable:
    """All columns have all items. `clusters`: by item; an item without one is its own.

    Raises:
        BadInput: a column with other items, or a value that is no finite number.
    """

    items: tuple[str, ...]
    columns: Mapping[str, Column]
    clusters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if set(column) != set(self.items) or len(column) != len(self.items):
                raise BadInput(f"The column {name!r} has other items than the table.")
            if any(value is not None and not math.isfinite(value) for value in column.values()):
                raise BadInput(f"The column {name!r} holds what is no finite number.", "None, where there is none.")

    def column(self, name: str) -> Column:
        """One column.

        Raises:
            BadInput: there is none of that name; the message lists them.
        """
        if name not in self.columns:
            raise BadInput(f"The table has no column {name!r}.", f"It has: {', '.join(self.columns)}.")
        return self.columns[name]

    def share(self, name: str) -> Column:
        """One column whose values must lie between 0 and 1, as thresholds want them.

        Raises:
            BadInput: there is none of that name, or a value lies outside.
        """
        column = self.column(name)
        if any(value is not None and not 0 <= value <= 1 for value in column.values()):
            raise BadInput(f"The column {name!r} has values outside 0 to 1.", "Divide what is in percent by 100.")
        return column

    def pairs(self, first: str, second: str) -> list[tuple[float, float]]:
        """The items that have both values."""
        a, b = self.column(first), self.column(second)
        both = ((a[item], b[item]) for item in self.items)
        return [(x, y) for x, y in both if x is not None and y is not None]


def table_of(values: Iterable[tuple[str, str, float | None]], clusters: Mapping[str, str] | None = None) -> MetricTable:
    """A table from (item, metric, value) in any order; what is not among them is None.

    Raises:
        BadInput: an item has two values of a metric.
    """
    columns: dict[str, dict[str, float | None]] = {}
    items: dict[str, None] = {}
    for item, metric, value in values:
        if item in columns.setdefault(metric, {}):
            raise BadInput(f"An item has two values of {metric!r}.", "One value an item and metric.")
        columns[metric][item] = value
        items[item] = None
    whole = {name: {item: column.get(item) for item in items} for name, column in columns.items()}
    return MetricTable(tuple(items), whole, clusters or {})


def read_metrics(path: Path, item: str = "item", cluster: str = "cluster") -> MetricTable:
    """A table from CSV.

    Raises:
        BadTable: no column of items, an item that is empty or repeated, a cell that is no number, no metric, no line.
    """
    rows = list(read_table(path, [item]))
    names = [name for name in (rows[0].cells if rows else ()) if name not in (item, cluster)]
    if not names:
        raise BadTable(f"{path.name}: there is no item, or no metric.", f"{item},metric1,metric2")
    columns: dict[str, dict[str, float | None]] = {name: {} for name in names}
    clusters: dict[str, str] = {}
    for row in rows:
        key = row.cells[item].strip()
        if not key or key in columns[names[0]]:
            raise BadTable(f"{path.name}, line {row.line}: the item is empty or repeated.", "One line an item.")
        for name in names:
            columns[name][key] = _number(row.cells[name], f"{path.name}, line {row.line}: {name}")
        if named := row.cells.get(cluster, "").strip():
            clusters[key] = named
    return MetricTable(tuple(columns[names[0]]), columns, clusters)


def names_of(table: MetricTable, names: Sequence[str]) -> tuple[str, ...]:
    """The columns named, or all of them if none is."""
    return tuple(names) or tuple(table.columns)


def _number(cell: str, where: str) -> float | None:
    if not cell.strip():
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadTable(f"{where} is no number.", "Leave the cell empty where there is none.")
    return value
