"""Who encodes: this process, or workers elsewhere whose vectors are the same to the bit."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from chartcite.compute.port import Worker, WorkerDiffers
from chartcite.core.errors import ChartciteError
from chartcite.core.neural import BatchEncoder, EncodedPassage
from chartcite.core.own_code import code_digest
from chartcite.ingest.encoding import TextWork
from chartcite.ingest.pool import EncodingPool
from chartcite.library.crews import crew_of
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

_PROBE = "Warfarin 2.5 mg daily; INR 2.4 on 2019-03-02, no bleeding."
_ROOMS = ("core", "models")


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


def encoding_worker(models: Settings, wanted: Identity) -> TextWork:
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
    return TextWork(engines.encoder, engines.sparse)


def _identity(engines: Engines) -> Identity:
    recipe = engines.recipe
    probe = engines.encoder.encode_passage(_PROBE)
    return Identity((recipe.encoder, recipe.sparse), code_digest(_ROOMS), _digest(probe))


def _digest(encoded: EncodedPassage) -> str:
    return sha256(encoded.vector.tobytes() + encoded.tokens.tobytes()).hexdigest()
