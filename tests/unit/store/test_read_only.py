"""A store that may only be read, by permission or because of its medium, can still be asked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import StoreLocked, StoreUnwritable
from chartcite.core.scope import Scope
from chartcite.store.database import FILE
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1 = Scope.patient("p1")


@pytest.fixture
def readable(shelf: Shelf, make_note: MakeNote, tmp_path: Path) -> Path:
    """A closed store that anybody may read."""
    shelf.put("p1", make_note("d", "Warfarin 5 mg."))
    shelf.store.close()
    folder = shelf.store.folder
    folder.chmod(0o755)
    (folder / FILE).chmod(0o644)
    for above in (tmp_path, *tmp_path.parents):
        if above.owner() == "root" and above != Path("/") and above.parent != Path("/"):
            above.chmod(0o755)
    return folder


@pytest.fixture
def as_nobody(readable: Path) -> Iterator[Path]:
    """File permissions do not hold for root: become somebody else."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become somebody else")
    os.seteuid(65534)
    yield readable
    os.seteuid(0)


def texts(store: Store) -> list[str]:
    with store.read(P1) as reader:
        return [reader.document(d.key).text for d in reader.documents()]


def test_somebody_elses_store(as_nobody: Path, shelf: Shelf, make_note: MakeNote) -> None:
    with Store(as_nobody) as store:
        assert texts(store) == ["Warfarin 5 mg."]
        assert store.check() == []
        for write in (
            lambda: store.writer("r"), lambda: store.delete(P1), lambda: store.pack(P1, shelf.recipe, least=1)
        ):  # fmt: skip
            with pytest.raises(StoreUnwritable) as said:
                write()
            assert "only be read" in str(said.value)
    assert [p.name for p in as_nobody.iterdir()] == [FILE]


def test_what_is_written_meanwhile_is_never_mixed_in(
    as_nobody: Path, open_shelf: OpenShelf, make_note: MakeNote
) -> None:
    with Store(as_nobody) as store:
        assert texts(store) == ["Warfarin 5 mg."]
        os.seteuid(0)
        owner = open_shelf(as_nobody.name)
        owner.put("p1", make_note("e", "Aspirin."))
        owner.store.close()  # folds the log into the file
        os.seteuid(65534)
        with pytest.raises(StoreLocked) as said:
            texts(store)
        assert "copy" in said.value.advice
    with Store(as_nobody) as again:
        assert sorted(texts(again)) == ["Aspirin.", "Warfarin 5 mg."]


def test_a_log_beside_it_is_read_too(as_nobody: Path, open_shelf: OpenShelf, make_note: MakeNote) -> None:
    """The owner is writing: what it committed stands in the log."""
    os.seteuid(0)
    owner = open_shelf(as_nobody.name)
    owner.put("p1", make_note("e", "Aspirin."))
    os.seteuid(65534)
    try:
        with Store(as_nobody) as store:
            assert sorted(texts(store)) == ["Aspirin.", "Warfarin 5 mg."]
    finally:
        os.seteuid(0)


def test_a_read_only_medium(readable: Path) -> None:
    mount = ["mount", "--bind", str(readable), str(readable)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no permission to mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(readable)], check=True)
        with Store(readable) as store:
            assert texts(store) == ["Warfarin 5 mg."]
            with pytest.raises(StoreUnwritable):
                store.writer("r")
    finally:
        subprocess.run(["umount", "-l", str(readable)], check=False)
