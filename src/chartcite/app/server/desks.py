"""Desks: so many open books, one for each question at a time, with one set of engines. Nobody is given a bare Book."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from fastapi import Request

from chartcite.app.server.errors import Busy, TooMany
from chartcite.app.server.limits import Buckets
from chartcite.core.access import Visitor
from chartcite.core.audit import Event
from chartcite.core.errors import ChartciteError
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.granted import GrantedBook
from chartcite.library.settings import Settings
from chartcite.store.access import AccessStore
from chartcite.store.audit import AuditTrail
from chartcite.store.store import Store

T = TypeVar("T")
UNKNOWN = "(unknown)"
_STRANGERS_A_MINUTE = 60.0


class Desks:
    """A pool of books. Safe for threads."""

    def __init__(
        self,
        store: Path,
        settings: Settings,
        access: AccessStore,
        *,
        books: int,
        waiting: int,
        wait_seconds: float,
        engines: Engines | None = None,
    ) -> None:
        """Open them all; raises as `Book` does."""
        self.access, self.engines, self.wait_seconds = access, engines or Engines(settings), wait_seconds
        self._all: list[Book] = []
        self._free: queue.LifoQueue[Book] = queue.LifoQueue()
        self._stopping = threading.Event()
        self._under_way: set[threading.Event] = set()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(books + waiting, thread_name_prefix="desk")
        self._strangers = Buckets(_STRANGERS_A_MINUTE, int(_STRANGERS_A_MINUTE))
        self._looked_at = Store(store)  # for readiness: never busy with a question
        try:
            for _ in range(books):
                self._all.append(Book(store, settings, create=False, engines=self.engines))
        except BaseException:
            self.close()
            raise
        witness = self._all[0].witness
        self._trail = witness if isinstance(witness, AuditTrail) else None
        for book in self._all:
            self._free.put(book)

    @property
    def stopping(self) -> bool:
        """Whether nothing new is begun any more."""
        return self._stopping.is_set()

    @contextmanager
    def book(self, visitor: Visitor) -> Iterator[GrantedBook]:
        """A book for one visitor and one thread; waits for one, not longer than `wait_seconds`.

        Raises:
            Busy: none became free, or the server is going down.
        """
        book = self._next()
        try:
            yield GrantedBook(book, self.access, visitor)
        finally:
            self._free.put(book)

    def _next(self) -> Book:
        until = time.monotonic() + self.wait_seconds
        while not self.stopping and time.monotonic() < until:
            try:
                return self._free.get(timeout=min(0.25, self.wait_seconds))
            except queue.Empty:
                continue
        raise _busy()

    async def run(self, visitor: Visitor, work: Callable[[GrantedBook], T]) -> T:
        """Work with a book in a thread, for routes that are `async`."""

        def go() -> T:
            with self.book(visitor) as granted:
                return work(granted)

        return await asyncio.get_running_loop().run_in_executor(self._threads, go)

    async def run_while_heard(
        self, request: Request, visitor: Visitor, work: Callable[[GrantedBook, threading.Event], T]
    ) -> T:
        """The same with a `cancel` that is set when whoever asked goes away, or the server must end."""
        with self.cancellable() as cancel:
            task = asyncio.create_task(self.run(visitor, lambda granted: work(granted, cancel)))
            try:
                while not (await asyncio.wait([task], timeout=0.25))[0]:
                    if await request.is_disconnected():
                        cancel.set()
                return await task
            finally:
                cancel.set()

    @contextmanager
    def cancellable(self) -> Iterator[threading.Event]:
        """An event for something that takes long; `cancel_all` sets it."""
        cancel = threading.Event()
        with self._lock:
            self._under_way.add(cancel)
        try:
            yield cancel
        finally:
            with self._lock:
                self._under_way.discard(cancel)

    def cancel_all(self) -> None:
        """Give up what is under way."""
        with self._lock:
            for cancel in self._under_way:
                cancel.set()

    async def turned_away(self, user: str, error: ChartciteError) -> None:
        """The audit trail is told of a request that came no further than the door.

        Of strangers so many a minute: nobody without a token can fill the disk with lines.
        """
        trail = self.trail(user)
        if trail is None:
            return
        if user == UNKNOWN:
            try:
                self._strangers.take(UNKNOWN)
            except TooMany:
                return
        await asyncio.to_thread(trail.record, Event("enter", "refused", reason=error.kind))

    async def entered(self, user: str) -> None:
        """The audit trail is told of a login."""
        trail = self.trail(user)
        if trail is not None:
            await asyncio.to_thread(trail.record, Event("enter", "done"))

    def trail(self, user: str) -> AuditTrail | None:
        """The audit trail, whose lines name a user; None where there is none."""
        return self._trail.used_by(user) if self._trail else None

    def is_ready(self) -> bool:
        """Whether the store can be read, and questions are taken."""
        if self.stopping:
            return False
        with self._lock:
            try:
                self._looked_at.partitions("collection")
            except ChartciteError:
                return False
        return True

    def stop(self) -> None:
        """Begin nothing new; whoever waits for a book is sent away."""
        self._stopping.set()

    def close(self) -> None:
        """Close all books; what is still under way is told to give up, and is waited for."""
        self.stop()
        self.cancel_all()
        self._threads.shutdown(wait=True)
        for book in self._all:
            book.close()
        self._looked_at.close()


def _busy() -> Busy:
    return Busy("The server has too much to do just now.", "Try again in a moment.", retry_after=2)
