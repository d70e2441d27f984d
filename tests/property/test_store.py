"""Whatever is put, updated and deleted in whatever order: the store holds what a fresh one of that state would."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chartcite.core.errors import UnknownPartition
from chartcite.core.scope import Scope
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

    from chartcite.ingest.prepare import Kitchen

sections = st.sampled_from(["HISTORY\nTakes warfarin.", "PLAN\nGo on.", "PLAN\nStop.", "NOTE\nKnee pain, no fever."])
texts = st.lists(sections, min_size=1, max_size=3).map("\n\n".join)
puts = st.tuples(st.sampled_from(["p1", "p2"]), st.sampled_from(["d1", "d2", "d3"]), texts)
steps = st.lists(st.one_of(puts, puts, puts, st.sampled_from(["p1", "p2"])), min_size=1, max_size=12)


@pytest.fixture
def shelf_type(open_shelf: OpenShelf) -> type[Shelf]:
    return type(open_shelf("unused"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_any_history_ends_in_the_state_of_its_last_versions(
    shelf_type: type[Shelf], kitchen: Kitchen, make_note: MakeNote, history: list[Any]
) -> None:
    last: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a", create=True) as one:
        shelf = shelf_type(one, kitchen)
        for step in history:
            if isinstance(step, str):
                held = any(patient == step for patient, _ in last)
                last = {key: text for key, text in last.items() if key[0] != step}
                if held:
                    one.delete(Scope.patient(step))
                else:
                    with pytest.raises(UnknownPartition):
                        one.delete(Scope.patient(step))
            else:
                patient, doc_id, text = step
                before = last.get((patient, doc_id))
                expected = "added" if before is None else "unchanged" if before == text else "updated"
                assert shelf.put(patient, make_note(doc_id, text)) == [expected]
                last[patient, doc_id] = text
        with Store(Path(folder) / "b", create=True) as other:
            fresh = shelf_type(other, kitchen)
            for (patient, doc_id), text in sorted(last.items()):
                fresh.put(patient, make_note(doc_id, text))
            assert shelf.dump()[len(one.partitions()) :] == fresh.dump()[len(other.partitions()) :]
        assert one.check() == []
        for summary in one.partitions():
            one.writer("end").drop_unused_terms(summary.scope)
            with one.read(summary.scope) as reader:
                arrays = reader.passages(shelf.recipe)
                assert len(arrays.vectors) == len(arrays.text_keys)
                assert sorted({d.doc_id for d in reader.documents()}) == sorted(
                    d for p, d in last if p == summary.scope.name
                )
        vocabulary = {t for row in shelf.rows("SELECT term FROM terms") for t in row}
        assert vocabulary == {term for text in last.values() for term in kitchen.analyse(text)}
