"""The words of a DOCX's paragraphs: what a reader of the page sees, with every tracked change accepted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from chartcite.readers.docx_package import attr
from chartcite.readers.docx_styles import Styles
from chartcite.readers.jats_inline import math_text
from chartcite.readers.left_out import NO_WIDTH, Kind
from chartcite.readers.raised import lowered, raised
from chartcite.readers.symbol_fonts import UNKNOWN, symbol, symbol_of_field

_OPENED = frozenset((
    "ins", "moveTo", "hyperlink", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo", "Choice",
    "rubyBase", "ruby",
))  # fmt: skip
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_TINY_HALF_POINTS = 2
_MOVED_HALF_POINTS = 4
_WHOLE = re.compile(r"-?\d{1,4}", re.ASCII)
_WHITE = "FFFFFF"


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    in_result: bool = False
    shown: bool = False
    box: str = ""


@dataclass(slots=True)
class Words:
    """Words of paragraphs as they are written; fields go on from one paragraph to the next.

    `white_is_seen`: the paragraph stands on a ground that may be coloured. `notes`: marks of notes in their order.
    """

    styles: Styles
    left_out: Counter[Kind]
    note: Callable[[str, str], str]
    white_is_seen: bool = False
    boxes: list[ET.Element] = field(default_factory=list)
    _paragraph: ET.Element | None = None
    _pieces: list[str] = field(default_factory=list)
    _script: str = ""
    _raised: list[str] = field(default_factory=list)
    _fields: list[_Field] = field(default_factory=list)
    _bold: bool = True

    def of(self, paragraph: ET.Element) -> tuple[str, bool]:
        """A paragraph's words, and whether all are bold. Text boxes that hang on it are added to `boxes`."""
        self._paragraph, self._pieces, self._bold = paragraph.find("pPr"), [], True
        self._inside(paragraph)
        self._end_script()
        return "".join(self._pieces), self._bold

    def _inside(self, node: ET.Element) -> None:
        for child in node:
            self._element(child)

    def _element(self, node: ET.Element) -> None:
        tag = node.tag
        if tag == "r":
            self._run(node)
        elif tag in ("del", "moveFrom"):
            self.left_out["deleted"] += sum(len("".join((t.text or "").split())) for t in node.iter() if t.text)
        elif tag == "AlternateContent":
            self._alternative(node)
        elif tag in ("oMath", "oMathPara"):
            self._put(omml_text(node), None)
        elif tag in _OPENED:
            self._inside(node)

    def _alternative(self, node: ET.Element) -> None:
        """Of renderings of one thing, the first."""
        chosen = node.find("Choice") if node.find("Choice") is not None else node.find("Fallback")
        if chosen is not None:
            for child in chosen:
                self._of_run(child, None)

    def _run(self, run: ET.Element) -> None:
        letters = run.find("rPr")
        for child in run:
            if child.tag != "rPr":
                self._of_run(child, letters)

    def _of_run(self, node: ET.Element, letters: ET.Element | None) -> None:
        tag = node.tag
        if tag == "t":
            self._put((node.text or "").translate(NO_WIDTH), letters)
        elif tag in _SIGNS:
            self._put(_SIGNS[tag], letters)
        elif tag == "sym":
            self._put(_sign(node), letters)
        elif tag in ("footnoteReference", "endnoteReference"):
            self._put(self.note(tag, attr(node, "id")), None)
        elif tag in ("fldChar", "instrText"):
            self._field(node)
        elif tag in ("drawing", "pict", "object"):
            self._drawn(node)
        elif tag == "commentReference":
            self.left_out["comments"] += 1
        else:
            self._element(node)

    def _drawn(self, node: ET.Element) -> None:
        """Text boxes are read; pictures, charts and embedded files are counted."""
        found = list(_boxes(node))
        self.boxes += found
        tags = {part.tag for part in node.iter()}
        if tags & {"OLEObject", "chart", "relIds", "control"}:
            self.left_out["embedded"] += 1
        elif tags & {"blip", "imagedata"} or not found:
            self.left_out["pictures"] += 1

    def _field(self, node: ET.Element) -> None:
        if node.tag == "instrText":
            if self._fields:
                self._fields[-1].instruction += (node.text or "")[:1000]
            return
        kind = attr(node, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field(box=_form(node)))
        elif kind == "separate" and self._fields:
            self._fields[-1].in_result = True
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if not ended.shown and (said := ended.box or symbol_of_field(ended.instruction)):
                self._put(said, None)

    def _put(self, text: str, letters: ET.Element | None) -> None:
        if not text or any(not one.in_result for one in self._fields):
            return
        if why := self._why_hidden(letters):
            self.left_out[why] += len("".join(text.split()))
            return
        if UNKNOWN in text:
            self.left_out["signs"] += text.count(UNKNOWN)
        if text.strip():
            for one in self._fields:
                one.shown = True
            self._bold = self._bold and self.styles.is_on("b", letters, self._paragraph)
        script = self._script_of(letters)
        if script != self._script:
            self._end_script()
            self._script = script
        (self._raised if script in ("superscript", "subscript") else self._pieces).append(text)

    def _script_of(self, letters: ET.Element | None) -> str:
        """Set as such, or moved up or down by hand: `10` and a `3` that stands higher is not 103."""
        script = attr(self.styles.first("vertAlign", letters, self._paragraph), "val")
        moved = attr(self.styles.first("position", letters, self._paragraph), "val")
        if (
            script in ("superscript", "subscript")
            or not _WHOLE.fullmatch(moved)
            or abs(int(moved)) < _MOVED_HALF_POINTS
        ):
            return script
        return "superscript" if int(moved) > 0 else "subscript"

    def _end_script(self) -> None:
        if self._raised:
            before, inside = "".join(self._pieces[-20:])[-60:], "".join(self._raised)
            self._pieces.append((raised if self._script == "superscript" else lowered)(before, inside))
            self._raised = []
        self._script = ""

    def _why_hidden(self, letters: ET.Element | None) -> Kind | None:
        on, first = self.styles.is_on, self.styles.first
        place = letters, self._paragraph
        size = attr(first("sz", *place), "val")
        white = attr(first("color", *place), "val").upper() == _WHITE and not self.white_is_seen
        grounded = white and (first("shd", *place) is not None or first("highlight", *place) is not None)
        if on("vanish", *place) or (white and not grounded) or (size.isdigit() and int(size) <= _TINY_HALF_POINTS):
            return "hidden"
        return "struck" if on("strike", *place) or on("dstrike", *place) else None


def _boxes(node: ET.Element) -> Iterator[ET.Element]:
    """The outermost text boxes in a drawing."""
    for child in node:
        if child.tag == "txbxContent":
            yield child
        elif child.tag != "Fallback":
            yield from _boxes(child)


def _sign(node: ET.Element) -> str:
    code = attr(node, "char")
    try:
        return symbol(attr(node, "font"), int(code, 16))
    except ValueError:
        return UNKNOWN


def _form(node: ET.Element) -> str:
    """A form field's box, or the choice of its list."""
    box = node.find("ffData/checkBox")
    if box is not None:
        state = box.find("checked") if box.find("checked") is not None else box.find("default")
        return "☒" if state is not None and attr(state, "val").lower() not in ("0", "false", "off") else "☐"
    choices = [attr(entry, "val") for entry in node.findall("ffData/ddList/listEntry")]
    chosen = attr(node.find("ffData/ddList/result"), "val") or "0"
    return choices[int(chosen)] if chosen.isdigit() and int(chosen) < len(choices) else ""


_MATH = {"f": "mfrac", "sSup": "msup", "sSub": "msub", "sSubSup": "msubsup", "rad": "msqrt", "d": "mfenced"}
_PARTS = frozenset(("num", "den", "e", "sup", "sub", "fName", "lim"))


def omml_text(node: ET.Element) -> str:
    """Word's formulas in a line, as MathML's are."""
    return math_text(_as_mathml(node))


def _as_mathml(node: ET.Element) -> ET.Element:
    made = ET.Element(_MATH.get(node.tag, "mrow"))
    if node.tag == "t":
        made.text = node.text
    for child in node:
        if not child.tag.endswith("Pr") and not (node.tag == "rad" and child.tag == "deg"):
            made.append(_as_mathml(child))
    return made
