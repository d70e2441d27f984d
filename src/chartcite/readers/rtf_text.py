"""RTF to the text of its pages: one pass over the bytes, groups on a stack of our own, nothing run or fetched.

What a tracked change deleted is left out, what it inserted is read. Hidden, white and struck-out words are left out and
counted, as are comments and pictures. Numbers of lists are read where the file states them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from chartcite.core.errors import CorruptSource, LimitExceeded
from chartcite.readers import rtf_words as words
from chartcite.readers.left_out import Kind
from chartcite.readers.page_tables import Piece
from chartcite.readers.rtf_fonts import Font, codec_of_charset, codec_of_page, codec_of_word, decoded
from chartcite.readers.rtf_page import CellProperties, RtfPage
from chartcite.readers.rtf_state import CHANGES, State
from chartcite.readers.symbol_fonts import UNKNOWN, is_symbol_font, symbol, symbol_of_field

_DEEPEST = 120_000
_HEADING = re.compile(r"(?:heading|título|titulo)\s*([1-9])", re.IGNORECASE)
_NO_CHECK = 25  # `\ffres25`: the field has no value of its own


class RtfText:
    """The text of an RTF, once `run` has been called.

    Attributes:
        is_cut: it ended inside a group.
        has_rest: something stands behind its end.
    """

    def __init__(self, data: bytes) -> None:
        self.left_out = Counter[Kind]()
        self.title = self.author = ""
        self.created: dict[str, int] = {}
        self.is_cut = self.has_rest = False
        self._data = data
        self._body = RtfPage()
        self._state = State(self._body)
        self._stack: list[State] = []
        self._codec = "cp1252"
        self._default_font = 0
        self._fonts: dict[int, Font] = {}
        self._colors: list[tuple[int, int, int]] = []
        self._color = [0, 0, 0]
        self._styles: dict[int, int] = {}
        self._name = ""  # of the font or style that is being read
        self._style = (0, 0)  # its number, its outline level
        self._has_ground = words.GROUND.search(data) is not None
        self._raw = bytearray()
        self._to_skip = 0
        self._high = 0
        self._starred = False
        self._notes: list[Piece] = []
        self._note_count = 0
        self._streams: dict[str, list[str]] = {"header": [], "footer": []}
        self._fields: list[list[str]] = []
        self._form = {"fftype": 0, "ffres": _NO_CHECK, "ffdefres": 0}
        self._cells: list[CellProperties] = []
        self._cell = CellProperties()
        self._in_head = False
        self._list_mark: list[str] = []
        self._handlers = self._make_handlers()

    def run(self) -> list[Piece]:
        """Read it all.

        Raises:
            CorruptSource: it is no RTF.
            LimitExceeded: groups in groups without end.
        """
        data, at = self._data, 0
        if not data[:64].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf"):
            raise CorruptSource("the file is not RTF, whatever its name says")
        while at < len(data):
            found = words.TOKEN.match(data, at)
            assert found is not None  # noqa: S101 - every byte begins a token
            at = found.end()
            if found["text"] is not None:
                self._bytes(found["text"])
            elif found["hex"] is not None:
                self._bytes(bytes.fromhex(found["hex"].decode()))
            elif found["brace"] is not None:
                self._flush()
                self._to_skip = 0
                if found["brace"] == b"{":
                    self._open()
                elif not self._close():
                    break
            elif found["word"] is not None:
                at = self._word(found["word"].decode(), found["number"], at)
            elif found["symbol"] is not None:
                self._symbol(found["symbol"].decode("latin-1"))
        self.is_cut = bool(self._stack)
        self.has_rest = not self.is_cut and bool(data[at:].strip(b" \r\n\t\0}\x1a"))
        return self._all()

    def _all(self) -> list[Piece]:
        self._flush()
        while self._stack:
            self._close()
        lines = [[Piece(text) for text in dict.fromkeys(self._streams[kind])] for kind in ("header", "footer")]
        return [*lines[0], *self._body.finish(), *self._notes, *lines[1]]

    # Groups

    def _open(self) -> None:
        if len(self._stack) >= _DEEPEST:
            raise LimitExceeded(f"groups are nested more than {_DEEPEST:,} deep")
        self._stack.append(self._state)
        self._state = replace(self._state, is_field=False)
        self._starred = False

    def _close(self) -> bool:
        """The group ends; whether it was inside another."""
        if not self._stack:
            return False
        old, self._state = self._state, self._stack.pop()
        if old.kind != self._state.kind:
            self._end_kind(old)
        if old.page is not self._state.page:
            self._end_page(old.page)
        if old.is_field and self._fields:
            instruction, shown = self._fields.pop()
            if not shown and (sign := symbol_of_field(instruction)):
                self._put(sign)
        return bool(self._stack)

    def _end_kind(self, old: State) -> None:
        kind = old.kind
        if kind in ("fonts", "styles") and self._name:
            self._end_name(kind)
        elif kind == "form" and self._form["fftype"] == 1:
            result = self._form["ffres"]
            checked = self._form["ffdefres"] if result == _NO_CHECK else result
            self._state.page.put("☒" if checked else "☐")
        elif kind == "list":
            mark = "".join(self._list_mark).strip()
            self._list_mark = []
            is_bullet = len(mark) == 1 and (not mark.isalnum() or mark == "o")
            self._state.page.list_mark = "- " if is_bullet else f"{mark} " if mark else ""

    def _end_page(self, page: RtfPage) -> None:
        """A header, footer, note or box ends."""
        pieces = page.finish()
        if page.kind == "box":
            self._state.page.boxes += pieces
        elif page.kind == "note":
            self._notes += pieces
        else:
            self._streams[page.kind] += [piece.text for piece in pieces]

    def _destination(self, word: str) -> bool:
        """Whether the word says what kind of group this is; then it is one from here on."""
        state, starred = self._state, self._starred
        self._starred = False
        if inside := words.INSIDE.get((state.kind, word)):
            state.kind = inside
            self._form = {"fftype": 0, "ffres": _NO_CHECK, "ffdefres": 0} if inside == "form" else self._form
            return True
        if state.kind == "shape" and word in words.BOXES:
            state.kind, state.page = "text", RtfPage("box")
            state.in_table, state.level = False, 0
            return True
        if state.kind not in ("text", "list", "styles", "fonts"):
            return starred
        if word in words.STREAMS and state.kind == "text":
            self._begin_stream(words.STREAMS[word])
        elif word in ("listtext", "pntext"):
            state.kind = "list"
        elif word in words.KINDS:
            state.kind = words.KINDS[word]
            self.left_out["comments"] += state.kind == "comment"
            self.left_out["embedded"] += state.kind == "object"
        elif word in words.SKIPPED or starred:
            self.left_out["pictures"] += word in ("pict", "shppict") and state.kind == "text"
            state.kind = "skip"
        else:
            return False
        return True

    def _begin_stream(self, kind: str) -> None:
        self._note_count += kind == "note"
        self._state.page = RtfPage(kind, self._note_count)
        self._state.in_table, self._state.level, self._state.script = False, 0, ""

    # Words

    def _word(self, word: str, digits: bytes | None, at: int) -> int:
        """One control word; where the next token begins."""
        self._flush()
        number = int(digits) if digits else None
        if word == "bin":
            return at + max(0, number or 0)
        if word in words.CHARACTERS and self._to_skip:
            self._to_skip -= 1
            return at
        self._to_skip = 0
        if word == "u":
            self._unicode(number or 0)
        elif word == "rtf" or self._destination(word):
            pass
        elif word == "field":
            self._state.is_field = True
            self._fields.append(["", ""])
        elif self._state.kind in ("text", "list", "props"):
            self._of_page(word, number)
        else:
            self._of_tables(word, number)
        return at

    def _of_page(self, word: str, number: int | None) -> None:
        if word in words.CHARACTERS:
            self._put(words.CHARACTERS[word])
        elif change := CHANGES.get(word):
            change(self._state, number)
        elif handler := self._handlers.get(word):
            handler(number or 0)
        elif codec := codec_of_word(word):
            self._codec = codec

    def _of_tables(self, word: str, number: int | None) -> None:
        """Words inside the tables of fonts, colours and styles, in forms and in what the file says of itself."""
        kind, value = self._state.kind, number or 0
        if kind == "fonts" and word == "f":
            self._state.font, self._name = value, ""
            self._fonts[value] = Font()
        elif kind == "fonts" and word in ("fcharset", "cpg"):
            codec = codec_of_charset(value) if word == "fcharset" else codec_of_page(value)
            self._fonts.setdefault(self._state.font, Font()).codec = codec
        elif kind == "colors" and word in ("red", "green", "blue"):
            self._color[("red", "green", "blue").index(word)] = value
        elif kind == "styles" and word in ("s", "outlinelevel"):
            self._style = (value, self._style[1]) if word == "s" else (self._style[0], value + 1)
        elif kind == "form" and word in self._form:
            self._form[word] = value
        elif kind == "created" and word in ("yr", "mo", "dy"):
            self.created[word] = value

    def _symbol(self, sign: str) -> None:
        self._flush()
        if sign == "*":
            self._starred = True
        elif sign in "\r\n":
            self._to_skip = 0
            self._end_paragraph()
        elif sign in words.SYMBOLS:
            if self._to_skip:
                self._to_skip -= 1
            else:
                self._put(words.SYMBOLS[sign])

    # Characters

    def _bytes(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if self._state.kind not in ("skip", "shape", "upr", "props", "comment"):
            self._raw += data

    def _flush(self) -> None:
        """Bytes that were gathered become characters, by the font that they stand in."""
        if not self._raw:
            return
        data = bytes(self._raw)
        self._raw.clear()
        kind = self._state.kind
        if kind in ("fonts", "styles", "colors"):
            self._of_entries(kind, data.decode("latin-1"))
            return
        font = self._fonts.get(self._state.font)
        if font and is_symbol_font(font.name) and kind in ("text", "list"):
            self._put("".join(symbol(font.name, code) for code in data))
            return
        text, wrong = decoded(data, (font.codec if font else "") or self._codec)
        self.left_out["signs"] += wrong
        self._put(text)

    def _unicode(self, number: int) -> None:
        code = number & 0xFFFF if number < 0 else number
        self._to_skip = self._state.skip_chars
        font = self._fonts.get(self._state.font)
        if 0xD800 <= code < 0xDC00:
            self._high = code
        elif 0xDC00 <= code < 0xE000:
            self._put(chr(0x10000 + ((self._high - 0xD800) << 10) + code - 0xDC00) if self._high else UNKNOWN)
            self._high = 0
        elif font and is_symbol_font(font.name) and 0xF000 <= code <= 0xF0FF:
            self._put(symbol(font.name, code))
        elif code <= 0x10FFFF:
            self._put(chr(code))

    def _put(self, text: str) -> None:
        """Characters, to wherever those of this kind of group go."""
        state, kind = self._state, self._state.kind
        if kind == "text":
            self._visible(text)
        elif kind == "list":
            self._list_mark.append(text)
        elif kind == "field" and self._fields:
            self._fields[-1][0] += text[: 1000 - len(self._fields[-1][0])]
        elif kind == "title":
            self.title = (self.title + text)[:1000]
        elif kind == "author":
            self.author = (self.author + text)[:1000]
        elif state.kind == "upr":
            return

    def _visible(self, text: str) -> None:
        state = self._state
        if why := state.why_hidden:
            self.left_out[why] += len("".join(text.split()))
            return
        self.left_out["signs"] += text.count(UNKNOWN) if UNKNOWN in text else 0
        if self._fields and text.strip():
            self._fields[-1][1] = "shown"
        state.page.put(text, state.script, bold=state.bold)

    def _of_entries(self, kind: str, text: str) -> None:
        """Names of fonts and styles, and the ends of colours."""
        for number, part in enumerate(text.split(";")):
            if number and kind == "colors":
                self._colors.append((self._color[0], self._color[1], self._color[2]))
                self._color = [0, 0, 0]
            elif number:
                self._end_name(kind)
            self._name += part if kind != "colors" else ""

    def _end_name(self, kind: str) -> None:
        name, self._name = self._name.strip(), ""
        if kind == "fonts":
            self._fonts.setdefault(self._state.font, Font()).name = name
            return
        number, outline = self._style
        self._style = (0, 0)
        heading = _HEADING.match(name)
        depth = int(heading[1]) if heading else 1 if name.lower() == "title" else outline
        if 0 < depth <= 9:
            self._styles[number] = min(depth, 6)

    # Paragraphs, cells, rows

    def _end_paragraph(self) -> None:
        state = self._state
        if state.kind == "text":
            depth = state.outline or self._styles.get(state.style, 0)
            state.page.end_paragraph(state.table_level, 0 if state.table_level else depth)

    def _end_row(self, level: int) -> None:
        self._state.page.end_row(level, tuple(self._cells), in_head=self._in_head)

    def _make_handlers(self) -> dict[str, Callable[[int], None]]:
        """Control words that end or begin something, or need a table of the file."""
        return {
            **dict.fromkeys(words.PARAGRAPH_ENDS, lambda _: self._end_paragraph()),
            "line": lambda _: self._put("\n"),
            "lbr": lambda _: self._put("\n"),
            "plain": lambda _: self._plain(),
            "cf": self._colour,
            "ansicpg": self._code_page,
            "deff": self._font_by_default,
            "chftn": lambda _: self._note_mark(),
            "trowd": lambda _: self._begin_row(),
            "cellx": self._end_cell_properties,
            "clvmrg": lambda _: setattr(self._cell, "goes_down", True),
            "clmrg": lambda _: setattr(self._cell, "goes_right", True),
            "trhdr": lambda _: setattr(self, "_in_head", True),
            "cell": lambda _: self._state.page.end_cell(1),
            "nestcell": lambda _: self._state.page.end_cell(max(2, self._state.level)),
            "row": lambda _: self._end_row(1),
            "nestrow": lambda _: self._end_row(max(2, self._state.level)),
        }

    def _plain(self) -> None:
        state = self._state
        state.font, state.script = self._default_font, ""
        state.hidden = state.struck = state.deleted = state.white = state.tiny = state.bold = False

    def _colour(self, at: int) -> None:
        is_white = 0 <= at < len(self._colors) and self._colors[at] == (255, 255, 255)
        self._state.white = is_white and not self._has_ground

    def _code_page(self, number: int) -> None:
        self._codec = codec_of_page(number) or self._codec

    def _font_by_default(self, number: int) -> None:
        self._default_font = self._state.font = number

    def _note_mark(self) -> None:
        page = self._state.page
        page.put(f"[{page.number}] " if page.kind == "note" else f" [{self._note_count + 1}]")

    def _begin_row(self) -> None:
        self._cells, self._cell, self._in_head = [], CellProperties(), False

    def _end_cell_properties(self, edge: int) -> None:
        self._cell.edge = edge
        self._cells.append(self._cell)
        self._cell = CellProperties()
