"""Characters that a person does not see, and the text as it is seen: `5`, a zero-width space and `0` are 50.

The stored text keeps them, and quotes are slices of it. Whoever looks for words or numbers looks at the text without
them, and asks `Seen` for the way back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from chartcite.core.documents import Span

UNSEEN: Final = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
"""For a class of a pattern: soft hyphen, spaces and joiners of no width, marks of direction, variations, tags."""

_UNSEEN = re.compile(f"[{UNSEEN}]")
_RUN = re.compile(f"[{UNSEEN}]+")


def seen(text: str) -> str:
    r"""The text as it is seen; the very text where nothing is unseen. Linear.

    >>> seen("N\u200bo f\u00adever, 5\u20600 mg")
    'No fever, 50 mg'
    """
    if text.isascii() or _UNSEEN.search(text) is None:
        return text
    return _RUN.sub("", text)


def look(source: str) -> Seen:
    """The text as it is seen, with the way back."""
    return Seen(source, seen(source))


@dataclass(frozen=True)
class Seen:
    """A text as it is seen: `text` is `source` itself where all is seen."""

    source: str
    text: str

    @property
    def is_all(self) -> bool:
        """Whether there is nothing that is not seen."""
        return self.text is self.source

    @cached_property
    def _places(self) -> list[int]:
        """For each character of `text` its place in `source`; ascending."""
        return [at for at, char in enumerate(self.source) if _UNSEEN.match(char) is None]

    def span(self, found: Span) -> Span:
        """Where a span of `text` stands in `source`; what is not seen at its ends is outside.

        >>> look("No 5\u200b0 mg").span(Span(3, 5))
        Span(start=3, end=6)
        """
        if self.is_all:
            return found
        start, end = found
        if start == end:
            at = self._places[start] if start < len(self._places) else len(self.source)
            return Span(at, at)
        return Span(self._places[start], self._places[end - 1] + 1)

    def shown(self, stored: Span) -> Span:
        """Where a span of `source` stands in `text`."""
        if self.is_all:
            return stored
        return Span(bisect_left(self._places, stored.start), bisect_left(self._places, stored.end))
