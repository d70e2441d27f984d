"""The commands and code of docs/collections.md run as they stand, and print the lines that the page shows."""

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
PAGE = (ROOT / "docs/collections.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the page speaks of."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "src/chartcite/demo/articles", folder / "papers")
    questions = next(body for kind, body in BLOCK.findall(PAGE) if kind == "text" and body.startswith("Does"))
    (folder / "questions.txt").write_text(questions, "utf-8")
    return folder


def run(arguments: list[str], desk: Path) -> str:
    environment = {
        **os.environ, "XDG_DATA_HOME": str(desk / "data"), "XDG_CONFIG_HOME": str(desk / "config"),
        "COLUMNS": "80", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
    done = subprocess.run(
        arguments, cwd=desk, env=environment, capture_output=True, encoding="utf-8", timeout=500, check=False
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.timeout(900)
def test_commands_print_what_the_page_shows(desk: Path) -> None:
    printed, shown = "", 0
    for kind, body in BLOCK.findall(PAGE):
        if kind == "":
            for command in body.splitlines():
                words = shlex.split(command)
                printed = run([str(Path(sys.executable).parent / "chartcite"), *words[1:]], desk)
        elif kind == "text" and body != (desk / "questions.txt").read_text("utf-8"):
            lines = iter(printed.splitlines())
            for line in body.splitlines():
                assert line in lines, f"not printed, or not in that order: {line}"
            shown += 1
    assert shown == 2
    assert (desk / "table.csv").read_text("utf-8").count("\n") == 1 + 2 * 9


@pytest.mark.timeout(300)
def test_python_example(desk: Path) -> None:
    (example,) = [body for kind, body in BLOCK.findall(PAGE) if kind == "python"]
    assert "death by day 28" in run([sys.executable, "-c", example], desk)
