"""HTML to the text a reader of the page sees: one linear pass, no parser state to exhaust, nothing fetched.

Blocks, list items and table rows go on lines of their own, cells are separated by ` | `, entities are decoded once,
a no-break space becomes a space. Scripts, styles, comments and elements hidden by attribute or inline style are
dropped. Knows nothing of style sheets.
"""

from __future__ import annotations

import html
import re

_DROPPED = frozenset({"script", "style", "template", "noscript", "title", "iframe", "object", "svg", "select"})
_RAW = frozenset({"script", "style"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_PARAGRAPHS = frozenset({"p", "table", "ul", "ol", "dl", "blockquote", "pre", "hr", "section", "article"})
_PARAGRAPHS |= {"h1", "h2", "h3", "h4", "h5", "h6", "header", "footer"}
_LINES = frozenset({"div", "li", "tr", "dt", "dd", "caption", "thead", "tbody", "tfoot", "address", "figure"})
_LINES |= {"br", "form", "fieldset", "main", "nav", "aside", "body"}
_CELLS = frozenset({"td", "th"})

# Possessive, so that a tag without its end costs one look, not one for each quote in it.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_HIDING = re.compile(
    r"(?:^|\s)hidden(?=[\s=/]|$)|style\s*=\s*[\"'][^\"']*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_PARAGRAPH, _LINE, _CELL = "\x02", "\x03", "\x04"  # marks that cannot be in the text: controls are blanked first
_MARKS = str.maketrans(dict.fromkeys((_PARAGRAPH, _LINE, _CELL, "\x05", "\x06", "\0"), " "))
_IN_PRE = str.maketrans({"\n": "\x05", " ": "\x06", "\t": "\x06"})


def html_to_text(source: str) -> str:
    r"""The visible text of an HTML document or fragment.

    >>> html_to_text("<p>CRP &lt;5</p><ul><li>Walks&nbsp;200 m<li>Eats well</ul>")
    'CRP <5\n\n- Walks 200 m\n- Eats well'
    """
    return _tidy("".join(_Pass().run(source.replace("\r\n", "\n").translate(_MARKS))))


class _Pass:
    """One walk over the source; what is dropped is tracked by the depth of the one element that hides it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._dropping = ""
        self._depth = 0
        self._pre = 0

    def run(self, source: str) -> list[str]:
        at = 0
        while at < len(source):
            start = source.find("<", at)
            if start < 0:
                break
            self._text(source[at:start])
            at = self._markup(source, start)
        self._text(source[max(at, 0) :])
        return self._pieces

    def _markup(self, source: str, start: int) -> int:
        if found := _TAG.match(source, start):
            self._tag(found["name"].lower().rpartition(":")[2], bool(found["end"]), found["attributes"])
            return self._skip_raw(source, found)
        if source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            return end + 3 if end >= 0 else len(source)
        if source.startswith(("<!", "<?"), start):
            end = source.find(">", start)
            return end + 1 if end >= 0 else len(source)
        self._text("<")  # `CRP <5`, unescaped
        return start + 1

    def _skip_raw(self, source: str, found: re.Match[str]) -> int:
        """Scripts and styles end at their end tag only, whatever they hold."""
        name = found["name"].lower()
        if name not in _RAW or found["end"] or found["attributes"].endswith("/"):
            return found.end()
        end = re.compile(f"</{name}", re.IGNORECASE).search(source, found.end())
        return end.start() if end else len(source)

    def _text(self, raw: str) -> None:
        if raw and not self._dropping:
            text = html.unescape(raw).translate(_MARKS).replace("\xa0", " ")
            self._pieces.append(text.translate(_IN_PRE) if self._pre else text)

    def _tag(self, name: str, end: bool, attributes: str) -> None:
        if self._dropping:
            self._leave(name, end, attributes)
            return
        void = name in _VOID or attributes.endswith("/")
        if not end and not void and (name in _DROPPED or (attributes and _HIDING.search(attributes))):
            self._dropping, self._depth = name, 1
            return
        if name == "pre":
            self._pre = max(0, self._pre + (-1 if end else 1))
        self._pieces.append(_mark(name, end))

    def _leave(self, name: str, end: bool, attributes: str) -> None:
        if name != self._dropping or attributes.endswith("/"):
            return
        # A paragraph cannot hold another: the next one ends it, and must not vanish with it.
        self._depth += -1 if end or name == "p" else 1
        if not self._depth:
            self._dropping = ""
            if not end:
                self._tag(name, end, attributes)


def _mark(name: str, end: bool) -> str:
    if name in _PARAGRAPHS:
        return _PARAGRAPH
    if name in _LINES:
        return _LINE + ("- " if name == "li" and not end else "")
    return _CELL if name in _CELLS and not end else ""


def _tidy(text: str) -> str:
    """Collapse white space as a browser does, then turn marks into line ends and cell borders."""
    lines: list[str] = []
    bullet = ""
    for paragraph in _SPACES.sub(" ", text).split(_PARAGRAPH):
        rows = [_row(line) for line in paragraph.split(_LINE)]
        if any(row and row != "-" for row in rows) and lines and not bullet:
            lines.append("")
        for row in rows:
            if row == "-":  # an item that begins with a block: its bullet waits for the first line
                bullet = "- "
            elif row:
                lines.append(bullet + row)
                bullet = ""
    return "\n".join(lines).translate({5: "\n", 6: " "}).strip("\n")


def _row(line: str) -> str:
    cells = [cell.strip() for cell in line.split(_CELL)]
    if len(cells) > 1 and not cells[0]:
        cells = cells[1:]  # nothing stands before the first cell
    return " | ".join(cells) if any(cells) else ""
