"""How many of our own wordings of questions over time are read as what they ask.

Usage: python benchmarks/over_time_wordings.py [--half odd|even] [--left]

The wordings (`questions/over_time_wordings.tsv`: kind, language, text with slots) were written before the recogniser
was read, as clinicians, pharmacists, coders and patients would ask. Rows with an odd number are for development, those
with an even one were held back; `--left` prints what is not read, of the odd half only. Read means: the right kind,
with the right day or event, side and limit. No record is asked.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.question import over_time
from chartcite.lab.statistics.proportion import wilson

WORDINGS = Path(__file__).parent / "questions" / "over_time_wordings.tsv"
SLOTS = {
    "en": {
        "analyte": "TSH", "drug": "metoprolol", "event": "total knee arthroplasty", "event2": "colectomy",
        "reason": "pneumonia", "day1": "2019-01-10", "day2": "2020-03-04", "limit": "4.5 mIU/L",
    },
    "pt": {
        "analyte": "TSH", "drug": "metoprolol", "event": "artroplastia total do joelho", "event2": "colectomia",
        "reason": "pneumonia", "day1": "10/01/2019", "day2": "04/03/2020", "limit": "4,5 mIU/L",
    },
}  # fmt: skip
TODAY = "2022-01-01"
DAYS = {"day1": "2019-01-10", "day2": "2020-03-04"}
KINDS = {
    "latest": ("value latest",), "first": ("value first",), "at": ("value on",), "before": ("value before",),
    "after": ("value after",), "change": ("change ", "trend "), "trend": ("trend ", "change "),
    "duration": ("course ", "hold "), "stay": ("stay ",), "count": ("beyond ",),
    "count_stays": ("stays ", "procedures ", "holds "), "order": ("order ",),
    "medicines": ("medicines ", "medicines on"),
    "dose_at": ("dose on",), "dose": ("dose latest", "dose now", "dose first"),
}  # fmt: skip
"""The kind of a wording: the kinds of question, each with which value or dose, that are right for it."""
_PAUSE = ("held", "pause", "paused", "interrupt", "suspenso", "pausa", "interromp")
_LOW = ("below", "under", "less", "lower", "abaixo", "inferior", "menor")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", default="odd", choices=("odd", "even"))
    parser.add_argument("--left", action="store_true")
    given = parser.parse_args()
    if given.left and given.half != "odd":
        raise SystemExit("Cases are shown of the odd half only; of the other no case is read.")
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for kind, lang, wording in wordings(given.half):
        question = wording.format(**SLOTS[lang])
        found = over_time(question, TODAY)
        right = found is not None and is_right(found, kind, lang, wording)
        for row in (kind, f"all {lang}", "all"):
            counts[row][0] += right
            counts[row][1] += found is not None and not right
            counts[row][2] += 1
        if given.left and not right:
            print(kind, "|", question, "|", found)
    for row, (read, otherwise, n) in counts.items():
        share = wilson(read, n)
        print(
            f"{row:<12} read {read:>3} / {n:<3} {share.value:.3f} [{share.low:.3f}, {share.high:.3f}], "
            f"as another {otherwise}"
        )


def wordings(half: str) -> list[tuple[str, str, str]]:
    """Kind, language and wording of each row of a half; the first row is odd."""
    lines = WORDINGS.read_text("utf-8").splitlines()[1:]
    kept = lines[::2] if half == "odd" else lines[1::2]
    return [(kind, lang, wording) for kind, lang, wording in (line.split("\t") for line in kept)]


def is_right(found: OverTime, kind: str, lang: str, wording: str) -> bool:
    """Whether a question was read as what its wording asks."""
    if f"{found.kind} {found.at}" not in {k if k[-1] != " " else f"{k}{found.at}" for k in KINDS[kind]}:
        return False
    wanted = tuple(sorted(iso for slot, iso in DAYS.items() if f"{{{slot}}}" in wording))
    if kind != "order" and tuple(sorted(found.days)) != wanted:
        return False
    events = " ".join(words for pair in found.events for words in pair)
    slots = [slot for slot in ("event", "event2", "reason") if f"{{{slot}}}" in wording]
    if any(SLOTS[lang][slot] not in events for slot in slots):
        return False
    if kind == "duration":
        return (found.kind == "hold") == any(word in wording.lower() for word in _PAUSE)
    if kind == "count_stays":
        is_done = any(word in wording.lower() for word in ("operation", "surger", "cirurgia", "operaç"))
        return found.kind == ("holds" if "{drug}" in wording else "procedures" if is_done else "stays")
    if kind == "count":
        is_low = any(word in wording for word in _LOW)
        return found.side == ("below" if is_low else "above")
    return kind not in ("latest", "first", "at", "before", "after", "change", "trend") or len(found.things) == 1


if __name__ == "__main__":
    main()
