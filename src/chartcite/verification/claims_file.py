"""Checks a file of claims against a file of sources: one result a line, in order; a bad line never ends the batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from chartcite.core.errors import UsageError
from chartcite.core.time import When
from chartcite.verification.full import full_check
from chartcite.verification.verdicts import CheckedClaim, Source, Veto

Result = dict[str, object]
Check = Callable[[str, Sequence[Source]], CheckedClaim]


class DuplicateSource(UsageError):
    """Two sources have the same id: a citation of it could mean either."""


class UnreadableSourceLine(UsageError):
    """A line of the sources file is not `{"id", "text"}`, or its `time` is no date."""


def read_sources(lines: Iterable[str]) -> dict[str, Source]:
    """Read `{"id", "text"}` lines by their id; blank lines are skipped.

    A line may also say of which day its note is (`time`, ISO 8601) and of which note it is a part (`doc_id`).

    Raises:
        UnreadableSourceLine: naming the line, never its content.
        DuplicateSource: naming the lines.
    """
    sources: dict[str, Source] = {}
    first_line: dict[str, int] = {}
    for n, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _load(line)
        source_id, text = _id(row.get("id")) if row else None, row.get("text") if row else None
        if source_id is None or not isinstance(text, str):
            raise UnreadableSourceLine(
                f"Line {n} of the sources is unreadable.", 'Each line is {"id": ..., "text": "..."}.'
            )
        if source_id in sources:
            raise DuplicateSource(
                f"Lines {first_line[source_id]} and {n} of the sources have the same id.",
                "Give each source its own id.",
            )
        sources[source_id] = Source(source_id, text, (), _day(row, n), str(row.get("doc_id") or "") if row else "")
        first_line[source_id] = n
    return sources


def _day(row: Mapping[str, object] | None, n: int) -> str:
    """The day of a source's note; empty where the line names none."""
    time = row.get("time") if row else None
    if time is None:
        return ""
    try:
        return When.parse(str(time)).date
    except ValueError as error:
        raise UnreadableSourceLine(
            f"The time in line {n} of the sources is unreadable.", "Write it as 2021-03-02, or leave it out."
        ) from error


def check_lines(claims: Iterable[str], sources: Mapping[str, Source], check: Check = full_check) -> Iterator[Result]:
    """Yield a result for each line `{"id", "claim", "citations"}` that is not blank, in input order.

    Args:
        claims: the lines.
        sources: by id.
        check: the full verdict by default; `check_claim` for the rules alone.
    """
    for n, line in enumerate(claims, start=1):
        if not line.strip():
            continue
        row = _load(line)
        claim = row.get("claim") if row else None
        citations = row.get("citations", []) if row else None
        claim_id = _id(row.get("id")) if row else None
        if claim_id is None or not isinstance(claim, str) or not _is_ids(citations):
            yield _unreadable(n, claim_id)
        else:
            yield check_row(claim_id, claim, [str(citation) for citation in citations], sources, check)


def check_row(
    claim_id: str, claim: str, citations: Iterable[str], sources: Mapping[str, Source], check: Check = full_check
) -> Result:
    """Check one claim; a citation that names no source is dropped and reported."""
    wanted = list(dict.fromkeys(citations))
    known = [sources[citation] for citation in wanted if citation in sources]
    unknown = [citation for citation in wanted if citation not in sources]
    checked = check(claim, known)
    reason = "no cited source exists" if unknown and not known else checked.reason
    return _result(claim_id, checked, reason, unknown)


def _result(claim_id: str | None, checked: CheckedClaim, reason: str, unknown: list[str]) -> Result:
    return {
        "id": claim_id,
        "verdict": checked.verdict,
        "verified": checked.verified,
        "grounded": checked.grounded.to_dict() if checked.grounded else None,
        "vetoes": [veto_row(veto) for veto in checked.vetoes],
        "best_source": checked.best_source,
        "reason": reason,
        "uncovered": list(checked.uncovered),
        "unknown_citations": unknown,
    }


def veto_row(veto: Veto) -> dict[str, object]:
    """A veto for JSON: kind, spans and why, none of the texts."""
    return {
        "kind": veto.kind,
        "why": veto.why,
        "claim_span": list(veto.claim_span),
        "source": veto.source_id,
        "source_span": list(veto.source_span) if veto.source_span else None,
    }


def _unreadable(n: int, claim_id: str | None) -> Result:
    nothing = CheckedClaim("unsupported", False, (), None, "")
    return _result(claim_id, nothing, f"unreadable line {n}", [])


def _load(line: str) -> dict[str, object] | None:
    try:
        row = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _id(value: object) -> str | None:
    """Ids are text; whole numbers are accepted and written as such."""
    if isinstance(value, str) and value.strip():
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _is_ids(value: object) -> TypeGuard[list[str | int]]:
    return isinstance(value, list) and all(_id(item) is not None for item in value)
