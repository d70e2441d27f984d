"""Diagnoses and procedures of structured resources, by the fixed wording in which the readers render them.

`Diagnosis of sepsis since 1976-01-19.`, `Diagnosis of bronchitis, resolved on 2021-07-30 (began on 2021-07-14).`,
`The patient underwent hearing examination on 2019-05-03.`: the name is all of it, whatever words it has.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chartcite.records.history import Status
from chartcite.records.lines import Line

_DAY = r"\d{4}(?:-\d\d(?:-\d\d)?)?"
_CONDITION = re.compile(
    rf"(?P<doubt>Possible d|D)iagnosis of (?P<name>.+?)(?: since (?P<since>{_DAY}))?"
    rf"(?P<over>, (?:resolved|in remission)(?: (?:on|in) {_DAY})?)?(?: \((?P<about>.*)\))?\.",
    re.DOTALL,
)
_BEGAN = re.compile(rf"\bbegan (?:on|in) (?P<day>{_DAY})")
_PROCEDURE = re.compile(
    rf"The patient underwent (?P<name>.+?)(?: (?:on|in) (?P<day>{_DAY}))?(?: \((?:reason|site|outcome|complication|"
    rf"for)\b.*\))?\.",
    re.DOTALL,
)


class Rendered(NamedTuple):
    """A name with its place in the sentence, how it stands, and its day."""

    start: int
    end: int
    status: Status
    day: str


def rendered_condition(line: Line) -> Rendered | None:
    """The diagnosis of a rendered resource; None for any other sentence."""
    found = _CONDITION.fullmatch(line.text.strip()) if line.source.note_type == "Condition" else None
    if found is None:
        return None
    began = _BEGAN.search(found["about"] or "")
    status: Status = "possible" if found["doubt"] != "D" else "resolved" if found["over"] else "active"
    at = len(line.text) - len(line.text.lstrip())
    day = found["since"] or (began["day"] if began else "")
    return Rendered(at + found.start("name"), at + found.end("name"), status, day)


def rendered_procedure(line: Line) -> Rendered | None:
    """The procedure of a rendered resource that was done; None for any other sentence."""
    found = _PROCEDURE.fullmatch(line.text.strip()) if line.source.note_type == "Procedure" else None
    if found is None:
        return None
    at = len(line.text) - len(line.text.lstrip())
    return Rendered(at + found.start("name"), at + found.end("name"), "history", found["day"] or "")
