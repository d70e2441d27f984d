"""Who may see what: a grant names one partition, a list of patients, or everything; a visitor is whom a door let in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from chartcite.core.errors import UsageError
from chartcite.core.scope import Scope

Permission = Literal["read", "ingest", "feedback", "audit", "admin"]
"""What a token may be used for: `read` asks and shows; `ingest` adds documents; `feedback` says what was right
or wrong; `audit` reads the audit trail; `admin` deletes patients and reads reports of the lab."""

PERMISSIONS: frozenset[Permission] = frozenset(get_args(Permission))
GrantKind = Literal["patient", "list", "collection", "everything"]


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """One thing that somebody may see. Names are compared code point by code point: there are no patterns.

    Raises:
        InvalidScope: a name that no patient, list or collection can have.
        UsageError: a kind that is none, or a name beside `everything`.
    """

    kind: GrantKind
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(GrantKind):
            raise UsageError("This is no kind of grant.", "Grant a patient, a list, a collection, or everything.")
        if self.kind == "everything":
            if self.name:
                raise UsageError("A grant of everything has no name.", "Leave the name out.")
        else:
            Scope("collection" if self.kind == "collection" else "patient", self.name)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whom a door let in: a user of the store with what the token allows.

    Attributes:
        user: the name that the audit trail keeps.
        permissions: what the token may be used for.
        token_id: public part of the token; empty for the user of the process itself.
        narrowed_to: the token's own grants, a part of the user's; None: all that the user has.
        is_local: the user of this process, on a machine where no other user was made; everything is granted.
    """

    user: str
    permissions: frozenset[Permission] = PERMISSIONS
    token_id: str = ""
    narrowed_to: tuple[Grant, ...] | None = None
    is_local: bool = False
