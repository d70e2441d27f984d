"""Text of a document as markup whose text content is the text itself, character by character.

A browser turns CR LF into LF and lets a direction mark reorder what stands around it. A carriage return is therefore
written as a reference; a control or direction character stands in an element of its own, which isolates it and shows
its code point (`page.css`). What HTML cannot hold at all, NUL and half surrogate pairs, is shown as U+FFFD.
"""

from __future__ import annotations

import unicodedata

from markupsafe import Markup, escape

_KEPT_FORMATS = frozenset("\u00ad\u200c\u200d\ufeff")
"""Part of how words and emoji are written; alone in an element they would no longer join."""


def exact(text: str) -> Markup:
    r"""Escaped, so that the element's text content equals `text` code point for code point.

    >>> str(exact("a\r\n<b>\u202e5"))
    'a&#13;\n&lt;b&gt;<span class="cc" data-code="U+202E">\u202e</span>5'
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return escape(text)
    return Markup("").join(_shown(c) for c in _runs(text))


def _runs(text: str) -> list[str]:
    """Ordinary text in runs, each other character alone."""
    runs, start = [], 0
    for n, char in enumerate(text):
        if _is_odd(char):
            runs += [text[start:n], char]
            start = n + 1
    return [run for run in [*runs, text[start:]] if run]


def _is_odd(char: str) -> bool:
    if char in "\n\t " or char in _KEPT_FORMATS or 0xE0020 <= ord(char) <= 0xE007F:  # tags: flags of regions
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _shown(run: str) -> Markup:
    if len(run) > 1 or not _is_odd(run):
        return escape(run)
    if run == "\r":
        return Markup("&#13;")
    code = f"U+{ord(run):04X}"
    shown = "\ufffd" if run == "\0" or unicodedata.category(run) == "Cs" else run
    return Markup('<span class="cc" data-code="{}">{}</span>').format(code, shown)
