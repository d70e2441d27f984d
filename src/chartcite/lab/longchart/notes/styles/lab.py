"""Laboratory tables in several layouts, and the corrections of wrong entries."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

from chartcite.lab.longchart.facts.model import Encounter, Result
from chartcite.lab.longchart.lexicon import load, name
from chartcite.lab.longchart.notes.desk import Desk, Pen
from chartcite.lab.longchart.notes.paper import Aspect, Mark, Sent
from chartcite.lab.longchart.notes.voice import words

_TABLED = ("chemistry", "count", "liver", "lipids", "extra", "single")


def write_labs(desk: Desk, encounter: Encounter) -> None:
    """One report for each draw; later, one correction for each wrong entry."""
    panels = load("analytes.toml")
    tabled = [r for r in encounter.results if panels[r.analyte]["panel"] in _TABLED]
    for at, group in groupby(tabled, key=lambda r: r.at):
        _report(desk, encounter, at, list(group))
    for result in tabled:
        if result.corrected:
            _correction(desk, encounter, result)


def _report(desk: Desk, encounter: Encounter, drawn: datetime, results: list[Result]) -> None:
    lab = "LAB 2" if any(r.unit in ("umol/L", "mmol/mol", "g/L", "x10^9/L") for r in results) else "LAB 1"
    pen = desk.open("lab-report", drawn + timedelta(minutes=desk.dice.between(70, 260)), lab, encounter)
    table = words(pen.say.lang)["table"]
    pen.title("lab")
    pen.raw(f"{table['collected']}: {pen.say.day(drawn)} {drawn:%H:%M}")
    panels = load("analytes.toml")
    layout = (pen.say.voice.house + (encounter.kind == "stay") + desk.dice.between(0, 1)) % 4
    ordered = sorted(results, key=lambda r: _TABLED.index(panels[r.analyte]["panel"]))
    for panel, group in groupby(ordered, key=lambda r: str(panels[r.analyte]["panel"])):
        pen.raw(words(pen.say.lang)["panels"][panel])
        rows = [_row(pen, r, layout) for r in group]
        pen.draft.blocks[-1:] = []
        head = _heading(pen, layout)
        lines = [Sent(words(pen.say.lang)["panels"][panel])] + ([Sent(head)] if head else []) + rows
        pen.lines(lines)
    pen.close()


def _heading(pen: Pen, layout: int) -> str:
    t = words(pen.say.lang)["table"]
    if layout == 0:
        return f"{t['test']:<36}{t['result']:>10}  {t['flag']:<5}{t['unit']:<16}{t['ref']}"
    if layout == 1:
        return f"| {t['test']} | {t['result']} | {t['unit']} | {t['flag']} | {t['ref']} |"
    if layout == 3:
        return f"{t['test']}; {t['result']}; {t['unit']}; {t['ref']}; {t['prior']}"
    return ""


def _row(pen: Pen, result: Result, layout: int) -> Sent:
    say = pen.say
    label = str(load("analytes.toml")[result.analyte].get("label", "")) if say.lang == "en" else ""
    label = label or _capital(name("analyte", result.analyte, say.lang))
    unit = words(say.lang).get("units", {}).get(result.unit, result.unit)
    shown = say.voice.number(result.wrong or result.shown)
    aspect: Aspect = "wrong" if result.wrong else "value"
    marks = [Mark(result.fact_id, aspect)]
    flag = result.flag if not result.wrong else ""
    ref = say.voice.number(result.ref)
    prior = _prior(pen, result)
    if layout == 0:
        text = f"{label:<36}{shown:>10}  {flag:<5}{unit:<16}{ref}".rstrip()
    elif layout == 1:
        text = f"| {label} | {shown} | {unit} | {flag} | {ref} |"
    elif layout == 2:
        dots = "." * max(3, 34 - len(label))
        text = f"{label} {dots} {shown} {unit}{f' ({ref})' if ref else ''}{f' *{flag}*' if flag else ''}"
    else:
        text = f"{label}; {shown}{f' {flag}' if flag else ''}; {unit}; {ref}; "
        if prior is not None:
            text += f"{say.voice.number(prior.shown)} ({say.day(prior.at)})"
            marks.append(Mark(prior.fact_id, "value"))
    return Sent(text.rstrip(), tuple(marks), f"lab_row#{layout}")


def _capital(word: str) -> str:
    return word[0].upper() + word[1:]


def _prior(pen: Pen, result: Result) -> Result | None:
    before = [
        r for r in pen.desk.life.of(result.analyte)
        if r.at < result.at and r.unit == result.unit and not r.wrong
    ]  # fmt: skip
    return before[-1] if before else None


def _correction(desk: Desk, encounter: Encounter, result: Result) -> None:
    pen = desk.open("lab-report", result.corrected or result.at, "LAB 1", encounter)
    pen.title("correction")
    pen.head("addendum")
    sent = pen.say.say(
        "correction", [Mark(result.fact_id, "value")], analyte=name("analyte", result.analyte, pen.say.lang),
        wrong=pen.say.value(result, result.wrong), value=pen.say.value(result), day=pen.say.day(result.at),
    )  # fmt: skip
    pen.flow([sent, *pen.say.several("correction_why", 2)])
    pen.close()
