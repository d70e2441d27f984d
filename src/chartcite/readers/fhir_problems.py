"""Condition and AllergyIntolerance: what the patient has, had, may have, or does not have.

A refuted diagnosis reads `... was ruled out`: its name alone, on a line of its own, would say the opposite.
"""

from __future__ import annotations

import re

from chartcite.core.documents import Status
from chartcite.core.errors import CorruptSource, UnsupportedFormat
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
_DIAGNOSES = frozenset(("problem-list-item", "encounter-diagnosis", "55607006", "439401001", "11450-4"))
_NONE = re.compile(r"(?:no|not|without|nenhuma?|sem|nega)\b", re.IGNORECASE)

_NO_SUCH = re.compile(r"(?:no|without|nenhuma?|sem|nega)\b", re.IGNORECASE)
_NOT_AS_SUCH = re.compile(
    r"(?:(?:family|personal|past|previous|prior) )?history of\b|(?:at )?risk (?:of|for)\b|suspected\b|possible\b|"
    r"probable\b|(?:história|histórico|antecedentes?|risco|suspeita) ",
    re.IGNORECASE,
)
"""Codes that say of a disease something else than that the patient has it: before them stands no `Diagnosis of`."""


def read_condition(resource: Node) -> Rendered:
    """Render a problem or diagnosis with what is known of its course.

    Raises:
        EmptySource: it has no name.
        CorruptSource: something that is shown is broken.
    """
    name = name_of(resource.node("code"), "the condition")
    clinical = _code(resource, "clinicalStatus", _CLINICAL)
    verified = _code(resource, "verificationStatus", _VERIFICATIONS)
    if _NO_SUCH.match(name):
        return _none(resource, name, clinical, verified)
    onset, ended = _moment(resource, "onset"), _moment(resource, "abatement")
    if not clinical and not ended and resource.flag("abatementBoolean") is not False and resource.choice("abatement"):
        clinical = "resolved"  # an end that has no day is an end
    sites = concepts(resource.nodes("bodySite"))
    about = details(
        _DOUBTFUL.get(verified, "refuted" if verified == "refuted" else ""),
        "not active" if clinical == "inactive" and verified not in ("refuted", *_DOUBTFUL) else "",
        clinical if clinical in ("recurrence", "relapse") else "",
        f"began {on(onset)}" if onset and _is_over(clinical, ended) and verified not in ("refuted", *_DOUBTFUL) else "",
        f"site: {sites}" if sites else "",
        concept(resource.node("severity")),
        _age(resource, "onset"),
        _age(resource, "abatement"),
    )
    sentence = _course(resource, name, clinical, verified, onset, ended) + about + "."
    return Rendered(
        (sentence, *notes(resource.nodes("note"))), "Condition", name,
        (when(resource.text("recordedDate")), ended, onset), _status(verified),
        resource.node("encounter").text("reference"),
        line(resource.node("recorder").text("display")) or line(resource.node("asserter").text("display")),
    )  # fmt: skip


def _none(resource: Node, name: str, clinical: str, verified: str) -> Rendered:
    """`No known problems`: a statement of its own, never the diagnosis of one.

    Raises:
        UnsupportedFormat: what it says is doubted, refuted or over: two turns of meaning, and no sentence that is sure.
    """
    if verified in ("refuted", *_DOUBTFUL) or clinical in _OVER:
        raise UnsupportedFormat("it doubts or ends that there is none, which leaves nothing to say")
    recorded = when(resource.text("recordedDate"))
    return Rendered(
        (f"{capital(name)}.", *notes(resource.nodes("note"))), "Condition", name,
        (recorded, _moment(resource, "onset")), _status(verified), resource.node("encounter").text("reference"),
        line(resource.node("recorder").text("display")) or line(resource.node("asserter").text("display")),
    )  # fmt: skip


def read_allergy(resource: Node) -> Rendered:
    """Render an allergy or intolerance with its reactions; `No known allergy` stays that.

    Raises:
        EmptySource: it names no substance.
        CorruptSource: something that is shown is broken.
    """
    name = name_of(resource.node("code"), "the allergy")
    clinical = _code(resource, "clinicalStatus", _CLINICAL)
    verified = _code(resource, "verificationStatus", _VERIFICATIONS)
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
        if verified in ("refuted", *_DOUBTFUL):
            raise UnsupportedFormat("it doubts or refutes that there is none, which leaves nothing to say")
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


def _course(resource: Node, name: str, clinical: str, verified: str, onset: When | None, ended: When | None) -> str:
    """`Diagnosis of sepsis since 2031-03-01`, in the words by which the timeline knows what holds and what is over.

    The day of recording is the document's own: within the sentence it would read as the day on which it began.
    """
    kind = "diagnosis of" if _is_diagnosis(resource) else "health concern:"
    began = f" {since(onset)}" if onset else ""
    if _NOT_AS_SUCH.match(name) and verified != "refuted" and not _is_over(clinical, ended):
        return f"{capital(name)}{began}"
    if verified == "refuted":
        return f"{capital(name)} was ruled out"
    if verified in _DOUBTFUL:
        return f"Possible {kind} {name}{began}"
    if clinical == "inactive" and not ended:
        return f"History of {name}"
    if _is_over(clinical, ended):
        over = _OVER["remission"] if clinical == "remission" else "resolved"
        return f"{kind.capitalize()} {name}, {over}" + (f" {on(ended)}" if ended else "")
    return f"{kind.capitalize()} {name}{began}"


def _is_over(clinical: str, ended: When | None) -> bool:
    return clinical in _OVER or ended is not None


def _is_diagnosis(resource: Node) -> bool:
    """Unless every category that it has says something else: a health concern may be `full-time employment`."""
    known = [codes(category) for category in resource.nodes("category")]
    return not known or any(found & _DIAGNOSES for found in known) or not any(known)


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
    word = "onset" if name == "onset" else "end"
    return f"{word} at age {age}" if age else f"{word}: {said}" if said else ""


def _reaction(node: Node) -> str:
    shown = concepts(node.nodes("manifestation")) or line(node.text("description"))
    severity = line(node.text("severity"))
    return f"{shown}{', ' if shown and severity else ''}{severity}"
