"""What HTML's elements do to the text of a page: which break it, which vanish, and which of their attributes hide."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from chartcite.readers.left_out import Kind

DROPPED = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "title",
        "iframe",
        "frame",
        "object",
        "svg",
        "audio",
        "video",
        "datalist",
    )
)
RAW = frozenset(("script", "style", "title", "textarea"))
"""Their text ends at their end tag only, whatever it holds."""
STRUCK = frozenset(("del", "s", "strike"))
NEVER_PLAIN = DROPPED | STRUCK | {"option"}
"""Elements whose text may vanish without any attribute."""
VOID = frozenset((
    "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))  # fmt: skip
PARAGRAPHS = frozenset((
    "p", "ul", "ol", "dl", "blockquote", "pre", "hr", "section", "article", "header", "footer", "table",
))  # fmt: skip
LINES = frozenset((
    "div", "li", "dt", "dd", "caption", "address", "figure", "figcaption", "br", "form", "fieldset", "legend", "main",
    "nav", "aside", "body", "center", "option", "summary", "details", "tr", "thead", "tbody", "tfoot",
))  # fmt: skip
HEADERS = {f"h{n}": n for n in range(1, 7)}
HOLDERS = frozenset(("table", "ul", "ol", "dl", "select"))
_ROWS = frozenset(("tr", "thead", "tbody", "tfoot"))
_CLOSED_BY_START = {
    "p": PARAGRAPHS | HEADERS.keys() | {"div", "form", "fieldset", "address", "main", "nav", "aside", "figure"},
    "li": {"li"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "option": {"option", "optgroup"},
    "td": {"td", "th"} | _ROWS, "th": {"td", "th"} | _ROWS, "tr": _ROWS,
}  # fmt: skip
_CLOSED_BY_END = {
    "p": {"div", "td", "th", "li", "body", "section", "article", "blockquote", "form"}, "li": {"ul", "ol"},
    "dt": {"dl"}, "dd": {"dl"}, "option": {"select", "datalist", "optgroup"}, "td": {"table"} | _ROWS,
    "th": {"table"} | _ROWS, "tr": {"table", "thead", "tbody", "tfoot"},
}  # fmt: skip

# Possessive, so that a tag without its end costs one look, not one for each quote in it.
TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_ATTRIBUTE = re.compile(r"([^\s=/\"'<>]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++)))?")
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?(?![.\d])"
    r"|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?(?![.\d])|font-size\s*:\s*1(?:px|pt)|mso-hide\s*:\s*all"
    r"|(?:text-indent|left|top)\s*:\s*-\d{4,}",
    re.IGNORECASE,
)
_STRUCK_THROUGH = re.compile(r"text-decoration[\w-]*\s*:[^;]*line-through", re.IGNORECASE)
_WHITE_NAMES = r"(?:white|#fff(?:fff)?\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))"
_WHITE = re.compile(rf"(?:^|[;\s])color\s*:\s*{_WHITE_NAMES}", re.IGNORECASE)
_WHITE_FONT = re.compile(rf"{_WHITE_NAMES}$", re.IGNORECASE)
_BACKGROUND = re.compile(
    r"(?:background(?:-color|-image)?\s*:|bgcolor\s*=|background\s*=)\s*[\"']?\s*([^\s;\"'>}]+)", re.IGNORECASE
)
_NO_BACKGROUND = re.compile(rf"{_WHITE_NAMES}|transparent|none|inherit|initial", re.IGNORECASE)
_MEDIA = re.compile(r"@[^{};]*+\{(?:[^{}]*+\{[^{}]*+\})*+[^{}]*+\}?")
"""What holds on paper or on a small screen only is nothing here."""
_RULE = re.compile(r"([^{}@]*+)\{([^{}]*+)\}")
_SIMPLE = re.compile(r"\s*[a-zA-Z]*([.#][\w-]+)\s*")


def attributes_of(written: str) -> dict[str, str]:
    """Attributes of a tag by their name in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found


def closes(name: str, by: str, *, end: bool) -> bool:
    """Whether an element whose end tag may be missing ends where another begins, or ends.

    >>> closes("p", "div", end=False), closes("td", "tr", end=True), closes("div", "p", end=False)
    (True, True, False)
    """
    return by in (_CLOSED_BY_END if end else _CLOSED_BY_START).get(name, ())


def has_background(source: str) -> bool:
    """Whether anything on the page may stand on a ground that is not white."""
    return any(not _NO_BACKGROUND.match(found) for found in _BACKGROUND.findall(source))


def hidden_names(sheet: str, *, white_is_hidden: bool) -> dict[str, Kind]:
    """Classes (`.x`) and ids (`#x`) that a style sheet hides, or strikes out, by a rule for them alone."""
    outside = re.sub(r"/\*.*?\*/", "", sheet[:1_000_000], flags=re.DOTALL)
    names: dict[str, Kind] = {}
    for selectors, body in _RULE.findall(_MEDIA.sub("", outside)):
        if why := _why_by_style(body, white_is_hidden=white_is_hidden):
            names |= {found[1]: why for one in selectors.split(",") if (found := _SIMPLE.fullmatch(one))}
    return names


def _why_by_style(style: str, *, white_is_hidden: bool) -> Kind | None:
    if _STRUCK_THROUGH.search(style):
        return "struck"
    return "hidden" if _INVISIBLE.search(style) or (white_is_hidden and _WHITE.search(style)) else None


def why_hidden(
    name: str, attributes: Mapping[str, str], hiding: Mapping[str, Kind], *, white_is_hidden: bool
) -> Kind | None:
    """The reason why the text of an element is not read; None for one that is."""
    if name in STRUCK:
        return "struck"
    if why := _why_by_style(attributes.get("style", ""), white_is_hidden=white_is_hidden):
        return why
    if "hidden" in attributes or attributes.get("aria-hidden", "").lower() == "true":
        return "hidden"
    if hiding:
        names = (*(f".{one}" for one in attributes.get("class", "").split()), f"#{attributes.get('id', '')}")
        if found := next((one for one in names if one in hiding), None):
            return hiding[found]
    return "hidden" if white_is_hidden and _WHITE_FONT.match(attributes.get("color", "")) else None
