"""Where metrics of the same answers contradict each other: paper 000's three rules, written out.

- `contradicted`: the probability of contradiction is above .7 and so is the judge's correctness (its table 7);
- `judges`: two judges differ by .5 or more (its table 8);
- `spread`: some metric is at or above its own 60th percentile and another one at or below its own 40th. The paper says
  "top 60th percentile" of z-scores, which can be read in two ways; this is ours. Standardising changes no percentile,
  so the rule looks at the values themselves; z-scores are shown beside them.

Values of the first two lie between 0 and 1. An item that lacks a value that a rule needs is undefined, and counted so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from chartcite.lab.analysis.counts import Count, count
from chartcite.lab.analysis.standardise import percentile, z_scores
from chartcite.lab.analysis.table import Column, MetricTable
from chartcite.lab.errors import BadInput

ABOVE, APART, HIGH, LOW = 0.7, 0.5, 60.0, 40.0
_ROUNDING = 1e-12  # .8 - .3 is less than .5 in binary


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One item that a rule found: the metric that says yes, the one that says no, and both values."""

    item: str
    high: str
    high_value: float
    low: str
    low_value: float


@dataclass(frozen=True, slots=True)
class RuleFound:
    """What a rule found. `rule` is its name, `between` the columns it looked at."""

    rule: str
    between: tuple[str, ...]
    count: Count
    items: tuple[Disagreement, ...]


def contradicted(table: MetricTable, contradiction: str, correctness: str, above: float = ABOVE) -> RuleFound:
    """Items that a judge calls correct and a model of inference contradictory; both strictly above."""
    a, b = table.share(contradiction), table.share(correctness)
    judged, found = {}, []
    for item in table.items:
        x, y = a[item], b[item]
        judged[item] = None if x is None or y is None else x > above and y > above
        if x is not None and y is not None and judged[item]:
            found.append(Disagreement(item, correctness, y, contradiction, x))
    return RuleFound("contradicted", (contradiction, correctness), count(judged, table.clusters), tuple(found))


def judges_apart(table: MetricTable, judges: Sequence[str], apart: float = APART) -> list[RuleFound]:
    """For every pair of judges, the items on which they differ by so much or more.

    Raises:
        BadInput: fewer than two judges, or values outside 0 to 1.
    """
    if len(set(judges)) < 2:
        raise BadInput("Judges are compared in pairs.", "Name two or more columns.")
    return [_apart(table, one, other, apart) for one, other in combinations(judges, 2)]


def _apart(table: MetricTable, one: str, other: str, apart: float) -> RuleFound:
    a, b = table.share(one), table.share(other)
    judged, found = {}, []
    for item in table.items:
        x, y = a[item], b[item]
        judged[item] = None if x is None or y is None else abs(x - y) >= apart - _ROUNDING
        if x is not None and y is not None and judged[item]:
            (high, top), (low, bottom) = sorted([(one, x), (other, y)], key=lambda pair: -pair[1])
            found.append(Disagreement(item, high, top, low, bottom))
    return RuleFound("judges", (one, other), count(judged, table.clusters), tuple(found))


def spread(table: MetricTable, metrics: Sequence[str], high: float = HIGH, low: float = LOW) -> RuleFound:
    """Items that one metric puts high and another one low; shown is the pair whose z-scores lie furthest apart.

    A metric that is the same for all items says nothing and is left out; an item with one value left is undefined.

    Raises:
        BadInput: fewer than two metrics.
    """
    if len(set(metrics)) < 2:
        raise BadInput("The rule compares metrics with each other.", "Name two or more columns.")
    places = {name: _placed(table.column(name), high, low) for name in metrics}
    judged: dict[str, bool | None] = {}
    found = []
    for item in table.items:
        known = {name: place for name, column in places.items() if (place := column.get(item))}
        pairs = [(h, n) for h, top in known.items() for n, bottom in known.items() if h != n and top.up and bottom.down]
        judged[item] = bool(pairs) if len(known) > 1 else None
        if pairs:
            h, n = max(pairs, key=lambda pair: (known[pair[0]].z - known[pair[1]].z, pair))
            found.append(Disagreement(item, h, known[h].value, n, known[n].value))
    return RuleFound("spread", tuple(metrics), count(judged, table.clusters), tuple(found))


@dataclass(frozen=True, slots=True)
class _Place:
    """A value among the others of its metric; where many are equal it may be both up and down."""

    value: float
    z: float
    up: bool
    down: bool


def _placed(column: Column, high: float, low: float) -> dict[str, _Place]:
    """By item that has a value; nothing of a metric that is the same for all."""
    scores, top, bottom = z_scores(column), percentile(column, high), percentile(column, low)
    if top is None or bottom is None:
        return {}
    return {
        item: _Place(value, z, value >= top, value <= bottom)
        for item, value in column.items()
        if value is not None and (z := scores[item]) is not None
    }
