"""Whose document it is: never guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chartcite.core.documents import Document, Provenance
from chartcite.core.reading import Found
from chartcite.core.scope import Scope
from chartcite.ingest.routing import NoPatient, OtherPatient, Route

if TYPE_CHECKING:
    from tests.conftest import MakeNote

P1, C = Scope.patient("p1"), Scope.collection("c")


@pytest.mark.parametrize(
    ("route", "own", "source", "expected"),
    [
        (Route(P1), None, "n.txt", P1),
        (Route(P1), "p1", "n.txt", P1),
        (Route(P1), "p2", "n.txt", OtherPatient),
        (Route(P1), "P1", "n.txt", OtherPatient),
        (Route(), "p1", "n.txt", P1),
        (Route(), None, "p1/n.txt", NoPatient),
        (Route(), None, "n.txt", NoPatient),
        (Route(), " p1", "n.txt", NoPatient),
        (Route(), "p\u200b1", "n.txt", NoPatient),
        (Route(), "", "n.txt", NoPatient),
        (Route(C), None, "p1/n.txt", C),
        (Route(C), "p1", "n.txt", OtherPatient),  # a patient's record does not go to a collection
        (Route(Scope.collection("p1")), "p1", "n.txt", OtherPatient),
        (Route(None, True), None, "p1/n.txt", P1),
        (Route(None, True), None, "n.txt", NoPatient),
        (Route(None, True), "p2", "p1/n.txt", Scope.patient("p2")),  # a folder speaks only where the source is silent
        (Route(None, True), None, " p1/n.txt", NoPatient),
        (Route(None, True), None, "p\u200b1/n.txt", NoPatient),
        (Route(P1, True), None, "p2/n.txt", P1),
        (Route(P1, True), "p2", "p2/n.txt", OtherPatient),
    ],
)
def test_route(
    route: Route, own: str | None, source: str, expected: Scope | type[Exception], make_note: MakeNote
) -> None:
    found = Found(make_note("d", "Text."), own)
    if isinstance(expected, Scope):
        assert route.scope_of(found, source) == expected
        return
    with pytest.raises(expected) as refused:
        route.scope_of(found, source)
    said = f"{refused.value} {refused.value.advice}"  # type: ignore[attr-defined]
    assert "p1" not in said
    assert "p2" not in said


@pytest.mark.parametrize("source", ["jos\u00e9/n.txt", "jose\u0301/n.txt"], ids=["composed", "decomposed"])
def test_a_name_written_in_two_ways_is_one_patient(source: str, make_note: MakeNote) -> None:
    assert Route(None, True).scope_of(Found(make_note("d", "Text."), None), source) == Scope.patient("jos\u00e9")


def test_targets_of_different_routes_differ() -> None:
    routes = [Route(P1), Route(C), Route(Scope.collection("p1")), Route(None, True), Route()]
    assert len({route.target for route in routes}) == len(routes)


@pytest.mark.parametrize(
    ("source", "inside", "patient"),
    [
        ("all.zip", "all.zip!/p1/n.txt", "p1"),
        ("p1/notes.zip", "p1/notes.zip!/n.txt", "p1"),
        ("all.zip", "all.zip!/p1.zip!/p2/n.txt", "p2"),
        ("all.zip", "all.zip!/n.txt", None),
        ("p1/all.zip", "p1/all.zip!/p2/n.txt", None),
    ],
    ids=["inside", "outside", "nested", "nowhere", "two-folders"],
)
def test_the_folder_of_a_member(source: str, inside: str, patient: str | None) -> None:
    document = Document(doc_id="d", text="x", source=Provenance(inside, "", ""))
    route = Route(patient_from_folder=True)
    if patient is None:
        with pytest.raises(NoPatient):
            route.scope_of(Found(document, None), source)
    else:
        assert route.scope_of(Found(document, None), source) == Scope.patient(patient)
