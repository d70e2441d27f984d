"""EncodingPool: one thread a core or a crew's workers, one text a run, each distinct text of a partition once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from chartcite.compute.port import Crew
from chartcite.core.cores import cores
from chartcite.core.neural import BatchEncoder, EncodedPassage, Encoder, SparseEncoder, SparseText
from chartcite.core.scope import Scope
from chartcite.ingest.encoding import Text

Key = tuple[Scope, bytes]
_Job = tuple[str, Future[EncodedPassage]]
_MOST_IN_BATCH = 256


class EncodingPool:
    """Vectors of passage texts, computed in the background and shared while they are under way.

    Equal texts of two patients are computed twice: whether a text is in another record must not show, not even in time.
    An encoder that takes batches gets what is waiting, texts of one partition at a time. Where there is a crew, whose
    workers do what `ingest.encoding` says, it encodes, and this process only waits.
    """

    def __init__(
        self,
        encoder: Encoder,
        workers: int | None = None,
        sparse: SparseEncoder | None = None,
        crew: Crew | None = None,
    ) -> None:
        self.workers = crew.workers if crew is not None else workers or cores()
        self.crew = crew
        self._encoder = encoder
        self._sparse = sparse
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="encode")
        self._waiting: dict[Key, Future[EncodedPassage]] = {}
        self._expanding: dict[Key, Future[SparseText]] = {}
        self._batches = _Batches(encoder, encoder) if isinstance(encoder, BatchEncoder) and crew is None else None
        self.encoded = 0
        self.cut = 0  # texts longer than an encoder reads

    def submit(self, scope: Scope, digest: bytes, text: str) -> Future[EncodedPassage]:
        """The vectors of a text, now or later."""
        key = (scope, digest)
        if key not in self._waiting:
            if self.crew is not None:
                self._waiting[key] = self.crew.submit(scope, Text(text))
            elif self._batches is None:
                self._waiting[key] = self._threads.submit(self._encoder.encode_passage, text)
            else:
                self._waiting[key] = self._batches.add(scope, text)
                self._threads.submit(self._batches.run)
            self.encoded += 1
        return self._waiting[key]

    def expand(self, scope: Scope, digest: bytes, text: str) -> Future[SparseText] | None:
        """The sparse weights of a text, now or later; None without a sparse encoder."""
        key = (scope, digest)
        if self._sparse is not None and key not in self._expanding:
            if self.crew is not None:
                self._expanding[key] = self.crew.submit(scope, Text(text, is_sparse=True))
            else:
                self._expanding[key] = self._threads.submit(self._sparse.encode_passage, text)
        return self._expanding.get(key)

    def forget(self, scope: Scope, digests: Iterable[bytes]) -> None:
        """Drop texts that are in the store now."""
        for digest in digests:
            key = (scope, digest)
            dense, sparse = self._waiting.pop(key, None), self._expanding.pop(key, None)
            self.cut += _is_cut(dense) or _is_cut(sparse)

    @property
    def lost(self) -> int:
        """Workers that ended in the middle; others did their texts."""
        return self.crew.lost if self.crew is not None else 0

    def close(self) -> None:
        """Stop; texts not begun are given up."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self.crew is not None:
            self.crew.close()


def _is_cut(future: Future[EncodedPassage] | Future[SparseText] | None) -> bool:
    return future is not None and future.done() and future.exception() is None and future.result().cut > 0


class _Batches:
    """Texts that wait, in the order in which they came. As many runs are started as texts; a late one finds nothing."""

    def __init__(self, encoder: Encoder, batches: BatchEncoder) -> None:
        self._encoder = encoder
        self._batches = batches
        self._lock = Lock()
        self._queue: deque[tuple[Scope, int, _Job]] = deque()

    def add(self, scope: Scope, text: str) -> Future[EncodedPassage]:
        """Put a text at the end."""
        future: Future[EncodedPassage] = Future()
        tokens = len(self._encoder.offsets([text])[0])
        with self._lock:
            self._queue.append((scope, tokens, (text, future)))
        return future

    def run(self) -> None:
        """Encode what waits in front, up to the encoder's limit; an error is that of all texts of the batch."""
        jobs = self._take()
        if not jobs:
            return
        try:
            found = self._batches.encode_passages([text for text, _ in jobs])
            for (_, future), encoded in zip(jobs, found, strict=True):
                future.set_result(encoded)
        except Exception as error:  # noqa: BLE001  (whoever waits for a vector gets it)
            for _, future in jobs:
                if not future.done():
                    future.set_exception(error)

    def _take(self) -> list[_Job]:
        jobs: list[_Job] = []
        first, total = None, 0
        with self._lock:
            while self._queue and len(jobs) < _MOST_IN_BATCH:
                scope, tokens, job = self._queue[0]
                if jobs and (scope != first or total + tokens > self._batches.batch_tokens):
                    break
                first = scope
                total += tokens
                jobs.append(job)
                self._queue.popleft()
        return jobs
