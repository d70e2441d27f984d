"""Whether the sources of one patient speak of one person: a conflict is a line of the ledger, never settled by us.

One field that contradicts may be a slip: the document is stored and the conflict reported. Two make another person
likely: the document is refused, since a sentence of somebody else in a record is the worse harm.
"""

from __future__ import annotations

from collections.abc import Callable

from chartcite.core.errors import ReadError
from chartcite.core.identity import Person
from chartcite.core.scope import Scope

_ADVICE = "see whether two people share an identifier, and correct the source that is wrong"


class IdentityConflict(ReadError):
    """Two sources of one patient say different things of who that is."""


class AnotherPerson(IdentityConflict):
    """So different that this document is kept out."""


class People:
    """Who the patients are, as earlier sources of this run or (through `known`) of earlier runs said."""

    def __init__(self, known: Callable[[Scope], Person | None]) -> None:
        self._known = known
        self._seen: dict[Scope, Person] = {}
        self._shut: set[tuple[str, Scope]] = set()

    def of(self, scope: Scope) -> Person | None:
        """Who a patient is by now."""
        return self._seen.get(scope)

    def meet(self, scope: Scope, person: Person | None, source: str) -> list[IdentityConflict]:
        """What contradicts earlier sources; else the person is remembered.

        Raises:
            AnotherPerson: two things of three do, here or further up in the same source.
        """
        if (source, scope) in self._shut:
            raise _another()
        if person is None or scope.kind != "patient":
            return []
        if scope not in self._seen:
            self._seen[scope] = self._known(scope) or person
        earlier = self._seen[scope]
        fields = person.contradicts(earlier)
        if len(fields) > 1:
            self._shut.add((source, scope))
            raise _another()
        if not fields:
            self._seen[scope] = earlier.completed(person)
        return [_conflict(field) for field in fields]


def _another() -> AnotherPerson:
    return AnotherPerson(
        "birth date, sex and name: two of them are not those that an earlier source gives for this patient;"
        " the document was left out",
        _ADVICE,
    )


def _conflict(field: str) -> IdentityConflict:
    if field == "born":
        return IdentityConflict("the birth date is not the one that an earlier source gives for this patient", _ADVICE)
    if field == "sex":
        return IdentityConflict("the sex is not the one that an earlier source gives for this patient", _ADVICE)
    return IdentityConflict(
        "the name shares no word with the one that an earlier source gives for this patient", _ADVICE
    )
