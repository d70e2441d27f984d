"""EncodingPool: one thread a core, one text a run, each distinct text of a partition once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from chartcite.core.cores import cores
from chartcite.core.errors import ChartciteError, ReadError
from chartcite.core.neural import EncodedPassage, Encoder
from chartcite.core.scope import Scope

Key = tuple[Scope, bytes]


class EngineFailed(ReadError):
    """The tokenizer or the model failed on a document."""


@contextmanager
def engine_failures() -> Iterator[None]:
    """An engine's error is one document's failure; its message, which may quote the text, is not repeated."""
    try:
        yield
    except ChartciteError:
        raise
    except Exception as error:  # engines raise what they like
        raise EngineFailed(
            f"The text engine failed on this document ({type(error).__name__}).",
            "Run the same command again; if it fails again, `chartcite doctor` checks the models.",
        ) from error


class EncodingPool:
    """Vectors of passage texts, computed in the background and shared while they are under way.

    Equal texts of two patients are computed twice: whether a text is in another record must not show, not even in time.
    """

    def __init__(self, encoder: Encoder, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self._encoder = encoder
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="encode")
        self._waiting: dict[Key, Future[EncodedPassage]] = {}
        self.encoded = 0

    def submit(self, scope: Scope, digest: bytes, text: str) -> Future[EncodedPassage]:
        """The vectors of a text, now or later."""
        key = (scope, digest)
        if key not in self._waiting:
            self._waiting[key] = self._threads.submit(self._encoder.encode_passage, text)
            self.encoded += 1
        return self._waiting[key]

    def forget(self, scope: Scope, digests: Iterable[bytes]) -> None:
        """Drop texts that are in the store now."""
        for digest in digests:
            self._waiting.pop((scope, digest), None)

    def close(self) -> None:
        """Stop; texts not begun are given up."""
        self._threads.shutdown(wait=True, cancel_futures=True)
