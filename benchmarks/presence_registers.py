"""How many of our own questions of presence, in many registers, are read as what they ask, and how many others are.

Usage: python benchmarks/presence_registers.py [--half odd|even] [--left]

`questions/presence_registers.tsv` (sense, language, question with the thing in brackets) and `presence_others.tsv`
(questions of other kinds) were each written in one go before any was tried. Rows with an odd number are for
development, those with an even one are only counted; `--left` prints what is read wrongly, of the odd half only.
Read means: of that very thing, and of the day if one is named. No record is asked.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from chartcite.cascade.presence.asked import read_question
from chartcite.lab.statistics.proportion import wilson

_FOLDER = Path(__file__).parent / "questions"
_DAYS = ("2014-05-06", "06/05/2014")
_DAY = "2014-05-06"


def rows(name: str, half: str = "") -> list[list[str]]:
    """The rows of a file, of one half or all; the first row is odd."""
    lines = [line for line in (_FOLDER / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    kept = {"odd": lines[::2], "even": lines[1::2], "": lines}[half]
    return [line.split("\t") for line in kept]


def is_read(question: str) -> bool:
    """Whether a question with its thing in brackets is read; `diabetic?` has none, and only has to be read."""
    thing = question[question.find("[") + 1 : question.find("]")].lower() if "[" in question else ""
    found = read_question(question.replace("[", "").replace("]", ""))
    day = _DAY if any(one in question for one in _DAYS) else ""
    return found is not None and found.period == day and thing in ("", found.thing.lower())


def unread(half: str) -> Iterator[tuple[str, str, str]]:
    """Questions of presence that are not read."""
    for sense, lang, question in rows("presence_registers.tsv", half):
        if not is_read(question):
            yield sense, lang, question


def taken(half: str) -> Iterator[tuple[str, str]]:
    """Questions of other kinds that are read as one of presence."""
    for lang, question in rows("presence_others.tsv", half):
        if read_question(question) is not None:
            yield lang, question


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", default="odd", choices=("odd", "even"))
    parser.add_argument("--left", action="store_true")
    given = parser.parse_args()
    if given.left and given.half != "odd":
        raise SystemExit("Cases are shown of the odd half only; of the other no case is read.")
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    missed, wrong = list(unread(given.half)), list(taken(given.half))
    for sense, lang, question in rows("presence_registers.tsv", given.half):
        for row in (f"{lang} {sense}", lang, "all"):
            counts[row][0] += (sense, lang, question) not in missed
            counts[row][1] += 1
    for lang, question in rows("presence_others.tsv", given.half):
        for row in (f"{lang}: others taken", "others taken"):
            counts[row][0] += (lang, question) in wrong
            counts[row][1] += 1
    for name, (found, n) in counts.items():
        share = wilson(found, n)
        print(f"{name:<20} {found:>3} of {n:<3} {share.value:.3f} [{share.low:.3f}, {share.high:.3f}]")
    for line in (*missed, *wrong) if given.left else ():
        print(*line, sep=" | ")


if __name__ == "__main__":
    main()
