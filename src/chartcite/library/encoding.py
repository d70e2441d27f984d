"""Who encodes: this process, or workers elsewhere whose vectors are the same to the bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from chartcite.compute.port import Worker, WorkerDiffers
from chartcite.core.errors import ChartciteError
from chartcite.core.neural import BatchEncoder, EncodedPassage, SparseText
from chartcite.core.own_code import code_digest
from chartcite.ingest.encoding import Text, TextWork
from chartcite.ingest.pool import EncodingPool
from chartcite.library.crews import crew_of
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.library.timelines import ReadWhole
from chartcite.records.record import Unread, read_whole

_PROBE = "Warfarin 2.5 mg daily; INR 2.4 on 2019-03-02, no bleeding."
_ROOMS = ("core", "facts", "models", "records", "text")
_SHARES_EACH = 4


def encoding_pool(settings: Settings, engines: Engines) -> EncodingPool:
    """The pool by the settings. An encoder behind a server is asked from here: nothing of it runs on this machine.

    Raises:
        MissingExtra, NotConfigured, ComputeFailed: about the workers.
    """
    encoder, sparse = engines.encoder, engines.sparse
    if settings.compute == "local" or isinstance(encoder, BatchEncoder):
        return EncodingPool(encoder, settings.jobs or None, sparse)
    models = Settings(encoder=settings.encoder, encoder_key=settings.encoder_key, sparse=settings.sparse)
    crew = crew_of(settings, Worker(encoding_worker, (models, _identity(engines))))
    return EncodingPool(encoder, sparse=sparse, crew=crew)


@dataclass(frozen=True, slots=True)
class Identity:
    """What must be the same here and there, for equal texts to have equal bytes."""

    models: tuple[str, str]
    code: str
    probe: str


@dataclass(frozen=True, slots=True)
class ToRead:
    """A job: documents of one patient, for what the timeline finds in them."""

    documents: tuple[Unread, ...]


@dataclass(frozen=True, slots=True)
class IngestWork:
    """What a worker does for an ingest."""

    texts: TextWork

    def __call__(self, job: Text | ToRead) -> EncodedPassage | SparseText | list[bytes]:
        """A text to its vectors, documents to what is found in them."""
        return read_whole(job.documents) if isinstance(job, ToRead) else self.texts(job)


def reading_with(pool: EncodingPool) -> ReadWhole:
    """Who reads documents for the timeline: the workers of a pool that has any, else this process."""
    crew = pool.crew
    if crew is None:
        return read_whole

    def read(documents: Sequence[Unread]) -> list[bytes]:
        size = max(1, len(documents) // (crew.workers * _SHARES_EACH))
        shares = [ToRead(tuple(documents[at : at + size])) for at in range(0, len(documents), size)]
        return [found for one in [crew.submit(None, share) for share in shares] for found in one.result()]

    return read


def encoding_worker(models: Settings, wanted: Identity) -> IngestWork:
    """Runs where the worker is: the same models, or none.

    Raises:
        WorkerDiffers: its vectors would not be those of the machine that asks.
    """
    engines = Engines(models)
    try:
        own = _identity(engines)
    except ChartciteError as error:
        raise WorkerDiffers(f"A worker cannot load the encoder: {error.args[0]}", error.advice) from error
    for part, advice in (
        ("models", "Have the same model files on every machine."),
        ("code", "Install the same chartcite on every machine."),
        ("probe", "Use processors of one kind: another one rounds otherwise."),
    ):
        if getattr(own, part) != getattr(wanted, part):
            raise WorkerDiffers(f"A worker has other {part} than this machine.", advice)
    return IngestWork(TextWork(engines.encoder, engines.sparse))


def _identity(engines: Engines) -> Identity:
    recipe = engines.recipe
    probe = engines.encoder.encode_passage(_PROBE)
    return Identity((recipe.encoder, recipe.sparse), code_digest(_ROOMS), _digest(probe))


def _digest(encoded: EncodedPassage) -> str:
    return sha256(encoded.vector.tobytes() + encoded.tokens.tobytes()).hexdigest()
