"""Facts as JSON rows: every span with its text, so that whoever reads them can check `document.text[start:end]`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from chartcite.core.documents import Span
from chartcite.facts.changes import Change
from chartcite.facts.doses import Dose
from chartcite.facts.drug_mentions import Drug
from chartcite.facts.measurements import Measurement
from chartcite.facts.phrases import Named
from chartcite.facts.quantities import Quantity
from chartcite.facts.read import SentenceFacts
from chartcite.facts.readings import Reading
from chartcite.facts.standings import Standing

Row = dict[str, Any]


class FactRows:
    """Makes rows of facts of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, facts: SentenceFacts) -> dict[str, list[Row]]:
        """The facts of a sentence by kind."""
        return {
            "quantities": [self._quantity(q) for q in facts.quantities],
            "drugs": [self._drug(drug) for drug in facts.drugs],
            "doses": [self._dose(dose) for dose in facts.doses],
            "changes": [self._change(change, facts.standings) for change in facts.changes],
            "measurements": [self._measurement(one) for one in facts.measurements],
            "sites": [
                self._span(s.span) | {"name": s.name, "side": s.side or "", "side_words": self._maybe(s.side_span)}
                for s in facts.sites
            ],
            "sides": [self._span(s.span) | {"side": s.name, "of": self._maybe(s.of)} for s in facts.sides],
            "directions": [
                self._span(d.span) | {"direction": d.name, "of": self._maybe(d.of)} for d in facts.directions
            ],
            "order": [
                self._span(o.cue)
                | {"relation": o.relation, "first": self._maybe(o.first), "second": self._span(o.second)}
                for o in facts.order
            ],
            "standings": [self._span(s.span) | {"status": list(s.names)} for s in facts.standings],
            "assertions": [
                {
                    "kind": a.kind, "start": a.cue.start, "end": a.cue.end, "cue": self._text[slice(*a.cue)],
                    "scope": [self._span(span) for span in a.scope],
                }
                for a in facts.assertions
            ],
        }  # fmt: skip

    def _span(self, span: Span) -> Row:
        return {"start": span.start, "end": span.end, "text": self._text[span.start : span.end]}

    def _maybe(self, span: Span | None) -> Row | None:
        return None if span is None else self._span(span)

    def _quantity(self, q: Quantity) -> Row:
        row = self._span(q.span) | {"kind": q.kind}
        if q.kind == "date":
            return row | {"date": q.when}
        return row | {
            "low": _number(q.low), "high": _number(q.high), "comparator": q.comparator, "unit": q.unit.name,
        }  # fmt: skip

    def _amount(self, q: Quantity | None) -> Row | None:
        return None if q is None else self._quantity(q)

    def _drug(self, drug: Drug) -> Row:
        return self._span(drug.span) | {
            "name": drug.name, "written": drug.written,
            "components": list(drug.components), "classes": list(drug.classes),
        }  # fmt: skip

    def _named(self, named: Named | None, key: str) -> Row | None:
        return None if named is None else self._span(named.span) | {key: named.name}

    def _dose(self, dose: Dose) -> Row:
        return self._span(dose.span) | {
            "drug": self._drug(dose.drug),
            "strength": self._amount(dose.strength), "earlier": self._amount(dose.earlier),
            "volume": self._amount(dose.volume), "count": self._amount(dose.count),
            "form": self._named(dose.form, "form"), "route": self._named(dose.route, "route"),
            "frequency": self._amount(dose.frequency), "time": self._named(dose.time, "time"),
            "prn": self._maybe(dose.prn), "duration": self._amount(dose.duration),
            "indication": self._maybe(dose.indication),
        }  # fmt: skip

    def _change(self, change: Change, standings: Sequence[Standing]) -> Row:
        status = [name for s in standings if s.span.start <= change.cue.start < s.span.end for name in s.names]
        return self._span(change.cue) | {
            "kind": change.kind, "drug": self._drug(change.drug),
            "to_drug": None if change.to_drug is None else self._drug(change.to_drug),
            "from_dose": self._amount(change.from_dose), "to_dose": self._amount(change.to_dose), "status": status,
        }  # fmt: skip

    def _measurement(self, one: Measurement) -> Row:
        return self._span(one.span) | {
            "name": one.name, "kind": one.kind, "values": [self._reading(value) for value in one.values],
        }  # fmt: skip

    def _reading(self, value: Reading) -> Row:
        is_beside = bool(value.unit) and value.unit != value.quantity.unit.name
        row = self._quantity(value.quantity) | {"role": value.role, "unit": value.unit, "unit_is_beside": is_beside}
        return row | {
            "flag": value.flag, "flag_words": self._maybe(value.flag_span), "when": self._amount(value.when),
        }  # fmt: skip


def _number(value: Fraction) -> int | float:
    """An exact whole number, else the nearest float; beyond what a float holds, the largest one."""
    if value.denominator == 1:
        return value.numerator
    return float(value)
