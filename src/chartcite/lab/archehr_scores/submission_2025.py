"""Submissions of 2025, `[{"case_id", "answer"}]`: one sentence a line, its citations at the end, `... |1,3|`.

As the official script reads them, to the letter: what stands after the last `|` is dropped; a line with fewer than two
`|` cites nothing; a full stop is added where a line does not end in one, `?` or `!`; the lines are joined by blanks and
cut to 75 words; citations count whether or not their sentence was cut. Citations are not trimmed: `|1, 3|` cites `1`
and ` 3`, and the second is no sentence. Unknown ids are wrong citations, not errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.archehr_scores.json_file import read_cases, shown
from chartcite.lab.errors import NoCitations, WrongType

MAX_WORDS = 75


@dataclass(frozen=True, slots=True)
class Answer:
    """One case's answer: its text without citations, what it cites, whether it was cut."""

    text: str
    citations: frozenset[str]
    cut: bool


def read_answers(path: Path) -> dict[str, Answer]:
    """By case, its answer.

    Raises:
        BadSubmission: the official script would refuse it.
    """
    found = {}
    for case, row in read_cases(path, "answer").items():
        where = f"{path.name}, case {shown([case])}"
        if not isinstance(row["answer"], str):
            raise WrongType(f"{where}: the answer is no text.", "One string, a sentence a line.")
        found[case] = parse_answer(row["answer"])
        if not found[case].citations:
            raise NoCitations(f"{where}: the answer cites nothing.", "End a line with |1,3|.")
    return found


def parse_answer(answer: str) -> Answer:
    r"""Split an answer into its text and its citations.

    >>> answer = parse_answer("The stent was placed |3,4|\nShe went home. |7|")
    >>> answer.text, sorted(answer.citations)
    ('The stent was placed. She went home.', ['3', '4', '7'])
    """
    sentences, citations = [], set()
    for line in answer.strip().split("\n"):
        if not line.strip():
            continue
        parts = line.rsplit("|", maxsplit=2)
        cited = len(parts) == 3
        sentence = (parts[0] if cited else line).strip()
        citations |= {c for c in parts[1].split(",") if c.strip()} if cited else set()
        if sentence:
            sentences.append(sentence if sentence[-1] in ".!?" else f"{sentence}.")
    text = " ".join(sentences)
    words = [word for word in text.split(" ") if word.strip()]
    cut = len(words) > MAX_WORDS
    return Answer(" ".join(words[:MAX_WORDS]) if cut else text, frozenset(citations), cut)
