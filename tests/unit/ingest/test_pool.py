"""The encoding pool: each text once, batches for an encoder that takes them, and never two partitions in one."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import pytest
from tests.conftest import FakeEncoder

from chartcite.core.errors import EndpointFailed
from chartcite.core.neural import EncodedPassage
from chartcite.core.scope import Scope
from chartcite.ingest.pool import EncodingPool

ONE, TWO = Scope.patient("1"), Scope.patient("2")


class Batching(FakeEncoder):
    """Waits until it may begin, then notes what it was asked together."""

    def __init__(self, batch_tokens: int = 6, fails: bool = False) -> None:
        super().__init__()
        self.batch_tokens = batch_tokens
        self.batches: list[list[str]] = []
        self.may_begin = Event()
        self.fails = fails

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        self.may_begin.wait(10)
        self.batches.append(list(texts))
        if self.fails:
            raise EndpointFailed("The endpoint cannot be reached.")
        return [self.encode_passage(text) for text in texts]


def submit(pool: EncodingPool, scope: Scope, *texts: str) -> list[EncodedPassage]:
    futures = [pool.submit(scope, text.encode(), text) for text in texts]
    encoder = pool._encoder
    if isinstance(encoder, Batching):
        encoder.may_begin.set()
    return [future.result(10) for future in futures]


def test_batches_keep_to_the_limit_and_to_one_partition() -> None:
    encoder = Batching()
    pool = EncodingPool(encoder, workers=1)
    first = pool.submit(ONE, b"0", "a")  # the worker takes it alone, and waits
    futures = [
        pool.submit(ONE, t.encode(), t) for t in ("b c", "d e f", "g", "h i", "one two three four five six seven")
    ]
    other = [pool.submit(TWO, t.encode(), t) for t in ("b c", "j")]
    encoder.may_begin.set()
    for future in [first, *futures, *other]:
        assert future.result(10).vector.shape == (encoder.dims,)
    pool.close()
    flat = [text for batch in encoder.batches for text in batch]
    assert flat == ["a", "b c", "d e f", "g", "h i", "one two three four five six seven", "b c", "j"]
    assert encoder.batches[1:] == [["b c", "d e f", "g"], ["h i"], ["one two three four five six seven"], ["b c", "j"]]
    assert pool.encoded == len(flat)


def test_batches_give_what_single_runs_give() -> None:
    batching, single = EncodingPool(Batching(100), workers=2), EncodingPool(FakeEncoder(), workers=2)
    texts = [f"text {i} of many" for i in range(50)]
    together, alone = submit(batching, ONE, *texts), submit(single, ONE, *texts)
    assert [e.vector.tobytes() for e in together] == [e.vector.tobytes() for e in alone]
    batching.close()
    single.close()


def test_a_failure_reaches_every_text_of_the_batch() -> None:
    encoder = Batching(100, fails=True)
    pool = EncodingPool(encoder, workers=1)
    futures = [pool.submit(ONE, t, t.decode()) for t in (b"a", b"b", b"c")]
    encoder.may_begin.set()
    for future in futures:
        with pytest.raises(EndpointFailed):
            future.result(10)
    pool.close()


def test_cut_texts_are_counted_once() -> None:
    class Short(FakeEncoder):
        def encode_passage(self, text: str) -> EncodedPassage:
            found = super().encode_passage(text)
            return EncodedPassage(found.vector, found.tokens, cut=max(0, len(text) - 5))

    pool = EncodingPool(Short(), workers=2)
    submit(pool, ONE, "short", "longer one", "longer two")
    submit(pool, TWO, "longer one")
    for scope, texts in ((ONE, [b"short", b"longer one", b"longer two"]), (TWO, [b"longer one"])):
        pool.forget(scope, texts)
        pool.forget(scope, texts)  # a second document with the same text
    assert (pool.encoded, pool.cut) == (4, 3)
    pool.close()
