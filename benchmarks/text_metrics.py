"""Field case 11 and the sample submissions of ArchEHR-QA, reproduced: every figure of a text metric, within 1e-4.

Usage: python benchmarks/text_metrics.py [FIELDCASE_FOLDER] [SUBMISSIONS_FOLDER] [--json OUT]

The folders (`11-text-metrics` with pairs.json, sari.json, expected.json; the four submission_subtask_N.json) are not
part of this project: without them the script says so and ends. It ends with 1 if a figure is not as expected.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.archehr_scores.json_file import read_cases
from chartcite.lab.archehr_scores.submission import read_texts
from chartcite.lab.experiment.metric_names import form_of, metric_of
from chartcite.lab.metrics.meteor_nltk import meteor_nltk
from chartcite.lab.rouge import rouge
from chartcite.lab.sari import Revision

TOLERANCE = 1e-4
SHARED = Path(__file__).parents[2] / "shared"
METRICS = {"rouge1": "rouge_1", "rouge2": "rouge_2", "rougeL": "rouge_l", "rougeLsum": "rouge_lsum"}
SARIS = {"sari_hf_evaluate_and_archehr": "sari_evaluate", "sari_easse": "sari_easse"}
Row = tuple[str, str, float, float]
"""Case, measure, found, expected."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="?", type=Path, default=SHARED / "fieldcases" / "11-text-metrics")
    parser.add_argument("submissions", nargs="?", type=Path, default=SHARED / "data" / "archehr_public")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not (args.case / "expected.json").is_file():
        print(f"skipped: there is no field case in {args.case}")
        return 0
    rows = list(field_case(args.case))
    wrong = [row for row in rows if abs(row[2] - row[3]) > TOLERANCE]
    for case, measure, found, expected in rows:
        mark = "" if abs(found - expected) <= TOLERANCE else "  WRONG"
        print(f"{case:<22} {measure:<14} {found:10.6f} {expected:10.6f}{mark}")
    print(f"\n{len(rows)} figures, {len(wrong)} wrong")
    samples = dict(submissions(args.submissions))
    print(f"sample submissions: {samples or 'not there'}")
    if args.json:
        forms = {name: form_of(metric_of(name)) for name in (*METRICS.values(), *SARIS.values(), "meteor_stem")}
        args.json.write_text(json.dumps({"rows": rows, "forms": forms, "submissions": samples}, indent=2) + "\n")
    return 1 if wrong else 0


def field_case(folder: Path) -> Iterator[Row]:
    """Every expected figure beside ours."""
    pairs = {p["id"]: p for p in _load(folder / "pairs.json")}
    saris = {p["id"]: p for p in _load(folder / "sari.json")}
    for wanted in _load(folder / "expected.json"):
        name = wanted["id"]
        if name.startswith("sari:"):
            yield from _sari(name, saris[name.partition(":")[2]], wanted)
            continue
        said, gold = pairs[name]["prediction"], pairs[name]["reference"]
        for measure, expected in wanted["rouge_f1"].items():
            yield name, measure, _value(METRICS[measure], [gold], said), expected
        if "ascii_tokeniser_would_give" in wanted:
            yield name, "rouge1 (ascii)", rouge("rouge1", said, gold, "ascii"), wanted["ascii_tokeniser_would_give"]
        if "meteor_exact_and_stem_only" in wanted:
            expected = wanted["meteor_exact_and_stem_only"]
            yield name, "meteor, NLTK's", meteor_nltk(said, gold, lambda _: frozenset()), expected
            # The definition (fewest chunks) differs in the one pair where words change places.
            yield name, "meteor_stem", _value("meteor_stem", [gold], said), 0.9375 if name == "swap_en" else expected


def submissions(folder: Path) -> Iterator[tuple[str, int]]:
    """How many cases each sample holds; those that are not there are left out."""
    for task in (1, 2, 3, 4):
        path = folder / f"submission_subtask_{task}.json"
        if path.is_file():
            words = {1: 15, 3: 75}.get(task)
            yield str(task), len(read_texts(path, words).texts if words else read_cases(path, "prediction"))


def _sari(name: str, case: dict[str, Any], wanted: dict[str, Any]) -> Iterator[Row]:
    gold = Revision(case["source"], tuple(case["references"]))
    for field, metric in SARIS.items():
        yield name, metric, 100 * _value(metric, gold, case["prediction"]), wanted[field]


def _value(metric: str, gold: Any, said: str) -> float:
    found = metric_of(metric).measure({"1": gold}, {"1": said}).summaries[0].value
    assert found is not None
    return found


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
