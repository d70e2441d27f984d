from pathlib import Path

import pytest

from chartcite.app.cli.progress import Gauge, Lines
from chartcite.app.render.layout import Paper, plain
from chartcite.app.render.ledger import format_lines, ledger_lines, rehearsal_lines
from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger, ProblemLine, SourceEntry
from chartcite.ingest.walk import SourceFile


def ledger(failures: int = 0, skipped: int = 0) -> Ledger:
    entry = SourceEntry("notes.jsonl")
    entry.counts.update(added=1200, unchanged=3)
    for n in range(failures):
        entry.add(
            ProblemLine(f"notes.jsonl#{n + 1}", "CorruptSource", "the line is not valid JSON", "export it again", False)
        )
    for _ in range(skipped):
        entry.add(ProblemLine("x", "UnsupportedFormat", "the format PNG image is not supported yet", "", True))
    return Ledger([entry], passages=2000, encoded=1500)


def test_the_summary_counts_and_gives_the_speed() -> None:
    assert plain(ledger_lines(ledger(), 10.0, Paper())) == (
        "Documents of 1 source\n"
        "  Added       1,200\n"
        "  Updated         0\n"
        "  Unchanged       3\n"
        "  Failed          0\n"
        "  Skipped         0\n"
        "  Passages    2,000\n"
        "  Encoded     1,500\n"
        "  Seconds      10.0\n"
        "  Passages/s    150"
    )


def test_without_anything_encoded_there_is_no_speed() -> None:
    assert "Passages/s" not in plain(ledger_lines(Ledger([]), 0.0, Paper()))


def test_failures_have_reason_and_advice() -> None:
    text = plain(ledger_lines(ledger(failures=1), 1.0, Paper()))
    assert text.endswith(
        "\nFailed (1)\n  notes.jsonl#1\n      The line is not valid JSON.\n      try: Export it again."
    )


@pytest.mark.parametrize(
    ("failures", "rest"), [(20, ""), (21, "  and 1 more (--json lists them)"), (1500, "1,480 more")]
)
def test_the_first_twenty_failures_are_shown(failures: int, rest: str) -> None:
    text = plain(ledger_lines(ledger(failures), 1.0, Paper()))
    assert text.count("try: ") == 20
    assert rest in text
    assert f"Failed ({failures:,})" in text
    assert len(ledger(failures).sources[0].to_dict()["problems"]) == min(failures, 1000)  # type: ignore[arg-type]


def test_what_was_skipped_is_counted_by_reason() -> None:
    text = plain(ledger_lines(ledger(skipped=3), 1.0, Paper()))
    assert text.endswith("Skipped (3)\n    3 The format PNG image is not supported yet.")


@pytest.mark.parametrize(("reasons", "rest"), [(20, 0), (23, 3)], ids=["all", "more"])
def test_reasons_that_are_not_shown_are_counted(reasons: int, rest: int) -> None:
    entry = SourceEntry("notes")
    for n in range(reasons):
        entry.add(ProblemLine("x", "UnsupportedFormat", f"pictures, left out: {n + 1}", "", True))
    text = plain(ledger_lines(Ledger([entry]), 1.0, Paper()))
    assert text.count("left out") == 20
    assert text.endswith(f"  and {rest} more (--json lists them)") == bool(rest)


def test_a_rehearsal_says_where_documents_would_go() -> None:
    text = plain(rehearsal_lines(ledger(), {Scope.patient("p2"): 1, Scope.patient("p1"): 1199}, Paper()))
    assert text == (
        "Dry run: 1,200 documents from 1 source can be read. Nothing was stored.\n"
        "  patient p1: 1,199 documents\n"
        "  patient p2: 1 document"
    )


def sources(*sizes: int) -> list[SourceFile]:
    return [SourceFile(Path(), f"{n}.txt", size) for n, size in enumerate(sizes)]


def test_the_gauge_follows_bytes_and_within_a_source_characters() -> None:
    gauge = Gauge(sources(100, 300))
    first, second = SourceEntry("0.txt"), SourceEntry("1.txt")
    first.chars, first.counts["added"] = 50, 1
    gauge.note(first, 0)
    assert (gauge.total, gauge.done, gauge.documents) == (400, 50, 1)
    gauge.note(first, 100)
    second.chars, second.counts["added"] = 10_000, 2
    gauge.note(second, 100)
    assert (gauge.done, gauge.documents) == (399, 3)
    gauge.note(second, 400)
    assert gauge.done == 400


def test_the_gauge_never_goes_back() -> None:
    gauge = Gauge(sources(100, 100))
    entry = SourceEntry("0.txt")
    entry.chars = 90
    gauge.note(entry, 0)
    gauge.note(SourceEntry("1.txt"), 0)
    assert gauge.done == 90


def test_elsewhere_at_most_one_line_every_ten_seconds() -> None:
    now = [0.0]
    written: list[str] = []
    lines = Lines(Gauge(sources(1000)), "ingest", written.append, lambda: now[0])
    entry = SourceEntry("0.txt")
    for second in range(100):
        now[0], entry.chars = float(second), 10 * second
        entry.counts["added"] = second
        lines(entry, 0)
    assert len(written) == 9
    assert written[0] == "ingest: 10 documents, 10%, about 90 s left".replace("90 s", "2 min")
    assert written[-1] == "ingest: 90 documents, 90%, about 10 s left"


def test_several_formats_have_a_line_each() -> None:
    first, second, third = SourceEntry("a.json"), SourceEntry("b.zip"), SourceEntry("c.png")
    first.note("fhir; Observation", 1200, "patient p1")
    first.note("fhir; Condition", 30, "patient p2")
    second.note("fhir; Condition", 30, "patient p2")
    second.note("text; charset=utf-8", 7, "patient p1")
    second.counts["skipped"] = 3
    third.counts["failed"] = 1
    found = Ledger([first, second, third])
    assert plain(format_lines(found, Paper())) == (
        "\n"
        "                Documents  Characters  Partitions  Failed  Skipped\n"
        "  not read now          0           0           0       1        0\n"
        "  fhir                  3       1,260           2       0        0\n"
        "  text                  1           7           1       0        3"
    )
    narrow = plain(format_lines(found, Paper(width=40)))
    assert "fhir: Documents 3, Characters" in narrow
    assert max(map(len, narrow.splitlines())) <= 40
    assert plain(format_lines(found, Paper())) in plain(ledger_lines(found, 1.0, Paper()))
    assert plain(format_lines(found, Paper())) in plain(rehearsal_lines(found, {}, Paper()))
    assert found.to_dict()["formats"] == [
        {"format": None, "sources": 1, "documents": 0, "chars": 0, "failed": 1, "skipped": 0, "partitions": 0},
        {"format": "fhir", "sources": 1, "documents": 3, "chars": 1260, "failed": 0, "skipped": 0, "partitions": 2},
        {"format": "text", "sources": 1, "documents": 1, "chars": 7, "failed": 0, "skipped": 3, "partitions": 1},
    ]
    assert not list(format_lines(Ledger([first]), Paper()))


def test_what_is_not_there_any_more_is_named() -> None:
    found = ledger()
    found.gone = [f"p1/{n:02d}.txt" for n in range(22)]
    text = plain(ledger_lines(found, 1.0, Paper()))
    assert "Not there any more; what was read of them stays (22)\n  p1/00.txt\n" in text
    assert text.endswith("  and 2 more")
