"""Operative and procedure notes."""

from __future__ import annotations

from datetime import timedelta

from chartcite.lab.longchart.facts.model import Encounter, Procedure
from chartcite.lab.longchart.lexicon import load, name
from chartcite.lab.longchart.notes.desk import Desk
from chartcite.lab.longchart.notes.paper import Aspect, Mark
from chartcite.lab.longchart.notes.voice import words


def write_operation(desk: Desk, encounter: Encounter, done: Procedure, indication: str) -> None:
    """One procedure."""
    pen = desk.open("operative-note", done.at + timedelta(minutes=done.minutes + 20), done.operator, encounter)
    row, say = load("procedures.toml")[done.key], pen.say
    pen.title("operative")
    aspects: tuple[Aspect, ...] = ("done", "side") if done.side else ("done",)
    side = words("pt")["side"][done.side] if done.side and say.lang == "pt" else done.side
    lines = [
        say.say(
            "op_done",
            [Mark(done.fact_id, a) for a in aspects],
            side=side,
            procedure=name("procedure", done.key, say.lang),
            date=say.day(done.at),
        ),
        say.say("op_team", [Mark(done.fact_id, "operator")], operator=say.voice.masked("doctor", done.operator)),
    ]
    pen.lines(lines)
    pen.head("indication")
    pen.flow([say.say("op_indication", indication=indication)])
    pen.head("details")
    # In the order in which it happens: families of a key stand in that order.
    body = [say.say("op_before")] if row["place"] == "or" else []
    steps = f"steps_{done.key}" if pen.desk.book.has(f"steps_{done.key}") else "steps_any"
    body += sorted(say.several(steps, 8), key=lambda s: s.family)
    if row["place"] == "or" and done.loss:
        body.append(say.say("op_loss", [Mark(done.fact_id, "loss")], loss=str(done.loss)))
    body.append(say.say("op_time", [Mark(done.fact_id, "minutes")], minutes=str(done.minutes)))
    body.append(say.say("op_after"))
    pen.flow(body)
    pen.head("plan")
    later = [e for e in encounter.events if e.action == "resume" and timedelta(0) <= e.at - done.at < timedelta(days=2)]
    pen.lines([say.say("op_plan"), *(say.event(e) for e in later)])
    pen.sign()
    pen.close()
