"""Foreign text on a terminal: nothing in it may move the cursor, change colours, reorder letters or ring a bell."""

from __future__ import annotations

import unicodedata

_HARMLESS_FORMATS = frozenset("\u00ad\u200c\u200d")  # soft hyphen, (non-)joiners: part of how words are written
_SPACES = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def visible(text: str) -> str:
    r"""Control and format characters as escapes, line ends and tabs kept.

    >>> visible("a\x1b[31mb\u202ec\n")
    'a\\x1b[31mb\\u202ec\n'
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(_escaped(c) if _is_unsafe(c) else c for c in text)


def one_line(text: str) -> str:
    r"""White space folded, the rest as in `visible`.

    >>> one_line("5 mg\n   nightly\x07")
    '5 mg nightly\\x07'
    """
    return visible(" ".join("".join(" " if c in _SPACES else c for c in text).split()))


def _is_unsafe(char: str) -> bool:
    if char in "\n\t" or char in _HARMLESS_FORMATS:
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
