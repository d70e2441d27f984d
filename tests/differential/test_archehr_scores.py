"""Subtasks 2 and 4 and the factuality of 2025 against a second reading of the published rules, on random submissions.

The second reading is written in another style: every (case, id) is looked at in turn and put into one of four heaps.
300 cases by default, 10,000 with `-m soak`.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.archehr_scores.score import score

SIZES = [300, pytest.param(10_000, marks=pytest.mark.soak)]
Counts = tuple[int, int, int]
"""Right, wrong, missed."""


def submissions(rng: random.Random, cases: int) -> list[list[dict[str, Any]]]:
    """Keys of one to twelve cases each, so many cases in all; some cases have no gold, some no sentence of a kind."""
    keys, made = [], 0
    while made < cases:
        size = min(rng.randint(1, 12), cases - made)
        keys.append([_case(rng, str(made + n + 1)) for n in range(size)])
        made += size
    return keys


def _case(rng: random.Random, name: str) -> dict[str, Any]:
    weights = rng.choice([(1, 1, 2), (0, 1, 2), (0, 0, 1), (3, 1, 1)])
    ids = [str(n) for n in range(1, rng.randint(2, 14))]
    labels = rng.choices(["essential", "supplementary", "not-relevant"], weights, k=len(ids))
    answers = [str(n) for n in range(1, rng.randint(2, 6))]
    return {
        "case_id": name,
        "answers": [{"sentence_id": i, "relevance": x} for i, x in zip(ids, labels, strict=True)],
        "clinician_answer_sentences": [
            {"id": a, "citations": rng.sample(ids, rng.randint(0, min(3, len(ids))))} for a in answers
        ],
    }


def _ids(case: dict[str, Any]) -> list[str]:
    return [entry["sentence_id"] for entry in case["answers"]]


def _written(folder: Path, key: Any, submission: Any) -> tuple[Path, Path]:
    paths = folder / "key.json", folder / "submission.json"
    for path, content in zip(paths, (key, submission), strict=True):
        path.write_text(json.dumps(content))
    return paths


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def _prf(counts: Counts, nothing: int) -> list[Fraction]:
    """Precision, recall, F1; all `nothing` where there is neither a prediction nor gold."""
    right, wrong, missed = counts
    if not any(counts):
        return [Fraction(nothing)] * 3
    return [_share(right, right + wrong), _share(right, right + missed), _share(2 * right, 2 * right + wrong + missed)]


def _figures(cases: list[Counts], nothing: int, prefix: str) -> dict[str, Fraction]:
    total = tuple(sum(side) for side in zip(*cases, strict=True))
    micro = _prf((total[0], total[1], total[2]), nothing)
    each = [_prf(counts, nothing) for counts in cases]
    macro = [sum(side, Fraction(0)) / len(cases) for side in zip(*each, strict=True)]
    parts = ("precision", "recall", "f1")
    return {f"{prefix}micro_{p}": 100 * v for p, v in zip(parts, micro, strict=True)} | {
        f"{prefix}macro_{p}": 100 * v for p, v in zip(parts, macro, strict=True)
    }


def _heaps(pairs: Any) -> Counts:
    right = wrong = missed = 0
    for predicted, gold in pairs:
        right += predicted and gold
        wrong += predicted and not gold
        missed += gold and not predicted
    return right, wrong, missed


def _agree(found: Any, expected: dict[str, Fraction], overall: str) -> None:
    assert found.scores[overall] is not None
    for name, value in expected.items():
        assert found.scores[name] == pytest.approx(float(value), abs=1e-9), name


@pytest.mark.parametrize("size", SIZES)
def test_subtask_2(size: int, tmp_path: Path) -> None:
    rng = random.Random(20262)
    perfect = 0
    for key in submissions(rng, size):
        said = {c["case_id"]: rng.choices(_ids(c), k=rng.randint(0, 6)) if rng.random() < 0.8 else [] for c in key}
        rows = [{"case_id": name, "prediction": ids} for name, ids in rng.sample(list(said.items()), len(said))]
        paths = _written(tmp_path, key, rows)
        expected: dict[str, Fraction] = {}
        for rule in ("strict", "lenient"):
            cases = []
            for case in key:
                label = {e["sentence_id"]: e["relevance"] for e in case["answers"]}
                seen = [i for i in label if rule == "strict" or label[i] != "supplementary"]
                cases.append(_heaps((i in said[case["case_id"]], label[i] == "essential") for i in seen))
            expected |= _figures(cases, 1, f"{rule}_")
        found = score(paths[1], year=2026, task=2, key=paths[0])
        _agree(found, expected, "overall_score")
        assert found.scores["overall_score"] == found.scores["strict_micro_f1"]
        perfect += expected["strict_macro_f1"] == 100
    assert perfect  # "both empty" has been seen alone


@pytest.mark.parametrize("size", SIZES)
def test_subtask_4(size: int, tmp_path: Path) -> None:
    rng = random.Random(20264)
    empty = 0
    for key in submissions(rng, size):
        rows, cases = [], []
        for case in key:
            answers = [a["id"] for a in case["clinician_answer_sentences"]]
            links = [
                {"answer_id": rng.choice(answers), "evidence_id": rng.choices(_ids(case), k=rng.randint(0, 3))}
                for _ in range(rng.randint(0, 5))
            ]
            rows.append({"case_id": case["case_id"], "prediction": links})
            cites = {a["id"]: a["citations"] for a in case["clinician_answer_sentences"]}
            cases.append(_heaps(
                (any(x["answer_id"] == a and e in x["evidence_id"] for x in links), e in cites[a])
                for a in answers for e in _ids(case)
            ))  # fmt: skip
        paths = _written(tmp_path, key, rows)
        found = score(paths[1], year=2026, task=4, key=paths[0])
        _agree(found, _figures(cases, 0, ""), "overall_score")
        assert found.scores["overall_score"] == found.scores["micro_f1"]
        empty += any(not any(counts) for counts in cases)
    assert empty


@pytest.mark.parametrize("size", SIZES)
def test_factuality_of_2025(size: int, tmp_path: Path) -> None:
    rng = random.Random(2025)
    strangers = 0
    for key in submissions(rng, size):
        rows, seen = [], {}
        for case in key:
            lines = [rng.sample([*_ids(case), "99", "x"], rng.randint(1, 2)) for _ in range(rng.randint(1, 4))]
            seen[case["case_id"]] = {i for ids in lines for i in ids}
            strangers += bool({"99", "x"} & seen[case["case_id"]])
            answer = "\n".join(f"Sentence {rng.choice(['', '.', '?'])} |{','.join(ids)}|" for ids in lines)
            rows.append({"case_id": case["case_id"], "answer": answer})
        paths = _written(tmp_path, key, rows)
        expected: dict[str, Fraction] = {}
        for rule, wanted in (("strict", {"essential"}), ("lenient", {"essential", "supplementary"})):
            cases = []
            for case in key:
                label = {e["sentence_id"]: e["relevance"] for e in case["answers"]}
                every = {*label, *seen[case["case_id"]]}
                cases.append(_heaps((i in seen[case["case_id"]], label.get(i) in wanted) for i in sorted(every)))
            expected |= _figures(cases, 0, f"{rule}_")
        found = score(paths[1], year=2025, key=paths[0])
        _agree(found, expected, "overall_factuality_score")
    assert strangers
