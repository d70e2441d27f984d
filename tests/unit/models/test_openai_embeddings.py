"""An embeddings endpoint over a real loopback server: what is sent, and what becomes of every bad answer."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from tests.contract.embeddings_server import EmbeddingsServer, running
from tests.contract.encoder_makers import endpoint_folder

from chartcite.core.errors import EndpointFailed, ModelMissing, ModelRefused
from chartcite.models.encoder import openai_embeddings
from chartcite.models.files import bundled_folder
from chartcite.models.http_json import Endpoint

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def vectors(texts: list[str]) -> list[list[float]]:
    return [[float(b) + 1 for b in hashlib.sha256(text.encode()).digest()[:6]] for text in texts]


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with running(vectors) as state:
        yield state


def load(tmp: Path, server: EmbeddingsServer, key: str = "", **settings: object) -> openai_embeddings.EndpointEncoder:
    return openai_embeddings.load(endpoint_folder(tmp / "endpoint", server.url, **settings), key)


def test_what_is_sent(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(
        tmp_path, server, "sk-key", query_prefix="q: ", passage_prefix="p: ", dimensions=6, send_dimensions=True
    )
    assert not server.requests  # nothing before the first text
    passage = encoder.encode_passage("knee").vector
    assert passage == pytest.approx(np.array(vectors(["p: knee"])[0]) / np.linalg.norm(vectors(["p: knee"])[0]))
    encoder.encode_query("knee")
    encoder.encode_passages(["a", "", " \n"])
    assert server.texts == ["p: knee", "q: knee", "p: a", "p: ", "p:  \n"]
    path, body, authorization = server.requests[0]
    assert (path, authorization) == ("/v1/embeddings", "Bearer sk-key")
    assert body == {"model": "words", "input": ["p: knee"], "encoding_format": "float", "dimensions": 6}
    bare = load(tmp_path / "bare", server)
    assert bare.dims == 6
    assert server.requests[-1][1]["input"] == ["."]  # servers refuse an empty text
    assert server.requests[-1][2] == ""
    assert "dimensions" not in server.requests[-1][1]


def test_answers_out_of_order_find_their_texts(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server)
    together = encoder.encode_passages(["knee", "pain", "no"])
    for text, found in zip(["knee", "pain", "no"], together, strict=True):
        assert found.vector.tobytes() == encoder.encode_passage(text).vector.tobytes()


def test_long_texts_are_cut_here_and_counted(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, max_tokens=12)
    assert encoder.max_tokens == 10
    found = encoder.encode_passage("word " * 15)
    assert found.cut == 5
    assert server.texts[-1] == " ".join(["word"] * 10)
    shutil.copyfile(bundled_folder("bge_small_en") / "tokenizer.json", tmp_path / "endpoint" / "tokenizer.json")
    exact = openai_embeddings.load(tmp_path / "endpoint")
    assert exact.encode_passage("hypertension " * 15).cut == 20  # two pieces each
    assert encoder.encode_passage("hypertension " * 15).cut == 35
    assert exact.fingerprint != encoder.fingerprint


def answer(*rows: object) -> bytes:
    return json.dumps({"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]}).encode()


BAD = {
    "not json": b"<html>", "a list": b"[]", "no data": b"{}", "no vector": answer(),
    "two vectors": answer([1.0], [1.0]),
    "an empty vector": answer([]), "text": answer(["x"]), "null": answer([None]), "a string": answer("abcdef"),
    "another width": answer([1.0, 2.0]), "no index": b'{"data": [{"embedding": [1]}]}',
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_answers_of_another_form(kind: str, server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, dimensions=6)
    server.next_answers.append((200, {}, BAD[kind]))
    with pytest.raises(EndpointFailed) as failed:
        encoder.encode_passage("secret text")
    assert "secret" not in str(failed.value) + failed.value.advice
    assert encoder.encode_passage("secret text").vector.shape == (6,)


def test_a_vector_without_direction_is_refused(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, dimensions=6)
    for row in ([0.0] * 6, [float("nan")] * 6):
        server.next_answers.append((200, {}, answer(row)))
        with pytest.raises(ModelRefused):
            encoder.encode_passage("a")


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403, 404, 422])
def test_refusals_are_not_repeated(status: int, server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, dimensions=6)
    server.next_answers.append((status, {"Location": "http://127.0.0.1:9/"}, b"the server quotes: secret text"))
    with pytest.raises(EndpointFailed, match=str(status)) as failed:
        encoder.encode_passage("secret text")
    assert len(server.requests) == 1  # no redirect is followed
    assert "secret" not in str(failed.value) + failed.value.advice


def endpoint(url: str, waits: list[float], **how: object) -> Endpoint:
    made = Endpoint(url, sleep=waits.append, now=lambda: NOW, jitter=lambda: 0.0)
    return replace(made, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ({}, [0.5, 1.0]), ({"Retry-After": "7"}, [7.0, 7.0]), ({"Retry-After": "soon"}, [0.5, 1.0]),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:09 GMT"}, [9.0, 9.0]),
        ({"Retry-After": "Sun, 01 Mar 2020 12:00:09 GMT"}, [0.0, 0.0]), ({"Retry-After": "99999"}, [60.0, 60.0]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_says(
    status: int, header: dict[str, str], expected: list[float], server: EmbeddingsServer
) -> None:
    waits: list[float] = []
    server.next_answers += [(status, header, b""), (status, header, b"")]
    body = {"model": "words", "input": ["knee"]}
    assert len(endpoint(server.url, waits).post("/embeddings", body)["data"]) == 1
    assert waits == expected
    assert len(server.requests) == 3


def test_clients_that_were_turned_away_together_come_back_apart(server: EmbeddingsServer) -> None:
    waits: list[float] = []
    server.next_answers += [(503, {}, b""), (503, {}, b"")]
    endpoint(server.url, waits, jitter=lambda: 0.5).post("/embeddings", {"model": "words", "input": ["knee"]})
    assert waits == [0.75, 1.5]


def test_patience_ends(server: EmbeddingsServer) -> None:
    waits: list[float] = []
    server.next_answers += [(503, {}, b"")] * 3
    with pytest.raises(EndpointFailed, match="503"):
        endpoint(server.url, waits, retries=2).post("/embeddings", {"input": []})
    assert waits == [0.5, 1.0]
    assert len(server.requests) == 3


def test_nobody_there() -> None:
    waits: list[float] = []
    with running(vectors) as gone:
        pass
    with pytest.raises(EndpointFailed, match="reached") as failed:
        endpoint(gone.url, waits, retries=1).post("/embeddings", {"input": ["secret text"]})
    assert waits == [0.5]
    assert failed.value.exit_code == 5
    assert "secret" not in str(failed.value) + failed.value.advice


def test_too_much_at_once_is_halved(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, dimensions=6)
    texts = ["a", "b", "c", "d", "e"]
    server.next_answers += [(413, {}, b""), (413, {}, b"")]
    found = encoder.encode_passages(texts)
    assert [len(body["input"]) for _, body, _ in server.requests] == [5, 2, 1, 1, 3]
    assert [f.vector.tobytes() for f in found] == [encoder.encode_passage(t).vector.tobytes() for t in texts]
    server.next_answers.append((413, {}, b""))
    with pytest.raises(EndpointFailed, match="413"):
        encoder.encode_passage("a")


@pytest.mark.parametrize(
    "url",
    [
        "", "127.0.0.1:8000", "ftp://127.0.0.1/v1", "file:///etc/passwd", "http://", "http://user:pass@127.0.0.1/v1",
        "http://10.0.0.5:8000/v1", "http://models.example/v1", "http://127.0.0.1:99999/v1", "http://127.0.0.1/v1?a=b",
    ],
)  # fmt: skip
def test_urls_that_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ModelRefused) as refused:
        openai_embeddings.load(endpoint_folder(tmp_path / "e", url))
    assert "pass" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize("url", ["http://127.0.0.2/v1", "http://[::1]:80/v1", "http://localhost/"])
def test_urls_that_are_taken(url: str, tmp_path: Path) -> None:
    encoder = openai_embeddings.load(endpoint_folder(tmp_path / "e", url, dimensions=6))
    assert encoder.name == "openai:words"
    assert not encoder.is_remote


@pytest.mark.parametrize(
    ("url", "more"),
    [("https://models.example/v1", {}), ("http://models.example/v1", {"plain_http": True})],
    ids=["https", "http"],
)
def test_another_machine_gets_real_text_only_where_the_folder_says_so(
    url: str, more: dict[str, bool], tmp_path: Path
) -> None:
    with pytest.raises(ModelRefused, match="another machine"):
        openai_embeddings.load(endpoint_folder(tmp_path / "e", url, dimensions=6, **more))
    said = endpoint_folder(tmp_path / "e", url, dimensions=6, sends_real_text=True, **more)
    assert openai_embeddings.load(said).is_remote


@pytest.mark.parametrize(
    "content",
    [
        "{", "[]", "{}", '{"url": "http://127.0.0.1/v1"}', '{"url": "http://127.0.0.1/v1", "model": ""}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "key": "sk"}', '{"url": 5, "model": "m"}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "dimensions": true}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "retries": -1}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "timeout_s": 0}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "dimensions": 6, "max_tokens": 2}',
        '{"url": "http://127.0.0.1/v1", "model": "m", "batch_tokens": 0}',
    ],
)  # fmt: skip
def test_descriptions_that_cannot_be_used(content: str, tmp_path: Path) -> None:
    (tmp_path / "endpoint.json").write_text(content)
    with pytest.raises(ModelRefused) as refused:
        openai_embeddings.load(tmp_path)
    assert "sk" not in str(refused.value).replace("asks", "")
    with pytest.raises(ModelMissing, match=r"endpoint\.json"):
        openai_embeddings.load(tmp_path / "nowhere")


def test_the_key_is_in_no_text_about_the_endpoint(server: EmbeddingsServer, tmp_path: Path) -> None:
    encoder = load(tmp_path, server, "sk-very-secret", dimensions=6)
    server.next_answers.append((401, {}, b"bad key sk-very-secret"))
    with pytest.raises(EndpointFailed) as failed:
        encoder.encode_passage("a")
    assert "secret" not in f"{failed.value} {failed.value.advice} {encoder._endpoint!r} {encoder.settings!r}"


def test_what_shapes_a_vector_is_in_the_fingerprint(server: EmbeddingsServer, tmp_path: Path) -> None:
    def fingerprint(**settings: object) -> str:
        return load(tmp_path, server, "", **settings).fingerprint

    changes: list[dict[str, object]] = [
        {}, {"model": "other"}, {"dimensions": 6}, {"max_tokens": 100}, {"query_prefix": "q"}, {"passage_prefix": "p"},
        {"revision": "2"},
    ]  # fmt: skip
    assert len({fingerprint(**change) for change in changes}) == len(changes)
    assert fingerprint(batch_tokens=9, timeout_s=1.5, retries=0) == fingerprint()
