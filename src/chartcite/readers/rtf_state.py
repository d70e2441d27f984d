"""What a group of an RTF inherits and gives back, and the control words that change nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chartcite.readers.left_out import Kind
from chartcite.readers.rtf_page import RtfPage

_TINY_HALF_POINTS = 2


@dataclass(slots=True)
class State:
    """The state of a group. `kind` says where its characters go, `color` is a place in the table of colours."""

    page: RtfPage
    kind: str = "text"
    skip_chars: int = 1
    font: int = 0
    hidden: bool = False
    struck: bool = False
    deleted: bool = False
    white: bool = False
    tiny: bool = False
    bold: bool = False
    script: str = ""
    in_table: bool = False
    level: int = 0
    outline: int = 0
    style: int = 0
    is_field: bool = False

    @property
    def why_hidden(self) -> Kind | None:
        """The reason why characters are not read; None for those that are."""
        if self.deleted:
            return "deleted"
        if self.hidden or self.white or self.tiny:
            return "hidden"
        return "struck" if self.struck else None

    @property
    def table_level(self) -> int:
        """In how many tables a paragraph stands."""
        return max(1, self.level) if self.in_table else 0


Change = Callable[[State, int | None], None]


def _set(field: str) -> Change:
    """A word that switches something on, and off with a 0 behind it."""
    return lambda state, number: setattr(state, field, number != 0)


def _number(field: str, least: int = 0, default: int = 0) -> Change:
    """A word with a number."""
    return lambda state, number: setattr(state, field, max(least, default if number is None else number))


def _script(kind: str) -> Change:
    return lambda state, number: setattr(state, "script", "" if number == 0 else kind)


def _paragraph_default(state: State, number: int | None) -> None:  # noqa: ARG001 - as all of them
    state.in_table, state.level, state.outline, state.style = False, 0, 0, 0


def _outline(state: State, number: int | None) -> None:
    state.outline = min((number or 0) + 1, 6) if (number or 0) < 9 else 0


def _size(state: State, number: int | None) -> None:
    state.tiny = number is not None and number <= _TINY_HALF_POINTS


CHANGES: dict[str, Change] = {
    "pard": _paragraph_default, "v": _set("hidden"), "deleted": _set("deleted"), "b": _set("bold"),
    "strike": _set("struck"), "striked": _set("struck"), "fs": _size, "intbl": _set("in_table"),
    "super": _script("super"), "up": _script("super"), "sub": _script("sub"), "dn": _script("sub"),
    "nosupersub": _script(""), "outlinelevel": _outline, "f": _number("font"), "s": _number("style"),
    "itap": _number("level"), "uc": _number("skip_chars", default=1),
}  # fmt: skip
