"""HTML to the text a reader of the page sees: one linear pass, no parser state to exhaust, nothing fetched.

Blocks, list items and table rows go on lines of their own, headers are written as Markdown has them, entities are
decoded once, a no-break space becomes a space. Scripts, styles and comments are dropped; what a reader cannot see or
what is struck out is left out and counted. Of style sheets only rules that hide one class or id are known.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass

from chartcite.core.documents import Span
from chartcite.readers import html_tags as tags
from chartcite.readers.html_lines import IN_PRE, PageLines
from chartcite.readers.left_out import NO_WIDTH, Kind
from chartcite.readers.table_rows import span_of

_MARKS = str.maketrans(dict.fromkeys("\0\2\3\4\5\6", " ")) | NO_WIDTH
_SHOWN_INPUTS = frozenset(("", "text", "number", "date", "datetime-local", "time", "month", "email", "tel", "search"))


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page's text, where rows of its tables stand, what it says of itself, and how much was left out by reason."""

    text: str
    units: tuple[Span, ...]
    title: str
    author: str
    lang: str
    left_out: Counter[Kind]


def html_to_text(source: str) -> str:
    r"""The visible text of an HTML document or fragment.

    >>> html_to_text("<p>CRP &lt;5</p><ul><li>Walks&nbsp;200 m<li>Eats well</ul>")
    'CRP <5\n\n- Walks 200 m\n- Eats well'
    """
    return read_page(source).text


def read_page(source: str) -> HtmlPage:
    """All that is read of a page."""
    made = _Pass(source.replace("\r\n", "\n").translate(_MARKS))
    made.run()
    text, units = made.lines.finish()
    return HtmlPage(text, units, made.title, made.author, made.lang, made.left_out)


class _Pass:
    """One walk over the source; what is dropped is tracked by the depth of the one element that hides it."""

    def __init__(self, source: str) -> None:
        self.lines = PageLines()
        self.title = self.author = self.lang = ""
        self.left_out = Counter[Kind]()
        self._source = source
        self._white_is_hidden = not tags.has_background(source)
        self._hiding: dict[str, Kind] = {}
        self._dropping = ""
        self._why: Kind | None = None
        self._depth = self._inner = 0
        self._pre = 0

    def run(self) -> None:
        """From the first character to the last."""
        source, at = self._source, 0
        while at < len(source):
            start = source.find("<", at)
            if start < 0:
                break
            self._text(source[at:start])
            at = self._markup(start)
        self._text(source[at:])

    def _markup(self, start: int) -> int:
        source = self._source
        if found := tags.TAG.match(source, start):
            name = found["name"].lower().rpartition(":")[2]
            written = found["attributes"]
            self._tag(name, bool(found["end"]), written)
            is_raw = name in tags.RAW and not found["end"] and not written.endswith("/")
            return self._raw(name, found["name"], found.end()) if is_raw else found.end()
        if source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            return end + 3 if end >= 0 else len(source)
        if source.startswith(("<!", "<?"), start):
            end = source.find(">", start)
            return end + 1 if end >= 0 else len(source)
        self._text("<")  # `CRP <5`, unescaped
        return start + 1

    def _raw(self, name: str, written: str, at: int) -> int:
        """The text of an element that ends at its end tag only; where that begins."""
        found = re.compile(f"</{written}", re.IGNORECASE).search(self._source, at)
        end = found.start() if found else len(self._source)
        inside = self._source[at:end]
        if name == "title" and not self.title:
            self.title = " ".join(html.unescape(inside).split())[:500]
        elif name == "style":
            self._hiding |= tags.hidden_names(inside, white_is_hidden=self._white_is_hidden)
        elif name == "textarea":
            self._text(inside)
        return end

    def _text(self, raw: str) -> None:
        if not raw:
            return
        if self._dropping:
            if self._why:
                self.left_out[self._why] += len("".join(raw.split()))
            return
        text = html.unescape(raw).translate(_MARKS).replace("\xa0", " ")
        self.lines.text(text.translate(IN_PRE) if self._pre else text)

    def _tag(self, name: str, end: bool, written: str) -> None:
        if self._dropping:
            self._leave(name, end, written)
            return
        attributes = tags.attributes_of(written) if written and not end else {}
        if not end and self._drops(name, attributes, written):
            return
        if name == "pre":
            self._pre = max(0, self._pre + (-1 if end else 1))
        if name in tags.VOID:
            self._void(name, attributes)
        elif name in ("table", "tr", "td", "th", "thead", "tbody", "tfoot"):
            self._table(name, end, attributes)
        else:
            self._block(name, end, attributes)

    def _drops(self, name: str, attributes: dict[str, str], written: str) -> bool:
        """Begin to drop what is inside an element, where that is not read."""
        if not written and name not in tags.NEVER_PLAIN:
            return False
        why = tags.why_hidden(name, attributes, self._hiding, white_is_hidden=self._white_is_hidden)
        unchosen = name == "option" and "selected" not in attributes
        if not (why or unchosen or name in tags.DROPPED):
            return False
        if name not in tags.VOID and not written.endswith("/"):
            self._dropping, self._why, self._depth, self._inner = name, why, 1, 0
        return True

    def _leave(self, name: str, end: bool, written: str) -> None:
        """Find the end of what is dropped, also where its end tag is missing: what follows must not vanish with it."""
        if written.endswith("/") and name != self._dropping:
            return
        if not self._inner and tags.closes(self._dropping, name, end=end):
            self._dropping, self._why = "", None
            self._tag(name, end, written)
        elif name == self._dropping:
            self._depth += -1 if end else 0 if written.endswith("/") else 1
            if not self._depth:
                self._dropping, self._why = "", None
        elif name in tags.HOLDERS:
            self._inner = max(0, self._inner + (-1 if end else 1))

    def _void(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            self.lines.end_line()
        elif name == "hr":
            self.lines.paragraph()
        elif name == "meta" and attributes.get("name", "").lower() in ("author", "dc.creator", "dcterms.creator"):
            self.author = self.author or " ".join(attributes.get("content", "").split())[:200]
        elif name == "input":
            kind = attributes.get("type", "").lower()
            if kind in ("checkbox", "radio"):
                self.lines.text(" ☒ " if "checked" in attributes else " ☐ ")
            elif kind in _SHOWN_INPUTS:
                self.lines.text(f" {attributes.get('value', '')} ".translate(_MARKS))

    def _table(self, name: str, end: bool, attributes: dict[str, str]) -> None:
        lines = self.lines
        if name == "table":
            lines.end_table() if end else lines.begin_table()
        elif name == "tr":
            lines.end_row() if end else lines.begin_row()
        elif name in ("td", "th"):
            across, down = span_of(attributes.get("colspan")), span_of(attributes.get("rowspan"))
            lines.end_cell() if end else lines.begin_cell(across, down, is_head=name == "th")
        else:
            lines.begin_group(is_head=name == "thead" and not end)

    def _block(self, name: str, end: bool, attributes: dict[str, str]) -> None:
        lines = self.lines
        if name == "html" and not end:
            self.lang = self.lang or attributes.get("lang", attributes.get("xml:lang", ""))
        elif name in ("ul", "ol"):
            start = attributes.get("start", "1")
            first = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1
            lines.end_list() if end else lines.begin_list(first if name == "ol" else -1)
        elif name == "li":
            lines.end_line() if end else lines.item()
        elif name in tags.HEADERS:
            lines.header(0 if end else tags.HEADERS[name])
        elif name in ("sup", "sub"):
            lines.end_script() if end else lines.begin_script(name)
        elif name in tags.PARAGRAPHS:
            lines.paragraph()
        elif name in tags.LINES:
            lines.end_line()
