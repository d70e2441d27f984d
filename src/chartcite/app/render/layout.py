"""Lines with hanging indents, wrapped to a width, without white space at their ends; and the marks they use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from chartcite.app.words import ENGLISH, Words

MAX_WIDTH = 96
GLUE = "\U000f0000"  # shown as a space where no line may break; a private code point that no text uses


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Signs of our own making, for a terminal that has them and for one that has not."""

    good: str
    bad: str
    dot: str
    dash: str
    more: str
    bar: str
    rule: str


UNICODE = Glyphs(good="✓", bad="✗", dot="·", dash="–", more="…", bar="│", rule="─")
ASCII = Glyphs(good="ok:", bad="no:", dot="-", dash="-", more="...", bar="|", rule="-")


@dataclass(frozen=True, slots=True)
class Paper:
    """What lines are written on: a width in columns, the signs that can be shown, and the language."""

    width: int = 80
    glyphs: Glyphs = UNICODE
    words: Words = ENGLISH

    def hanging(self, head: str | Text, body: str | Text, indent: int = 0) -> list[Text]:
        """`body` wrapped behind `head`, further lines below its beginning; everything `indent` columns in.

        A head that would leave less than half of the width is wrapped together with the body.
        """
        head = head if isinstance(head, Text) else Text(head)
        body = body if isinstance(body, Text) else Text(body)
        if indent + cell_len(head.plain) > self.width // 2 and head.plain.strip():
            head, body = Text("  "), head + body
        column = indent + cell_len(head.plain)
        lines = body.wrap(_ruler(self.width), max(self.width - column, 16), overflow="fold") if body.plain else [Text()]
        out = []
        for n, line in enumerate(lines):
            start = Text(" " * indent) + head if n == 0 else Text(" " * column)
            full = start + line
            full.plain = full.plain.replace(GLUE, " ")
            full.rstrip()
            out.append(full)
        return out


@lru_cache(maxsize=8)
def _ruler(width: int) -> Console:
    return Console(width=width, legacy_windows=False, _environ={})


class PlainConsole(Console):
    """A console that lets the caller end the run when whoever reads the output has left."""

    def on_broken_pipe(self) -> None:
        """Raise instead of exiting."""
        raise BrokenPipeError


def plural(count: int, one: str, many: str = "") -> str:
    """`1 passage`, `1,200 passages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def plain(lines: Iterable[Text]) -> str:
    """Lines without styles, for tests and documents."""
    return "\n".join(line.plain for line in lines)
