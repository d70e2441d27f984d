"""The doctor compares an encoder with what it was when the doctor first saw it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import FakeEncoder

from chartcite.app.doctor import _vectors
from chartcite.app.reference_vectors import FOLDER, bundled, keep, kept, lowest_cosine
from chartcite.core.errors import StoreDamaged, StoreUnwritable
from chartcite.core.neural import EncodedPassage
from chartcite.models.encoder import bge_small_en


class Turned(FakeEncoder):
    """The same name and fingerprint, other weights: a server whose model was exchanged."""

    def encode_passage(self, text: str) -> EncodedPassage:
        found = super().encode_passage(text)
        return EncodedPassage(found.vector[::-1].copy(), found.tokens)


class Narrow(FakeEncoder):
    dims = 12


def test_the_bundled_encoder_has_five_sentences(tmp_path: Path) -> None:
    encoder = bge_small_en.load()
    assert len(bundled()["sentences"]) == 5
    assert lowest_cosine(encoder, bundled()) >= 0.99
    assert _vectors(encoder, tmp_path / "no store").status == "ok"
    assert not (tmp_path / "no store").exists()


def test_another_encoder_is_kept_the_first_time_and_compared_then(tmp_path: Path) -> None:
    assert "once there is a store" in _vectors(FakeEncoder(), tmp_path / "no store").detail
    assert kept(FakeEncoder(), tmp_path) is None
    assert "kept for the next time" in _vectors(FakeEncoder(), tmp_path).detail
    again = _vectors(FakeEncoder(), tmp_path)
    assert (again.status, again.detail) == ("ok", "5 reference sentences kept in the store, lowest cosine 1.0000")
    for other in (Turned(), Narrow()):
        found = _vectors(other, tmp_path)
        assert found.status == "fail"
        assert found.advice
    assert "kept for the next time" in _vectors(FakeEncoder("2"), tmp_path).detail  # another fingerprint
    assert len(list((tmp_path / FOLDER).iterdir())) == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / FOLDER).rglob("*"))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"sentences": []}', '{"sentences": [{"vector": "!"}]}'])
def test_a_damaged_reference_is_named(content: str, tmp_path: Path) -> None:
    keep(FakeEncoder(), tmp_path)
    path = next((tmp_path / FOLDER).iterdir())
    path.write_text(content)
    with pytest.raises(StoreDamaged, match="reference"):
        kept(FakeEncoder(), tmp_path)
    with pytest.raises(StoreUnwritable):
        keep(FakeEncoder(), tmp_path / "gone")
