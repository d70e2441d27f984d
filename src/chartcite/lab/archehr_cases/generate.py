"""Draws cases from the scenarios and writes `archehr-qa.xml`, `_key.json` and `_mapping.json` as the task has them.

Every case is invented: scenarios are `scenarios.toml`, a seed draws slots, wordings, fillers and their places. Dev and
test share no scenario. Same seed, same bytes.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from chartcite.lab.csv_safe import replace_text

DEFAULT_SEED = 7
FILLERS = (2, 6)
_RELEVANCE = {"s": "supplementary", "n": "not-relevant", "h": "not-relevant"}


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a note with its mark and paragraph."""

    mark: str
    text: str
    paragraph: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """One case, before it is written."""

    id: str
    narrative: str
    asks: tuple[str, ...]
    question: str
    lines: tuple[Line, ...]
    answer: tuple[tuple[tuple[str, ...], str], ...]
    source: str


def generate(per_scenario: int, out: Path, seed: int = DEFAULT_SEED) -> dict[str, Any]:
    """Write a folder `dev` and a folder `test`; returns what was made.

    Raises:
        ValueError: fewer than one case a scenario, or the folder holds something.
    """
    if per_scenario < 1:
        raise ValueError("there must be at least one case a scenario")
    if out.exists() and any(out.iterdir()):
        raise ValueError("the folder is not empty")
    table = tomllib.loads((files("chartcite.lab.archehr_cases") / "scenarios.toml").read_text("utf-8"))
    made: dict[str, Any] = {"seed": seed, "invented": True}
    for split in ("dev", "test"):
        scenarios = [s for s in table["scenario"] if s["split"] == split]
        rounds = [(s, n) for n in range(per_scenario) for s in scenarios]
        cases = [
            draw(scenario, table["fillers"], str(i), random.Random(f"{seed} {scenario['name']} {n}"))  # noqa: S311
            for i, (scenario, n) in enumerate(rounds, start=1)
        ]
        write(cases, out / split)
        made[split] = {"cases": len(cases), "scenarios": [s["name"] for s in scenarios]}
    replace_text(out / "INVENTED.txt", "Every patient, note, question and answer in this folder is invented.\n")
    return made


def draw(scenario: Mapping[str, Any], fillers: Sequence[str], case_id: str, dice: random.Random) -> Drawn:
    """One case of a scenario."""
    slots = {name: dice.choice(values) for name, values in scenario["slots"].items()}
    lines, paragraph = [], 1
    for entry in scenario["note"]:
        if not entry:
            paragraph += 1
            continue
        mark, _, text = entry.partition("|")
        lines.append(Line(mark, _upper(text.format(**slots)), paragraph))
    for text in dice.sample(list(fillers), dice.randint(*FILLERS)):
        at = dice.randrange(2, len(lines))
        lines.insert(at, Line("n", text, lines[at - 1].paragraph))
    answer = []
    for entry in scenario["answer"]:
        marks, _, text = entry.partition("|")
        answer.append((tuple(marks.split(",")), _upper(text.format(**slots))))
    return Drawn(
        case_id, dice.choice(scenario["narratives"]).format(**slots), tuple(scenario["asks"]),
        dice.choice(scenario["questions"]).format(**slots), tuple(lines), tuple(answer), scenario["name"],
    )  # fmt: skip


def write(cases: Sequence[Drawn], folder: Path) -> None:
    """The three files of a set of cases."""
    folder.mkdir(parents=True, exist_ok=True)
    body = "".join(map(_xml, cases))
    replace_text(
        folder / "archehr-qa.xml", f"<?xml version='1.0' encoding='UTF-8'?>\n<annotations>\n{body}</annotations>\n"
    )
    replace_text(folder / "archehr-qa_key.json", json.dumps([_key(c) for c in cases], indent=1) + "\n")
    # One document a scenario: its cases are no independent ones, and are resampled together.
    mapping = [{"case_id": c.id, "document_id": c.source, "document_source": "invented"} for c in cases]
    replace_text(folder / "archehr-qa_mapping.json", json.dumps(mapping, indent=1) + "\n")


def _xml(case: Drawn) -> str:
    note, starts = _note(case.lines)
    phrases = "".join(
        f'<phrase id="{n}" start_char_index="{case.narrative.index(ask)}">\n{escape(ask)}\n</phrase>\n'
        for n, ask in enumerate(case.asks)
    )
    sentences = "".join(
        f'<sentence id="{n}" paragraph_id="{line.paragraph}" start_char_index="{start}">\n{escape(line.text)}\n'
        "</sentence>\n"
        for n, (line, start) in enumerate(zip(case.lines, starts, strict=True), start=1)
    )
    return (
        f"<case id={quoteattr(case.id)}>\n<patient_narrative>\n{escape(case.narrative)}\n</patient_narrative>\n"
        f"<patient_question>\n{phrases}</patient_question>\n"
        f"<clinician_question>\n{escape(case.question)}\n</clinician_question>\n"
        f"<note_excerpt>\n{escape(note)}\n</note_excerpt>\n"
        f"<note_excerpt_sentences>\n{sentences}</note_excerpt_sentences>\n</case>\n"
    )


def _note(lines: Sequence[Line]) -> tuple[str, list[int]]:
    """The excerpt, a header on a line of its own, paragraphs apart; and where each sentence begins."""
    text, starts = "", list[int]()
    for n, line in enumerate(lines):
        if n:
            before = lines[n - 1]
            text += "\n\n" if before.paragraph != line.paragraph else "\n" if "h" in (before.mark, line.mark) else " "
        starts.append(len(text))
        text += line.text
    return text, starts


def _key(case: Drawn) -> dict[str, Any]:
    number = {line.mark: str(n) for n, line in enumerate(case.lines, start=1)}
    return {
        "case_id": case.id,
        "answers": [
            {"sentence_id": str(n), "relevance": _RELEVANCE.get(line.mark, "essential")}
            for n, line in enumerate(case.lines, start=1)
        ],
        "clinician_answer_without_citations": " ".join(text for _, text in case.answer),
        "clinician_answer_sentences": [
            {"id": str(n), "text": text, "citations": [number[mark] for mark in marks]}
            for n, (marks, text) in enumerate(case.answer, start=1)
        ],
    }


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
