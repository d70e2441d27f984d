"""Questions on measured values: latest, first, at, before, after, change, trend, count."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from chartcite.lab.longchart.facts.model import Result
from chartcite.lab.longchart.lexicon import load, name, units_of
from chartcite.lab.longchart.questions.landmarks import Landmark, landmarks
from chartcite.lab.longchart.questions.model import Case, Question, Span, every_part
from chartcite.lab.longchart.questions.wording import day_words, localised

_ASKED = 7


def make(case: Case) -> Iterator[Question | None]:
    """All kinds, for some of the followed analytes."""
    series = {a: askable(case, a) for a in load("analytes.toml")}
    able = [a for a, rows in series.items() if len(rows) >= 3]
    for analyte in case.dice.some(able, _ASKED):
        yield _end(case, analyte, series[analyte], last=True)
        yield _end(case, analyte, series[analyte], last=False)
    for analyte in case.dice.some(able, _ASKED):
        yield _as_of(case, analyte, series[analyte])
    for analyte in case.dice.some(able, _ASKED):
        yield _at(case, analyte, series[analyte])
    for mark in case.dice.some(landmarks(case), 6):
        for before in (True, False):
            yield _beside(case, case.dice.pick(able), series, mark, before) if able else None
    for analyte in case.dice.some(able, _ASKED):
        yield _change(case, analyte, series[analyte])
        for _ in range(3):
            yield _trend(case, analyte)
    for analyte in case.dice.some(able, 5):
        yield _count(case, analyte)


def askable(case: Case, analyte: str) -> list[Result]:
    """Results that are the only one of their day and are stated (correctly) somewhere."""
    rows = case.life.of(analyte)
    days: dict[date, int] = {}
    for row in rows:
        days[row.at.date()] = days.get(row.at.date(), 0) + 1
    return [r for r in rows if days[r.at.date()] == 1 and case.ledger.mentions(r.fact_id, ["value"])]


def answer_of(case: Case, result: Result) -> dict[str, Any]:
    """The typed answer."""
    shown = localised(result.value, case.life.person.lang)
    number = float(result.shown.split("/")[0])
    return {
        "type": "value",
        "value": result.shown,
        "number": number,
        "unit": result.unit,
        "date": result.at.date().isoformat(),
        "text": f"{shown} ({result.at.date().isoformat()})",
    }


def not_these(case: Case, analyte: str, right: set[str], near: date) -> list[Span]:
    """Other results of the analyte (nearest first), first reports that were wrong, goals, and the twin's."""
    others = sorted(
        (r for r in case.life.of(analyte) if r.fact_id not in right), key=lambda r: abs((r.at.date() - near).days)
    )
    spans: list[Span] = []
    for fact in sorted(right):
        spans += case.ledger.spans(fact, "wrong", why="first reported wrong")
    spans += case.ledger.spans(f"analyte:{analyte}", "decoy", why="goal or limit")[:6]
    if case.other:
        life, ledger = case.other
        twins = sorted(life.of(analyte), key=lambda r: abs((r.at.date() - near).days))[:3]
        spans += [s for r in twins for s in ledger.spans(r.fact_id, "value", why="twin")[:2]]
    for other in others[:14]:
        spans += case.ledger.spans(other.fact_id, "value", "wrong", why="another date")
    return [s for s in spans if not _states(case, s, right)]


def _states(case: Case, span: Span, right: set[str]) -> bool:
    """Whether the sentence also states what is asked (a table row with the previous value)."""
    note = case.ledger.notes.get(span.doc_id)
    return note is not None and any(
        m.start == span.start and m.fact_id in right and m.aspect == "value" for m in note.mentions
    )


def _names(case: Case, analyte: str) -> str:
    return name("analyte", analyte, case.life.person.lang)


def _end(case: Case, analyte: str, rows: list[Result], last: bool) -> Question | None:
    whole = case.life.of(analyte)
    result = whole[-1] if last else whole[0]
    if result not in rows:
        return None
    return case.question(
        "latest" if last else "first",
        "q_latest_value" if last else "q_first_value",
        {"analyte": _names(case, analyte)},
        answer_of(case, result),
        case.ledger.spans(result.fact_id, "value"),
        not_these(case, analyte, {result.fact_id}, result.at.date()),
        facts=[result.fact_id],
        about="value",
    )


def _as_of(case: Case, analyte: str, rows: list[Result]) -> Question | None:
    """The latest value known on a day in the middle of the record."""
    at = case.dice.between(1, len(rows) - 2)
    result = rows[at]
    following = next((r for r in case.life.of(analyte) if r.at > result.at), None)
    room = (following.at.date() - result.at.date()).days if following else 60
    day = result.at.date() + timedelta(days=max(1, min(room - 1, case.dice.between(3, 40))))
    gold = case.ledger.spans(result.fact_id, "value", until=day)
    if room < 3:
        return None
    forbidden = not_these(case, analyte, {result.fact_id}, result.at.date())
    return case.question(
        "latest", "q_latest_value_as_of", {"analyte": _names(case, analyte), "day": day_words(case, day)},
        answer_of(case, result), gold, forbidden, as_of=day, facts=[result.fact_id], about="value",
    )  # fmt: skip


def _at(case: Case, analyte: str, rows: list[Result]) -> Question | None:
    result = case.dice.pick(rows)
    day = result.at.date()
    return case.question(
        "value_at",
        "q_value_at",
        {"analyte": _names(case, analyte), "day": day_words(case, day)},
        answer_of(case, result),
        case.ledger.spans(result.fact_id, "value"),
        not_these(case, analyte, {result.fact_id}, day),
        facts=[result.fact_id],
        about="value",
    )


def _beside(case: Case, analyte: str, series: dict[str, list[Result]], mark: Landmark, before: bool) -> Question | None:
    """The last value before, or the first after, something that happened."""
    whole = case.life.of(analyte)
    if before:
        near = [r for r in whole if r.at < mark.at and r.at.date() < mark.at.date()]
        result = near[-1] if near else None
    else:
        near = [r for r in whole if r.at.date() > mark.until.date()]
        result = near[0] if near else None
    if result is None or result not in series[analyte]:
        return None
    gold = case.ledger.spans(result.fact_id, "value", part=0)
    gold += [Span(s.doc_id, s.start, s.end, s.quote, -1, s.copied) for s in mark.spans]
    kind = "value_before" if before else "value_after"
    return case.question(
        "value_before" if before else "value_after",
        f"q_{kind}",
        {"analyte": _names(case, analyte), "event": mark.noun},
        answer_of(case, result) | {"event_date": mark.at.date().isoformat()},
        gold,
        not_these(case, analyte, {result.fact_id}, result.at.date()),
        facts=[result.fact_id, mark.fact_id],
        about="value",
    )


def _change(case: Case, analyte: str, rows: list[Result]) -> Question | None:
    """Two dates, mostly of one unit; across a change of units the difference is given in the later one."""
    if analyte == "bp":
        return None
    first = case.dice.between(0, len(rows) - 2)
    second = case.dice.between(first + 1, min(len(rows) - 1, first + 6))
    one, two = rows[first], rows[second]
    if one.shown == two.shown and one.unit == two.unit:
        return None
    unit = next(u for u in units_of(analyte, case.life.person.lang) if u.unit == two.unit)
    earlier = float(one.shown) if one.unit == two.unit else float(unit.show(one.home))
    delta = round(float(two.shown) - earlier, unit.digits)
    answer = {
        "type": "change", "from": answer_of(case, one), "to": answer_of(case, two), "delta": delta, "unit": two.unit,
        "direction": "up" if delta > 0 else "down" if delta < 0 else "none", "converted": one.unit != two.unit,
        "text": localised(f"{one.value} -> {two.value} ({delta:+.{unit.digits}f} {two.unit})", case.life.person.lang),
    }  # fmt: skip
    gold = case.ledger.spans(one.fact_id, "value", part=0) + case.ledger.spans(two.fact_id, "value", part=1)
    if not every_part(gold, 2):
        return None
    slots = {
        "analyte": _names(case, analyte),
        "day": day_words(case, one.at.date()),
        "until": day_words(case, two.at.date()),
    }
    right = {one.fact_id, two.fact_id}
    return case.question(
        "change",
        "q_change_value",
        slots,
        answer,
        gold,
        not_these(case, analyte, right, one.at.date()),
        facts=[one.fact_id, two.fact_id],
        about="value",
    )


def _trend(case: Case, analyte: str) -> Question | None:
    """A window whose direction is beyond doubt (or a level one): stated with its first and last value."""
    noise = float(load("analytes.toml")[analyte]["noise"])
    ward = {r.fact_id for e in case.life.stays for r in e.results}
    able = [r for r in askable(case, analyte) if r.fact_id not in ward]
    if analyte == "bp" or len(able) < 4:
        return None
    size = case.dice.between(4, min(8, len(able)))
    start = case.dice.between(0, len(able) - size)
    window = able[start : start + size]
    if len({r.unit for r in window}) > 1:
        return None
    low, high = window[0].home, window[-1].home
    share = (high - low) / max(0.1, abs(low))
    inner = [r.home for r in window]
    if (
        abs(share) > max(0.09, 2.6 * noise)
        and min(low, high) - noise * low <= min(inner)
        and max(inner) <= max(low, high) * (1 + noise)
    ):
        direction = "rose" if share > 0 else "fell"
    elif abs(share) < 0.7 * noise and max(abs(v - low) for v in inner) < 2.6 * noise * low:
        direction = "stable"
    else:
        return None
    gold = case.ledger.spans(window[0].fact_id, "value", part=0) + case.ledger.spans(
        window[-1].fact_id, "value", part=1
    )
    gold += [s for r in window[1:-1] for s in case.ledger.spans(r.fact_id, "value", part=-1)]
    if not every_part(gold, 2):
        return None
    answer = {
        "type": "trend",
        "direction": direction,
        "from": answer_of(case, window[0]),
        "to": answer_of(case, window[-1]),
        "n": len(window),
        "text": f"{direction}: {window[0].value} -> {window[-1].value}",
    }
    slots = {
        "analyte": _names(case, analyte),
        "day": day_words(case, window[0].at.date()),
        "until": day_words(case, window[-1].at.date()),
    }
    right = {r.fact_id for r in window}
    return case.question("trend", "q_trend", slots, answer, gold, not_these(case, analyte, right, window[0].at.date()),
                         facts=[r.fact_id for r in window], about="value")  # fmt: skip


def _count(case: Case, analyte: str) -> Question | None:
    """How many results of a year were flagged high or low."""
    flags = [r for r in case.life.of(analyte) if r.flag]
    if not flags:
        return None
    year = case.dice.pick(sorted({r.at.year for r in flags}))
    flag = case.dice.pick(sorted({r.flag for r in flags if r.at.year == year}))
    of_year = [r for r in case.life.of(analyte) if r.at.year == year]
    chosen = [r for r in of_year if r.flag == flag]
    days = {r.at.date() for r in of_year}
    if not 1 <= len(chosen) <= 6 or len(days) < len(of_year) or len({r.unit for r in of_year}) > 1 or analyte == "bp":
        return None
    if any(r.corrected for r in of_year):
        return None
    gold = [s for i, r in enumerate(chosen) for s in case.ledger.spans(r.fact_id, "value", part=i)]
    if not every_part(gold, len(chosen)):
        return None
    limit = chosen[0].ref
    slots = {
        "analyte": _names(case, analyte),
        "year": str(year),
        "ref": localised(f"{limit} {chosen[0].unit}".strip(), case.life.person.lang),
    }
    key = "q_count_high" if flag == "H" else "q_count_low"
    answer = {
        "type": "count",
        "count": len(chosen),
        "dates": [r.at.date().isoformat() for r in chosen],
        "text": str(len(chosen)),
    }
    return case.question("count", key, slots, answer, gold, facts=[r.fact_id for r in chosen], about="value")
