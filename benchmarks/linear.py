"""Time of each room that reads text with patterns, on hostile texts of one size and of twice that size.

Usage: python benchmarks/linear.py [--only NAME]... [--chars 40000] [--json OUT]

A part such as `(**` is repeated to `--chars` characters and to twice as many; processor time, the best of three. Where
the greater text takes less than 50 ms, its ratio says nothing and is left out. Linear is a ratio of about 2; what is
above 2.5 is listed, and the exit status is 1. The rows that ask for whole records: `chartcite.text` on 5 MB in one
line and on 100,000 lines of one word, reading a question of 1 MB, and 10,000 notes of one patient, with `--large`.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.over_time.question import over_time
from chartcite.cascade.presence.asked import read_question
from chartcite.core.errors import ChartciteError
from chartcite.deid.deidentifier import Deidentifier
from chartcite.deid.known import read_record
from chartcite.facts.read import read_facts
from chartcite.models.thoughts import without_thoughts
from chartcite.readers.front_matter import read_head
from chartcite.readers.html_text import html_to_text
from chartcite.text.analyser import Analyser
from chartcite.text.language import detect
from chartcite.text.limits import first_words, soft_cut
from chartcite.text.sentences import split_sentences
from chartcite.verification.claims import split_claims
from chartcite.verification.orders import reads_like_an_order

PARTS = [
    "(**", "[**", "[**[**", "[**x.**]. ", "**", ". ", ". . .", "...", "a.", "A.", "1. ", "1. 1. 1.", "1", "12 ",
    "1,", "1.5-", " ", "\t", "\n", "\r\n", " \n", "-", "- ", "--", "A", "A ", "AB ", "Ab ", "x", "x ", "x\n", "X\n",
    '"', "'", "“", "(", ")", "()", "[", "]", "[1]", "<", ">", "< ", "&", "&lt;", "/", "1/", "a/b ", "|", "| a ",
    "#", "# ", "_", "=", ":", "a: ", "A:\n", "?", "? ", "!", ",", ", ", ";", "@", "a@b.", "http://", "mg ", "5 mg ",
    "no ", "not ", "Dr. ", "J. ", "Jan ", "1 Jan ", "01/02/", "2019-", "2019-01-02 ", "10:", "a.m. ", "q.i.d. ",
    "and ", ", and ", "of the ", "denies ", "é", "e\u0301", "😀", "\u200b", "\x00", "\ud800", "q", "if ", "was ",
    "from 5 to ", "the patient's ", "Mr ", "Ann Lee ", "St ", "12 Elm St ", "555-", "+1 ", "a-", "a'", "{", "}",
    "\\", "\\n", "<think>", "</", "<a ", "<!--", "kg/m2 ", "x10^",
]  # fmt: skip


def facts(text: str) -> object:
    return read_facts(text, 0, len(text))


def hide(text: str) -> object:
    hider = Deidentifier(b"secret", read_record(()))
    return hider.restore(hider.hide(text).text)


def limits(text: str) -> object:
    return soft_cut("x " + text), first_words("x " + text)


WORK: dict[str, Callable[[str], object]] = {
    "text: sentences": split_sentences,
    "text: analyser": Analyser("en").terms,
    "text: language": detect,
    "text: limits": limits,
    "facts": facts,
    "deid": hide,
    "interpretation": interpret,
    "presence: question": read_question,
    "over time: question": lambda text: over_time(text, "2020-01-01"),
    "verification: claims": split_claims,
    "verification: orders": reads_like_an_order,
    "models: thoughts": without_thoughts,
    "readers: html": html_to_text,
    "readers: front matter": read_head,
}


def seconds(work: Callable[[str], object], text: str) -> float:
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        work(text)
        return process_time() - start
    finally:
        gc.enable()


def measure(work: Callable[[str], object], part: str, chars: int) -> dict[str, Any]:
    """Best of three at n and 2n; one try where that is quick or plainly linear. Errors of a text are named."""
    count = max(1, chars // len(part))
    once, twice = part * count, part * count * 2
    try:
        work(part)
        a, b = seconds(work, once), seconds(work, twice)
        for _ in range(2):
            if b < 0.05 or b <= 2.5 * a:
                break
            a, b = min(a, seconds(work, once)), min(b, seconds(work, twice))
    except (ValueError, IndexError, KeyError, TypeError, RecursionError, ChartciteError) as error:
        # what a text breaks is a finding too, and must not hide the rows behind it
        return {"part": part, "error": type(error).__name__}
    return {
        "part": part,
        "n_s": round(a, 4),
        "2n_s": round(b, 4),
        "ratio": round(b / a, 2) if a and b >= 0.05 else None,
    }


def large() -> dict[str, float]:
    line, lines = "The patient was well. " * 240_000, "word\n" * 100_000
    return {
        "5 MB in one line: sentences": seconds(split_sentences, line),
        "100,000 lines of a word: sentences": seconds(split_sentences, lines),
        "5 MB in one line: terms": seconds(Analyser("en").terms, line),
        "5 MB in one line: deid": seconds(hide, line),
        "question of 1 MB: interpretation": seconds(interpret, "What was the dose of warfarin? " * 33_000),
        "question of 1 MB: presence": seconds(read_question, "is there any record of " + "x " * 500_000),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], choices=list(WORK))
    parser.add_argument("--chars", type=int, default=40_000)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found: dict[str, Any] = {}
    slow = 0
    print("| | texts | slowest, 2n (s) | worst ratio | above 2.5 | errors |\n|---|---|---|---|---|---|")
    for name in args.only or WORK:
        rows = found[name] = [measure(WORK[name], part, args.chars) for part in PARTS]
        ratios = [row["ratio"] for row in rows if row.get("ratio")]
        bad = [row for row in rows if (row.get("ratio") or 0) > 2.5]
        wrong = [row for row in rows if "error" in row]
        slow += len(bad) + len(wrong)
        slowest = max((row["2n_s"] for row in rows if "2n_s" in row), default=0)
        named = ", ".join(f"`{row['part']!r}` {row['ratio']}" for row in bad)
        broken = ", ".join(f"`{row['part']!r}` {row['error']}" for row in wrong)
        print(f"| {name} | {len(rows)} | {slowest:.2f} | {max(ratios, default=0)} | {named} | {broken} |", flush=True)
    if args.large:
        found["large"] = large()
        for name, spent in found["large"].items():
            print(f"{name}: {spent:.2f} s")
    if args.json:
        args.json.write_text(json.dumps(found, indent=1, ensure_ascii=True), "utf-8")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
