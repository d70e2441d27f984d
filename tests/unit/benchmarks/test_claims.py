"""`benchmarks/claims.py` and the parts it shares: the form, the checkers, the figures, what is never shown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import claims
from chartcite.core.errors import NotConfigured, UnknownImplementation, UsageError
from chartcite.lab.errors import BadTable, MissingData
from chartcite.verification.verdicts import Source
from verification import checkers
from verification.baselines import Paper001, difflib_ratio, trigram_overlap, unigram_overlap
from verification.checkers import judge, named
from verification.figures import latency, share, shown
from verification.items import read_items

NOTE = "The patient has no fever."


def row(**changed: Any) -> dict[str, Any]:
    sources = [{"id": "a", "text": NOTE}, {"id": "b", "text": "Seen today."}]
    base = {"id": "1", "kind": "negation", "supported": False, "claim": "The patient has fever.", "citations": ["a"]}
    return {**base, "sources": sources, **changed}


def saved(folder: Path, *rows: dict[str, Any], name: str = "dev.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return path


def test_only_cited_sources_in_the_order_of_the_citations(tmp_path: Path) -> None:
    first, second = read_items(saved(tmp_path, row(citations=["b", "a"]), row(split="dev", language="pt")))
    assert [s.id for s in first.sources] == ["b", "a"]
    assert (first.split, first.language, first.file) == ("", "en", "dev.jsonl")
    assert [s.id for s in second.sources] == ["a"]
    assert (second.split, second.language) == ("dev", "pt")


@pytest.mark.parametrize("wrong", [{"citations": ["c"]}, {"supported": "yes"}, {"claim": None}, {"sources": ["a"]}])
def test_a_bad_row_is_named_and_not_quoted(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadTable, match=r"dev\.jsonl, row 2") as caught:
        list(read_items(saved(tmp_path, row(), row(**wrong))))
    assert "fever" not in str(caught.value)


def test_no_file_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(MissingData):
        list(read_items(tmp_path / "no.jsonl"))


def test_likeness_takes_a_negation_for_the_same() -> None:
    sources = [Source("a", NOTE)]
    assert unigram_overlap("The patient has fever.", sources) == "supported"
    assert difflib_ratio("The patient has fever.", sources) == "supported"
    assert trigram_overlap("The patient has fever.", sources) == "unsupported"  # one of two runs
    assert trigram_overlap("no fever", [Source("a", "There is no fever.")]) == "supported"  # shorter than a run
    assert unigram_overlap("?!", sources) == trigram_overlap("", sources) == "unsupported"


def test_several_sources_count_together() -> None:
    sources = [Source("a", "He takes metformin."), Source("b", "He has diabetes.")]
    assert unigram_overlap("He takes metformin, has diabetes.", sources) == "supported"
    assert unigram_overlap("He takes metformin, has diabetes.", sources[1:]) == "supported"  # he, has, diabetes: .6
    assert difflib_ratio("He has diabetes", sources) == "supported"


def test_paper001_needs_the_texts() -> None:
    check = Paper001([NOTE, "Seen today."], "en")
    assert check(NOTE, [Source("a", NOTE)]) == "supported"
    assert check(NOTE, [Source("b", "Seen today.")]) == "unsupported"


def test_checkers_by_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "anchorcite", None)
    assert "anchorcite" not in named([])
    assert "anchorcite is left out" in capsys.readouterr().err
    assert list(named(["difflib", "rules"])) == ["difflib", "rules"]
    with pytest.raises(NotConfigured):
        named(["anchorcite"])
    with pytest.raises(UnknownImplementation):
        named(["magic"])


def test_anchorcite_gets_the_claim_in_a_cite_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, dict[str, str]]] = []

    class Cited:
        verified = True

    class Report:
        citations = (Cited(),)

    def anchor_citations(answer: str, sources: dict[str, str], *, anchorer: object) -> Report:
        seen.append((answer, sources))
        return Report()

    package = ModuleType("anchorcite")
    package.__dict__.update(
        CitationAnchorer=lambda scorer: scorer, LexicalScorer=object, anchor_citations=anchor_citations
    )
    monkeypatch.setitem(sys.modules, "anchorcite", package)
    check = named(["anchorcite"])["anchorcite"]((), "en")
    assert check("No fever.", [Source("x", "A."), Source("y", "B.")]) == "supported"
    assert seen == [('<cite id="1,2">No fever.</cite>', {"1": "A.", "2": "B."})]


def test_statistics_are_of_one_language(tmp_path: Path) -> None:
    given: list[tuple[tuple[str, ...], str]] = []

    def make(texts: Any, language: str) -> checkers.Checker:
        given.append((tuple(texts), language))
        return lambda _claim, _sources: "supported"

    items = list(read_items(saved(tmp_path, row(), row(language="pt", citations=["b"]), row())))
    judged = judge(make, items)
    assert given == [((NOTE,), "en"), (("Seen today.",), "pt")]
    assert [one.item for one in judged] == items
    assert all(one.accepted and one.ms >= 0 for one in judged)


def test_figures() -> None:
    assert share([True] + [False] * 9)["percent"] == 10.0
    assert shown(share([True] + [False] * 9)) == " 10.0 [  1.8, 40.4]"
    assert shown(share([])).strip() == "-"
    assert latency([1.0, 2.0, 3.0]) == {"p50": 2.0, "p95": 2.9, "max": 3.0}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["claims.py", *map(str, arguments)])
    claims.main()


def test_the_table_has_figures_and_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, row(), row(id="2", kind="part", supported=True, claim="No fever."), row(id="3", split="x"))
    run(monkeypatch, path, "--checker", "rules", "unigram_overlap", "--split", "", "--json", tmp_path / "out.json")
    printed = capsys.readouterr().out
    assert "fever" not in printed
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert found["n"] == 2
    assert found["checkers"]["rules"]["wrong"]["groups"]["negation"]["count"] == 0
    assert found["checkers"]["unigram_overlap"]["wrong"]["all"]["percent"] == 100.0
    assert found["checkers"]["rules"]["true"]["all"]["n"] == 1
    assert "fever" not in json.dumps(found)


def test_errors_are_shown_of_development_sets_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--checker", "unigram_overlap", "--show-errors")
    run(monkeypatch, saved(tmp_path, row()), *arguments)
    assert "wrong, accepted [negation] 1" in capsys.readouterr().out
    for path in (saved(tmp_path, row(), name="test_c.jsonl"), saved(tmp_path, row(), row(split="test"))):
        with pytest.raises(UsageError):
            run(monkeypatch, path, *arguments)
    assert "fever" not in capsys.readouterr().out


def test_a_split_that_nobody_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError):
        run(monkeypatch, saved(tmp_path, row()), "--split", "dev")
