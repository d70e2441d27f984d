"""The README's commands and code run as they stand, on the demo records under the names the README uses."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
DEMO = ROOT / "src/chartcite/demo"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with what the README speaks of."""
    shutil.copytree(DEMO / "records", tmp_path / "notes", ignore=shutil.ignore_patterns("*.json"))
    shutil.copytree(DEMO / "articles", tmp_path / "papers")
    shutil.copy(DEMO / "records/fhir_bundle.json", tmp_path / "export.ndjson.gz")
    (tmp_path / "sources.jsonl").write_text('{"id": "s1", "text": "Warfarin 5 mg every evening."}\n', "utf-8")
    (tmp_path / "claims.jsonl").write_text('{"id": 1, "claim": "Warfarin 5 mg.", "citations": ["s1"]}\n', "utf-8")
    (tmp_path / "questions.txt").write_text("What was the primary outcome?\n", "utf-8")
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox/p7_02032031_letter.txt").write_text("Denies bleeding.\n", "utf-8")
    (tmp_path / "note.txt").write_text("Warfarin 5 mg every evening. Denies bleeding.\n", "utf-8")
    return tmp_path


def run(arguments: list[str], desk: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_DATA_HOME": str(desk / "data"), "XDG_CONFIG_HOME": str(desk / "config")}
    return subprocess.run(
        arguments, cwd=desk, env=environment, capture_output=True, text=True, timeout=500, check=False
    )


def test_python_example(desk: Path) -> None:
    (example,) = blocks("python")
    done = run([sys.executable, "-c", example], desk)
    assert done.returncode == 0, done.stderr
    assert "warfarin" in done.stdout


def test_commands(desk: Path) -> None:
    script = next(block for block in blocks("") if "chartcite ingest" in block)
    lines = [line.split("  #")[0].strip() for line in script.splitlines()]
    commands = [line for line in lines if line.startswith("chartcite ")]
    assert len(commands) >= 6
    for command in commands:
        words, _, target = command.partition(" > ")
        done = run([str(Path(sys.executable).parent / "chartcite"), *shlex.split(words)[1:]], desk)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        if target:
            (desk / target).write_text(done.stdout, "utf-8")


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
