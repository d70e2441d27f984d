"""Lines of the audit trail, for whoever may read it; reading it is itself a line."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.errors import NotHere
from chartcite.app.server.models import ERRORS, CollectionQuery, Day, Limit, Named, Offset, PatientQuery, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Auditor
from chartcite.core.audit import Event
from chartcite.core.errors import UsageError
from chartcite.core.scope import Scope
from chartcite.library.granted import GrantedBook
from chartcite.store.audit import AuditTrail

router = APIRouter(prefix="/api/v1", tags=["audit"])


@router.get("/audit", response_model=None, responses={**ERRORS, **documented("`chartcite.audit-report/1`.")})
async def audit(
    request: Request, visitor: Auditor, patient: PatientQuery = None, collection: CollectionQuery = None,
    user: Named = "", since: Day = "", until: Day = "", limit: Limit = 100, offset: Offset = 0,
) -> JSONResponse:  # fmt: skip
    """Who used a record that is granted, newest first; without a patient or collection everything must be granted."""
    trail = state_of(request).desks.trail(visitor.user)
    if trail is None:
        raise NotHere("This store has no audit trail.", "Set audit_key to a file outside of the store.")

    def read(granted: GrantedBook) -> list[dict[str, Any]]:
        scope = _granted(granted, patient, collection)
        trail.record(Event("report", "begun", scope))
        return _lines(trail, scope, user, (since, until))

    found = await state_of(request).desks.run(visitor, read)
    rows = found[::-1][offset : offset + limit]
    return JSONResponse({"schema": "chartcite.audit-report/1", "total": len(found), "lines": rows})


def _granted(granted: GrantedBook, patient: str | None, collection: str | None) -> Scope | None:
    """The scope of a report, once it is granted."""
    if patient is not None and collection is not None:
        raise UsageError("A patient and a collection were both named.", "Name one of them.")
    if patient is None and collection is None:
        granted.must_see_everything("audit", "report")
        return None
    granted.must_see("audit", "report", patient=patient, collection=collection)
    return Scope.patient(patient) if patient is not None else Scope.collection(str(collection))


def _lines(trail: AuditTrail, scope: Scope | None, user: str, days: tuple[str, str]) -> list[dict[str, Any]]:
    subject = trail.keys.pseudonym(scope) if scope else None
    first, last = days
    return [
        line
        for line in trail.lines()
        if (subject is None or line["subject"] == subject)
        and (not user or line["who"] == user)
        and (not first or line["when"][:10] >= first)
        and (not last or line["when"][:10] <= last)
    ]
