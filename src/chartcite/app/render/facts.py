"""What the facts room sees in a document: one JSON object with every span, and lines that a clinician can read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich.text import Text

from chartcite.app.render.fact_rows import FactRows
from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.core.documents import Document
from chartcite.facts.read import read_facts
from chartcite.records.when.reader import days_of_document
from chartcite.records.when.resolved import Resolved
from chartcite.text.stated import units_of

_KIND_COLUMNS = 12


def facts_of(document: Document) -> dict[str, Any]:
    """Every sentence with its facts and the days it means; all spans are of the document's text."""
    units = units_of(document.text, document.units)
    return {
        "schema": "chartcite.facts/2",
        "doc_id": document.doc_id,
        "chars": len(document.text),
        "sentences": [
            {
                "n": s.n, "start": s.start, "end": s.end, "kind": s.kind, "section": list(s.section),
                "text": document.text[s.start : s.end], **sentence_facts(document.text, s.start, s.end),
                "days": [day_row(document, one) for one in days],
            }
            for s, days in zip(units, days_of_document(document, units), strict=True)
        ],
    }  # fmt: skip


def day_row(document: Document, one: Resolved) -> dict[str, Any]:
    """Words that mean a day, and on what that rests: an event's day with the sentence that states it."""
    row = {"start": one.span.start, "end": one.span.end, "text": document.text[slice(*one.span)], **one.to_dict()}
    if one.anchor:
        row["anchor"] |= {"text": document.text[slice(*one.anchor.span)]}
    return row


def sentence_facts(text: str, start: int, end: int) -> dict[str, list[dict[str, Any]]]:
    """The facts of `text[start:end]` by kind, as JSON rows."""
    return FactRows(text).of(read_facts(text, start, end))


def fact_lines(document: Document, paper: Paper) -> Iterator[Text]:
    """The sentences that hold facts, and the facts below each."""
    yield from paper.hanging("", Text(one_line(document.doc_id), "bold"))
    units = units_of(document.text, document.units)
    for s, days in zip(units, days_of_document(document, units), strict=True):
        said = list(_said(sentence_facts(document.text, s.start, s.end)))
        said += [("day", _day(day_row(document, one))) for one in days if one.basis != "words" or not one.first]
        if not said:
            continue
        text = one_line(document.text[s.start : s.end])
        yield from paper.hanging(Text(f"{s.n:>5} ", "dim"), Text(text))
        for kind, words in said:
            yield from paper.hanging(Text(f"{kind:<{_KIND_COLUMNS}} ", "cyan"), Text(one_line(words)), indent=8)


Facts = dict[str, list[dict[str, Any]]]
Said = Iterator[tuple[str, str]]


def _said(facts: Facts) -> Said:
    """Kind and words of each fact. A quantity that a drug or a measurement has is not said again."""
    yield from _of_drugs(facts)
    yield from _of_values(facts)
    yield from _of_places(facts)
    for row in facts["directions"]:
        yield "course", f"{row['of']['text'] if row['of'] else ''}: {row['direction']} ({row['text']})"
    for row in facts["order"]:
        first = row["first"]["text"] if row["first"] else "(not said)"
        yield "order", f"{first}  |  {row['relation']}  |  {row['second']['text']}"
    for status, rows in groupby(facts["standings"], key=lambda row: ", ".join(row["status"])):
        yield status, "; ".join(row["text"] for row in rows)


_BASES = {"words": "", "document": "counted from the note", "admission": "counted from the admission",
          "operation": "counted from the operation", "discharge": "counted from the discharge"}  # fmt: skip
_REASONS = {
    "no_document_day": "not known: the note has no day", "vague": "not known: no number is said",
    "two_readings": "not known: it has two readings", "no_such_day": "not known: there is no such day",
    "may_be_coming": "not known: it may lie ahead", "no_event_day": "not known: the note does not say when that was",
    "several_event_days": "not known: the note has several days for that",
    "told_before": "not known: it is counted from something told before",
}  # fmt: skip


def _day(row: dict[str, Any]) -> str:
    if row["reason"]:
        return f"{row['text']}  =  {_REASONS[row['reason']]}"
    days = row["first"] if row["first"] == row["last"] else f"{row['first']} to {row['last']}"
    anchor = f", {row['anchor']['day']}" if row["anchor"] else ""
    return f"{row['text']}  =  {days} ({_BASES[row['basis']]}{anchor})"


def _of_drugs(facts: Facts) -> Said:
    with_dose = {row["drug"]["start"] for row in facts["doses"]}
    for row in facts["doses"]:
        yield "drug", f"{_drug(row['drug'])}: {_dose(row)}"
    for row in facts["drugs"]:
        if row["start"] not in with_dose:
            yield "drug" if row["written"] != "class" else "drug class", _drug(row)
    for row in facts["changes"]:
        yield "change", _change(row)


def _of_values(facts: Facts) -> Said:
    for row in facts["measurements"]:
        yield "value", f"{row['name']}: {', '.join(map(_value, row['values']))}"
    bound = _bound(facts)
    for row in facts["quantities"]:
        if (row["start"], row["end"]) not in bound:
            yield row["kind"], row["text"] if row["kind"] == "date" else f"{row['text']}  =  {_amount(row)}"


def _of_places(facts: Facts) -> Said:
    if facts["sites"]:
        yield "site", "; ".join(map(_site, facts["sites"]))
    at_sites = {row["side_words"]["start"] for row in facts["sites"] if row["side_words"]}
    for row in facts["sides"]:
        if row["of"] and row["start"] not in at_sites:
            yield "side", f"{row['of']['text']}  =  {row['side']}"


def _site(row: dict[str, Any]) -> str:
    name = " ".join(filter(None, (row["side"], row["name"])))
    return row["text"] if row["text"].casefold() == name.casefold() else f"{row['text']} ({name})"


def _bound(facts: Facts) -> set[tuple[int, int]]:
    parts = [part for row in facts["doses"] for part in row.values() if isinstance(part, dict)]
    parts += [value for row in facts["measurements"] for value in row["values"]]
    parts += [value["when"] for row in facts["measurements"] for value in row["values"] if value["when"]]
    return {(part["start"], part["end"]) for part in parts}


def _drug(row: dict[str, Any]) -> str:
    return row["text"] if row["text"].casefold() == row["name"].casefold() else f"{row['text']} ({row['name']})"


def _dose(row: dict[str, Any]) -> str:
    words = [row[key]["text"] for key in ("strength", "volume") if row[key]]
    if row["count"] or row["form"]:
        words.append(" ".join(row[key]["text"] for key in ("count", "form") if row[key]))
    words += [row["route"]["route"]] if row["route"] else []
    words += [f"{row['frequency']['text']} ({_amount(row['frequency'])})"] if row["frequency"] else []
    words += [row["time"]["text"]] if row["time"] else []
    words += ["as needed"] if row["prn"] else []
    words += [f"for {row['duration']['text']}"] if row["duration"] else []
    words += [f"for {row['indication']['text']}"] if row["indication"] else []
    words += [f"before: {row['earlier']['text']}"] if row["earlier"] else []
    return ", ".join(words)


def _change(row: dict[str, Any]) -> str:
    words = f"{row['kind']} {_drug(row['drug'])}"
    words += f" to {_drug(row['to_drug'])}" if row["to_drug"] else ""
    words += f", from {row['from_dose']['text']}" if row["from_dose"] else ""
    words += f", to {row['to_dose']['text']}" if row["to_dose"] else ""
    return words + (f" ({', '.join(row['status'])})" if row["status"] else "")


def _value(row: dict[str, Any]) -> str:
    role = "" if row["role"] in ("result", "range") else row["role"] + " "
    unit = f" {row['unit']}" if row["unit"] and row["unit_is_beside"] else ""
    flag = f" [{row['flag']}]" if row["flag"] else ""
    when = f" on {row['when']['text']}" if row["when"] else ""
    return f"{role}{row['text']}{unit}{flag}{when}"


def _amount(row: dict[str, Any]) -> str:
    low, high = f"{row['low']:g}", f"{row['high']:g}"
    value = low if low == high else f"{low}/{high}" if row["kind"] in ("pressure", "ratio") else f"{low} to {high}"
    unit = {"frequency": "a day", "count": "times"}.get(row["kind"], row["unit"])
    return f"{row['comparator']}{value} {unit}".strip()
