"""`chartcite lab disagreement`: one object on stdout, tables where they are asked for, columns that must be named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chartcite.app.cli import main
from chartcite.app.cli.main import main as run

TABLE = "item,judge1,judge2,nli\nq1,0.9,0.2,0.8\nq2,0.5,0.5,0.1\nq3,0.1,0.3,0.2\nq4,1,0.9,0.1\n"
COMMAND = ["lab", "disagreement", "t.csv"]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(main, "_quiet", lambda debug: None)  # leave the test process's signals alone
    Path("t.csv").write_text(TABLE)


def test_json_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--judges", "judge1,judge2", "--contradiction", "nli", "--correctness", "judge1", "--out", "out"]
    assert run([*COMMAND, *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["items"]) == ("chartcite.lab.disagreement/1", 4)
    assert [(r["rule"], r["count"]["found"]) for r in found["rules"]][:2] == [("contradicted", 1), ("judges", 1)]
    assert found["judges"]["pairs"][0]["n"] == 4
    assert sorted(Path(p).name for p in found["files"]) == sorted(p.name for p in Path("out").iterdir())


def test_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, "--judges", "judge1,judge2"]) == 0
    out = capsys.readouterr().out
    assert "judges: judge1, judge2" in out
    assert "1 of 4" in out
    assert "spearman: judge1, nli" in out


@pytest.mark.parametrize(
    "options",
    [["--contradiction", "nli"], ["--judges", "judge1"], ["--metrics", "judge1,nothing"], ["--judges", "judge1,q"]],
    ids=["half a rule", "one judge", "no such metric", "no such judge"],
)
def test_what_must_be_named(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    assert run([*COMMAND, *options]) == 2
    assert capsys.readouterr().out == ""
