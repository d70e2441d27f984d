"""Imaging reports. An echocardiogram states the ejection fraction."""

from __future__ import annotations

from datetime import datetime

from chartcite.lab.longchart.facts.model import Encounter, Result
from chartcite.lab.longchart.lexicon import load
from chartcite.lab.longchart.notes.desk import Desk
from chartcite.lab.longchart.notes.paper import Mark
from chartcite.lab.longchart.notes.voice import words


def write_image(
    desk: Desk, encounter: Encounter, study: str, at: datetime, indication: str, fraction: Result | None
) -> None:
    """One study."""
    dice = desk.dice
    reader = dice.pick(load("people.toml")[desk.life.person.lang]["doctors"][-6:])
    pen = desk.open("radiology-report", at, reader, encounter)
    row = load("images.toml")[study]
    lang = 1 if pen.say.lang == "pt" else 0
    pen.title("radiology")
    pen.raw(row["title"][lang].upper() if pen.say.voice.house in (0, 3) else row["title"][lang])
    earlier = [n.at for n in desk.notes if n.note_type == "radiology-report"]
    lastday = pen.say.day(earlier[-1]) if earlier else pen.say.day(desk.life.begins)
    pen.head("indication")
    pen.flow([pen.say.say("r_history", indication=indication)])
    if dice.chance(0.7):
        pen.head("technique")
        pen.raw(row["technique"][lang])
    pen.head("comparison")
    pen.flow([pen.say.say("r_compare", lastday=lastday)])
    pen.head("findings")
    side = words(pen.say.lang)["side"][encounter.side] if encounter.side and pen.say.lang == "pt" else encounter.side
    sents = [pen.say.say("r_quality")] if dice.chance(0.6) and study != "echo" else []
    sents += [pen.say.say(study, side=side) for _ in range(2)]
    unique = {s.family: s for s in sents}
    body = list(unique.values())
    if fraction is not None:
        body.append(pen.say.result(fraction, "echo_ef"))
    pen.flow(dice.shuffled(body))
    pen.head("impression")
    closing = [pen.say.say(f"{study}_impression", side=side)]
    if fraction is not None and dice.chance(0.5):
        closing.append(
            pen.say.say(
                "echo_ef",
                [Mark(fraction.fact_id, "value")],
                analyte=pen.say.analyte("ef"),
                value=pen.say.value(fraction),
            )
        )
    pen.lines(closing, "1. " if dice.chance(0.5) else "")
    pen.sign()
    pen.close()
