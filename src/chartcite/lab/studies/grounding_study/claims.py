"""An answer's sentences to claims, one sentence each; what is no claim is told with the reason, never just left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from chartcite.lab.studies.grounding_study.write_model import is_insufficient
from chartcite.text.sentences import split_sentences
from chartcite.verification.claims import split_claims

_FEWEST_WORDS = 4
Sort = Literal["claim", "fragment", "heading", "table row", "no answer"]


class Part(NamedTuple):
    """A piece of an answer, on one line, and what it is."""

    text: str
    sort: Sort


def parts_of(text: str) -> Iterator[Part]:
    """The pieces of one sentence of an answer; mostly it is one.

    >>> [part.sort for part in parts_of("Results: the INR was 4.2. Cycle 3.")]
    ['claim', 'fragment']
    """
    units = split_sentences(text)
    header = ""
    for n, unit in enumerate(units):
        said = " ".join(text[unit.start : unit.end].split())
        if unit.kind == "row":
            yield Part(said, "table row")
        elif unit.kind == "header" and n + 1 < len(units):
            header = f"{header} {said}".strip()  # it belongs to what follows
        elif unit.kind == "header":
            yield Part(f"{header} {said}".strip(), "heading")
        else:
            yield Part(f"{header} {said}".strip(), _sort(said))
            header = ""


def _sort(sentence: str) -> Sort:
    if is_insufficient(sentence):
        return "no answer"
    if sentence.endswith(":"):
        return "heading"
    if len(sentence.split()) < _FEWEST_WORDS:
        return "fragment"
    sorts = {claim.sort for claim in split_claims(sentence)}
    if "no_answer" in sorts:
        return "no answer"
    return "claim" if "assertion" in sorts else "fragment"
