"""The compiled tables are those of the lists, and are used only then."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from chartcite.verification import compiled, concepts
from chartcite.verification.compiled import Unpacking, pack_table, read_tables, unpack_keys, write_tables

ROOT = Path(__file__).parents[3]


def test_committed_tables_are_those_of_the_lists() -> None:
    command = [sys.executable, str(ROOT / "scripts/compile_lists.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout


def test_compiled_tables_are_used_here() -> None:
    assert read_tables() is not None, "stale: run python scripts/compile_lists.py"


def test_tables_of_other_lists_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "digest", lambda: "another")
    assert read_tables.__wrapped__() is None


@pytest.mark.parametrize(
    "damaged",
    [b"", b"no gzip", gzip.compress(b"[]"), gzip.compress(b"{"), gzip.compress(b"\xff")],
    ids=["empty", "no gzip", "other shape", "cut JSON", "not UTF-8"],  # gzip writes the time: no name for a test
)
def test_damaged_file_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, damaged: bytes) -> None:
    data = tmp_path / compiled.FILE
    data.write_bytes(damaged)
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    assert read_tables.__wrapped__() is None


def test_missing_file_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    assert read_tables.__wrapped__() is None


def test_tables_come_back_as_they_were_written() -> None:
    table = {"fever": frozenset(("syn:1", "ent:high temperature")), "none": frozenset[str]()}
    read = json.loads(gzip.decompress(write_tables({"words": pack_table(table)})))
    found = Unpacking(read["tables"]["words"], unpack_keys)
    assert found.get("fever", frozenset()) == table["fever"]
    assert found.get("none", frozenset(("x",))) == {"x"}
    assert "fever" in found
    assert "cough" not in found


def test_compiled_and_built_tables_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = concepts.concepts.__wrapped__()
    monkeypatch.setattr(compiled, "read_tables", lambda: None)
    built = concepts.concepts.__wrapped__()
    for stem in ("fever", "metformin", "myocardi", "pe", "heart", "nothing-of-the-kind"):
        assert packed.words.get(stem, frozenset()) == built.words.get(stem, frozenset())
        assert packed.phrases.get(stem, ()) == built.phrases.get(stem, ())
