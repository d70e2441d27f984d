"""The child's side of the sandbox: reads files one by one, inside limits, until its parent is gone.

Opens no sockets and writes no files. Runs as `__main__` of a fresh interpreter; never imported elsewhere.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, cast

from chartcite.core.errors import ChartciteError, CorruptSource, ReadError
from chartcite.core.reading import Reader, ReadOptions, Working
from chartcite.readers import alive
from chartcite.readers.bytes_in import named_errors
from chartcite.readers.sandbox_wire import Done, Request, receive_request, send

if sys.platform != "win32":
    import resource


def main() -> None:
    """Serve requests from standard input, answering on what was standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    answers = _private_stdout()
    alive.tell_by(lambda: send(answers, Working()))
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_watch, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        _serve(requests.get(), answers)


def _watch(pipe: BinaryIO, requests: queue.SimpleQueue[Request]) -> None:
    """Take requests; the end of the pipe is the end of the parent, also in the middle of a parse."""
    while (request := receive_request(pipe)) is not None:
        requests.put(request)
    os._exit(0)


def _private_stdout() -> BinaryIO:
    """Keep the pipe to ourselves: what an engine prints must neither break the protocol nor show content."""
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    return answers


def _serve(request: Request, answers: BinaryIO) -> None:
    try:
        with named_errors():
            reader = cast(Reader, import_module(request.module).READER)
            _limit(request.options)
            for item in reader.read(Path(request.path), request.name, request.sha256, request.options):
                send(answers, item)
    except ReadError as error:
        send(answers, error)
    except Exception as error:  # noqa: BLE001 - an engine's own errors, of any kind, on a hostile file
        reason = str(error.args[0]) if isinstance(error, ChartciteError) else type(error).__name__
        send(answers, CorruptSource(f"the parser failed ({reason})"))
    else:
        send(answers, Done())


if sys.platform == "win32":

    def _limit(options: ReadOptions) -> None:
        """No such limits there: the parent's clock is the only one."""

else:

    def _limit(options: ReadOptions) -> None:
        """Memory beyond what the idle child holds, processor time beyond what it used; no files, no core dumps."""
        sys.dont_write_bytecode = True
        used = resource.getrusage(resource.RUSAGE_SELF)
        _soft(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + options.max_seconds) + 2)
        _soft(resource.RLIMIT_CORE, 0)
        _soft(resource.RLIMIT_FSIZE, 0)
        pages = Path("/proc/self/statm")
        if pages.exists():
            idle = int(pages.read_text().split()[0]) * resource.getpagesize()
            _soft(resource.RLIMIT_AS, idle + options.max_bytes_memory)

    def _soft(limit: int, value: int) -> None:
        """Only the soft limit: the next file brings its own."""
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
