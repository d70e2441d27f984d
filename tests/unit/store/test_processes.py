"""Readers in one process while another writes: one state from the first row to the last; two writers take turns."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import StoreLocked
from chartcite.core.scope import Scope

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1 = Scope.patient("p1")
ROOT = Path(__file__).resolve().parents[3]

_WRITER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, "tests")  # a package that is installed may be called `tests` as well
    from conftest import FakeEncoder, Shelf, kitchen_of, note
    from chartcite.core.scope import Scope
    from chartcite.store.store import Store

    name, rounds = sys.argv[2], int(sys.argv[3])
    shelf = Shelf(Store(Path(sys.argv[1]), create=True, busy_seconds=30), kitchen_of(FakeEncoder()))
    print("ready", flush=True)
    for n in range(rounds):
        text = f"PLAN\\nVersion {n} of {name}.\\n\\nHISTORY\\nRound {n}, again {n}.\\n"
        shelf.put("p1", note(f"{name}{n % 7}", text))
        if n % 5 == 4:
            shelf.store.pack(Scope.patient("p1"), shelf.recipe, least=1)
    shelf.store.close()
"""


def writer(folder: Path, name: str, rounds: int) -> subprocess.Popen[str]:
    """A process of its own that stores documents; ready when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_WRITER), str(folder), name, str(rounds)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


def finish(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=500)
    assert process.returncode == 0, errors


def state(shelf: Shelf) -> tuple[int, list[tuple[str, str]], list[str]]:
    """The number of the state, the documents' texts, and the texts of all passages by their spans."""
    with shelf.store.read(P1) as reader:
        documents = {d.key: reader.document(d.key) for d in reader.documents()}
        arrays = reader.passages(shelf.recipe)
        spans = [documents[key].text[start:end] for _, key, start, end in arrays.places.tolist()]
        seq = reader.seq
        assert len(arrays.vectors) == len(arrays.text_keys) == len(set(spans))
        assert seq == shelf.rows("SELECT seq FROM partitions")[0][0]
        return seq, sorted((d.doc_id, d.text) for d in documents.values()), spans


def test_a_reader_sees_one_state_while_another_process_writes(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("first", "First."))
    process = writer(shelf.store.folder, "w", 60)
    states: dict[int, object] = {}
    while process.poll() is None:
        seq, documents, spans = state(shelf)
        assert states.setdefault(seq, (documents, spans)) == (documents, spans)
        assert all(any(span in text for _, text in documents) for span in spans)
        assert max((int(t.split()[2]) for i, t in documents if i != "first"), default=-1) == seq - 2
    finish(process)
    assert len(states) > 1, "the reader never saw the writer at work"
    assert state(shelf)[0] == 61


def test_a_snapshot_does_not_move(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("first", "First."))
    with shelf.store.read(P1) as reader:
        before = [d.doc_id for d in reader.documents()]
        finish(writer(shelf.store.folder, "w", 3))
        assert [d.doc_id for d in reader.documents()] == before == ["first"]
        assert len(reader.passages(shelf.recipe).text_keys) == 1
        assert reader.find("w0") is None
    with shelf.store.read(P1) as reader:
        assert reader.find("w0") is not None


def test_two_processes_write_in_turn(open_shelf: OpenShelf) -> None:
    shelf = open_shelf()
    processes = [writer(shelf.store.folder, name, 25) for name in "ab"]
    for process in processes:
        finish(process)
    seq, documents, _ = state(shelf)
    assert seq == 50
    assert [i for i, _ in documents] == [f"{name}{n}" for name in "ab" for n in range(7)]
    assert shelf.store.check() == []


_HOLDER = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_and_a_reader_is_not_disturbed(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    shelf = open_shelf(busy_seconds=0.2)
    shelf.put("p1", make_note("first", "First."))
    holder = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_HOLDER), str(shelf.store.folder / "chartcite.sqlite3")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdout is not None
    assert holder.stdout.readline() == "ready\n"
    with pytest.raises(StoreLocked) as said:
        shelf.put("p1", make_note("second", "Second."))
    assert (said.value.exit_code, "try again" in said.value.advice) == (1, True)
    assert state(shelf)[0] == 1
    holder.communicate("")
    assert shelf.put("p1", make_note("second", "Second.")) == ["added"]
