"""Speed and finding against other libraries, in one run: the same texts, the same encoder where they allow it.

Usage: python benchmarks/peers/run.py ENVIRONMENTS DATA [--rounds 3] [--cores N] [--only NAME;...] [--json OUT]

ENVIRONMENTS comes from `setup/environments.sh`, DATA from `data.py`. Each round runs every library once, one after the
other, each in a process of its own (`worker.py`); the next round begins with another library. Figures are medians over
rounds; a ratio is taken within each round against chartcite with its defaults and then its median over rounds, so that
a machine that slows down slows both sides. Encoding runs on as many threads as each library takes by default on the
cores it is given. On a shared machine give one core and read the CPU seconds. Ingest ends with an index on disk. The
model's loading is counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from chartcite.lab.statistics.proportion import wilson

REFERENCE = "chartcite"
# Name -> environment, engine, setting.
ENGINES = {
    "chartcite": ("chartcite", "chartcite", ""),
    "chartcite, MiniLM in torch": ("chartcite_torch", "chartcite", "sentence_transformers:{model}"),
    "chartcite, MiniLM in ONNX": ("chartcite", "chartcite", "onnx_folder:{environments}/minilm_onnx"),
    "haystack-ai": ("haystack", "haystack", ""),
    "llama-index-core": ("llamaindex", "llamaindex", ""),
    "txtai": ("txtai", "txtai", ""),
    "paper-qa": ("paperqa", "paperqa", ""),
}
HERE = Path(__file__).resolve().parent
Result = dict[str, Any]


def once(name: str, environments: Path, data: Path, cores: int) -> Result:
    """One library, one round.

    Raises:
        SystemExit: it failed; its own message is shown.
    """
    environment, engine, setting = ENGINES[name]
    python = environments / environment / "bin" / "python"
    with TemporaryDirectory() as temporary:
        out = Path(temporary) / "result.json"
        command = [str(python), "-m", "peers.worker", engine, str(data.resolve()), str(out)]
        setting = setting.replace("{environments}", str(environments.resolve()))
        command += ["--setting", setting, "--cores", str(cores)]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": str(HERE.parent)}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{name} failed:\n{done.stderr[-2000:]}")
        result: Result = json.loads(out.read_text("utf-8"))
    return result


def hits(found: dict[str, list[str]], queries: Sequence[Result]) -> dict[str, Any]:
    """Queries with a relevant passage among the first five; one that found nothing counts as wrong."""
    right = sum(bool(set(found.get(q["id"], ())) & set(q["relevant"])) for q in queries)
    share = wilson(right, len(queries))
    short = sum(len(found.get(q["id"], ())) < 5 for q in queries)
    return {"hit@5": share.value, "low": share.low, "high": share.high, "n": len(queries), "fewer_than_5": short}


def summary(rounds: Sequence[dict[str, Result]], name: str, passages: int, queries: Sequence[Result]) -> Result:
    """Medians over rounds, and ratios to the reference within rounds."""
    own = [r[name] for r in rounds]

    def figure(*path: str) -> list[float]:
        values = []
        for result in own:
            value: Any = result
            for key in path:
                value = value[key]
            values.append(float(value))
        return values

    def ratio(*path: str) -> float:
        first = [r[REFERENCE] for r in rounds]
        pairs = [(_at(mine, path), _at(theirs, path)) for mine, theirs in zip(own, first, strict=True)]
        return round(median(a / b for a, b in pairs), 2)

    made: Result = {
        "versions": own[0]["versions"], "size": own[0]["size"],
        "import_cpu_s": round(median(figure("import", "cpu_s")), 2),
        "load_cpu_s": round(median(figure("load", "cpu_s")), 2),
        "ingest_wall_s_per_1000": round(1000 * median(figure("ingest", "wall_s")) / passages, 2),
        "ingest_cpu_s_per_1000": round(1000 * median(figure("ingest", "cpu_s")) / passages, 2),
        "ingest_wall_ratio": ratio("ingest", "wall_s"), "ingest_cpu_ratio": ratio("ingest", "cpu_s"),
        "import_cpu_ratio": ratio("import", "cpu_s"),
        "rss_mb": round(median(figure("rss_mb"))),
        "ingest_wall_s": [round(x, 2) for x in figure("ingest", "wall_s")],
        "ingest_cpu_s": [round(x, 2) for x in figure("ingest", "cpu_s")],
        "modes": {},
    }  # fmt: skip
    for mode in own[0]["queries"]:
        seconds = [s for r in own for s in r["queries"][mode]["seconds"]]
        made["modes"][mode] = {
            "p50_ms": round(1000 * float(np.percentile(seconds, 50)), 2),
            "p95_ms": round(1000 * float(np.percentile(seconds, 95)), 2),
            "cpu_ms": round(1000 * median(r["queries"][mode]["cpu_s"] for r in own) / len(queries), 2),
            **hits(own[0]["queries"][mode]["found"], queries),
        }
    return made


def _at(result: Result, path: Sequence[str]) -> float:
    value: Any = result
    for key in path:
        value = value[key]
    return float(value)


def rows(path: Path) -> list[Result]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environments", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=0, help="cores a library may use; 0: all")
    parser.add_argument("--only", default=";".join(ENGINES), help="names, separated by ;")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not (args.data / "passages.jsonl").is_file():
        sys.exit(f"There is no passages.jsonl in {args.data}: this benchmark is skipped.")
    wanted = args.only.split(";")
    names = [n for n in ENGINES if n in wanted and (args.environments / ENGINES[n][0] / "bin" / "python").is_file()]
    if REFERENCE not in names:
        sys.exit(f"There is no environment of chartcite in {args.environments}: run setup/environments.sh first.")
    passages, queries = rows(args.data / "passages.jsonl"), rows(args.data / "queries.jsonl")
    rounds: list[dict[str, Result]] = []
    for n in range(args.rounds):
        turn = n % len(names)
        done = {}
        for name in names[turn:] + names[:turn]:
            done[name] = once(name, args.environments, args.data, args.cores)
            print(n + 1, name, f"{done[name]['ingest']['wall_s']:.1f} s", file=sys.stderr, flush=True)
        rounds.append(done)
    result = {
        "data": args.data.name, "passages": len(passages),
        "distinct": len({(p["patient"], p["text"]) for p in passages}), "queries": len(queries),
        "rounds": args.rounds, "cores": args.cores or len(os.sched_getaffinity(0)), "machine": platform.machine(),
        "left_out": [n for n in ENGINES if n not in names],
        "engines": {name: summary(rounds, name, len(passages), queries) for name in names},
    }  # fmt: skip
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
