"""Figures over clusters, the confusion matrix, and where a data set's sentences are hit."""

from __future__ import annotations

import numpy as np
import pytest

from chartcite.lab.errors import MissingData
from chartcite.lab.statistics.cohen_kappa import cohen_kappa
from chartcite.verification.verdicts import Verdict
from verification.checkers import Judged
from verification.command import ended
from verification.confusion import LABELS, confusion, confusion_lines
from verification.evidence import Lines, evidence_figures
from verification.items import Item
from verification.resampled import ac1, cells_of, f1, kappa, mean_recall, resampled, shown_ratio

PAIRS = [("supported", "supported")] * 5 + [("supported", "not_enough")] * 3 + [("contradicted", "contradicted")] * 2
PAIRS += [("not_enough", "supported"), *[("not_enough", "not_enough")] * 4]


def sums() -> np.ndarray:
    cells = cells_of({str(n): pair for n, pair in enumerate(PAIRS)}, LABELS)
    total: np.ndarray = np.array(list(cells.values())).sum(axis=0, keepdims=True)
    return total


def test_kappa_and_ac1_are_those_of_the_lab() -> None:
    known = cohen_kappa(PAIRS)
    assert known.kappa is not None
    assert known.ac1 is not None
    assert kappa(sums())[0] == pytest.approx(known.kappa)
    assert ac1(sums())[0] == pytest.approx(known.ac1)


def test_balanced_accuracy_is_the_mean_over_labels_with_gold() -> None:
    assert mean_recall(sums())[0] == pytest.approx((5 / 8 + 1 + 4 / 5) / 3)
    only_two = cells_of({"a": ("supported", "supported"), "b": ("contradicted", "not_enough")}, LABELS)
    assert mean_recall(np.array(list(only_two.values())).sum(axis=0, keepdims=True))[0] == pytest.approx(0.5)


def test_intervals_draw_whole_clusters() -> None:
    counts = {str(n): (float(n % 2), 1.0, 1.0) for n in range(40)}
    apart = resampled(counts, {case: case for case in counts}, f1)
    assert (apart["value"], apart["n"], apart["clusters"]) == (0.5, 40, 40)
    assert 0.3 < apart["low"] < 0.45 < 0.55 < apart["high"] < 0.7
    alike = resampled(counts, {case: str(int(case) // 2) for case in counts}, f1)  # each cluster is half right
    assert (alike["low"], alike["high"]) == (0.5, 0.5)
    assert shown_ratio(alike) == "0.500 [0.500, 0.500]"
    assert shown_ratio(resampled({}, {}, f1)) == "-"


def test_confusion() -> None:
    verdicts: list[tuple[str, Verdict]] = [
        ("supported", "supported"), ("supported", "contradicted"), ("contradicted", "contradicted"),
        ("not_enough", "unsupported"), ("not_enough", "supported"),
    ]  # fmt: skip
    judged = [
        Judged(Item(str(n), gold, gold == "supported", "", ()), verdict, 1.0)
        for n, (gold, verdict) in enumerate(verdicts)
    ]
    found = confusion(judged)
    assert found["confusion"]["supported"] == {"supported": 1, "contradicted": 1, "not_enough": 0}
    assert found["confusion"]["not_enough"] == {"supported": 1, "contradicted": 0, "not_enough": 1}
    assert found["balanced_accuracy"]["value"] == pytest.approx((0.5 + 1 + 0.5) / 3, abs=1e-4)
    assert (found["sensitivity"]["count"], found["sensitivity"]["n"]) == (1, 2)
    assert (found["specificity"]["count"], found["specificity"]["n"]) == (2, 3)
    assert len(confusion_lines(found)) == 7


def test_a_sentence_is_hit_by_half() -> None:
    text = "Title\n\nNo fever. Cough for a week."
    lines = Lines.of(("No fever.", "Cough for a week."), " ", "Title\n\n")
    assert [text[a:b] for a, b in lines.spans] == ["No fever.", "Cough for a week."]
    assert list(lines.hit(7, 16)) == [0]
    assert list(lines.hit(7, len(text))) == [0, 1]
    assert list(lines.hit(17, 22)) == [1]  # all that was cited lies in it
    assert list(lines.hit(0, 10)) == []  # the title and three letters more


def test_evidence_counts_what_was_missed() -> None:
    gold = {"a": {("d", 0), ("d", 1)}, "b": {("d", 2)}}
    found = evidence_figures({"a": {("d", 0), ("d", 3)}, "b": set()}, gold, {"a": "a", "b": "b"})
    assert (found["picked"], found["gold"]) == (2, 3)
    assert found["precision"]["value"] == 0.5
    assert found["recall"]["value"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["f1"]["value"] == pytest.approx(0.4)


def test_absent_data_is_one_sentence_and_exit_3(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise MissingData("It is not there.", "Point to it.")

    with pytest.raises(SystemExit) as caught:
        ended(work)
    assert caught.value.code == 3
    assert capsys.readouterr().err == "It is not there. Point to it.\n"
