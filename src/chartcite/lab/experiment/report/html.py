"""HTML from values. A plain string is always escaped; only what these functions made is markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

# What could hide, reorder or break the text of a page: controls, bidirectional marks, half surrogate pairs.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]"
)


class Markup(str):
    """Finished HTML."""

    __slots__ = ()


def text(value: object) -> Markup:
    """A value as text; markup stays as it is.

    >>> text("<b>&")
    '&lt;b&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(escape(_UNSEEN.sub("\ufffd", str(value))))


def tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element. Attributes that are None are left out; `class_` is `class`.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{shown}>{''.join(map(text, content))}</{name}>")


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Parts one after another."""
    return Markup(between.join(text(part) for part in parts))


def number(value: float | None, digits: int = 3, reason: str = "") -> Markup:
    """A figure as read, with the exact one beside it for programs; a dash with the reason where there is none.

    >>> number(0.71234)
    '<data value="0.71234">0.712</data>'
    """
    if value is None:
        return tag("span", "–", class_="none", title=reason or None)
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.{digits}f}"
    return tag("data", shown.replace("-", "−"), value=repr(value))


def p_value(value: float | None) -> Markup:
    """A p value: three digits, small ones as a bound."""
    if value is None:
        return number(None)
    shown = "< 0.001" if value < 0.001 else "> 0.999" if 0.999 < value < 1 else f"{value:.3f}"
    return tag("data", shown, value=repr(value))


def spanned(
    value: float | None, low: float | None, high: float | None, reason: str = "", *, sign: bool = False
) -> Markup:
    """A figure with its interval below it."""
    if value is None:
        return number(None, reason=reason)
    plus = "+" if sign and value > 0 else ""
    if low is None or high is None:
        return join([plus, number(value)])
    ends = tag("span", number(low), " to ", number(high), class_="span")
    return join([plus, number(value), ends])


def table(head: Sequence[object], rows: Iterable[Sequence[object]], *, left: int = 1, caption: object = "") -> Markup:
    """A table that scrolls by itself when it is wide; the first `left` columns hold words, the others numbers."""

    def row(cells: Sequence[object], name: str) -> Markup:
        made = (
            tag("th" if name == "th" or i == 0 else name, cell, class_=None if i < left else "n",
                scope="col" if name == "th" else "row" if i == 0 else None)
            for i, cell in enumerate(cells)
        )  # fmt: skip
        return tag("tr", *made)

    body = [row(cells, "td") for cells in rows]
    top = tag("caption", caption) if caption else ""
    whole = tag("table", top, tag("thead", row(head, "th")), tag("tbody", *body))
    return tag("div", whole, class_="wide", tabindex=0, role="region", aria_label=caption or "table")


def section(title: str, *content: object, anchor: str) -> Markup:
    """A section with a heading that can be linked to."""
    return tag("section", tag("h2", title), *content, id=anchor)


def folded(title: object, *content: object) -> Markup:
    """What a reader opens when wanted."""
    return tag("details", tag("summary", title), *content)
