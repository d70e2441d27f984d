"""A folder of mixed, invented files with a known right outcome each; ingested, ingested again, changed, interrupted.

    python benchmarks/mixed_files.py FOLDER [--files 2000] [--seed 7] [--steps first,changes] [--fresh] [--json OUT]

Makes FOLDER/in (files) and FOLDER/store* (stores), drives the command line as a user would, and
prints one JSON object: by step whether what came out is what was known before, with what was not. Steps: dry run;
ingest; the same again; one source changed; one removed; the folder moved; Ctrl-C and again; a disk that is full; two at
once. Exit code 1 if a step is not right.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mixed.expected import Expected, by_format
from mixed.files import make_files

CHARTCITE = Path(sys.executable).parent / "chartcite"
ROUTE = ("--patient-from", "folder", "--json")


def run(*arguments: str | Path, store: Path, **more: Any) -> tuple[int, dict[str, Any], str]:
    """Exit code, what was printed as JSON, and what was said."""
    command = [str(CHARTCITE), *map(str, arguments), "--store", str(store)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    return done.returncode, json.loads(done.stdout) if done.stdout.strip().startswith("{") else {}, done.stderr


def wrong_sources(ledger: dict[str, Any], files: dict[str, Expected]) -> list[str]:
    """Which sources did not come out as known, with what came."""
    found = {row["source"]: row for row in ledger["sources"]}
    out = [f"{name}: not in the ledger" for name, e in files.items() if e.outcome and name not in found]
    out += [f"{name}: in the ledger" for name in found if name not in files or not files[name].outcome]
    for name, row in found.items():
        if name in files:
            kinds = Counter(p["kind"] for p in row["problems"])
            out += [f"{name}: {what}" for what in files[name].differs(row, kinds)]
    return sorted(out)


def wrong_formats(ledger: dict[str, Any], files: dict[str, Expected]) -> list[str]:
    """Lines of the table by format that are not the sum of what is known."""
    found = {row["format"] or "": row for row in ledger["formats"]}
    known = by_format(files.values())
    out = []
    for name in sorted({*found, *known}):
        row, right = found.get(name, {}), known.get(name, {})
        out += [
            f"{name or 'none'}: {field} {row.get(field)} for {n}" for field, n in right.items() if row.get(field) != n
        ]
        out += [f"{name}: not known"] if not right else []
    return out


def first_runs(folder: Path, files: dict[str, Expected]) -> dict[str, Any]:
    """Dry run, ingest, and the same again."""
    inbox, store = folder / "in", folder / "store"
    code, dry, _ = run("ingest", inbox, *ROUTE, "--dry-run", store=store)
    start = time.perf_counter()
    code_real, real, said = run("ingest", inbox, *ROUTE, store=store)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    code_again, again, _ = run("ingest", inbox, *ROUTE, store=store)
    partitions = {(p.get("patient"), p.get("collection")): p["documents"] for p in dry["partitions"]}
    _, stored, _ = run("patients", "list", "--json", store=store)
    listed = {(p["id"], None): p["documents"] for p in stored["patients"]}
    return {
        "sources": len(real["sources"]), "seconds": round(seconds, 1), "exit codes": [code, code_real, code_again],
        "again_s": round(time.perf_counter() - start, 1), "again_encoded": again["encoded"],
        "again_touched": again["added"] + again["updated"], "passages": real["passages"], "encoded": real["encoded"],
        "documents": real["added"], "failed": real["failed"], "skipped": real["skipped"], "formats": real["formats"],
        "wrong sources": wrong_sources(real, files), "wrong formats": wrong_formats(real, files),
        "dry run differs": [r for r in zip(dry["formats"], real["formats"], strict=False) if r[0] != r[1]],
        "partitions differ": sorted(str(k) for k in {*partitions, *listed} if partitions.get(k) != listed.get(k)),
        "traceback": "Traceback" in said,
        "right": [code, code_real, code_again] == [4, 4, 4] and again["encoded"] == again["added"] == 0
        and not wrong_sources(real, files) and not wrong_formats(real, files) and dry["formats"] == real["formats"],
    }  # fmt: skip


def changes(folder: Path) -> dict[str, Any]:
    """One source changed, one removed, the folder moved; a citation of the changed one is stale."""
    inbox, store = folder / "in", folder / "store"
    (inbox / "stale").mkdir()
    note = inbox / "stale/2031-03-02_letter.txt"
    note.write_text("Warfarin 5 mg every evening.\n", "utf-8")
    run("ingest", inbox, *ROUTE, store=store)
    _, answer, _ = run("ask", "What is the warfarin dose?", "--patient", "stale", "--json", store=store)
    (folder / "answer.json").write_text(json.dumps(answer), "utf-8")
    before, _, _ = run("verify", folder / "answer.json", "--json", store=store)
    note.write_text("Warfarin 7.5 mg every evening.\n", "utf-8")
    _, changed, _ = run("ingest", inbox, *ROUTE, store=store)
    after, checked, _ = run("verify", folder / "answer.json", "--json", store=store)
    note.unlink()
    _, removed, _ = run("ingest", inbox, *ROUTE, store=store)
    inbox.rename(folder / "moved")
    _, moved, _ = run("ingest", folder / "moved", *ROUTE, store=store)
    (folder / "moved").rename(inbox)
    (inbox / "stale").rmdir()
    out = {
        "verify before and after": [before, after], "updated": changed["updated"], "encoded": changed["encoded"],
        "added": changed["added"], "gone": removed.get("gone"), "moved": [moved["added"], moved["encoded"]],
        "statuses": sorted({str(c.get("status")) for c in checked.get("citations", [])}),
    }  # fmt: skip
    out["right"] = [before, after] == [0, 7] and [changed[k] for k in ("updated", "encoded", "added")] == [1, 1, 0]
    out["right"] &= moved["added"] == moved["encoded"] == 0 and removed.get("gone") == ["stale/2031-03-02_letter.txt"]
    return out


def counts(store: Path) -> list[tuple[str, int]]:
    _, stored, _ = run("patients", "list", "--json", store=store)
    return [(p["id"], p["documents"]) for p in stored.get("patients", [])]


def heeding() -> None:
    """A job of a script ignores Ctrl-C, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(folder: Path, right: list[tuple[str, int]]) -> dict[str, Any]:
    """Ctrl-C at several moments, then to the end: the same store."""
    store = folder / "store-interrupted"
    command = [str(CHARTCITE), "ingest", str(folder / "in"), *ROUTE, "--store", str(store)]
    codes, said = [], Counter[str]()
    for seconds in (2, 4, 8):
        child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heeding,  # noqa: PLW1509
        )
        time.sleep(seconds)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
        codes.append(child.returncode)
        said[err.strip().splitlines()[-1] if err.strip() else ""] += "Traceback" not in err
    done = counts(store)
    run("ingest", folder / "in", *ROUTE, store=store)
    found = counts(store)
    return {"exit codes": codes, "said": dict(said), "documents before": sum(n for _, n in done),
            "right": found == right and set(codes) <= {0, 4, 130} and all(said.values())}  # fmt: skip


def full_disk(folder: Path, right: list[tuple[str, int]]) -> dict[str, Any]:
    """No file may grow beyond a limit; then the limit goes."""
    store = folder / "store-full"

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))

    code, _, said = run("ingest", folder / "in", *ROUTE, store=store, preexec_fn=limit)
    kept = sum(n for _, n in counts(store))
    run("ingest", folder / "in", *ROUTE, store=store)
    return {"exit code": code, "said": said.strip().splitlines()[-2:], "documents kept": kept,
            "right": code == 1 and "Traceback" not in said and counts(store) == right}  # fmt: skip


def two_at_once(folder: Path, right: list[tuple[str, int]]) -> dict[str, Any]:
    """Two ingests of the same folder into one store."""
    store = folder / "store-two"
    command = [str(CHARTCITE), "ingest", str(folder / "in"), *ROUTE, "--store", str(store)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = [child.communicate() for child in both]
    said = [err.strip().splitlines()[-1:] for _, err in ends]
    ledgers = [json.loads(out) if out.startswith("{") else {} for out, _ in ends]
    found = counts(store)
    if found != right:
        run("ingest", folder / "in", *ROUTE, store=store)
    return {"exit codes": [c.returncode for c in both], "said": said, "same at once": found == right,
            "failed": [ledger.get("failed") for ledger in ledgers],
            "right": counts(store) == right and not any("Traceback" in err for _, err in ends)}  # fmt: skip


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", default="first,changes,interrupted,full,two")
    parser.add_argument("--fresh", action="store_true", help="remove the folder first")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.fresh:
        shutil.rmtree(args.folder, ignore_errors=True)
    files = make_files(args.folder / "in", args.files, random.Random(args.seed))
    right = sorted((name, n) for name, n in patients_of(files).items())
    steps: dict[str, Callable[[], dict[str, Any]]] = {
        "first": lambda: first_runs(args.folder, files),
        "changes": lambda: changes(args.folder),
        "interrupted": lambda: interrupted(args.folder, right),
        "full": lambda: full_disk(args.folder, right),
        "two": lambda: two_at_once(args.folder, right),
    }
    result: dict[str, Any] = {}
    for step in args.steps.split(","):
        result[step] = steps[step]()
        print(f"{step}: {'right' if result[step]['right'] else 'wrong'}", file=sys.stderr)
    print(json.dumps(result, indent=1, ensure_ascii=True))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    sys.exit(not all(step["right"] for step in result.values()))


def patients_of(files: dict[str, Expected]) -> Counter[str]:
    """Documents by patient."""
    return sum((Counter(e.patients) for e in files.values()), Counter())


if __name__ == "__main__":
    main()
