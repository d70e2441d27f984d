"""`chartcite access` end to end: what is said on the terminal opens what was granted, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chartcite.app.cli.main import main
from chartcite.core.access import Grant
from chartcite.core.errors import AccessDenied
from chartcite.core.scope import Scope
from chartcite.store.access import AccessStore
from chartcite.store.audit import AuditTrail
from chartcite.store.store import Store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHARTCITE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CHARTCITE_AUDIT_KEY", str(tmp_path / "keys" / "audit.key"))
    Store(tmp_path / "store", create=True).close()
    return tmp_path / "store"


def run(*words: str) -> int:
    return main(["access", *words])


def test_from_a_user_to_a_token(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("user", "add", "ana") == 0
    assert run("list", "make", "ward 7") == 0
    assert run("list", "add", "ward 7", "p1") == 0
    assert run("grant", "ana", "--list", "ward 7") == 0
    assert run("grant", "ana", "--collection", "papers") == 0
    capsys.readouterr()
    assert run("token", "create", "ana", "--may", "read,feedback", "--expires", "12h", "--list", "ward 7") == 0
    token = capsys.readouterr().out.strip()
    access = AccessStore(folder)
    visitor = access.visitor(token)
    assert (visitor.user, sorted(visitor.permissions)) == ("ana", ["feedback", "read"])
    assert access.allows(visitor, Scope.patient("p1"))
    assert not access.allows(visitor, Scope.patient("p2"))
    assert not access.allows(visitor, Scope.collection("papers"))
    assert run("token", "list") == 0
    said = capsys.readouterr().out
    assert token not in said
    assert visitor.token_id in said
    assert run("token", "list", "--json") == 0
    assert json.loads(capsys.readouterr().out)["tokens"][0]["is_valid"] is True
    assert run("token", "revoke", visitor.token_id) == 0
    with pytest.raises(AccessDenied):
        access.visitor(token)
    assert run("revoke", "ana", "--collection", "papers") == 0
    assert access.grants("ana") == (Grant("list", "ward 7"),)
    capsys.readouterr()
    assert run("user", "list", "--json") == 0
    assert json.loads(capsys.readouterr().out)["users"] == [
        {"user": "ana", "grants": [{"kind": "list", "name": "ward 7"}]}
    ]
    trail = AuditTrail(folder, folder.parent / "keys" / "audit.key", "auditor")
    done = [line for line in trail.lines() if line["outcome"] == "done"]
    assert [line["action"] for line in done] == ["access"] * 8
    assert done[2]["subject_name"] == "p1"


@pytest.mark.parametrize(
    "words",
    [
        ["grant", "ana"],
        ["grant", "ana", "--patient", "p1", "--everything"],
        ["grant", "bea", "--patient", "p1"],
        ["grant", "ana", "--list", "nowhere"],
        ["grant", "ana", "--patient", " p1"],
        ["revoke", "ana", "--patient", "p1"],
        ["user", "add", "ana"],
        ["user", "add", "a\u200bna"],
        ["user", "remove", "bea"],
        ["token", "create", "bea"],
        ["token", "create", "ana", "--may", "fly"],
        ["token", "create", "ana", "--may", ""],
        ["token", "create", "ana", "--expires", "0d"],
        ["token", "create", "ana", "--expires", "9999y"],
        ["token", "create", "ana", "--expires", "soon"],
        ["token", "revoke", "feed"],
        ["list", "add", "nowhere", "p1"],
        ["list", "drop", "nowhere"],
    ],
    ids=lambda words: " ".join(words).encode("ascii", "replace").decode(),
)
def test_what_cannot_be_right_is_refused_and_changes_nothing(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run("user", "add", "ana")
    assert run(*words) == 2
    assert capsys.readouterr().err
    access = AccessStore(folder)
    assert (access.users(), access.grants("ana"), access.tokens(), access.lists()) == (["ana"], (), [], {})


def test_tables_are_shown_in_portuguese(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHARTCITE_OUTPUT_LANGUAGE", "pt")
    run("user", "add", "ana")
    run("user", "list")
    assert "Usuário" in capsys.readouterr().out
