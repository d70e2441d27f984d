"""The committed assets are what web/ builds, where Node and its packages are there; and they ask for nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from chartcite.app.page.pages import asset

WEB = Path(__file__).parents[3] / "web"
ESBUILD = WEB / "node_modules/.bin/esbuild"


@pytest.mark.parametrize(
    ("source", "name", "options"),
    [("src/page.ts", "page.js", ["--bundle", "--target=es2022", "--format=iife"]), ("page.css", "page.css", [])],
    ids=["script", "style"],
)
def test_assets_are_built_from_their_sources(source: str, name: str, options: list[str]) -> None:
    if not (shutil.which("node") and ESBUILD.exists()):
        pytest.skip("no Node, or no packages of web/: `make assets` builds them")
    built = subprocess.run(
        [str(ESBUILD), source, *options, "--charset=utf8"], cwd=WEB, check=True, capture_output=True, timeout=60
    )
    assert built.stdout == asset(name)


@pytest.mark.parametrize("name", ["page.js", "page.css"])
def test_assets_name_no_other_place(name: str) -> None:
    text = asset(name).decode()
    assert "http://" not in text
    assert "https://" not in text
    assert "@import" not in text
    assert "eval(" not in text
