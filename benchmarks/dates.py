"""What day the words of a sentence mean, against our own marked cases.

    python benchmarks/dates.py [--part dev|test|all] [--show]

The cases are `tests/unit/records/date_cases_{en,pt}.tsv`: the day of the note, the note with one expression marked, the
day or days it means (`?`: not to be known), and the basis. Odd lines are dev, even ones were held out while the rules
were written. Right: the same days (and clock). Wrong: other days. Unresolved: none where there are some. Prints one
JSON object; `--show` lists what is not right of the dev part only.
"""

from __future__ import annotations

import argparse
import calendar
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from chartcite.core.documents import Document, Provenance
from chartcite.core.time import When
from chartcite.records.when.reader import days_of_document
from chartcite.records.when.resolved import Resolved
from chartcite.text.sentences import split_sentences

CASES = Path(__file__).parent.parent / "tests" / "unit" / "records"
_MARK = re.compile(r"\[\[(.+?)\]\](?!\])", re.DOTALL)


class Case(NamedTuple):
    """One marked expression; `days` is `first..last` in whole days, with the clock of a minute; empty: not known."""

    name: str
    part: str
    text: str
    start: int
    end: int
    written: str
    lang: str
    days: str
    basis: str


def read_cases() -> list[Case]:
    """All cases, English first."""
    return [case for lang in ("en", "pt") for case in _of(lang)]


def _of(lang: str) -> list[Case]:
    cases = []
    for n, line in enumerate((CASES / f"date_cases_{lang}.tsv").read_text("utf-8").splitlines(), start=1):
        written, marked, days, basis = line.split("\t")
        marked = marked.replace("\\n", "\n")
        found = _MARK.search(marked)
        if found is None:
            raise ValueError(f"{lang} {n}: no mark")
        text = marked[: found.start()] + found[1] + marked[found.end() :]
        case = Case(
            f"{lang}-{n:03}", "dev" if n % 2 else "test", text, found.start(), found.start() + len(found[1]),
            written.strip("-") if written == "-" else written, lang, _whole(days), basis,
        )  # fmt: skip
        cases.append(case)
    return cases


def _whole(days: str) -> str:
    if days == "?":
        return ""
    if ".." in days:
        return days
    when = When.parse(days)
    clock = f" {when.text[11:]}" if when.precision in ("minute", "second") else ""
    if when.precision == "year":
        return f"{when.date}-01-01..{when.date}-12-31"
    if when.precision == "month":
        year, month = (int(part) for part in when.date.split("-"))
        return f"{when.date}-01..{when.date}-{calendar.monthrange(year, month)[1]}"
    return f"{when.date}..{when.date}{clock}"


def outcome(case: Case) -> tuple[str, Resolved | None]:
    """`right`, `wrong` or `unresolved`, and what was found there."""
    document = Document(
        doc_id="d", text=case.text, source=Provenance("", "", ""), lang=case.lang,
        time=When.parse(case.written) if case.written else None,
    )  # fmt: skip
    found = [one for days in days_of_document(document, split_sentences(case.text)) for one in days]
    here = [one for one in found if one.span.start < case.end and case.start < one.span.end]
    known = [one for one in here if one.first]
    if not known:
        return ("unresolved" if case.days else "right"), here[0] if here else None
    said = {f"{one.first}..{one.last}" + (f" {one.clock}" if one.clock else "") for one in known}
    is_right = said == {case.days} and known[0].basis == case.basis
    return ("right" if is_right else "wrong"), known[0]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=("dev", "test", "all"), default="all")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    for case in read_cases():
        if asked.part not in ("all", case.part):
            continue
        result, found = outcome(case)
        for key in (case.part, f"{case.part} {case.lang}", f"{case.part} {'known' if case.days else 'open'}"):
            totals.setdefault(key, Counter())[result] += 1
        if asked.show and result != "right" and case.part == "dev":
            got = f"{found.first}..{found.last} {found.clock} {found.basis} {found.reason}" if found else "nothing"
            marked = case.text[case.start : case.end]
            print(f"{result:<10} {case.name} {case.text!r} [{marked}] want {case.days or '?'} "
                  f"{case.basis} got {got}")  # fmt: skip
    print(json.dumps({key: dict(sorted(counts.items())) for key, counts in sorted(totals.items())}))


if __name__ == "__main__":
    main()
