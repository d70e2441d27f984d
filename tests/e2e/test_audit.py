"""`chartcite audit` from the shell: a trail begins with its key, is verified, reported, anchored and pruned."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.e2e.conftest import CANARY, Command


def test_a_trail_from_its_first_line_to_the_tampered_one(copied: Command, tmp_path: Path) -> None:
    env = {"CHARTCITE_AUDIT_KEY": str(tmp_path / "keys" / "audit.key")}
    copied("ask", f"What is the warfarin dose of the {CANARY}?", "-p", "p1", env=env, code=0)
    copied("ask", "What is the warfarin dose?", "-p", "nobody", env=env, code=2)
    copied("timeline", "INR", "-p", "p1", env=env, code=0)
    whole = copied("audit", "verify", "--json", env=env, code=0).json
    assert (whole["whole"], whole["lines"], whole["anchored"]) == (True, 3, 3)
    anchor = tmp_path / "anchor.json"
    anchor.write_text(copied("audit", "anchor", env=env, code=0).out)

    about = copied("audit", "report", "-p", "p1", "--json", env=env, code=0)
    assert [(line["action"], line["outcome"]) for line in about.json["lines"]] == [
        ("ask", "answered"), ("timeline", "answered"), ("report", "begun"),
    ]  # fmt: skip
    assert CANARY not in about.out
    assert "refused" in copied("audit", "report", env=env, code=0).out

    copied("ask", "What is the warfarin dose?", "-p", "p1", code=3)  # no key named
    with closing(sqlite3.connect(copied.store / "audit.sqlite3")) as connection:
        connection.execute("UPDATE lines SET line = replace(line, 'answered', 'abstained') WHERE n = 1")
        connection.commit()
    broken = copied("audit", "verify", "--anchor", anchor, env=env, code=7)
    assert "Line 1 is not what was written there." in broken.out


def test_what_is_pruned_is_said(copied: Command, tmp_path: Path) -> None:
    env = {"CHARTCITE_AUDIT_KEY": str(tmp_path / "audit.key")}
    copied("search", "warfarin", "-p", "p1", env=env, code=0)
    copied("search", "warfarin", "-p", "p2", env=env, code=0)
    assert copied("audit", "prune", "--before", "2999-01-01", "--json", env=env, code=0).json == {"dropped": 1}
    assert copied("audit", "verify", "--json", env=env, code=0).json["first"] == 2
    copied("audit", "prune", "--before", "soon", env=env, code=2)


def test_a_store_without_a_trail_says_how_to_begin_one(copied: Command) -> None:
    assert "audit_key" in copied("audit", "verify", code=3).err
