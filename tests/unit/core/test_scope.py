"""Scope: exactly one partition, named exactly."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from chartcite.core.errors import InvalidScope
from chartcite.core.scope import Scope


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "\t", "\n", " p1", "p1 ", "p1\n", "\u00a0p1", "p1\u3000", "p\u200b1", "p\u200d1", "p1\ufeff",
        "p\u00ad1", "p\u202e1", "p\u20661", "p\x001", "p\x1b[31m1", "p\u20281", "p\u20291", "p\ud8001", "p\n1", "p\r1",
        "\ufeffp1", "p" * 201,
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["patient", "collection"])
def test_names_that_cannot_be(kind: Any, name: str) -> None:
    with pytest.raises(InvalidScope) as refused:
        Scope(kind, name)
    assert refused.value.advice
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("name", [None, 7, 1.5, b"p1", ["p1"], ("p1", "p2"), {"p1"}, True])
def test_names_that_are_not_text(name: Any) -> None:
    with pytest.raises(InvalidScope):
        Scope.patient(name)


@pytest.mark.parametrize("kind", ["", "Patient", "patients", "*", None, ["patient"]])
def test_other_kinds(kind: Any) -> None:
    with pytest.raises(InvalidScope):
        Scope(kind, "p1")


@pytest.mark.parametrize(
    "name", ["p1", "P 1", "a/b", "../p1", "*", "%", "p_1", "O'Neil", "émile", "患者", "p" * 200, "😀"]
)
def test_names_that_can_be(name: str) -> None:
    assert Scope.patient(name).to_dict() == {"patient": name}
    assert Scope.collection(name).to_dict() == {"collection": name}


def test_names_that_look_alike_are_different() -> None:
    alike = ["p1", "P1", "р1", "p１", "pl", "p\u00a01", "p 1", "é1", "e\u03011", "ﬁ1", "fi1"]
    assert len({Scope.patient(name) for name in alike}) == len(alike)


def test_a_patient_is_not_a_collection_of_the_same_name() -> None:
    assert Scope.patient("x") != Scope.collection("x")


def test_a_scope_cannot_be_changed() -> None:
    scope = Scope.patient("p1")
    with pytest.raises(FrozenInstanceError):
        scope.name = "p2"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["Zebulon\u200bCanary", " ZebulonCanary", "ZebulonCanary" * 20])
def test_the_refusal_does_not_repeat_the_name(name: str) -> None:
    with pytest.raises(InvalidScope) as refused:
        Scope.patient(name)
    assert "Zebulon" not in f"{refused.value} {refused.value.advice}"
