"""A stretch of text that identifies somebody, and its kind."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

Kind = Literal[
    "name", "date", "age", "id", "phone", "email", "url", "ip", "plate", "address", "postcode", "place"
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class Mention(NamedTuple):
    """Half-open `[start, end)` in code points of the text it was found in."""

    start: int
    end: int
    kind: Kind
