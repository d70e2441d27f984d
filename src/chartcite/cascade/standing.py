"""How a sentence stands to a question, beyond being about it: a relative's finding, or a correction.

Deterministic; used to order evidence, so that no relative's disease is shown as the patient's own and no corrected
value without its correction.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files

from chartcite.facts.assertions import read_assertions
from chartcite.facts.tokens import tokenise
from chartcite.retrieval.candidates import Candidate


def asks_for_family(question: str) -> bool:
    """Whether the question itself is about relatives."""
    return bool(_patterns()["family_asked"].search(question.lower()))


def is_kin(word: str) -> bool:
    """Whether a word of a question asks for relatives, whatever the record calls them."""
    return word == "member" or asks_for_family(word)


def ends_something(candidate: Candidate) -> bool:
    """Whether the sentence says that something was stopped, held or finished."""
    return bool(_patterns()["ended"].search(candidate.text.lower()))


def is_correction(candidate: Candidate) -> bool:
    """Whether the sentence says that something was wrong or has been put right."""
    return speaks_of_correction(f"{candidate.title}\n{candidate.said}")


def speaks_of_correction(text: str) -> bool:
    """Whether a text says anywhere that something was wrong or has been put right."""
    return bool(_patterns()["correction"].search(text.lower()))


def family_header(section: Sequence[str]) -> str:
    """The header that says that what stands below it is of relatives; empty without one."""
    return next((header for header in section if _patterns()["family_section"].search(header.lower())), "")


def is_family(candidate: Candidate, is_asked_for: Callable[[str], bool]) -> bool:
    """Whether all of the asked-for words in the sentence are said of a relative.

    Args:
        candidate: the sentence.
        is_asked_for: whether a word is one of the question's focus.
    """
    if family_header(candidate.sentence.section):
        return True
    tokens = tokenise(candidate.text)
    statuses = read_assertions(tokens).statuses
    asked = [s for token, s in zip(tokens, statuses, strict=True) if not token.is_mark and is_asked_for(token.text)]
    return bool(asked) and all(s.is_family for s in asked)


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    data = tomllib.loads(files("chartcite.cascade").joinpath("data/standing.toml").read_text("utf-8"))
    return {name: re.compile("|".join(parts)) for name, parts in data.items()}
