"""Condition and AllergyIntolerance: what the patient has, had, may have, or does not have.

A refuted diagnosis reads `... was ruled out`: its name alone, on a line of its own, would say the opposite.
"""

from __future__ import annotations

import re

from chartcite.core.documents import Status
from chartcite.core.errors import CorruptSource
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_fields import code_of
from chartcite.readers.fhir_rendered import Rendered, capital, name_of
from chartcite.readers.fhir_values import (
    codes,
    concept,
    concepts,
    details,
    line,
    notes,
    on,
    quantity,
    since,
    span,
    when,
)

_DOUBTFUL = {"unconfirmed": "unconfirmed", "provisional": "provisional", "differential": "a differential diagnosis"}
_VERIFICATIONS = frozenset(("", "confirmed", "presumed", "refuted", "entered-in-error", *_DOUBTFUL))
_CLINICAL = frozenset(("", "active", "recurrence", "relapse", "inactive", "remission", "resolved", "unknown"))
_OVER = {"inactive": "not active", "remission": "in remission", "resolved": "resolved"}
_NONE = re.compile(r"(?:no|not|without|nenhuma?|sem|nega)\b", re.IGNORECASE)


def read_condition(resource: Node) -> Rendered:
    """Render a problem or diagnosis with what is known of its course.

    Raises:
        EmptySource: it has no name.
        CorruptSource: something that is shown is broken.
    """
    name = name_of(resource.node("code"), "the condition")
    clinical, verified = _code(resource, "clinicalStatus", _CLINICAL), _code(
        resource, "verificationStatus", _VERIFICATIONS
    )  # fmt: skip
    onset, ended, recorded = _moment(resource, "onset"), _moment(resource, "abatement"), when(
        resource.text("recordedDate")
    )  # fmt: skip
    sites = concepts(resource.nodes("bodySite"))
    about = details(
        _DOUBTFUL.get(verified, "refuted" if verified == "refuted" else ""),
        f"site: {sites}" if sites else "",
        concept(resource.node("severity")),
        _age(resource, "onset"),
        f"recorded {on(recorded)}" if recorded and recorded.date != (onset.date if onset else "") else "",
    )
    return Rendered(
        (_course(name, clinical, verified, onset, ended) + about + ".", *notes(resource.nodes("note"))),
        "Condition", name, (recorded, ended, onset), _status(verified), resource.node("encounter").text("reference"),
        line(resource.node("recorder").text("display")) or line(resource.node("asserter").text("display")),
    )  # fmt: skip


def read_allergy(resource: Node) -> Rendered:
    """Render an allergy or intolerance with its reactions; `No known allergy` stays that.

    Raises:
        EmptySource: it names no substance.
        CorruptSource: something that is shown is broken.
    """
    name = name_of(resource.node("code"), "the allergy")
    clinical, verified = _code(resource, "clinicalStatus", _CLINICAL), _code(
        resource, "verificationStatus", _VERIFICATIONS
    )  # fmt: skip
    onset, recorded = _moment(resource, "onset"), when(resource.text("recordedDate"))
    kind = "Intolerance" if resource.text("type") == "intolerance" else "Allergy"
    reactions = [said for node in resource.nodes("reaction") if (said := _reaction(node))]
    risk = resource.text("criticality")
    about = details(
        _DOUBTFUL.get(verified, ""),
        f"{risk.split('-')[0]} risk" if risk in ("low", "high") else "",
        since(onset),
        f"recorded {on(recorded)}" if recorded else "",
    )
    if _NONE.match(name):
        sentence = f"{capital(name)}{details(_OVER.get(clinical, ''), f'recorded {on(recorded)}' if recorded else '')}."
    elif verified == "refuted":
        sentence = f"{kind} to {name} was ruled out{about}."
    else:
        over = f", {_OVER[clinical]}" if clinical in _OVER else ""
        doubt = "Possible " + kind.lower() if verified in _DOUBTFUL else kind
        reacted = f": {'; '.join(reactions)}" if reactions else ""
        sentence = f"{doubt} to {name}{over}{reacted}{about}."
    return Rendered(
        (sentence, *notes(resource.nodes("note"))), "Allergy", name, (recorded, onset), _status(verified),
        resource.node("encounter").text("reference"), line(resource.node("recorder").text("display")),
    )  # fmt: skip


def _course(name: str, clinical: str, verified: str, onset: When | None, ended: When | None) -> str:
    if verified == "refuted":
        return f"{capital(name)} was ruled out"
    if verified in _DOUBTFUL:
        return f"Possible {name}" + (f" {since(onset)}" if onset else "")
    begun = f"began {on(onset)}" if onset else ""
    if clinical in _OVER or ended:
        over = f"is {_OVER.get(clinical, 'resolved')}" + (f" {since(ended)}" if ended else "")
        return f"{capital(name)} {' and '.join(filter(None, (begun, over)))}"
    state = f" ({clinical})" if clinical in ("recurrence", "relapse") else ""
    return f"{capital(name)}{state}" + (f" {since(onset)}" if onset else "")


def _code(resource: Node, key: str, known: frozenset[str]) -> str:
    """The code of a status that is a concept.

    Raises:
        CorruptSource: none of those known; or several that are.
    """
    node = resource.node(key)
    found = {code_of(code) for code in codes(node)} or ({code_of(node.text("text"))} if node.text("text") else {""})
    if len(found) != 1 or not found <= known:
        raise CorruptSource(f"{key} is not a code of FHIR R4")
    return found.pop()


def _status(verified: str) -> Status:
    return "entered-in-error" if verified == "entered-in-error" else "current"


def _moment(resource: Node, name: str) -> When | None:
    if resource.choice(name) == f"{name}Period":
        return when(resource.node(f"{name}Period").text("start" if name == "onset" else "end"))
    return when(resource.text(f"{name}DateTime"))


def _age(resource: Node, name: str) -> str:
    age = quantity(resource.node(f"{name}Age")) or span(resource.node(f"{name}Range"))
    said = line(resource.text(f"{name}String"))
    return f"onset at age {age}" if age else f"onset: {said}" if said else ""


def _reaction(node: Node) -> str:
    shown = concepts(node.nodes("manifestation")) or line(node.text("description"))
    severity = line(node.text("severity"))
    return f"{shown}{', ' if shown and severity else ''}{severity}"
