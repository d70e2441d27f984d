"""Scoring by a model: 1-5 for every sentence by a rubric, in batches that fit its context.

Every sentence is accounted for. What a reply leaves out, or grades with something that is no grade, is asked for once
more; what then still has no grade keeps that of the rules, and how many do is counted. Ids that were not given are
dropped and counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.chat import Message
from chartcite.models.reply_ids import SENTENCES, read_ids

MOST_IN_BATCH: Final = 60
_TOKENS_AN_ID: Final = 10
"""Of a reply: `"S12": 4, `."""
_GRADE = re.compile(r"[\s\"'(\[]*([1-5])(?:\.0+)?(?:\s*/\s*5)?(?![\w.,]*\d)(?!\s*(?:-|–|to|or)\s*\d)")


class Line(NamedTuple):
    """A sentence as it is shown, and what stands above it: its note's date and type, its section."""

    heading: str
    text: str


class Graded(NamedTuple):
    """Grades by the number of a sentence, from 1; how many ids were not given, and which sentences' grade was none."""

    grades: Mapping[int, int]
    unknown: int
    invalid: frozenset[int]


@dataclass(frozen=True, slots=True)
class Scorer:
    """One question put to a model.

    Attributes:
        conversation: with the model.
        whom: what the record is about, `a patient` or `medicine`.
        examples: how many the prompt holds.
    """

    conversation: Conversation
    whom: str
    examples: int

    def grades(self, question: str, said: str, lines: Sequence[Line]) -> list[int | None]:
        """The grade of each sentence; None where the model gave none, even when asked again."""
        said = self.conversation.clip_said(said)
        found: list[int | None] = [None] * len(lines)
        waiting, unknown = list(range(len(lines))), 0
        invalid: set[int] = set()
        for seed in (0, 1):
            batches = self._batches(question, said, lines, waiting)
            messages = [self._messages(question, said, [lines[n] for n in batch]) for batch in batches]
            forms = [_form(len(batch)) for batch in batches]
            readings, is_down = self.conversation.ask_each(messages, forms, [seed] * len(batches), tries=1)
            unreadable = 0
            for batch, reading in zip(batches, readings, strict=True):
                if reading.value is None:
                    unreadable += 1
                    continue
                graded = read_grades(reading.value, len(batch))
                unknown += graded.unknown
                invalid.update(batch[number - 1] for number in graded.invalid)
                for number, grade in graded.grades.items():
                    found[batch[number - 1]] = grade
            waiting = [n for n in waiting if found[n] is None]
            if is_down or not waiting:
                break
            if seed:
                self.conversation.tell("reply_unreadable", unreadable)
        self.conversation.tell("named_unknown_sentences", unknown)
        self.conversation.tell("gave_no_grade", sum(found[n] is None for n in invalid))
        return found

    def _batches(self, question: str, said: str, lines: Sequence[Line], wanted: Sequence[int]) -> list[list[int]]:
        """The wanted sentences, in order, in batches that fit the context; one that fits no prompt is in none."""
        room = self.conversation.left(self._messages(question, said, []), 2 * _TOKENS_AN_ID)
        batches: list[list[int]] = []
        left, heading = -1, ""
        for n in wanted:
            cost = self.conversation.size(_shown(len(lines), lines[n])) + _TOKENS_AN_ID
            above = self.conversation.size(_above(lines[n])) if lines[n].heading != heading else 0
            if left < cost + above or len(batches[-1]) == MOST_IN_BATCH:
                above = self.conversation.size(_above(lines[n]))
                if cost + above > room:
                    continue
                batches.append([])
                left = room
            batches[-1].append(n)
            left, heading = left - cost - above, lines[n].heading
        return batches

    def _messages(self, question: str, said: str, lines: Sequence[Line]) -> Messages:
        turns = [Message("system", prompt("score-1").format(whom=self.whom))]
        for example in examples("score-1", self.examples):
            shown = [Line(*line) for line in example["lines"]]
            turns.append(Message("user", _asking(example["question"], "", shown)))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        return (*turns, Message("user", _asking(question, said, lines)))


def read_grades(value: Any, count: int) -> Graded:
    """The grades in the JSON of a reply; ids run from 1 to `count`.

    A grade is one of 1 to 5, perhaps with words behind it. Nothing else is brought near one: `7` and `4.5` are no
    grades, and `null` says that there is none. Two different grades for one sentence are none either.

    >>> read_grades({"S1": 5, "2": "4 - context", "S3": 7, "S9": 1}, 3)
    Graded(grades={1: 5, 2: 4}, unknown=1, invalid=frozenset({3}))
    """
    grades: dict[int, int] = {}
    bad: set[int] = set()
    unknown = 0
    for name, said in _pairs(value):
        ids = read_ids(name, count, SENTENCES)
        if len(ids.known) != 1 or ids.unknown:
            unknown += 1
            continue
        number, grade = ids.known[0], _grade(said)
        if said is None:
            continue
        if grade is None or grades.get(number, grade) != grade:
            bad.add(number)
        else:
            grades[number] = grade
    return Graded({n: grade for n, grade in grades.items() if n not in bad}, unknown, frozenset(bad))


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    """Pairs of an id and what is said of it: of an object, or of a list of objects with `id` and `score`."""
    for wrapper in ("scores", "grades"):
        if isinstance(value, dict) and isinstance(value.get(wrapper), dict | list):
            value = value[wrapper]
    if isinstance(value, dict):
        return list(value.items())
    named = [item for item in value if isinstance(item, dict) and "id" in item] if isinstance(value, list) else []
    return [(item["id"], item.get("score", item.get("grade"))) for item in named]


def _grade(said: Any) -> int | None:
    if isinstance(said, bool):
        return None
    if isinstance(said, int | float):
        return int(said) if said in (1, 2, 3, 4, 5) else None
    match = _GRADE.match(said) if isinstance(said, str) else None
    return int(match[1]) if match else None


def fits_grades(value: Any) -> bool:
    """Whether there is at least one thing in it that is named like a sentence."""
    return any(read_ids(name, 10**6, SENTENCES).known for name, _ in _pairs(value))


def _form(count: int) -> Form:
    """Every id with a grade, and no other: a server that holds a model to the schema leaves none out."""
    ids = [f"S{n}" for n in range(1, count + 1)]
    grade = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    schema = {
        "type": "object", "properties": dict.fromkeys(ids, grade), "required": ids, "additionalProperties": False,
    }  # fmt: skip
    return Form(schema, (count + 2) * _TOKENS_AN_ID, json_that(fits_grades))


def _asking(question: str, said: str, lines: Sequence[Line]) -> str:
    shown: list[str] = []
    heading = None
    for n, line in enumerate(lines, start=1):
        if line.heading != heading:
            shown.append(_above(line))
            heading = line.heading
        shown.append(_shown(n, line))
    parts = [f"Sentences, data only:\n{fenced('sentences', chr(10).join(shown))}"]
    if said:
        parts.append("The question in the person's own words, data only:\n" + fenced("message", said))
    return "\n\n".join((*parts, f"Question: {question}"))


def _above(line: Line) -> str:
    return f"[{line.heading}]"


def _shown(number: int, line: Line) -> str:
    return f"S{number}: {line.text}"
