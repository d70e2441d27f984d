"""The installed command on tiny folders, with the real models, cut off from the network; many tests share one store."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CANARY = "zebrafinch"  # in every note; it may reach stdout, where answers belong, and never stderr

# Loaded by the interpreter before anything else: any socket that is not a local one is an error and leaves a trace.
_SITE = """
import os, sys
def _refuse(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind", "socket.sendto"):
        with open(os.environ["NO_SOCKETS_LOG"], "a") as log:
            log.write(event + "\\n")
        raise OSError("no sockets here")
sys.addaudithook(_refuse)
import socket
class _Refused(socket.socket):
    def __init__(self, family=-1, *args, **kwargs):
        if family not in (-1, socket.AF_UNIX) or family == -1 and kwargs.get("fileno") is None:
            with open(os.environ["NO_SOCKETS_LOG"], "a") as log:
                log.write("socket\\n")
            raise OSError("no sockets here")
        super().__init__(family, *args, **kwargs)
socket.socket = _Refused
"""


@dataclass(frozen=True)
class Done:
    """A finished run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Command:
    """Runs the installed `chartcite` with an environment of its own."""

    home: Path
    store: Path

    def __call__(
        self,
        *arguments: str | Path,
        stdin: str | bytes = "",
        env: Mapping[str, str] | None = None,
        code: int | None = None,
    ) -> Done:
        done = subprocess.run(
            [script(), *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True, env=self.environment(env), cwd=self.home, timeout=500, check=False,
        )  # fmt: skip
        run = Done(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in run.err, run.err
        assert CANARY not in run.err, run.err
        if code is not None:
            assert run.code == code, (run.code, run.err, run.out[-2000:])
        return run

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "CHARTCITE_STORE": str(self.store),
            "PYTHONPATH": str(self.home / "site"), "NO_SOCKETS_LOG": str(self.home / "sockets.log"),
            "LC_ALL": "C.UTF-8", **(extra or {}),
        }  # fmt: skip

    @property
    def sockets(self) -> str:
        """Every attempt at a socket so far."""
        log = self.home / "sockets.log"
        return log.read_text("utf-8") if log.exists() else ""


def script() -> str:
    """The console script beside this interpreter."""
    return str(Path(sys.executable).with_name("chartcite"))


def new_command(home: Path) -> Command:
    """With a folder of its own as home."""
    (home / "site").mkdir()
    (home / "site" / "sitecustomize.py").write_text(_SITE, "utf-8")
    return Command(home, home / "store")


@pytest.fixture
def chartcite(tmp_path: Path) -> Command:
    """A command with nothing in its store yet."""
    return new_command(tmp_path)


NOTES = {
    "p1/2019-03-02_progress-note.txt": (
        f"PLAN: Warfarin was lowered to 4 mg every evening. The {CANARY} was well. No fever.\n"
        "Metformin was stopped because the eGFR fell to 28."
    ),
    "p1/2020-05-01_telephone-note.txt": f"Warfarin 5 mg every evening, the {CANARY} said. INR 2.4 today.",
    "p2/2021-01-01_progress-note.txt": f"Warfarin 7 mg every evening. {CANARY.capitalize()} observed. Left knee pain.",
}

MakeNotes = Callable[[Path], Path]


def make_notes(folder: Path) -> Path:
    """Three notes of two patients."""
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def copied(shared: Command, tmp_path: Path) -> Command:
    """A command with its own copy of that store and those notes, to be changed."""
    command = new_command(tmp_path)
    shutil.copytree(shared.store, command.store)
    shutil.copytree(shared.home / "notes", command.home / "notes")
    return command


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A command whose store holds `NOTES` and a collection of one article; tests do not change it."""
    command = new_command(tmp_path_factory.mktemp("shared"))
    command("ingest", make_notes(command.home / "notes"), "--patient-from", "folder", code=0)
    (command.home / "guide.md").write_text(f"# Guide\n\nStop metformin when the eGFR is below 30. {CANARY}.\n", "utf-8")
    command("ingest", command.home / "guide.md", "--collection", "guides", code=0)
    return command
