"""An answer as the content of a chat completion: Markdown with its list of sources, in pieces, and its citations.

Clients render the content: foreign text is escaped, so that no quotation becomes a link or an image that is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from chartcite.app.render.markdown import markdown
from chartcite.app.words import Words
from chartcite.core.answer import Answer


@dataclass(frozen=True, slots=True)
class Completion:
    """What a completion carries.

    Attributes:
        pieces: the content; together they are all of it.
        citations: number, and the citation as in `chartcite.answer/1`; numbers as in the content.
        usage: tokens of the models that were called for it, of those only; nothing was called: zero.
        answer: `chartcite.answer/1`.
    """

    pieces: tuple[str, ...]
    citations: list[dict[str, Any]]
    usage: dict[str, int]
    answer: dict[str, Any]


def completion(found: Answer) -> Completion:
    """Abstention is said in the content as it is everywhere else."""
    blocks = markdown(found, Words("pt" if found.lang == "pt" else "en")).rstrip("\n").split("\n\n")[1:]
    pieces = tuple(block if n == 0 else f"\n\n{block}" for n, block in enumerate(blocks))
    citations = [{"number": n, **citation.to_dict()} for n, citation in enumerate(found.citations, start=1)]
    prompt = _total(used.prompt_tokens for used in found.usage.values())
    written = _total(used.completion_tokens for used in found.usage.values())
    usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
    return Completion(pieces, citations, usage, found.to_dict())


def _total(counts: Iterable[int | None]) -> int:
    return sum(count or 0 for count in counts)
