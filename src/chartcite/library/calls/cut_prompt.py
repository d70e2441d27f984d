"""A prompt that the server cut without a word: it reports far fewer tokens than were sent (ollama#5902, #17889).

Tokenizers differ: SmolLM2's counts 1.12 to 1.6 times what the encoder's does on the demo records and longchart, large
vocabularies somewhat less than it, most so in other languages than English. So half is always too few, and four fifths
are where the count stops at a size that a context has by default.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chartcite.core.chat import ChatReply, ChatRequest

PROMPT_CUT: Final = "prompt_was_cut_by_server"
_SIZES: Final = tuple(1024 << n for n in range(9))
_BELOW_SIZE: Final = 0.97
_FAR, _NEAR = 0.5, 0.8
_LEAST: Final = 256
"""Tokens: of shorter prompts nothing is cut, and the turns' own tokens weigh too much."""


def was_cut(request: ChatRequest, reply: ChatReply, count: Callable[[str], int]) -> bool:
    """Whether the server's count of the prompt is too small beside ours; False where it gives none."""
    reported = reply.prompt_tokens
    if reported is None:
        return False
    sent = sum(count(message.content) for message in request.messages)
    if sent < _LEAST:
        return False
    stops_at_a_size = any(_BELOW_SIZE * size <= reported <= size for size in _SIZES)
    return reported < (_NEAR if stops_at_a_size else _FAR) * sent
