"""Fonts that show signs where other fonts have letters: `³` in Symbol is `≥`, and must never be lost.

The Symbol table is Adobe's Symbol encoding, as Unicode's `symbol.txt` maps it; of the Wingdings only the ticks, boxes,
bullets and arrows that forms use. A sign that is not known is U+FFFD, and is counted by whoever asks.
"""

from __future__ import annotations

import re

UNKNOWN = "\ufffd"
_SYMBOL = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_WINGDINGS = {
    0x28: "☎", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒",
    0x75: "◆", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓",
    0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐", 0x97: "●", 0x98: "•"}
_WEBDINGS = {0x61: "✓", 0x63: "☐", 0x67: "■", 0x72: "✗"}
_FIELD = re.compile(r"\s*SYMBOL\s+(0x[0-9A-Fa-f]+|\d+)\b(.*)", re.IGNORECASE | re.DOTALL)
_FONT = re.compile(r"\\f\s+\"?([\w ]+)")


def is_symbol_font(name: str) -> bool:
    """Whether its letters are signs."""
    return name.strip().lower() in ("symbol", "symbol mt", "wingdings", "wingdings 2", "webdings")


def symbol(font: str, code: int) -> str:
    """The sign at a code of such a font; codes of the private use area, `F0B3`, are those of one byte.

    >>> symbol("Symbol", 0xB3), symbol("Symbol", 0xF06D), symbol("Wingdings", 0xFE), symbol("Wingdings", 0x21)
    ('≥', 'μ', '☑', '�')
    """
    at = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    known = font.strip().lower()
    if known in ("symbol", "symbol mt"):
        if 0x20 <= at < 0x20 + len(_SYMBOL):
            return _SYMBOL[at - 0x20]
        return _SYMBOL_HIGH[at - 0xA0] if 0xA0 <= at < 0xA0 + len(_SYMBOL_HIGH) else UNKNOWN
    table = {"wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "webdings": _WEBDINGS}.get(known, {})
    return " " if at == 0x20 else table.get(at, UNKNOWN)


def symbol_of_field(instruction: str) -> str:
    r"""The sign of a field such as `SYMBOL 179 \f "Symbol"`; empty for another field.

    >>> symbol_of_field(' SYMBOL 179 \\f "Symbol" \\s 10 '), symbol_of_field("PAGE")
    ('≥', '')
    """
    found = _FIELD.match(instruction)
    if not found:
        return ""
    code = int(found[1], 0)
    font = _FONT.search(found[2])
    if font and is_symbol_font(font[1]):
        return symbol(font[1], code)
    return bytes([code]).decode("cp1252", "replace") if code < 256 else chr(code) if code < 0xD800 else UNKNOWN
