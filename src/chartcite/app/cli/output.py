"""Writing: lines for people and JSON for programs on stdout, everything else on stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from chartcite.app.render.layout import Paper
    from chartcite.app.words import Language, OutputLanguage, Words

# Legal inside JSON strings, and only there; harmful or invisible on a terminal.
_UNSAFE = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


NARROWEST = 20


def console(stream: TextIO) -> Console:
    """A console that takes text as it is: no markup, no emoji names, no highlighting."""
    from chartcite.app.render.layout import PlainConsole  # noqa: PLC0415

    made = PlainConsole(file=stream, markup=False, emoji=False, highlight=False, legacy_windows=False)
    made.width = max(made.width, NARROWEST)  # a terminal of no width shows nothing at all
    return made


def paper(words: Words | None = None) -> Paper:
    """The width of stdout, at most 96 columns, the signs that it can show, and the language that is spoken."""
    from chartcite.app.render.layout import ASCII, MAX_WIDTH, UNICODE, Paper  # noqa: PLC0415

    glyphs = UNICODE if _is_unicode(sys.stdout) else ASCII
    return Paper(min(console(sys.stdout).width, MAX_WIDTH), glyphs, words or spoken())


_wanted: list[OutputLanguage] = ["auto"]
_heard: list[Language] = ["en"]


def speak(language: OutputLanguage) -> None:
    """What language people want; `auto`: that of the question, English where there is none."""
    _wanted[:], _heard[:] = [language], ["en"]


def listen(question: str) -> None:
    """Hear in what language somebody asks."""
    from chartcite.facts.language import question_language  # noqa: PLC0415

    _heard[:] = [question_language(question)]


def spoken(asked_in: Language | None = None) -> Words:
    """The words to speak in, to who asked in that language; by default the last one heard."""
    from chartcite.app.words import Words  # noqa: PLC0415

    return Words((asked_in or _heard[0]) if _wanted[0] == "auto" else _wanted[0])


def print_lines(lines: Iterable[Text]) -> None:
    """Lines that are wrapped already."""
    out = console(sys.stdout)
    for line in lines:
        out.print(line, no_wrap=True, overflow="ignore", crop=False)


def print_json(value: object, *, indent: int | None = 2) -> None:
    """One JSON value in UTF-8, whatever the terminal's encoding; without `indent`, one line."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    _raw(sys.stdout, _UNSAFE.sub(_escape, text) + "\n")


def print_text(text: str) -> None:
    """Text of a file format of our own, in UTF-8 as it is."""
    _raw(sys.stdout, text)


def warn(text: str) -> None:
    """One line on stderr."""
    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    print(one_line(text), file=sys.stderr, flush=True)


def settle_streams() -> None:
    """Characters that a stream's encoding lacks are written as escapes instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _raw(stream: Any, text: str) -> None:
    stream.flush()
    if hasattr(stream, "buffer"):
        stream.buffer.write(text.encode())
        stream.buffer.flush()
    else:
        stream.write(text)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


@lru_cache(maxsize=4)
def _is_unicode(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", "") or "").lower().replace("_", "-").startswith(("utf-8", "utf8"))
