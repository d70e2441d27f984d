"""A note while it is written: blocks of sentences with what they state. Layout gives each its exact span."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

Aspect = Literal[
    "value",
    "reason_value",
    "wrong",
    "dose",
    "old_dose",
    "event",
    "problem",
    "ruled_out",
    "side",
    "operator",
    "loss",
    "minutes",
    "done",
    "finding",
    "background",
    "version0",
    "version1",
    "dates",
    "cause",
    "decoy",
    "social",
]


@dataclass(frozen=True, slots=True)
class Mark:
    """That a sentence states (an aspect of) a fact."""

    fact_id: str
    aspect: Aspect


@dataclass(frozen=True, slots=True)
class Sent:
    """A sentence with its marks. `copied_from`: the note it was first written in, when pasted."""

    text: str
    marks: tuple[Mark, ...] = ()
    family: str = ""
    copied_from: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A header, a flowing paragraph, lines under each other, or fixed text (tables)."""

    kind: Literal["header", "flow", "lines"]
    sents: tuple[Sent, ...]
    bullet: str = ""

    def pasted(self, doc_id: str) -> Block:
        """The same block as a copy from an earlier note."""
        return replace(self, sents=tuple(replace(s, copied_from=s.copied_from or doc_id) for s in self.sents))


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence of a finished note that states a fact: `text[start:end]` is the quote."""

    doc_id: str
    start: int
    end: int
    fact_id: str
    aspect: Aspect
    family: str
    copied: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A finished note."""

    doc_id: str
    patient_id: str
    encounter: str
    at: datetime
    note_type: str
    author: str
    title: str
    lang: str
    text: str
    mentions: tuple[Mention, ...]

    @property
    def time(self) -> str:
        """ISO 8601 to the minute."""
        return self.at.strftime("%Y-%m-%dT%H:%M")


@dataclass(slots=True)
class Draft:
    """Blocks in order; `layout` makes the text."""

    blocks: list[Block] = field(default_factory=list)
    inline_headers: bool = False
    width: int = 0

    def layout(self, doc_id: str) -> tuple[str, tuple[Mention, ...]]:
        """The text and the mentions in it. Wrapping turns spaces into line ends, so that no offset moves."""
        text = ""
        found: list[Mention] = []
        before = ""
        for block in self.blocks:
            if text:
                text += _gap(before, block.kind, self.inline_headers)
            start = len(text)
            for number, sent in enumerate(block.sents):
                lead = block.bullet.replace("1.", f"{number + 1}.") if block.kind == "lines" else ""
                text += ("" if number == 0 else "\n" if block.kind == "lines" else " ") + lead
                at = len(text)
                text += sent.text
                found += [
                    Mention(doc_id, at, len(text), m.fact_id, m.aspect, sent.family, bool(sent.copied_from))
                    for m in sent.marks
                ]
            if block.kind == "flow" and self.width:
                line = text.rfind("\n", 0, start) + 1
                text = text[:line] + wrapped(text[line:], self.width)
            before = block.kind
        return text + "\n", tuple(found)


def _gap(before: str, kind: str, inline: bool) -> str:
    if before == "header":
        return " " if inline and kind == "flow" else "\n"
    return "\n\n"


def wrapped(text: str, width: int) -> str:
    r"""Lines of at most `width` characters where a space allows it; only spaces become line ends.

    >>> wrapped("one two three", 7)
    'one two\nthree'
    """
    letters = list(text)
    line, space = 0, -1
    for at, letter in enumerate(letters):
        if letter == "\n":
            line, space = at + 1, -1
        elif letter == " ":
            if at - line > width and space >= line:
                letters[space] = "\n"
                line = space + 1
            space = at
    if len(letters) - line > width and space >= line:
        letters[space] = "\n"
    return "".join(letters)
