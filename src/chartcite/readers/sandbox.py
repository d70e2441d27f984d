"""A child process in which hostile formats are parsed, with limits on time and memory.

The child is a fresh interpreter that imports nothing but the readers it is asked for. It is kept for the next file,
and killed and replaced after a timeout, a crash or a memory error. It ends by itself when this process ends, however
that happens: requests come through a pipe, and the pipe's end is the child's. What it answers is unpickled by name
from a short list of plain classes, so a parser taken over by a hostile file gains nothing here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from chartcite.core.errors import CorruptSource, LimitExceeded, ReadError
from chartcite.core.reading import Found, PagePicture, Problem, Reader, ReadOptions, Working
from chartcite.readers.sandbox_wire import Done, Reply, Request, WireBroken, receive_reply, send

_FILES_A_CHILD = 200
"""Then a new one, since engines leak."""

_START = "import sys; sys.path[:] = {path!r}; from chartcite.readers.sandbox_child import main; main()"
_DRAWS = "chartcite.readers.page_image"
_OVER_TIME = 2.0
"""A page looks at the clock itself, between the lines it reads; after this many times its limit the child is killed."""


class Sandbox:
    """As many children as files are read at the same time, from any thread. `close`, or leaving the block, ends all."""

    def __init__(self) -> None:
        self._children: set[_Child] = set()
        self._idle: list[_Child] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the children, also those at work; the next read starts another."""
        with self._lock:
            children, self._children = self._children, set()
            self._idle.clear()
        for child in children:
            child.end()

    def read(
        self, reader: Reader, path: Path, name: str, sha256: str, options: ReadOptions
    ) -> Iterator[Found | Problem]:
        """Yield what the reader yields in the child, as it comes.

        `options.max_seconds` counts while this process waits for the child, not while the caller is at work.

        Raises:
            ReadError: what the reader raised.
            LimitExceeded: it took too much time or memory; the child is replaced.
            CorruptSource: it crashed; likewise.
        """
        plain = replace(options, columns=dict(options.columns), files={})
        request = Request(type(reader).__module__, str(path.absolute()), name, sha256, plain)
        for reply in self._exchange(request):
            if isinstance(reply, PagePicture):
                raise CorruptSource("the parser answered with something else", "leave the file out")
            yield reply

    def picture(self, path: Path, options: ReadOptions) -> PagePicture:
        """Page `options.page` of a PDF or an image, drawn in the child; raises as `read` does."""
        request = Request(_DRAWS, str(path.absolute()), "", "", options)
        found = [reply for reply in self._exchange(request) if isinstance(reply, PagePicture)]
        if len(found) != 1:
            raise CorruptSource("the parser answered with something else", "leave the file out")
        return found[0]

    def _exchange(self, request: Request) -> Iterator[Found | PagePicture | Problem]:
        child = self._take()
        try:
            yield from child.exchange(request)
        finally:
            self._give_back(child)

    def _take(self) -> _Child:
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.reusable:
                    return child
                self._children.discard(child)
                child.end()
            child = _Child()
            self._children.add(child)
            return child

    def _give_back(self, child: _Child) -> None:
        """Also when the caller stops half-way or Ctrl-C comes: what the child still sends then belongs to nobody."""
        with self._lock:
            if child.reusable and child in self._children:
                self._idle.append(child)
                return
            self._children.discard(child)
        child.end()


class _Child:
    """A running child and the pipes to it."""

    def __init__(self) -> None:
        # Linux counts the parent's memory at the fork as the child's own; only what goes beyond it tells anything.
        self._inherited_bytes = _peak_of_this_process()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._files = 0
        self._between_files = True
        self._timed_out = False
        self._peak_bytes = 0

    @property
    def reusable(self) -> bool:
        """Whether it waits for the next file, in good health."""
        return (
            self._between_files
            and not self._timed_out
            and self._files < _FILES_A_CHILD
            and self._process.poll() is None
        )

    def exchange(self, request: Request) -> Iterator[Found | PagePicture | Problem]:
        """One file: the request, then answers up to the last."""
        self._between_files = False
        self._files += 1
        options, left = request.options, request.options.max_seconds
        granted, pages = 0.0, 0  # seconds for a page under OCR, and how many such pages there were
        try:
            send(cast(BinaryIO, self._process.stdin), request)
            while True:
                start = time.monotonic()
                reply = self._next(left + granted, options.max_bytes_memory)
                left -= max(time.monotonic() - start - granted, 0.0)
                granted = 0.0
                if isinstance(reply, Done):
                    break
                if isinstance(reply, Working):
                    pages += 1
                    if pages > options.ocr_pages:
                        raise WireBroken("more pages than there may be")
                    granted = _OVER_TIME * options.ocr_seconds
                    continue
                if isinstance(reply, ReadError):
                    # After a memory error nothing in the child is to be relied on.
                    self._between_files = not isinstance(reply, LimitExceeded)
                    raise reply
                yield reply
        except (WireBroken, OSError) as error:
            raise self._post_mortem(options) from error
        self._between_files = True

    def end(self) -> None:
        """Kill it, wait for it, close the pipes."""
        self._kill()
        self._reap()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # unsent bytes of a request nobody will read
                cast(BinaryIO, pipe).close()

    def _next(self, seconds: float, limit: int) -> Reply:
        clock = threading.Timer(max(seconds, 0.0), self._time_is_up)
        clock.daemon = True
        clock.start()
        try:
            return receive_reply(cast(BinaryIO, self._process.stdout), limit)
        finally:
            clock.cancel()
            clock.join()  # it may be at it already: then the answer came too late to trust the child

    def _time_is_up(self) -> None:
        self._timed_out = True
        self._kill()

    def _post_mortem(self, options: ReadOptions) -> ReadError:
        """Why there is no answer."""
        self._kill()
        code = self._reap()
        if self._timed_out or code == -getattr(signal, "SIGXCPU", 0):
            return LimitExceeded(
                f"reading took more than {options.max_seconds:g} s", "raise the time limit, or leave the file out"
            )
        mebibytes = options.max_bytes_memory >> 20
        if self._peak_bytes > max(options.max_bytes_memory * 0.8, self._inherited_bytes * 1.01):
            return LimitExceeded(f"reading took more than {mebibytes} MiB of memory", "leave the file out")
        return CorruptSource("the parser crashed on this file", f"it is damaged, or needs more than {mebibytes} MiB")

    def _kill(self) -> None:
        """Not through `Popen.kill`, which reaps a child that is dead already, and with it how much memory it took."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    def _reap(self) -> int:
        """Wait for its end; where the system tells, note the most memory it held."""
        process = self._process
        if process.returncode is None and hasattr(os, "wait4"):
            with suppress(ChildProcessError):  # reaped by somebody else
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self._peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return process.wait()


def _peak_of_this_process() -> int:
    """Most bytes this process ever held; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415  (not on Windows)

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
