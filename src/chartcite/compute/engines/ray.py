"""Workers on Ray: each an actor that keeps what it has loaded. A lost one is replaced, and its jobs are done again.

One thread decides everything, in the order of what it hears: jobs, results, the end of a worker. What is under way is
bounded: two batches a worker, the rest waits here. No job's text is in an exception, so none is in Ray's logs.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any

_IS_OPEN = "ray" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token"  # imported before, without a token
# Ray takes these up when it is imported, and what it starts when it is started; whoever set them has them as set.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is reported to anybody
os.environ.setdefault("RAY_AUTH_MODE", "token")  # without, whoever reaches a port runs code as this user
_OWN = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # its name misleads: with it, all ports are bound to loopback
    "RAY_BACKEND_LOG_LEVEL": "error",
    "RAY_worker_niceness": "0",  # by default 15: beside anything else, workers would stand still
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32),
}

import ray  # noqa: E402
from ray._private import ray_constants  # noqa: E402
from ray._private import worker as ray_worker  # noqa: E402
from ray.exceptions import RayError, RayTaskError  # noqa: E402

from chartcite.compute.port import ComputeFailed, JobLost, Outcome, Worker, text_would_leave  # noqa: E402
from chartcite.core.cores import cores  # noqa: E402
from chartcite.core.errors import ChartciteError  # noqa: E402

_BATCH = 8  # jobs that go to a worker at a time
_AHEAD = 2  # batches that a worker has, one at work and one waiting
_MOST_TRIES = 3
_START_SECONDS = 300.0
_STORE_BYTES = 256 << 20  # results on their way; each is some hundred KB, and dropped at once


def load(worker: Worker, workers: int, address: str = "", batch: int = _BATCH, *, may_leave: bool = False) -> RayCrew:
    """Workers on this machine, or on the cluster at `address`. `workers`: 0 is one a core.

    Raises:
        ComputeFailed: the cluster does not answer.
        NotConfigured: it has other machines, and text may not leave (`may_leave`) this one.
    """
    crew = RayCrew(worker, workers, address, batch)
    if crew.machines > 1 and not may_leave:
        crew.close()
        raise text_would_leave()
    return crew


class _Hand:
    """What runs over there. Ray's copy of it holds the worker once it is made."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._work: Any = None

    def hello(self) -> Outcome:
        """Make the worker."""

        def made(worker: Worker) -> None:
            self._work = worker.make(*worker.given)

        return Outcome.of(made, self._worker)

    def run(self, jobs: list[Any]) -> list[Outcome]:
        """Do some jobs, one after the other."""
        return [Outcome.of(self._work, job) for job in jobs]


@dataclass(slots=True)
class _Job:
    group: Hashable
    what: Any
    future: Future[Any]
    tries: int = 0


@dataclass(slots=True, eq=False)
class _Member:
    """A worker as seen from here. `busy`: batches it has."""

    actor: Any
    is_ready: bool = False
    is_gone: bool = False
    busy: int = 0


@dataclass(frozen=True, slots=True)
class _Heard:
    """A worker said hello (no jobs), or returned from a batch; `said` is a list of outcomes or an exception."""

    member: _Member
    jobs: list[_Job]
    said: Any


@dataclass(slots=True)
class _State:
    """The deciding thread's own."""

    waiting: deque[_Job] = field(default_factory=deque)
    members: list[_Member] = field(default_factory=list)
    lost_in_a_row: int = 0
    broken: ChartciteError | None = None
    alone_since: float = 0.0  # since when no worker is ready


class RayCrew:
    """See the port."""

    def __init__(self, worker: Worker, workers: int, address: str, batch: int = _BATCH) -> None:
        self.lost = 0
        self._worker = worker
        self._batch = batch
        self._heard: SimpleQueue[_Heard | _Job | None] = SimpleQueue()
        self._session = _session(address, workers or cores())
        try:
            self.workers = workers or self._session.cpus()
            self.machines = self._session.machines()
            self._class: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Hand)
            self._state = _State(alone_since=monotonic())
            for _ in range(self.workers):
                self._recruit()
        except BaseException:
            self._session.leave()
            raise
        self._thread = Thread(target=self._decide, name="crew", daemon=True)
        self._thread.start()

    def submit(self, group: Hashable, job: Any) -> Future[Any]:
        """As the port says."""
        future: Future[Any] = Future()
        self._heard.put(_Job(group, job, future))
        return future

    def close(self) -> None:
        """As the port says."""
        self._heard.put(None)
        self._thread.join()
        for member in self._state.members:
            ray.kill(member.actor)
        self._session.leave()

    @property
    def pids(self) -> list[int]:
        """Processes of the workers, for whoever wants to see one lost."""
        return [ray.get(m.actor.__ray_call__.remote(_own_pid)) for m in self._state.members if m.is_ready]

    def _decide(self) -> None:
        state = self._state
        while True:
            try:
                heard = self._heard.get(timeout=1.0)
            except Empty:
                heard = ()  # type: ignore[assignment]
            if heard is None:
                break
            if isinstance(heard, _Job):
                state.waiting.append(heard)
            elif isinstance(heard, _Heard):
                self._take_up(heard)
            self._check_start()
            self._hand_out()
        for job in state.waiting:
            job.future.cancel()

    def _take_up(self, heard: _Heard) -> None:
        member, state = heard.member, self._state
        if heard.jobs:
            member.busy -= _AHEAD if heard.jobs[0].tries else 1
        if isinstance(heard.said, RayError) and not isinstance(heard.said, RayTaskError):
            self._lose(member)
            self._again(heard.jobs)
        elif isinstance(heard.said, BaseException):  # a fault of ours, between the worker and here
            self._break(ComputeFailed(f"Ray failed ({type(heard.said).__name__}).", "See Ray's logs."))
        elif heard.jobs:
            state.lost_in_a_row = 0
            for job, outcome in zip(heard.jobs, heard.said, strict=True):
                outcome.settle(job.future)
        elif heard.said.error is not None:
            kind, message, advice = heard.said.error
            self._break(kind(message, advice))
        else:
            member.is_ready = True

    def _lose(self, member: _Member) -> None:
        """Count a worker that is gone, once, and start another."""
        state = self._state
        if member.is_gone:
            return
        member.is_gone = True
        self.lost += 1
        state.lost_in_a_row += 1
        state.members.remove(member)
        if not any(m.is_ready for m in state.members):
            state.alone_since = monotonic()
        if state.lost_in_a_row > 3 * self.workers + _MOST_TRIES:
            self._break(ComputeFailed("Workers end again and again.", "See Ray's logs; memory may be short."))
        else:
            self._recruit()

    def _again(self, jobs: list[_Job]) -> None:
        """Jobs of a lost worker, in front of all others; one at which every worker ended is given up."""
        for job in reversed(jobs):
            job.tries += 1
            if job.tries >= _MOST_TRIES:
                advice = "Workers may be short of memory; run the same command again."
                Outcome(error=(JobLost, f"{job.tries} workers ended at this.", advice)).settle(job.future)
            else:
                self._state.waiting.appendleft(job)

    def _check_start(self) -> None:
        state = self._state
        if any(m.is_ready for m in state.members) or state.broken is not None:
            return
        if monotonic() - state.alone_since > _START_SECONDS:
            advice = "Is the cluster up, has it free CPUs, and chartcite of this version?"
            self._break(ComputeFailed(f"No worker was ready within {_START_SECONDS:.0f} s.", advice))

    def _break(self, error: ChartciteError) -> None:
        self._state.broken = self._state.broken or error

    def _hand_out(self) -> None:
        state = self._state
        if state.broken is not None:
            e = state.broken
            while state.waiting:
                Outcome(error=(type(e), str(e.args[0]), e.advice)).settle(state.waiting.popleft().future)
            return
        while state.waiting:
            is_suspect = bool(state.waiting[0].tries)
            free = [m for m in state.members if m.is_ready and m.busy < (1 if is_suspect else _AHEAD)]
            if not free:
                return
            member = min(free, key=lambda m: m.busy)
            jobs = self._next_batch()
            member.busy += _AHEAD if is_suspect else 1
            self._listen(member, jobs, member.actor.run.remote([job.what for job in jobs]))

    def _next_batch(self) -> list[_Job]:
        """Jobs of one group from the front. One that lost its worker goes alone, to a worker that has nothing else."""
        waiting = self._state.waiting
        ready = sum(m.is_ready for m in self._state.members)
        most = min(self._batch, -(-len(waiting) // ready))  # a few long jobs are for all
        jobs = [waiting.popleft()]
        while waiting and len(jobs) < most and _go_together(jobs[0], waiting[0]):
            jobs.append(waiting.popleft())
        return jobs

    def _recruit(self) -> None:
        member = _Member(self._class.remote(self._worker))
        self._state.members.append(member)
        self._listen(member, [], member.actor.hello.remote())

    def _listen(self, member: _Member, jobs: list[_Job], reference: Any) -> None:
        """Hear of the result, whichever it is, in the deciding thread."""

        def heard(done: Future[Any]) -> None:
            error = done.exception()
            self._heard.put(_Heard(member, jobs, done.result() if error is None else error))

        reference.future().add_done_callback(heard)


def _go_together(first: _Job, other: _Job) -> bool:
    return first.group == other.group and not first.tries and not other.tries


def _own_pid(_: Any) -> int:
    return os.getpid()


class _Session:
    """A connection to Ray that several crews of this process may use; the last one ends it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._is_ours = False
        self._folder = ""
        self._address = ""

    def enter(self, address: str, workers: int) -> None:
        with self._lock:
            if not self._users and not ray.is_initialized():
                self._start(address, workers)
                self._is_ours, self._address = True, address
            elif self._is_ours and address != self._address:
                raise ComputeFailed("This process works on another Ray cluster.", "Use one ray_address at a time.")
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users and self._is_ours:
                ray.shutdown()
                self._is_ours = False
                self._sweep()

    def machines(self) -> int:
        """How many take part; a head without CPUs is one as well."""
        return sum(bool(node["Alive"]) for node in ray.nodes())

    def cpus(self) -> int:
        """Of all machines."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def _start(self, address: str, workers: int) -> None:
        if not address and _IS_OPEN:
            raise ComputeFailed(
                "Ray was imported before chartcite's workers, and would let anybody in.",
                "Set RAY_AUTH_MODE=token before Python starts.",
            )
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        ray_worker._worker_logs_enabled = False  # a lost worker would be told on stdout, where results are; we count it
        try:
            if address:
                host, port = _place(address)
                _knock(host, port)
                ray_constants.ENABLE_RAY_CLUSTER = True  # else Ray takes every address of this machine for loopback
                ray_constants.ENABLE_RAY_CLUSTER = not _is_on_loopback_alone(host, port)
                ray.init(address=address, **quiet)
                return
            # Sockets, logs and what does not fit into memory: a folder that nobody else can read, removed at the end.
            short = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108  (a socket's path has at most 107 characters)
            self._folder = tempfile.mkdtemp(prefix="chartcite-ray-", dir=short)
            ray_constants.ENABLE_RAY_CLUSTER = False  # as in _OWN; that is for what is started
            with _environment(_OWN):
                ray.init(
                    address="local", num_cpus=workers, num_gpus=0, include_dashboard=False,
                    _temp_dir=f"{self._folder}/r",  # Ray opens its own folder to everybody, not what is above
                    object_store_memory=_STORE_BYTES, **quiet,
                )  # fmt: skip
        except (RayError, OSError, RuntimeError, ValueError) as error:
            self._sweep()
            raise ComputeFailed(
                f"Ray cannot be reached or started ({type(error).__name__}).",
                "Check ray_address, and that its Ray and Python are of the same version as here; see docs/ray.md.",
            ) from error

    def _sweep(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""


_SESSION = _Session()


def _session(address: str, workers: int) -> _Session:
    with _own_signals():
        _SESSION.enter(address, workers)
    return _SESSION


def _place(address: str) -> tuple[str, int]:
    """Raises `ValueError` for no address."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    return host.strip("[]"), int(port)


def _knock(host: str, port: int) -> None:
    """Whether anybody listens: Ray itself would try for ten minutes. Raises `OSError`."""
    socket.create_connection((host, port), timeout=10).close()


def _is_on_loopback_alone(host: str, port: int) -> bool:
    """A head of this machine that only this machine reaches: Ray would look for it at the address that others know."""
    if host not in {"localhost", "127.0.0.1", "::1"}:
        return False
    try:
        _knock(ray.util.get_node_ip_address(), port)
    except OSError:
        return True
    return False


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray would take SIGTERM for itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Ray's own settings, for what it starts; put back afterwards."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
