"""Paper 003's study end to end: articles rendered to PDF, questions of our own, the rules or a model as writer.

Usage: python benchmarks/grounding_study.py JATS_FOLDER WORK_FOLDER [--limit N] [--strategies A,B]
       [--judges rules,always,endpoint] [--context N] [--candidates N] [--name NAME]
       [--set NAME=VALUE ...] [--local-model]

Renders the articles into WORK_FOLDER/data once, and runs the preset on them (or what is missing of it) into
WORK_FOLDER/runs. `--set` is a setting of every strategy, for example `--set writer_url=http://127.0.0.1:8080/v1`.
`--local-model` serves the small model of the tests as writer and as judge (the same one, so it judges itself): whether
the contract holds, not how clever it is; use it with few queries, `--context 2 --candidates 6`.
The questions (`benchmarks/questions/grounding_study.csv`) were written with the articles at hand, mostly from their
abstracts: easier to find than questions of people who do not know the answer. Prints the figures as JSON.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from chartcite.lab.experiment.loading import load_preset, parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.experiment.study import study_of
from chartcite.lab.rows import cells_of
from jats_pdf import render_all

QUESTIONS = Path(__file__).parent / "questions" / "grounding_study.csv"


def main() -> int:
    options = _arguments()
    if not options.local_model:
        return _run(options)
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    local_model: Any = import_module("local_model")
    with local_model.serving(2048) as url:
        for role in ("writer", "judge"):
            options.settings += [f"{role}_url={url}", f"{role}_model={local_model.NAME}"]
        options.settings += ["writer_context=2048", "judge_may_be_writer=true", "writer_timeout=900"]
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    data = options.work / "data"
    if not (data / "queries.csv").is_file():
        render_all(options.jats, data)
        shutil.copyfile(QUESTIONS, data / "queries.csv")
    spec = parse_experiment(_experiment(options))
    folder = run_experiment(Plan(spec, options.work, options.work / "runs"), _progress)
    figures = study_of(spec).figures(folder)
    rows = {name: [cells_of(row) for row in table] for name, table in figures.tables.items()}
    print(json.dumps({"run": str(folder.path), "summary": [cells_of(s) for s in figures.summary], **rows}, indent=1))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jats", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--strategies", default="")
    parser.add_argument("--judges", default="rules,always")
    parser.add_argument("--context", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--name", default="Grounding of answers from nine articles")
    parser.add_argument("--local-model", action="store_true")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="NAME=VALUE")
    return parser.parse_args()


def _experiment(options: argparse.Namespace) -> dict[str, Any]:
    table = load_preset("grounding_study")
    wanted = options.strategies.split(",") if options.strategies else [s["name"] for s in table["strategies"]]
    table["strategies"] = [s for s in table["strategies"] if s["name"] in wanted]
    table["statistics"]["pairs"] = [pair for pair in table["statistics"]["pairs"] if set(pair) <= set(wanted)]
    table["settings"] |= dict(_setting(text) for text in options.settings)
    table["options"] |= {
        "judges": options.judges.split(","), "context": options.context, "candidates": options.candidates
    }  # fmt: skip
    if options.local_model:
        table["options"]["answer_tokens"] = 150
    table["data"] |= {"folder": "data", "limit": options.limit}
    return table | {"name": options.name, "preset": "grounding_study"}


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, json.loads(value) if value[:1].isdigit() or value in ("true", "false") else value


def _progress(stage: str, done: float, total: int) -> None:
    print(f"{stage}: {done:.0f} of {total}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
