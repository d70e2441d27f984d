"""Runs an experiment: stage after stage, unit after unit; what is done is not done again."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from chartcite.lab.experiment.errors import RunMismatch
from chartcite.lab.experiment.folder import RunFolder, free_folder, hash8
from chartcite.lab.experiment.machine import machine, made_with
from chartcite.lab.experiment.shared_out import done_here, is_shared_out, shared_out
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.stage import Context, OpenBook, Stage, open_book
from chartcite.lab.experiment.study import Study, study_of
from chartcite.lab.experiment.units import Key, Unit, UnitLog
from chartcite.lab.experiment.wanted import check_wanted
from chartcite.models.files import sha256_of

Progress = Callable[[str, float, int], None]
"""(stage, units done, units in all); a unit under way counts by its share."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: an experiment, where its relative paths begin, and where runs are kept.

    `stage` and `origin`: run this stage and what follows on the rows of another run.
    """

    spec: Experiment
    base: Path
    runs: Path
    stage: str = ""
    origin: Path | None = None


def run_experiment(plan: Plan, progress: Progress | None = None, opener: OpenBook = open_book) -> RunFolder:
    """Run what is missing; returns the folder, complete.

    Raises:
        NotConfigured: a data set, model, extra or name that the experiment wants is not there. Nothing was begun.
        RunMismatch, RunDamaged, RunLocked: about the folder.
    """
    study = study_of(plan.spec)
    check_wanted(plan.spec, plan.base, data=plan.stage in ("", study.names[0]))
    study.wanted(plan.spec, plan.base)
    folder = _folder(plan, study)
    with folder.locked():
        if plan.origin is not None:
            _take_over(folder, RunFolder.open(plan.origin), plan.stage, study)
        ctx = Context(plan.spec, folder, plan.base, opener)
        for stage in study.stages:
            if not folder.is_finished(stage.name):
                _run_stage(stage, ctx, progress or (lambda *_: None))
    return folder


def report_anew(path: Path) -> RunFolder:
    """Write the report of a run again from its saved rows.

    Raises:
        RunMismatch: the run has not come that far.
    """
    folder = RunFolder.open(path)
    spec = Experiment.model_validate(folder.manifest["spec"])
    *earlier, stage = study_of(spec).stages
    if not all(folder.is_finished(s.name) for s in earlier):
        raise RunMismatch("That run is not finished.", "chartcite lab run resumes it.")
    with folder.locked():
        folder.manifest["stages"].pop(stage.name, None)
        _run_stage(stage, Context(spec, folder, path), lambda *_: None)
    return folder


def _folder(plan: Plan, study: Study) -> RunFolder:
    name, names, basis = f"{plan.spec.slug}-{hash8(plan.spec)}", study.names, study.basis(plan.spec)
    if plan.origin is None:
        return RunFolder.make(plan.runs / name, plan.spec, basis)
    if plan.stage not in names:
        raise RunMismatch(f"There is no stage called {plan.stage!r}.", f"Stages: {', '.join(names)}.")
    source = RunFolder.open(plan.origin)
    for earlier in names[: names.index(plan.stage)]:
        if not source.is_finished(earlier):
            raise RunMismatch(f"The stage {earlier} of that run is not finished.", f"Begin at --stage {earlier}.")
        if source.manifest["basis"].get(earlier) != basis[earlier]:
            raise RunMismatch(
                f"The stage {earlier} of that run was made from another specification.", f"Begin at --stage {earlier}."
            )
    origin = {"run": str(source.path.resolve()), "stage": plan.stage}
    place = free_folder(plan.runs, f"{name}-{plan.stage}", origin, names[-1])
    return RunFolder.make(place, plan.spec, basis, origin)


def _take_over(folder: RunFolder, source: RunFolder, first: str, study: Study) -> None:
    at = study.names.index(first)
    earlier = study.names[:at]
    needs_store = any(stage.needs_store for stage in study.stages[at:])
    if at and needs_store and not folder.is_finished(study.names[0]):
        part = folder.path / "store.part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(folder.path / "store", ignore_errors=True)
        shutil.copytree(source.path / "store", part)
        part.rename(folder.path / "store")
    for name in earlier:
        if not folder.is_finished(name):
            folder.take_over(source, name)


def _run_stage(stage: Stage, ctx: Context, progress: Progress) -> None:
    log_path = ctx.folder.path / f"{stage.name}.units.jsonl"
    entry = _begin(stage, ctx.folder, log_path)
    units = stage.units(ctx)
    with UnitLog(log_path) as log:
        pending = [key for key in units if key not in log.done]
        progress(stage.name, len(units) - len(pending), len(units))
        if pending:
            _work(stage, ctx, pending, log, lambda left: progress(stage.name, len(units) - left, len(units)))
        log.sync()
        done = [log.done[key] for key in units]
    paths = []
    for table, kind in stage.tables.items():
        rows = TypeAdapter(list[kind]).validate_python([r for u in done for r in u.rows.get(table, ())])  # type: ignore[valid-type]
        paths += ctx.folder.write_table(stage.name, table, kind, rows)
    entry["files"] = {path.name: sha256_of(path) for path in paths}
    finished = stage.finish(ctx)
    entry["files"] |= {path.name: sha256_of(path) for path in finished.files}
    entry |= {"finished": _now(), "units": len(units), "ms": _timings(done)}
    for part, facts in finished.facts.items():
        ctx.folder.manifest[part] = {**ctx.folder.manifest.get(part, {}), **facts}
    ctx.folder.save()
    log_path.unlink()


def _begin(stage: Stage, folder: RunFolder, log_path: Path) -> dict[str, Any]:
    """The stage's entry in the manifest. Units made with other versions or code are dropped: rows never mix."""
    entry, now_with = folder.stage(stage.name), made_with()
    if entry.get("made_with") != now_with:
        log_path.unlink(missing_ok=True)
        entry = {"started": _now(), "made_with": now_with, "machine": machine(), "files": {}}
    else:
        entry["resumed"] = [*entry.get("resumed", []), _now()]
    folder.manifest["stages"][stage.name] = entry
    folder.save()
    return entry


def _work(stage: Stage, ctx: Context, pending: Sequence[Key], log: UnitLog, left: Callable[[float], None]) -> None:
    remaining = len(pending)
    ctx.advance = lambda done, total: left(remaining - (min(done / total, 1.0) if total else 0.0))
    work = shared_out if is_shared_out(stage, ctx.spec) else done_here
    for one in work(stage, ctx, pending):
        log.add(Unit(one.done.key, one.ms, one.done.rows))
        remaining -= 1
        left(remaining)


def _timings(done: Sequence[Unit]) -> Mapping[str, Mapping[str, float]]:
    """Median and sum of the units' times, by the first word of their key (the strategy)."""
    by_first: dict[str, list[float]] = {}
    for unit in done:
        by_first.setdefault(unit.key[0], []).append(unit.ms)
    return {
        name: {"units": len(ms), "median": round(statistics.median(ms), 1), "total": round(sum(ms), 1)}
        for name, ms in by_first.items()
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
