"""Which files a path stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.core.errors import UnsupportedFormat, UsageError
from chartcite.ingest.walk import check_inside, walk


def test_order_and_names(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/10.txt", "a.txt", "b/c/x.txt", ".hidden", ".git/config", "b/.DS_Store"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    files = walk([tmp_path / "in"])
    assert [f.name for f in files] == ["a.txt", "b/10.txt", "b/2.txt", "b/c/x.txt"]
    assert [f.size for f in files] == [5, 8, 7, 9]
    assert [f.name for f in walk([tmp_path / "in" / "b" / "2.txt"])] == ["2.txt"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x")
    assert len(walk([tmp_path / "in", tmp_path / "in" / "a.txt", tmp_path / "in"])) == 1


def test_links(tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("x")
    (tmp_path / "in" / "sub" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "dangling.txt").symlink_to(tmp_path / "nowhere")
    assert [f.name for f in walk([tmp_path / "in"])] == ["a.txt", "dangling.txt"]


def test_a_link_out_of_the_folder_is_refused_unless_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "in" / "p1").mkdir(parents=True)
    (tmp_path / "in" / "p2").mkdir()
    (tmp_path / "other.txt").write_text("x")
    (tmp_path / "in" / "p2" / "b.txt").write_text("y")
    (tmp_path / "in" / "p1" / "out.txt").symlink_to(tmp_path / "other.txt")
    (tmp_path / "in" / "p1" / "inside.txt").symlink_to(tmp_path / "in" / "p2" / "b.txt")
    files = {f.name: f for f in walk([tmp_path / "in"])}
    with pytest.raises(UnsupportedFormat, match="outside the folder"):
        check_inside(files["p1/out.txt"])
    check_inside(files["p1/inside.txt"])
    named = walk([tmp_path / "in", tmp_path / "other.txt"])
    assert [f.name for f in named if f.path == tmp_path / "other.txt"] == ["other.txt"]
    check_inside(walk([tmp_path / "in" / "p1" / "out.txt"])[0])


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_nothing_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty" / "sub").mkdir(parents=True)
    with pytest.raises(UsageError) as refused:
        walk([tmp_path / name])
    assert refused.value.advice
