"""A SPLADE-like folder: weights by the published formula, and models that are none."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.unit.models.conftest import VOCABULARY, gather_model, tokenizer

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.models.sparse import onnx_folder

N = len(VOCABULARY)
LOGITS = np.random.default_rng(4).standard_normal((N, N)).astype(np.float32) * 3  # a row of logits for each token
SPECIAL = {VOCABULARY.index(word) for word in ("[CLS]", "[SEP]")}


def make(folder: Path, settings: str = "", logits: np.ndarray = LOGITS, **model: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "model.onnx").write_bytes(gather_model(logits, **model))  # type: ignore[arg-type]
    tokenizer().save(str(folder / "tokenizer.json"))
    if settings:
        (folder / "chartcite.json").write_text(settings)
    return folder


def expected(text: str) -> dict[int, float]:
    """The formula by hand: max over positions of log(1 + relu(logit)); special tokens are positions, not terms."""
    ids = [VOCABULARY.index(word) if word in VOCABULARY else 0 for word in ("[CLS]", *text.split(), "[SEP]")]
    found = {}
    for term in range(N):
        weight = max(math.log(1 + max(0.0, float(LOGITS[i, term]))) for i in ids)
        if weight > 0 and term not in SPECIAL:
            found[term] = weight
    return found


@pytest.mark.parametrize("text", ["warfarin 5 mg", "", "knee pain no unheard", "knee knee knee"])
def test_weights_by_the_formula(text: str, tmp_path: Path) -> None:
    found = onnx_folder.load(make(tmp_path / "m")).encode_passage(text)
    assert dict(zip(found.terms.tolist(), found.weights.tolist(), strict=True)) == pytest.approx(
        expected(text), abs=1e-6
    )
    assert (found.terms.dtype.name, found.weights.dtype.name) == ("int64", "float32")
    assert found.terms.tolist() == sorted(found.terms.tolist())
    assert not SPECIAL & set(found.terms.tolist())


def test_the_heaviest_terms_are_kept(tmp_path: Path) -> None:
    full = expected("warfarin 5 mg")
    found = onnx_folder.load(make(tmp_path / "m", '{"max_terms": 3}')).encode_passage("warfarin 5 mg")
    assert set(found.terms.tolist()) == set(sorted(full, key=lambda t: (-full[t], t))[:3])
    flat = make(tmp_path / "flat", '{"max_terms": 2}', np.ones((N, N), np.float32))
    assert onnx_folder.load(flat).encode_passage("knee").terms.tolist() == [0, 3]  # ties by number, special ones out


def test_prefixes_window_and_names_of_terms(tmp_path: Path) -> None:
    encoder = onnx_folder.load(make(tmp_path / "m", '{"query_prefix": "query : ", "max_tokens": 5}'))
    assert encoder.max_tokens == 3
    assert encoder.vocabulary == N
    query, same = encoder.encode_query("knee"), encoder.encode_passage("query : knee")
    assert query.weights.tobytes() == same.weights.tobytes()
    cut = encoder.encode_passage("knee pain no mg 5")
    assert cut.cut == 2
    assert cut.weights.tobytes() == encoder.encode_passage("knee pain no").weights.tobytes()
    assert encoder.term(VOCABULARY.index("knee")) == "knee"
    assert encoder.term(10**6) == ""
    assert encoder.offsets(["knee pain"]) == [[(0, 4), (5, 9)]]


def test_the_same_bytes_from_four_threads(tmp_path: Path) -> None:
    encoder = onnx_folder.load(make(tmp_path / "m"))
    texts = ["knee pain", "warfarin 5 mg", ""] * 20
    alone = [encoder.encode_passage(text).weights.tobytes() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [f.weights.tobytes() for f in pool.map(encoder.encode_passage, texts)] == alone


def test_what_shapes_a_weight_is_in_the_fingerprint(tmp_path: Path) -> None:
    seen = [
        onnx_folder.load(make(tmp_path / name, settings, logits)).fingerprint
        for name, settings, logits in (
            ("a", "", LOGITS), ("b", '{"max_terms": 9}', LOGITS), ("c", '{"query_prefix": "q"}', LOGITS),
            ("d", "", LOGITS + 1),
        )
    ]  # fmt: skip
    assert len(set(seen)) == 4
    assert onnx_folder.load(make(tmp_path / "e")).fingerprint == seen[0]


@pytest.mark.parametrize(
    "settings",
    [
        "{",
        "[]",
        '{"max_terms": 0}',
        '{"max_terms": true}',
        '{"max_tokens": 2}',
        '{"query_prefix": 1}',
        '{"pooling": "cls"}',
    ],
)
def test_settings_that_cannot_be_used(settings: str, tmp_path: Path) -> None:
    with pytest.raises(ModelRefused) as refused:
        onnx_folder.load(make(tmp_path / "m", settings))
    assert refused.value.advice


def test_models_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        onnx_folder.load(tmp_path / "nowhere")
    narrow = make(tmp_path / "narrow", logits=LOGITS[:, :5])
    pooled = make(tmp_path / "pooled", pooled=True)
    other = make(tmp_path / "other", inputs=("words",))
    for folder in (narrow, pooled, other):
        with pytest.raises(ModelRefused):
            onnx_folder.load(folder)
