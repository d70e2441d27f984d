"""Thinking that a model writes into its reply, in the spellings that are known, taken off.

`<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `<reflection>`, `<seed:think>` (also with blanks or attributes),
`[THINK]` (Magistral), `◁think▷` (Kimi), `<|begin_of_thought|>` (Sky-T1), `<|START_THINKING|>` (Command), `<unused94>`
(MedGemma), and the channels of gpt-oss, of which only the final one is the reply.
"""

from __future__ import annotations

import re

MOST_CHARS = 200_000
_WORDS = "think|thinking|thought|thoughts|reasoning|reflection|seed:think"
_OPEN = (
    rf"<\s*(?:{_WORDS})(?:\s[^<>]*)?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>"
    r"|<unused94>(?:thought\b)?"
    r"|<\|channel\|>\s*(?:analysis|commentary)\b[^<]*<\|message\|>"
)
_CLOSE = (
    rf"<\s*/\s*(?:{_WORDS})\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>|<unused95>"
    r"|<\|channel\|>\s*final\b[^<]*<\|message\|>"
)
_TAG = re.compile(f"(?P<close>{_CLOSE})|(?P<open>{_OPEN})", re.IGNORECASE)
_FRAME = re.compile(r"<\|(?:start\|>assistant|(?:end|return|START_RESPONSE|END_RESPONSE|(?:begin|end)_of_solution)\|>)")


def without_thoughts(raw: str) -> str:
    """The reply after its thinking.

    A closing tag alone ends a thought that the prompt's template began; an opening tag alone one that was cut off.

    >>> without_thoughts("<think>a</think> b"), without_thoughts("a</think> b"), without_thoughts("b <think>a")
    (' b', ' b', 'b ')
    """
    said, _ = _apart(raw[:MOST_CHARS])
    return _FRAME.sub("", said)


def is_thinking(raw: str) -> bool:
    """Whether what has come so far ends inside a thought."""
    return _apart(raw[:MOST_CHARS])[1]


def _apart(text: str) -> tuple[str, bool]:
    said: list[str] = []
    at, inside = 0, False
    for tag in _TAG.finditer(text):
        if tag["close"]:
            said = said if inside else []
            at, inside = tag.end(), False
        elif not inside:
            said.append(text[at : tag.start()])
            inside = True
    return "".join(said) + ("" if inside else text[at:]), inside
