"""Where words stand: kept beside the document, gone with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import StoreDamaged
from chartcite.core.layout import WordBox, WordBoxes
from chartcite.core.scope import Scope

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

P1 = Scope.patient("p1")
WORDS = WordBoxes.pack([WordBox(0, 4, 1, 0.1, 0.2, 0.3, 0.4)])


def words_of(shelf: Shelf, n: int = 0) -> WordBoxes:
    with shelf.store.read(P1) as reader:
        return reader.document(reader.documents()[n].key).words


def test_places_come_back_and_go_with_the_document(shelf: Shelf, make_note: MakeNote) -> None:
    note = make_note("a", "One two.\n")
    shelf.put("p1", replace(note, words=WORDS))
    shelf.put("p1", make_note("b", "Three.\n"))
    assert words_of(shelf) == WORDS
    assert not words_of(shelf, 1)
    shelf.put("p1", note)
    assert not words_of(shelf)
    assert shelf.rows("SELECT COUNT(*) FROM layouts") == [(0,)]
    shelf.put("p1", replace(note, words=WORDS))
    shelf.store.delete(P1)
    assert shelf.rows("SELECT COUNT(*) FROM layouts") == [(0,)]


@pytest.mark.sqlite
def test_a_store_of_an_earlier_version_has_none_and_gets_a_table(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "One two.\n"))
    shelf.rows("DROP TABLE layouts")
    shelf.rows("PRAGMA user_version=5")
    assert not words_of(shelf)
    shelf.put("p1", replace(make_note("a", "One two.\n"), words=WORDS))
    assert words_of(shelf) == WORDS


@pytest.mark.sqlite
def test_damaged_places_are_named(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", replace(make_note("a", "One two.\n"), words=WORDS))
    shelf.rows("UPDATE layouts SET data = x'01'")
    with pytest.raises(StoreDamaged):
        words_of(shelf)
