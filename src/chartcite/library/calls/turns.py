"""Turns of a chat made safe to send, and replies made real: string by string where a turn is JSON."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence

from chartcite.deid.masks import FENCES

Change = Callable[[str], str]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_JSON_BEGINS = re.compile(r'[{\[]\s*["{\[]')
_LETTER = re.compile(r"\w")
_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u([0-9a-fA-F]{4})")
_FENCED = re.compile(rf"<((?:{'|'.join(FENCES)}))-([0-9a-f]{{8}})>\n(.*?)\n</\1-\2>", re.DOTALL)


def hidden_turns(turns: Sequence[str], hide: Change) -> list[str]:
    """The turns of one request with everything hidden, marks included.

    A mark around data bears a hash of what it holds, so it is made anew of what is sent: a hash of the real text would
    tell which of all possible names and dates stood there.
    """
    hidden = [_in_strings(turn, hide, str) if _is_json(turn) else hide(turn) for turn in turns]
    marks: dict[str, str] = {}
    for turn in hidden:
        for name, old, inside in _FENCED.findall(turn):
            marks.setdefault(f"{name}-{old}", f"{name}-{hashlib.sha256(inside.encode()).hexdigest()[:8]}")
    if not marks:
        return hidden
    known = re.compile("|".join(map(re.escape, marks)))
    return [known.sub(lambda found: marks[found.group()], turn) for turn in hidden]


def restored(reply: str, restore: Change) -> str:
    """A reply with everything put back; JSON may have prose around it, or an end that is missing."""
    plain = _unescaped(reply)
    if _is_json(plain):
        return _in_strings(plain, restore, str)
    return _in_strings(plain, restore, restore) if _JSON_BEGINS.search(plain) else restore(plain)


def _is_json(turn: str) -> bool:
    if turn.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(turn)
    except (ValueError, RecursionError):
        return False
    return True


def _in_strings(text: str, change: Change, around: Change) -> str:
    r"""Each string of the text changed as it reads, letters and not their escapes; what is between them by `around`.

    >>> _in_strings('{"text": "a\\n\\u00e7"}', str.upper, str)
    '{"TEXT": "A\\nÇ"}'
    """
    out: list[str] = []
    last = 0
    for found in _STRING.finditer(text):
        out += [_between(text[last : found.start()], around), _string(found.group(), change)]
        last = found.end()
    return "".join((*out, _between(text[last:], around)))


def _between(text: str, change: Change) -> str:
    return change(text) if _LETTER.search(text) else text


def _string(written: str, change: Change) -> str:
    try:
        said = json.loads(written, strict=False)
    except ValueError:
        return change(written)
    changed = change(said)
    return written if changed == said else json.dumps(changed, ensure_ascii=False)


def _unescaped(text: str) -> str:
    r"""The same JSON with letters in place of their escapes, so that a month with a cedilla is read as one.

    >>> _unescaped(r'"5 de mar\u00e7o\u0022, \\u00e7"')
    '"5 de março\\u0022, \\\\u00e7"'
    """

    def letter(found: re.Match[str]) -> str:
        char = chr(int(found[2], 16))
        return found[1] + char if char.isalpha() and not char.isascii() else found[0]

    return _ESCAPE.sub(letter, text)
