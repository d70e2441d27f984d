"""Jobs: uploads that are read into the store in the background, one at a time, each in its visitor's name.

A job that was acknowledged is on the disk. A server that is killed leaves it there, and the next one takes it up again:
what was read before is not read twice. A job that has ended the server three times is given up, and says so.
"""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, cast

from fastapi import Request

from chartcite.app.server.errors import Busy, NotHere
from chartcite.core.access import Grant, Permission, Visitor
from chartcite.core.errors import Cancelled, ChartciteError, StoreUnwritable, UsageError
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.granted import GrantedBook
from chartcite.store.spool import Spool, checked_name

if TYPE_CHECKING:
    from chartcite.ingest.ledger import SourceEntry
    from chartcite.library.engines import Engines
    from chartcite.library.settings import Settings
    from chartcite.store.access import AccessStore

State = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
_WAITING = 8
_STARTS = 3
_KEPT = timedelta(days=30)
_PATIENCE = 60.0  # seconds: one file is read in at most 20, and its passages are encoded


@dataclass(slots=True)
class Job:
    """One upload. `documents` and `bytes_read` tell how far it is; `ledger` what became of it."""

    id: str
    visitor: Visitor
    scope: Scope
    files: list[dict[str, Any]]
    state: State = "queued"
    made: str = ""
    ended: str | None = None
    starts: int = 0
    documents: int = 0
    bytes_read: int = 0
    ledger: dict[str, Any] | None = None
    error: dict[str, str] | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will become of it."""
        return self.state not in ("queued", "running")

    def to_dict(self) -> dict[str, Any]:
        """For whoever made it."""
        return {
            "schema": "chartcite.job/1", "id": self.id, "state": self.state, "scope": self.scope.to_dict(),
            "files": list(self.files), "made": self.made, "ended": self.ended, "starts": self.starts,
            "progress": {"documents": self.documents, "bytes_read": self.bytes_read}, "ledger": self.ledger,
            "error": self.error,
        }  # fmt: skip

    def to_note(self) -> dict[str, Any]:
        """For the disk: with whose it is."""
        v = self.visitor
        grants = None if v.narrowed_to is None else [[g.kind, g.name] for g in v.narrowed_to]
        whose = {"user": v.user, "permissions": sorted(v.permissions), "token": v.token_id, "grants": grants,
                 "local": v.is_local}  # fmt: skip
        return {**self.to_dict(), "visitor": whose}

    @classmethod
    def from_note(cls, note: Mapping[str, Any]) -> Job:
        """The inverse of `to_note`.

        Raises:
            KeyError, TypeError, ValueError, UsageError: it is no such note.
        """
        whose, kind_and_name = note["visitor"], next(iter(note["scope"].items()))
        grants = whose["grants"]
        visitor = Visitor(
            str(whose["user"]), frozenset(cast("list[Permission]", whose["permissions"])), str(whose["token"]),
            None if grants is None else tuple(Grant(kind, name) for kind, name in grants), bool(whose["local"]),
        )  # fmt: skip
        return cls(
            str(note["id"]), visitor, Scope(*kind_and_name), list(note["files"]), note["state"], str(note["made"]),
            note["ended"], int(note["starts"]), ledger=note["ledger"], error=note["error"],
        )  # fmt: skip


class Jobs:
    """All jobs of a server, and the one thread that does them. Safe for threads."""

    def __init__(self, store: Path, settings: Settings, access: AccessStore, engines: Engines) -> None:
        """Take up what an earlier server left; raises StoreUnwritable where uploads cannot be kept."""
        self._store, self._settings, self._access, self._engines = store, settings, access, engines
        self._spool = Spool(store)
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(_WAITING)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._running: Job | None = None
        if self._spool.is_mine:
            self._take_up()
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._thread.start()

    @contextmanager
    def place(self, size: int) -> Iterator[None]:
        """A place in the queue, for an upload of so many bytes that is about to be read.

        Raises:
            Busy: too many wait already, or the server is going down.
            StoreUnwritable: the disk has no room for it.
        """
        if self._closing.is_set() or not self._spool.is_mine:
            raise Busy("This server takes no documents just now.", "Try again in a while.", retry_after=60)
        if not self._room.acquire(blocking=False):
            raise Busy("Too many uploads wait already.", "Try again in a while.", retry_after=15)
        try:
            self._spool.must_have_room(size)
            yield
        finally:
            self._room.release()

    def add(self, visitor: Visitor, scope: Scope, files: Sequence[tuple[str, IO[bytes]]]) -> Job:
        """Keep an upload on the disk and put it into the queue.

        Raises:
            UsageError: no file, or a name that is none.
            Busy: as many as may wait do.
            StoreUnwritable: the disk refuses.
        """
        named: dict[str, IO[bytes]] = {}
        for name, content in files:
            named[checked_name(name, named)] = content
        if not named:
            raise UsageError("There is no file in the upload.", "Send at least one, in the field `files`.")
        if sum(not job.is_over for job in self.all()) >= _WAITING:
            raise Busy("Too many uploads wait already.", "Try again in a while.", retry_after=15)
        made = Job(secrets.token_urlsafe(16), visitor, scope, [], made=_now())
        self._spool.make(made.id)
        try:
            for name, content in named.items():
                made.files.append({"name": name, "bytes": self._spool.keep(made.id, name, content)})
            self._spool.note(made.id, made.to_note())
        except BaseException:
            self._spool.drop(made.id)
            raise
        with self._lock:
            self._jobs[made.id] = made
        self._queue.put(made)
        return made

    def all(self) -> list[Job]:
        """Every job, oldest first."""
        with self._lock:
            return sorted(self._jobs.values(), key=lambda job: (job.made, job.id))

    def of(self, visitor: Visitor) -> list[Job]:
        """A visitor's own jobs, oldest first; those of a partition that is not granted any more are not there."""
        return [job for job in self.all() if self._is_seen(job, visitor)]

    def one(self, visitor: Visitor, job_id: str) -> Job:
        """A visitor's own job.

        Raises:
            NotHere: there is none, or it is another's; which of the two is not said.
        """
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None or not self._is_seen(job, visitor):
            raise NotHere("There is no such job.", "List yours at /api/v1/jobs.")
        return job

    def cancel(self, job: Job) -> None:
        """Give a job up; what was committed stays."""
        job.stop.set()
        with self._lock:
            if job.state == "queued":
                self._end(job, "cancelled")

    def forget(self, scope: Scope) -> None:
        """Give up and lose the jobs of a partition that is about to be deleted; one that is read now ends first.

        Raises:
            Busy: it does not end.
        """
        with self._lock:
            for job in [job for job in self._jobs.values() if job.scope == scope]:
                job.stop.set()
                del self._jobs[job.id]
        until = time.monotonic() + _PATIENCE
        while (running := self._running) is not None and running.scope == scope:
            if time.monotonic() > until:
                raise Busy("Documents of it are still being read.", "Try again in a while.", retry_after=10)
            time.sleep(0.02)

    def close(self) -> None:
        """End; what was not done is taken up by the next server."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join(timeout=60)
        self._spool.close()

    def _is_seen(self, job: Job, visitor: Visitor) -> bool:
        return job.visitor.user == visitor.user and self._access.allows(visitor, job.scope)

    def _take_up(self) -> None:
        oldest = (datetime.now(UTC) - _KEPT).isoformat(timespec="seconds")
        for name, note in self._spool.notes():
            try:
                job = Job.from_note(note)
            except (KeyError, TypeError, ValueError, UsageError):
                self._spool.drop(name)
                continue
            if job.is_over and (job.ended or "") < oldest:
                self._spool.drop(name)
                continue
            self._jobs[job.id] = job
            if job.is_over:
                self._spool.drop_files(job.id)  # the server ended between the last note and this
            if job.state == "running" and job.starts >= _STARTS:
                job.error = {"kind": "Interrupted", "message": "The server ended while it was read.",
                             "advice": "Send the files again, one by one."}  # fmt: skip
                self._end(job, "interrupted")
        for job in sorted(self._jobs.values(), key=lambda job: (job.made, job.id)):
            if not job.is_over:
                job.state = "queued"
                self._queue.put(job)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None and not self._closing.is_set():
            with self._lock:
                if job.is_over or job.id not in self._jobs:
                    continue
                self._running = job
                job.state, job.starts = "running", job.starts + 1
            self._write(job)
            self._do(job)
            self._running = None

    def _do(self, job: Job) -> None:
        try:
            ledger = self._ingest(job)
        except Cancelled:
            if self._closing.is_set():
                self._put_back(job)
            else:
                self._finish(job, "cancelled")
        except ChartciteError as error:
            self._finish(job, "failed", {"kind": error.kind, "message": str(error), "advice": error.advice})
        except Exception as error:  # noqa: BLE001 - told by its type: its text may be a record's
            told = {
                "kind": type(error).__name__,
                "message": "A fault in chartcite.",
                "advice": "Tell the operator.",
            }
            self._finish(job, "failed", told)
        else:
            job.ledger = ledger
            self._finish(job, "done")

    def _ingest(self, job: Job) -> dict[str, Any]:
        def progress(entry: SourceEntry, done: int) -> None:
            job.documents += entry.documents - seen.get(entry.name, 0)
            seen[entry.name] = entry.documents
            job.bytes_read = done
            if job.stop.is_set() or self._closing.is_set():
                raise Cancelled("The upload was given up.", "What was read stays; send the rest again.")

        seen: dict[str, int] = {}
        name = {job.scope.kind: job.scope.name}
        with Book(self._store, self._settings, create=False, engines=self._engines) as book:
            granted = GrantedBook(book, self._access, job.visitor)
            files = self._spool.files(job.id)
            ledger = granted.ingest(
                *files, patient=name.get("patient"), collection=name.get("collection"), progress=progress
            )
        return cast("dict[str, Any]", ledger.to_dict())

    def _finish(self, job: Job, state: State, error: dict[str, str] | None = None) -> None:
        job.error = error
        with self._lock:
            if job.id in self._jobs:
                self._end(job, state)

    def _end(self, job: Job, state: State) -> None:
        job.state, job.ended = state, _now()
        self._write(job)
        with suppress(StoreUnwritable):
            self._spool.drop_files(job.id)

    def _put_back(self, job: Job) -> None:
        """A server that goes down in order has not been ended by the job."""
        job.state, job.starts = "queued", job.starts - 1
        self._write(job)

    def _write(self, job: Job) -> None:
        """Where the disk refuses, or the partition was deleted with its jobs, the next server finds the older note."""
        with suppress(StoreUnwritable, FileNotFoundError):
            self._spool.note(job.id, job.to_note())


def jobs_of(request: Request) -> Jobs:
    """The jobs of the server that a request came to."""
    return cast("Jobs", request.app.state.jobs)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
