"""Finders of identifying text, ours and others', as functions from a text to (start, end) pairs."""

from __future__ import annotations

import os
from collections.abc import Callable

from chartcite.deid.finder import find
from chartcite.deid.known import read_record

Find = Callable[[str], list[tuple[int, int]]]


def chartcite() -> Find:
    """Our rules with nothing known of the record."""
    empty = read_record(())
    return lambda text: [(f.mention.start, f.mention.end) for f in find(text, empty)]


def presidio() -> Find:
    """Presidio's analyser with the small English spaCy model, all entities but nationalities and drug-like numbers."""
    from presidio_analyzer import AnalyzerEngine  # noqa: PLC0415
    from presidio_analyzer.nlp_engine import NlpEngineProvider  # noqa: PLC0415

    models = [{"lang_code": "en", "model_name": os.environ.get("PRESIDIO_MODEL", "en_core_web_sm")}]
    engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models}).create_engine()
    analyser = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    return lambda text: [(r.start, r.end) for r in analyser.analyze(text, language="en") if r.entity_type != "NRP"]


def philter() -> Find:
    """Philter-lite with the filters that come with it."""
    import philter_lite  # noqa: PLC0415

    filters = philter_lite.load_filters(str(philter_lite.__path__[0]) + "/configs/philter_delta.toml")

    def spans(text: str) -> list[tuple[int, int]]:
        _, tracker = philter_lite.detect_phi(text, patterns=filters)
        return [(p.start, p.stop) for p in tracker.phi]

    return spans


def scrubadub() -> Find:
    """Scrubadub with its default detectors, which need no model."""
    import scrubadub as library  # noqa: PLC0415

    scrubber = library.Scrubber()
    return lambda text: [(f.beg, f.end) for f in scrubber.iter_filth(text)]


FINDERS: dict[str, Callable[[], Find]] = {
    "chartcite": chartcite, "presidio": presidio, "philter": philter, "scrubadub": scrubadub,
}  # fmt: skip
