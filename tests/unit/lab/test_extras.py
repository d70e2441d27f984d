"""A missing library of the extra is answered by the command that installs it."""

from __future__ import annotations

import sys

import pytest

from chartcite.core.errors import MissingExtra
from chartcite.lab.extras import need


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtra, match="needs ir-measures") as caught:
        need("ir_measures")
    assert caught.value.advice == "pip install 'chartcite[lab]'"
    assert caught.value.exit_code == 3
