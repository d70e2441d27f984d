"""What every encoder owes, whatever is behind it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chartcite.core.neural import EncodedPassage, Encoder
from chartcite.library.registry import known
from chartcite.models.encoder import bge_small_en, onnx_folder
from chartcite.models.files import bundled_folder

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

TEXTS = [
    "Warfarin 5 mg nightly.", "", " ", "INR 3.4\r\n\r\nPLAN: hold.", "Dores no peito há 3 dias – não irradia.", "患者",
    "word " * 900, "x" * 5000, "\U0001f9ea e\u0301 ﬁ \u200b", "Potassium: 4.1 mmol/L\t[3.5 - 5.1]",
]  # fmt: skip


def _folder(tmp: Path, pooling: str) -> Path:
    """The bundled files as a user's folder, with its projection and without."""
    folder = tmp / pooling
    folder.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).symlink_to(bundled_folder("bge_small_en") / name)
    (folder / "chartcite.json").write_text(f'{{"pooling": "{pooling}"}}')
    if pooling == "cls":
        (folder / "projection.npz").symlink_to(Path(bge_small_en.__file__).with_name(bge_small_en.PROJECTION))
    return folder


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[], Encoder]]:
    tmp = tmp_path_factory.mktemp("models")
    return {
        "bge_small_en": bge_small_en.load,
        "onnx_folder": lambda: onnx_folder.load(_folder(tmp, "cls")),
        "onnx_folder without token vectors": lambda: onnx_folder.load(_folder(tmp, "mean")),
    }


NAMES = ["bge_small_en", "onnx_folder", "onnx_folder without token vectors", "fake"]
_loaded: dict[str, Encoder] = {}


@pytest.fixture(params=NAMES)
def encoder(
    request: pytest.FixtureRequest, makers: dict[str, Callable[[], Encoder]], fake_encoder: FakeEncoder
) -> Encoder:
    if request.param == "fake":
        return fake_encoder
    if request.param not in _loaded:
        _loaded[request.param] = makers[request.param]()
    return _loaded[request.param]


def same(one: EncodedPassage, other: EncodedPassage) -> bool:
    return one.vector.tobytes() == other.vector.tobytes() and one.tokens.tobytes() == other.tokens.tobytes()


def test_every_encoder_is_here() -> None:
    assert set(known("encoder")) <= {name.split()[0] for name in NAMES}


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
