"""How exact the answers are that are computed from the timeline: longchart's questions over time, as they are worded.

Usage: python benchmarks/over_time.py FOLDER [--split dev] [--json OUT] [--wrong KIND]

FOLDER comes from `chartcite lab generate longchart`. No store and no model: each question is put to the notes as they
are, and what the cascade tells is compared with the answer that the generator knows. Counted by kind:

- exact: what is told has the value, unit and date (both for a change, in the right direction; the days of a duration;
  the count with its days; the earlier event; each medicine with its amount), and nothing else.
- wrong: something is told, and it is not that. Of a list and a count also what is not all of it.
- nothing then: the answer says that there is nothing for that time, where there is something.
- left: it is no question for the timeline, or the timeline cannot tell; the ranking answers.
- evidence: of those told, all parts of the gold evidence of the answer are among the cited sentences.
- verified: of the computed sentences, those that the check bears out; in place of others their sources are quoted.

`--wrong KIND` prints the wrong and the left questions of a kind; use it on dev only. Intervals are Wilson's, 95 %;
questions of one patient are not independent.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from chartcite.cascade.over_time.chosen import told
from chartcite.cascade.over_time.told import Record, Sentence, Told
from chartcite.core.answer import Citation
from chartcite.core.documents import Sentence as Unit
from chartcite.facts.drugs import generic_name
from chartcite.facts.language import is_portuguese
from chartcite.facts.units import parse_unit
from chartcite.lab.statistics.proportion import wilson
from chartcite.text.analyser import Analyser
from chartcite.verification.answers import verify
from timeline import Notes

KINDS = (
    "latest", "first", "value_at", "value_before", "value_after", "change", "trend", "duration", "count", "order",
    "current_medications_as_of", "cross_note",
)  # fmt: skip
OUTCOMES = ("exact", "wrong", "nothing then", "left")
_SALTS = re.compile(r" (?:er|xr|xl|sr|succinate|tartrate|sulfate)$")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", default="")
    given = parser.parse_args()
    if not (given.folder / "questions.jsonl").is_file():
        raise SystemExit(
            f"{given.folder} is no longchart folder: chartcite lab generate longchart --out {given.folder}"
        )
    if given.wrong and given.split != "dev":
        raise SystemExit("Cases are shown of the dev split only; of another no case is read.")
    counts, of_told = _counted(given.folder, given.split, given.wrong)
    found = {}
    for kind, outcomes in counts.items():
        n = sum(outcomes.values())
        for outcome in OUTCOMES:
            share = wilson(outcomes.get(outcome, 0), n)
            found[f"{kind}: {outcome}"] = {"right": outcomes.get(outcome, 0), "n": n}
            print(f"{kind:<44} {outcome:<13} {outcomes.get(outcome, 0):>4} / {n:<4} {_interval(share)}")
        for name, shares in of_told.items():
            right, asked = shares[kind]
            found[f"{kind}: {name}"] = {"right": right, "n": asked}
            print(f"{kind:<44} {name:<13} {right:>4} / {asked:<4} {_interval(wilson(right, asked))}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


def _counted(
    folder: Path, split: str, wrong: str
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, tuple[int, int]]]]:  # fmt: skip
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(folder / "notes.jsonl"):
        notes[row["patient_id"]].append(row)
    analysers = {lang: Analyser(lang).terms for lang in ("en", "pt")}
    known: dict[str, list[Unit]] = {}
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    evidence: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    verified: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for question in (q for q in rows(folder / "questions.jsonl") if q["split"] == split and q["kind"] in KINDS):
        reader: Any = Notes(question["patient_id"], notes[question["patient_id"]], question.get("as_of") or "", known)
        documents = reader.documents()
        today = next((d.time.date for d in reversed(documents) if d.time), "")
        lang = "pt" if is_portuguese(question["question"]) else "en"
        record = Record(reader, analysers[question["lang"]], lambda *_: None, today, lang)
        answer = told([question["question"]], record)
        kind = f"{question['kind']}, {question['answer']['type']}"
        outcome = "left" if answer is None else _outcome(answer, question)
        counts[kind][outcome] += 1
        if answer is not None:
            whole, n = evidence[kind]
            evidence[kind] = whole + _is_whole(answer, question), n + 1
        if answer is not None:
            passed, n = verified[kind]
            computed = [s for s in answer.sentences if s.said is not None]
            verified[kind] = passed + sum(map(_is_verified, computed)), n + len(computed)
        if wrong and kind.startswith(wrong) and outcome != "exact":
            said = [s.said.text if s.said else s.sources[0].quote for s in answer.sentences] if answer else []
            print(
                outcome, "|", question["patient_id"], question["question"], "|", question["answer"]["text"], "|", said
            )
    return counts, {"evidence": evidence, "verified": verified}


def _outcome(answer: Told, question: Mapping[str, Any]) -> str:
    if answer.is_silent:
        return "nothing then"
    right = {
        "value": _is_value, "dose": _is_dose, "dose_change": _is_dose_change, "change": _is_change, "trend": _is_change,
        "duration": _is_duration, "count": _is_count, "order": _is_order, "list": _is_list,
    }[question["answer"]["type"]]  # fmt: skip
    return "exact" if right(answer, question["answer"]) else "wrong"


def _points(answer: Told, kind: str) -> list[Mapping[str, Any]]:
    return [p for s in answer.sentences if s.computed and s.computed["kind"] == kind for p in s.computed["points"]]


def _is_value(answer: Told, gold: Mapping[str, Any]) -> bool:
    points = _points(answer, "value")
    return len(points) == 1 and _same(points[0], gold)


def _same(point: Mapping[str, Any], gold: Mapping[str, Any]) -> bool:
    """The value as written, in the same unit, of the same day."""
    digits = re.match(r"[<>]?\s*[\d.,/]+", point["value"])
    value = digits[0].replace(",", ".") if digits else ""
    unit = point["unit"] or ""
    if point["day"] != gold["date"]:
        return False
    same_unit = unit == parse_unit(gold["unit"]).name or not unit or gold["unit"].startswith(("mL/min", "x10^9"))
    if "/" in gold["value"]:
        return bool(value == gold["value"])
    numbers = [Fraction(v) for v in (value, gold["value"])]
    return bool(numbers[0] == numbers[1] and same_unit) or numbers[0] == numbers[1] * 1000  # 7900 /uL is 7.9 x10^3/uL


def _is_change(answer: Told, gold: Mapping[str, Any]) -> bool:
    points = _points(answer, "change") or _points(answer, "value")
    if len(points) != 2 or not (_same(points[0], gold["from"]) and _same(points[1], gold["to"])):
        return False
    computed = next((s.computed for s in answer.sentences if s.computed and s.computed["kind"] == "change"), None)
    if computed is None or gold["type"] == "trend":  # a trend's `stable` is the generator's own tolerance
        return True
    direction = {"rose": "up", "fell": "down", "same": "none"}[computed["result"]["direction"]]
    return bool(direction == gold["direction"])


def _is_dose(answer: Told, gold: Mapping[str, Any]) -> bool:
    return bool(answer.sentences) and _states(answer.sentences[0], gold)


def _states(sentence: Any, gold: Mapping[str, Any]) -> bool:
    said = (sentence.said.text if sentence.said else sentence.sources[0].quote).lower().replace(",", ".")
    amounts = re.findall(r"\d+(?:\.\d+)?(?:[-/]\d+(?:\.\d+)?)?", said)
    return gold["amount"] in amounts or gold["amount"].replace("-", "/") in amounts


def _is_dose_change(answer: Told, gold: Mapping[str, Any]) -> bool:
    """The dose before and the one after; a sentence that tells of the change may stand behind them, and has both."""
    both, behind = answer.sentences[:2], answer.sentences[2:]
    is_told = len(both) == 2 and _states(both[0], gold["from"]) and _states(both[1], gold["to"])
    return is_told and all(_states(s, gold["to"]) for s in behind)


def _is_duration(answer: Told, gold: Mapping[str, Any]) -> bool:
    return [s.computed["result"]["days"] for s in answer.sentences if s.computed] == [gold["days"]]


def _is_count(answer: Told, gold: Mapping[str, Any]) -> bool:
    days = {p["day"] for p in _points(answer, "count")}
    return days == set(gold["dates"])


def _is_order(answer: Told, gold: Mapping[str, Any]) -> bool:
    points = _points(answer, "order")
    return len(points) == 2 and points[0]["value"].lower() == gold["first"].lower()


def _is_list(answer: Told, gold: Mapping[str, Any]) -> bool:
    """Every medicine with its amount, and no other."""
    left = list(answer.sentences)
    for item in gold["items"]:
        drug = _bare(item["drug"])
        match = next((s for s in left if _names(s, drug) and _states(s, item)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _names(sentence: Any, drug: str) -> bool:
    name = _bare(sentence.computed["name"]) if sentence.computed else sentence.sources[0].quote.lower()
    return name in drug or drug in name or generic_name(drug) == name  # the timeline calls varfarina warfarin


def _bare(drug: str) -> str:
    return _SALTS.sub("", drug.lower())


def _is_whole(answer: Told, question: Mapping[str, Any]) -> bool:
    sources = [source for s in answer.sentences for source in s.sources]
    parts = {g["part"] for g in question["gold"] if g["part"] >= 0}
    held = {
        g["part"] for g in question["gold"] for s in sources
        if (g["doc_id"], True) == (s.doc_id, g["start"] < s.end and s.start < g["end"])
    }  # fmt: skip
    return parts <= held


def _is_verified(sentence: Sentence) -> bool:
    citations = tuple(
        Citation(
            doc_id=s.doc_id, sentence=s.sentence, start=s.start, end=s.end, quote=s.quote, title="",
            note_type=s.note_type, time=s.written, page=None, sha256="",
        )
        for s in sentence.sources
    )  # fmt: skip
    found = verify([(sentence.said.text, citations)])[0] if sentence.said else None
    return found is not None and found.verified


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _interval(share: Any) -> str:
    if share.value is None:
        return "-"
    return f"{share.value:.3f} [{share.low:.3f}, {share.high:.3f}]"


if __name__ == "__main__":
    main()
