"""Escapes of line ends and tabs in text, as JSON and program code write them: two signs that end a word."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\[nrt]")


def blank_escapes(text: str) -> str:
    r"""The text, as long as it was, with white space in place of each backslash and its `n`, `r` or `t`.

    >>> blank_escapes(r"Seen.\nOkafor")
    'Seen. \nOkafor'
    """
    return _ESCAPE.sub(" \n", text) if "\\" in text else text
