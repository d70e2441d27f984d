"""The log of finished units: what a kill can leave behind, and that values come back as they were."""

from __future__ import annotations

from pathlib import Path

from chartcite.lab.experiment.tables import RetrievedRow
from chartcite.lab.experiment.units import Unit, UnitLog


def unit(name: str) -> Unit:
    return Unit((name, "q"), 1.0, {"": [RetrievedRow(name, "q", 1, "d\u2028\n", 0.1 + 0.2)]})


def test_units_come_back(tmp_path: Path) -> None:
    with UnitLog(tmp_path / "log") as log:
        log.add(unit("a"))
        written = log.done
    with UnitLog(tmp_path / "log") as log:
        assert log.done == written
        assert log.done["a", "q"].rows[""][0]["score"] == 0.1 + 0.2


def test_a_torn_last_line_is_cut_off_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with UnitLog(path) as log:
        log.add(unit("a"))
    first = path.read_bytes()
    with UnitLog(path) as log:
        log.add(unit("b"))
    whole = path.read_bytes()
    for end in range(len(first), len(whole)):
        path.write_bytes(whole[:end])
        with UnitLog(path) as log:
            assert list(log.done) == [("a", "q")]
            log.add(unit("b"))
        assert path.read_bytes() == whole
