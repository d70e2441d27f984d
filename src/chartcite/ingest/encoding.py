"""What a worker elsewhere does for an ingest: a text to its vectors, as this process would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from chartcite.core.errors import ChartciteError, ReadError
from chartcite.core.neural import EncodedPassage, Encoder, SparseEncoder, SparseText


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


@dataclass(frozen=True, slots=True)
class Text:
    """A job: a text, and which encoder it is for."""

    text: str
    is_sparse: bool = False


@dataclass(frozen=True, slots=True)
class TextWork:
    """What a worker does with it."""

    encoder: Encoder
    sparse: SparseEncoder | None = None

    def __call__(self, job: Text) -> EncodedPassage | SparseText:
        """One text, one run; an engine's error is named here, where its message stays."""
        with engine_failures():
            if not job.is_sparse:
                return self.encoder.encode_passage(job.text)
            if self.sparse is None:
                raise TypeError("there is no sparse encoder")
            return self.sparse.encode_passage(job.text)
