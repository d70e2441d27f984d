"""Two raters' labels of the same items, `item,rater1,rater2`: read, cleaned, and what was left out counted.

Spaces and letter case do not make a label: ` y` and `Y` are one. A blank is no label, and two blanks no agreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.csv_safe import read_table
from chartcite.lab.errors import BadTable


@dataclass(frozen=True, slots=True)
class Ratings:
    """Pairs of labels.

    Attributes:
        pairs: both labels of each item that has both, in the file's order.
        excluded: items of which a label is missing, by id.
        merged: spellings that were read as another label (`Y` as `y`), so that nobody need wonder.
    """

    rater_a: str
    rater_b: str
    pairs: tuple[tuple[str, str], ...]
    excluded: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()


def read_ratings(path: Path) -> Ratings:
    """Read two raters' table.

    Raises:
        BadTable: other columns than the item and two raters, a repeated or empty item, no line.
    """
    rows = list(read_table(path, ["item"]))
    if not rows:
        raise BadTable(f"{path.name}: there is no item in it.", "item,rater1,rater2")
    raters = [name for name in rows[0].cells if name != "item"]
    if len(raters) != 2:
        raise BadTable(f"{path.name}, line 1: {len(raters)} raters instead of two.", "item,rater1,rater2")
    seen: dict[str, tuple[str, str]] = {}
    merged: set[str] = set()
    for row in rows:
        item = row.cells["item"].strip()
        if not item or item in seen:
            raise BadTable(f"{path.name}, line {row.line}: the item is empty or repeated.", "One line an item.")
        raw = (row.cells[raters[0]], row.cells[raters[1]])
        merged.update(cell for cell in raw if cell.strip() and cell != label(cell))
        seen[item] = (label(raw[0]), label(raw[1]))
    excluded = tuple(item for item, pair in seen.items() if "" in pair)
    return Ratings(
        raters[0], raters[1], tuple(p for p in seen.values() if "" not in p), excluded, tuple(sorted(merged))
    )


def label(cell: str) -> str:
    """A label without what does not make one: outer spaces, letter case, a whole number's decimals.

    >>> label(" Y "), label("5.0"), label("not  sure")
    ('y', '5', 'not sure')
    """
    text = " ".join(cell.split()).casefold()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text


def ordered_levels(labels: set[str]) -> tuple[str, ...]:
    """The labels in order: by number if all are numbers, else by name."""
    try:
        return tuple(sorted(labels, key=float))
    except ValueError:
        return tuple(sorted(labels))


def are_numbers(labels: set[str]) -> bool:
    """Whether the labels have an order of their own."""
    try:
        return all(float(x) == float(x) for x in labels)
    except ValueError:
        return False
