"""Every retrieval method on one data set: nDCG@10, R@5, R@100, MRR@10 with intervals, and paired tests between methods.

Usage: python benchmarks/quality.py NAME DATA STORE [--methods NAME,...] [--limit N] [--json OUT]

NAME is one of the experiments below, DATA the folder of its data set. It is an experiment of the lab (docs/lab.md):
same cases, same items, intervals and tests by clusters. STORE keeps what was ingested, so that another run with other
methods encodes nothing again; one store for each NAME. Nothing here is tuned; which splits others tuned on is said in
docs/results.md. `--methods` takes names of the table METHODS: a list, a fusion, or a fusion and what reranks it. The
cross-encoder reads 100 passages a question and takes minutes: it is left out unless it is named. Methods that take in
whole notes or neighbours (`hierarchical`, `neighbours`) rank documents as `hybrid` does and are not asked apart.

scifact: claims to abstracts. medquad: consumer messages to graded answers. answers: MedQuAD's own questions to the
answer that was written for each (which does not hold the question), among 500 others. nli4ct: statements to the
gold lines among the lines of the trial's section. rebec_*: titles, English titles and outcomes of Brazilian trials to
their Portuguese records. longchart: questions to the notes of the patient that hold the evidence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from chartcite.core.errors import NotConfigured
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.experiment.tables import PairRow, SummaryRow
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

Table = dict[str, Any]
DEFAULT = "convex + fused"
METHODS: dict[str, Table] = {
    "lexical": {"method": "lexical", "rerank": "none"},
    "dense": {"method": "dense", "rerank": "none"},
    "rrf": {"method": "hybrid", "rerank": "none", "fusion": "rrf"},
    "convex": {"method": "hybrid", "rerank": "none", "fusion": "convex"},
    "rrf + fused": {"method": "hybrid", "rerank": "fused", "fusion": "rrf"},
    DEFAULT: {"method": "hybrid", "rerank": "fused", "fusion": "convex"},
    "convex + cross": {"method": "hybrid", "rerank": "cross", "fusion": "convex"},
}
EXPERIMENTS: dict[str, Table] = {
    "scifact": {"dataset": "scifact", "split": "dev"},
    "medquad": {"dataset": "medquad"},
    "answers": {"dataset": "beir", "limit": 100, "corpus_limit": 500},
    "nli4ct": {"dataset": "nli4ct_lines", "split": "dev", "corpus_group": "dev"},
    "rebec_title": {"dataset": "rebec_pt", "group": "title", "corpus_group": "body", "limit": 200},
    "rebec_title_en": {"dataset": "rebec_pt", "group": "title_en", "corpus_group": "body", "limit": 200},
    "rebec_outcome": {"dataset": "rebec_pt", "group": "outcome", "corpus_group": "criteria", "limit": 200},
    "longchart": {"dataset": "longchart", "split": "dev", "limit": 400},
}
MEASURES = ["ndcg@10", "recall@5", "recall@100", "mrr@10"]


def answers_folder(source: Path, out: Path) -> Path:
    """MedQuAD's pairs in BEIR's form: equal answers are one document, relevant to each question they were given to."""
    ids: dict[str, str] = {}
    (out / "qrels").mkdir(parents=True)
    with (
        gzip.open(source / "medquad_qa.jsonl.gz", "rt", encoding="utf-8") as lines,
        (out / "queries.jsonl").open("w", encoding="utf-8") as queries,
        (out / "qrels" / "all.tsv").open("w", encoding="utf-8") as qrels,
    ):
        qrels.write("query-id\tcorpus-id\tscore\n")
        for n, row in enumerate(map(json.loads, lines)):
            if row["answer"].strip():
                document = ids.setdefault(row["answer"], f"a{len(ids)}")
                queries.write(json.dumps({"_id": f"q{n}", "text": row["question"]}) + "\n")
                qrels.write(f"q{n}\t{document}\t1\n")
    rows = (json.dumps({"_id": identity, "text": text}) + "\n" for text, identity in ids.items())
    (out / "corpus.jsonl").write_text("".join(rows), "utf-8")
    return out


def experiment(name: str, folder: Path, methods: list[str], limit: int) -> Table:
    """The lab's table: each method against the default, and what fusing gains over its parts."""
    pairs = [[DEFAULT, method] for method in methods if method != DEFAULT and DEFAULT in methods]
    pairs += [["rrf", part] for part in ("lexical", "dense") if {"rrf", part} <= set(methods)]
    data = {**EXPERIMENTS[name], "folder": str(folder)}
    return {
        "name": f"quality {name}", "metrics": MEASURES, "data": data | ({"limit": limit} if limit else {}),
        "strategies": [{"name": method, **METHODS[method]} for method in methods],
        "statistics": {"pairs": pairs},
    }  # fmt: skip


class Opener:
    """Opens STORE in place of the run's own; the models are loaded once."""

    def __init__(self, store: Path) -> None:
        self._store, self._models = store, dict[tuple[str, str], Any]()

    def __call__(self, _: Path, settings: Settings, create: bool) -> Book:
        engines = Engines(settings)
        for kind in ("encoder", "reranker"):
            key = (kind, getattr(settings, kind))
            if kind == "encoder" or settings.rerank == "cross":
                if key not in self._models:
                    self._models[key] = getattr(engines, kind)
                engines.__dict__[kind] = self._models[key]
        return Book(self._store, settings, create=create, engines=engines)


def result(run: RunFolder, table: Table) -> Table:
    """What is kept of a run: figures with intervals over all cases, and the paired tests."""
    rows = [r for r in run.read_table("measure", "summary", SummaryRow) if not r.group]
    tests = run.read_table("compare", "", PairRow)
    return {
        "experiment": table["name"], "data": {k: v for k, v in table["data"].items() if k != "folder"},
        "cases": rows[0].n, "clusters": rows[0].clusters, "items": run.manifest["data"]["items"],
        "methods": {
            method["name"]: {r.measure: _rounded(r.value, r.low, r.high) for r in rows if r.strategy == method["name"]}
            for method in table["strategies"]
        },
        "tests": [
            {
                "first": t.first, "second": t.second, "measure": t.measure,
                "difference": _rounded(t.difference, t.low, t.high), "p": t.p, "p_holm": t.p_holm, "tests": t.tests,
            }
            for t in tests
        ],
    }  # fmt: skip


def _rounded(*values: float | None) -> list[float | None]:
    return [None if v is None else round(v, 4) for v in values]


def shown(made: Table) -> str:
    """A Markdown table."""
    lines = [
        f"n {made['cases']}, {made['items']:,} items",
        "",
        f"| method | {' | '.join(MEASURES)} |",
        "|---" * 5 + "|",
    ]
    for name, figures in made["methods"].items():
        cells = [_cell(next((v for m, v in figures.items() if m.startswith(measure)), None)) for measure in MEASURES]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: list[float | None] | None) -> str:
    if values is None or values[0] is None:
        return "none"
    low, high = values[1:]
    return f"{values[0]:.3f}" if low is None or high is None else f"{values[0]:.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=EXPERIMENTS)
    parser.add_argument("data", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--methods", default=",".join(m for m in METHODS if not m.endswith("cross")))
    parser.add_argument("--limit", type=int, default=0, help="so many cases, evenly spaced; 0: as the experiment says")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"There is no data in {args.data}: this benchmark is skipped.")
    with tempfile.TemporaryDirectory() as temporary:
        own = Path(temporary)
        folder = answers_folder(args.data, own / "answers") if args.name == "answers" else args.data.resolve()
        table = experiment(args.name, folder, args.methods.split(","), args.limit)
        plan = Plan(parse_experiment(table), own, own / "runs")
        try:
            run = run_experiment(plan, progress, Opener(args.store))
        except NotConfigured as error:
            sys.exit(f"{error} This benchmark is skipped.")
        made = result(run, table)
    print(shown(made))
    if args.json:
        args.json.write_text(json.dumps(made, indent=1) + "\n", "utf-8")


def progress(stage: str, done: float, total: int) -> None:
    if total and int(done) == done and int(done) % 100 == 0:
        print(f"{stage} {int(done)} of {total}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
