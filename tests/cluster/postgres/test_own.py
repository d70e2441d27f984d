"""What only PostgreSQL has: rows that hide themselves, a connection that can be lost, writers that run side by side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from chartcite.core.errors import EndpointFailed, NotConfigured, StoreError, StoreLocked, StoreMissing, StoreNewer
from chartcite.core.scope import Scope
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.cluster.postgres.conftest import OnPostgres
    from tests.cluster.servers.postgres import Postgres
    from tests.conftest import MakeNote, OpenShelf, Shelf

pytestmark = pytest.mark.cluster
P, Q = Scope.patient("p"), Scope.patient("q")


def raw(shelf: Shelf) -> psycopg.Connection[Any]:
    """A session of the same user that says nothing of partitions."""
    lines = dict(line.split(" = ") for line in (shelf.store.folder / "postgres.toml").read_text("utf-8").splitlines())
    options = f"-c search_path={lines['schema'].strip(chr(34))}"
    return psycopg.connect(lines["url"].strip('"'), autocommit=True, options=options)


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")
    return [str(row[0]) for row in rows if row[0] != "schema_version"]


@pytest.fixture
def two(shelf: Shelf, make_note: MakeNote) -> Shelf:
    """Two patients with a row in every table that has any."""
    for name in ("p", "q"):
        scope = Scope.patient(name)
        shelf.put(name, make_note(f"{name}1", f"Warfarin 5 mg. canary{name}.", replaces=(f"{name}0",)))
        shelf.store.secret(scope)
        shelf.store.keep_feedback(scope, {"comment": f"canary{name}"})
        with shelf.store.read(scope) as reader:
            keys = reader.all_keys()
        with shelf.store.read(scope) as reader:
            pass
        shelf.store.keep_findings(reader, "r", {keys[0]: b"found"})
        shelf.store.keep_replies(reader, {name.encode() * 32: f"canary{name}".encode()})
        shelf.store.pack(scope, shelf.recipe, least=0)
    return shelf


def test_a_reader_s_transaction_has_no_row_of_another_patient_whatever_it_asks(two: Shelf) -> None:
    with raw(two) as other:
        names = tables(other)
    seen = 0
    with two.store.read(P) as reader:
        cursor: Any = reader._cursor
        for table in names:
            rows = cursor.execute(f"SELECT * FROM {table}").fetchall()
            seen += len(rows)
            assert b"canaryq" not in repr(rows).encode(), table
            assert "canaryq" not in repr(rows), table
        assert [row[0] for row in cursor.execute("SELECT name FROM partitions").fetchall()] == ["p"]
        assert [row[0] for row in cursor.execute("SELECT doc_id FROM documents").fetchall()] == ["p1"]
        counts = {t: cursor.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0] for t in names}
        assert {t for t, n in counts.items() if n == 0} <= {"ledger", "sources", "persons", "layouts", "originals"}
    assert seen > 10


def test_a_session_that_names_no_partition_sees_nothing_and_one_with_a_wrong_name_neither(two: Shelf) -> None:
    with closing(raw(two)) as other:
        for setting in ("", "999999"):
            other.execute("SELECT set_config('chartcite.partition', %s, false)", (setting,))
            for table in tables(other):
                assert other.execute(f"SELECT * FROM {table}").fetchall() == [], (table, setting)
        with pytest.raises(psycopg.Error):  # nor can it write
            other.execute("INSERT INTO partitions (kind, name) VALUES ('patient', 'r')")


def test_the_next_transaction_is_of_its_own_patient(two: Shelf) -> None:
    for scope, doc_id in ((P, "p1"), (Q, "q1"), (P, "p1")):
        with two.store.read(scope) as reader:
            assert [d.doc_id for d in reader.documents()] == [doc_id]
    assert [p.scope for p in two.store.partitions()] == [P, Q]


def test_no_row_of_a_deleted_patient_is_left(two: Shelf) -> None:
    two.store.delete(P)
    with closing(raw(two)) as other:
        other.execute("SELECT set_config('chartcite.partition', 'all', false)")
        for table in tables(other):
            assert "canaryp" not in repr(other.execute(f"SELECT * FROM {table}").fetchall()), table
    with two.store.read(Q) as reader:
        assert [d.doc_id for d in reader.documents()] == ["q1"]


@pytest.mark.parametrize("text", ["a\0b", "\0", "\U0010fffd", "\U0010fffd0 \U0010fffd1\0\0", "🙂 e\u0301 \u202e"])
def test_every_text_comes_back(text: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p", make_note("d", f"Note {text}.", title=text))
    with shelf.store.read(P) as reader:
        found = reader.find("d")
        assert found is not None
        assert (found.text, found.title) == (f"Note {text}.", text)


def test_order_is_that_of_code_points(shelf: Shelf, make_note: MakeNote) -> None:
    names = ["a", "B", "é", "e", "Z", "_", "10", "9", "ß", "ẞ", "🙂"]
    for name in names:
        shelf.put(name, make_note("d", "Text."))
    assert [p.scope.name for p in shelf.store.partitions()] == sorted(names)


def test_a_lost_connection_is_named_and_made_again(shelf: Shelf, make_note: MakeNote, postgres: Postgres) -> None:
    shelf.put("p", make_note("d", "Text."))
    with psycopg.connect(postgres.url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chartcite'")
    with pytest.raises(EndpointFailed) as said, shelf.store.read(P):
        pass
    assert said.value.exit_code == 5
    with shelf.store.read(P) as reader:
        assert [d.doc_id for d in reader.documents()] == ["d"]


def test_a_reader_keeps_its_state_while_others_write(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    one, other = open_shelf(), open_shelf()
    one.put("p", make_note("d", "Text."))
    with one.store.read(P) as reader:
        other.put("p", make_note("later", "More."))
        assert [d.doc_id for d in reader.documents()] == ["d"]
    with one.store.read(P) as reader:
        assert len(reader.documents()) == 2


def test_writers_of_two_patients_do_not_wait_for_each_other(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    one, other = open_shelf(busy_seconds=0.2), open_shelf(busy_seconds=0.2)
    with one.store._database.transaction(alone_on=P):
        other.put("q", make_note("d", "Text."))
        with pytest.raises(StoreLocked):
            other.put("p", make_note("d", "Text."))
        with pytest.raises(StoreLocked):
            other.store.delete(Q)  # touches what all share
    other.put("p", make_note("d", "Text."))


def test_many_writers_of_one_patient(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    shelves = [open_shelf(busy_seconds=60) for _ in range(4)]
    shelves[0].put("p", make_note("first", "Shared text, warfarin."))

    def work(n: int) -> None:
        for i in range(15):
            shelves[n].put("p", make_note(f"d{n}-{i}", f"Shared text, warfarin. Own {n} {i}."))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with shelves[0].store.read(P) as reader:
        assert len(reader.documents()) == 61
        assert reader.seq == 61
    assert shelves[0].store.check() == []


_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.conftest import FakeEncoder, Shelf, kitchen_of, note
from chartcite.store.store import Store
shelf = Shelf(Store(Path(sys.argv[1])), kitchen_of(FakeEncoder()))
for n in range(10_000):
    shelf.put("p", note(f"d{n}", f"Note {n}. Warfarin {n} mg."))
    print(n, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill_and_nothing_is_there_by_half(shelf: Shelf, make_note: MakeNote) -> None:
    root = Path(__file__).parents[3]
    for seconds in (0.3, 0.6, 0.9):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(_WRITER), str(shelf.store.folder), str(root)],
            stdout=subprocess.PIPE, text=True, env={**os.environ},
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        said = [int(line) for line in process.stdout.read().split()]
        process.wait()
        process.stdout.close()
        with shelf.store.read(P) as reader:
            there = {d.doc_id for d in reader.documents()}
            assert {f"d{n}" for n in said} <= there
            reader.passages(shelf.recipe)
        assert shelf.store.check() == []
    assert len(there) > 3


def test_what_cannot_be_opened_is_named(tmp_path: Path, postgres: Postgres, on_postgres: OnPostgres) -> None:
    def opened(line: str, kind: type[Exception]) -> str:
        folder = tmp_path / "bad"
        folder.mkdir(exist_ok=True)
        (folder / "postgres.toml").write_text(line, "utf-8")
        with pytest.raises(kind) as said:
            Store(folder, create=True)
        return str(said.value)

    opened(f'url = "{postgres.url}"', NotConfigured)  # a superuser
    opened('url = "postgresql://keeper@127.0.0.1:9/records"', EndpointFailed)
    opened(f'url = "postgresql://nobody@127.0.0.1:{postgres.port}/records"', EndpointFailed)
    opened(f'url = "postgresql://keeper@127.0.0.1:{postgres.port}/none"', EndpointFailed)
    for line in ("", "url = 5", 'url = "mysql://x"', 'nonsense = "1"', "= =", 'url = "postgresql://x"\nother = "y"'):
        opened(line, NotConfigured)
    secret = 'url = "postgresql://keeper:hunter2@127.0.0.1:9/records"'
    assert "hunter2" not in opened(secret, EndpointFailed)
    fresh = on_postgres(tmp_path / "fresh")
    with pytest.raises(StoreMissing):
        Store(fresh, create=False)


def test_a_later_version_is_not_touched(shelf: Shelf) -> None:
    shelf.rows("UPDATE schema_version SET version = 99")
    with pytest.raises(StoreNewer):
        Store(shelf.store.folder)


def test_a_name_that_is_too_long_is_an_error_and_harms_nothing(shelf: Shelf, make_note: MakeNote) -> None:
    with pytest.raises(StoreError):
        shelf.put("p", make_note(os.urandom(4000).hex(), "Text."))
    shelf.put("p", make_note("d", "Text."))
    assert shelf.store.check() == []
