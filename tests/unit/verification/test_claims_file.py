from __future__ import annotations

import json

import pytest

from chartcite.core.errors import UsageError
from chartcite.verification.claims_file import DuplicateSource, check_lines, read_sources

SOURCES = ['{"id": "a", "text": "Denies fever."}', "", '{"id": 7, "text": "Aspirin 81 mg daily."}']


def check(*claims: object) -> list[dict[str, object]]:
    lines = [c if isinstance(c, str) else json.dumps(c) for c in claims]
    return list(check_lines(lines, read_sources(SOURCES)))


def test_results_come_in_input_order() -> None:
    found = check(
        {"id": 1, "claim": "Aspirin 81 mg.", "citations": [7]},
        {"id": "z", "claim": "The patient has a fever.", "citations": ["a"]},
    )
    assert [(r["id"], r["verdict"], r["verified"], r["best_source"]) for r in found] == [
        ("1", "supported", True, "7"),
        ("z", "contradicted", False, "a"),
    ]
    assert found[1]["vetoes"] == [
        {
            "kind": "negation",
            "why": "the source denies it",
            "claim_span": [18, 23],
            "source": "a",
            "source_span": [7, 12],
        }
    ]


def test_unknown_citations_are_dropped_and_named() -> None:
    found = check(
        {"id": "1", "claim": "No fever.", "citations": ["a", "nope"]},
        {"id": "2", "claim": "No fever.", "citations": ["x"]},
    )
    assert (found[0]["verified"], found[0]["unknown_citations"]) == (True, ["nope"])
    assert (found[1]["verdict"], found[1]["reason"], found[1]["unknown_citations"]) == (
        "unsupported",
        "no cited source exists",
        ["x"],
    )


def test_nothing_cited() -> None:
    assert check({"id": "1", "claim": "No fever.", "citations": []})[0]["reason"] == "nothing cited"


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"claim": "x"}', '{"id": 1}', '{"id": true, "claim": "x"}',
     '{"id": 1, "claim": "secret", "citations": "a"}', '{"id": 1, "claim": "x", "citations": [null]}', "[" * 100_000],
)  # fmt: skip
def test_a_bad_line_never_ends_the_batch(line: str) -> None:
    found = check(line, {"id": "ok", "claim": "No fever.", "citations": ["a"]})
    assert (found[0]["verdict"], found[0]["verified"], found[0]["reason"]) == (
        "unsupported",
        False,
        "unreadable line 1",
    )
    assert found[1]["verified"] is True
    assert "secret" not in json.dumps(found)


def test_duplicate_source_ids_are_a_usage_error() -> None:
    with pytest.raises(DuplicateSource, match="Lines 1 and 2") as caught:
        read_sources(['{"id": 1, "text": "x"}', '{"id": "1", "text": "y"}'])
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize("line", ["{", '{"id": "a"}', '{"text": "secret"}'])
def test_an_unreadable_source_names_its_line_only(line: str) -> None:
    with pytest.raises(UsageError, match="Line 2") as caught:
        read_sources(['{"id": 1, "text": "x"}', line])
    assert "secret" not in str(caught.value)
