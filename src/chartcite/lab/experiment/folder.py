"""A run's folder: its manifest, its tables, its lock. Every file appears whole or not at all."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.experiment.errors import RunDamaged, RunLocked, RunMismatch
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.rows import read_rows_jsonl, write_rows_csv, write_rows_jsonl
from chartcite.models.files import sha256_of

SCHEMA = "chartcite.lab.manifest/1"
Typed = TypeVar("Typed")


class RunFolder:
    """One run. The manifest says which stages are finished, from what, and the SHA-256 of each of their files."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest

    @classmethod
    def make(
        cls, path: Path, spec: Experiment, basis: Mapping[str, str], origin: Mapping[str, Any] | None = None
    ) -> RunFolder:
        """The run folder of an experiment, new or as it was left; `basis` is what its study says (`Study.basis`).

        Raises:
            RunMismatch: the folder holds the run of another specification.
        """
        if (path / "manifest.json").is_file():
            found = cls.open(path)
            if found.manifest.get("spec_sha256") != spec.sha256:
                raise RunMismatch(f"{path} holds the run of another specification.", "Name another folder (--runs).")
            return found
        path.mkdir(parents=True, exist_ok=True)
        made = cls(path, {
            "schema": SCHEMA, "name": spec.name, "spec_sha256": spec.sha256, "spec": spec.to_dict(),
            "basis": dict(basis), "origin": dict(origin) if origin else None, "data": {}, "models": {}, "stages": {},
        })  # fmt: skip
        made.save()
        return made

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A run folder that exists.

        Raises:
            RunDamaged: there is no manifest, or it cannot be read.
        """
        try:
            manifest = json.loads((path / "manifest.json").read_text("utf-8"))
        except FileNotFoundError:
            raise RunDamaged(
                f"{path} is no run folder: it has no manifest.json.", "chartcite lab run makes one."
            ) from None
        except (OSError, ValueError):
            manifest = None
        if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
            raise RunDamaged(f"The manifest of {path} cannot be read.", "Run the experiment into another folder.")
        return cls(path, manifest)

    def save(self) -> None:
        """Write the manifest."""
        replace_text(self.path / "manifest.json", json.dumps(self.manifest, indent=2, ensure_ascii=False) + "\n")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes out; a killed one leaves no lock behind.

        Raises:
            RunLocked: another process works here.
        """
        file = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            with suppress(ImportError):  # no such locks on Windows
                import fcntl  # noqa: PLC0415

                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise RunLocked(f"Another process works in {self.path}.", "Wait for it, or end it.") from None
            yield
        finally:
            os.close(file)

    def stage(self, name: str) -> dict[str, Any]:
        """The manifest's entry of a stage; empty when it was never begun."""
        entry: dict[str, Any] = self.manifest["stages"].get(name, {})
        return entry

    def is_finished(self, name: str) -> bool:
        """Whether a stage has all its rows."""
        return bool(self.stage(name).get("finished"))

    def write_table(self, stage: str, table: str, kind: type[Typed], rows: list[Typed]) -> list[Path]:
        """A stage's table as JSONL and CSV; the main one is called `""`."""
        paths = [self.path / f"{table_name(stage, table)}.{suffix}" for suffix in ("jsonl", "csv")]
        write_rows_jsonl(paths[0], rows)
        write_rows_csv(paths[1], kind, rows)
        return paths

    def read_table(self, stage: str, table: str, kind: type[Typed]) -> list[Typed]:
        """A finished stage's table.

        Raises:
            RunDamaged: the file is not there or is not the one that was written.
        """
        name = f"{table_name(stage, table)}.jsonl"
        self._check(stage, name)
        return list(read_rows_jsonl(self.path / name, kind))

    def check(self, stage: str) -> None:
        """Compare every file of a stage with its hash. Raises `RunDamaged` as `read_table`."""
        for name in self.stage(stage).get("files", {}):
            self._check(stage, name)

    def take_over(self, other: RunFolder, stage: str) -> None:
        """Bring a finished stage of another run here, its files unchanged."""
        other.check(stage)
        for name in other.stage(stage)["files"]:
            shutil.copyfile(other.path / name, self.path / name)
        self.manifest["stages"][stage] = {**other.stage(stage), "taken_from": other.path.name}
        for part in ("data", "models"):
            self.manifest[part] = {**other.manifest[part], **self.manifest[part]}
        self.save()
        self.check(stage)

    def _check(self, stage: str, name: str) -> None:
        expected = self.stage(stage).get("files", {}).get(name)
        path = self.path / name
        if expected is None or not path.is_file() or sha256_of(path) != expected:
            raise RunDamaged(
                f"{name} in {self.path} is not the file that the stage {stage} wrote.", "Run the experiment anew."
            )


def table_name(stage: str, table: str) -> str:
    """The file of a table, without its suffix."""
    return f"{stage}.{table}" if table else stage


def free_folder(runs: Path, name: str, origin: Mapping[str, Any], last: str) -> Path:
    """The first of `name1`, `name2`, ... that is not there, or was begun on the same rows and never came to its end.

    `last` is the name of the study's last stage.
    """
    number = 1
    while True:
        path = runs / f"{name}{number}"
        if not (path / "manifest.json").is_file():
            return path
        found = RunFolder.open(path)
        if found.manifest.get("origin") == origin and not found.is_finished(last):
            return path
        number += 1


def hash8(spec: Experiment) -> str:
    """The part of the hash that stands in a folder's name."""
    return re.sub(r"[^0-9a-f]", "", spec.sha256)[:8]
