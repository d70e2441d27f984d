"""The part of a timeline's picture that shows diagnoses and procedures, a row each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from chartcite.records.history import Condition
    from chartcite.records.timeline import Timeline

MOST_ROWS = 40
_COLOURS = {
    "active": "#8c564b", "possible": "#d9b38c", "history": "#b8a29a", "resolved": "#b8a29a", "ruled_out": "#999999",
}  # fmt: skip
_LONGEST = 32


class Row(NamedTuple):
    """One line of the picture: a bar from `start` to `end`, or marks at `days`."""

    name: str
    start: date | None
    end: date | None
    days: tuple[date, ...]
    colour: str
    stated: int


def history_rows(found: Timeline) -> list[Row]:
    """Diagnoses, then procedures, of which something is to be seen between the record's first and last day."""
    first = day_of(found.first or "") or date.min
    rows = [row for row in (_condition(one) for one in found.conditions) if row is not None]
    by_name: dict[str, list[date]] = {}
    for procedure in found.procedures:
        day = day_of(procedure.day)
        if day is not None:
            by_name.setdefault(procedure.name, []).append(day)
    rows += [Row(name, None, None, tuple(days), "#4b3f8c", len(days)) for name, days in by_name.items()]
    return [row for row in rows if row.end is not None or any(day >= first for day in row.days)]


def _condition(one: Condition) -> Row | None:
    first, last = day_of(one.first), day_of(one.last)
    name = f"{one.name}{' (?)' if one.conflict else ''}"
    if first is None or last is None:
        return None
    if one.status == "ruled_out":
        return Row(f"{name}: ruled out", None, None, (first,), _COLOURS["ruled_out"], 0)
    begin = day_of(one.since[0]) if one.since else None
    return Row(name, min(begin or first, last), last, (), _COLOURS[one.status], one.stated)


def most_stated(rows: Sequence[Row]) -> list[Row]:
    """At most forty, in their order: procedures first, then what most sentences state, what was ruled out last."""
    ranked = sorted(range(len(rows)), key=lambda n: (rows[n].end is not None or not rows[n].stated, -rows[n].stated, n))
    return [rows[n] for n in sorted(ranked[:MOST_ROWS])]


def draw_history(axis: Any, rows: Sequence[Row], last: date, left_out: int = 0) -> None:
    """Bars of diagnoses, from the stated begin to the last note that states them; marks of procedures."""
    for n, row in enumerate(rows):
        if row.start is not None and row.end is not None:
            width = max((row.end - row.start).days, 4)
            axis.barh(n, width, left=row.start, height=0.45, color=row.colour, alpha=0.8)
        for day in row.days:
            marker = "x" if row.colour == _COLOURS["ruled_out"] else "D"
            axis.plot([min(day, last)], [n], marker, color=row.colour, markersize=4.5)
    axis.set_yticks(range(len(rows)), [shortened(row.name) for row in rows], fontsize=7)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    more = f"; {left_out} more are not drawn" if left_out else ""
    axis.set_title(f"diagnoses (bars, x ruled out) and procedures (diamonds){more}", loc="left", fontsize=9)


def shortened(name: str) -> str:
    """A name that fits beside the picture."""
    plain = " ".join(name.split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "\u2026"


def day_of(text: str) -> date | None:
    """A day; a month or year at its begin; None for none."""
    padded = text + "0001-01-01"[len(text) :] if len(text) in (4, 7) else text
    try:
        return date.fromisoformat(padded)
    except ValueError:
        return None
