"""The page of a patient's timeline: a topic, plots whose points are links, and tables with the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from chartcite.app.page.pages import page, words_of
from chartcite.app.page.paths import PatientName
from chartcite.app.page.plots import BAR, HEIGHT, WIDTH, bars_of, plot_of, source_url, span_of, stays_of
from chartcite.app.page.said import said_of
from chartcite.app.page.urls import document_address
from chartcite.app.render.timeline import (
    CONDITION_HEADS,
    PROCEDURE_HEADS,
    condition_row,
    course_rows,
    procedure_row,
    value_row,
)
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.app.words import Words
from chartcite.core.errors import UnknownPartition, UsageError
from chartcite.core.scope import Scope
from chartcite.records.doses import Episode
from chartcite.records.timeline import Timeline

router = APIRouter(include_in_schema=False)


@router.get("/p/{patient}/timeline")
async def timeline_page(
    request: Request, visitor: Reader, name: PatientName, topic: str = "", as_of: str = ""
) -> Response:
    """Values, courses of drugs and stays by day."""
    words, scope = words_of(request), Scope.patient(name)
    shown: dict[str, Any] = {"scope": scope, "topic": topic.strip()[:500], "as_of": as_of.strip()[:40]}
    empty: dict[str, Any] = {"plots": [], "tables": [], "doses": [], "drugs": [], "stays": [], "days": None}
    empty |= {"histories": [], "encounters": []}
    empty |= {"width": WIDTH, "height": HEIGHT, "bar": BAR}
    try:
        found = await state_of(request).desks.run(
            visitor, lambda granted: granted.timeline(shown["topic"], patient=name, as_of=shown["as_of"] or None)
        )
    except UnknownPartition:
        raise
    except UsageError as error:
        return page(request, "timeline.html", 422, **shown, **empty, error=said_of(error, words), found=None)
    return page(request, "timeline.html", **shown, **(empty | _made(found, words)), error=None, found=found)


def _made(found: Timeline, words: Words) -> dict[str, Any]:
    days, scope = span_of(found), found.scope
    tables = [
        {
            "name": one.analyte, "unit": one.unit,
            "units": ", ".join(f"{name or words('no unit')} {count}" for name, count in one.units)
            if one.unit_conflict else "",
            "rows": [(*value_row(v, words)[:3], v.standing, source_url(scope, v.sources), v.sources[0].doc_id)
                     for v in one.values if v.sources],
        }
        for one in found.series
    ]  # fmt: skip
    told = {
        "tables": tables,
        "drugs": [(one.drug, [row for e in one.episodes for row in _linked(e, scope, words)]) for one in found.courses],
        "histories": _histories(found, words), "encounters": _encounters(found, words),
    }  # fmt: skip
    if days is None:
        return told
    plots = [plot for one in found.series if (plot := plot_of(one, scope, days, words))]
    return {
        **told, "plots": plots, "doses": bars_of(found, days), "stays": stays_of(found, days), "days": days,
    }  # fmt: skip


Linked = tuple[tuple[str, ...], str]
"""The cells of a row, and where its last one leads; empty for nowhere."""


def _linked(episode: Episode, scope: Scope, words: Words) -> list[Linked]:
    """A row a dose, each with its source."""
    sources = [period.sources for period in episode.periods] or [episode.end_sources]
    rows = course_rows(episode, words)
    return [(row, source_url(scope, where)) for row, where in zip(rows, sources, strict=True)]


def _histories(found: Timeline, words: Words) -> list[dict[str, Any]]:
    """Diagnoses and procedures; those that the record states in two ways are marked."""
    parts: tuple[tuple[str, Sequence[str], list[tuple[tuple[str, ...], str, bool]]], ...] = (
        (
            words("Diagnoses"), CONDITION_HEADS,
            [(condition_row(c, words), source_url(found.scope, c.sources), c.conflict) for c in found.conditions],
        ),
        (
            words("Procedures"), PROCEDURE_HEADS,
            [(procedure_row(p, words), source_url(found.scope, p.sources), p.conflict) for p in found.procedures],
        ),
    )  # fmt: skip
    return [
        {"name": name, "heads": [words(head) if head else words("Remarks") for head in heads], "rows": rows}
        for name, heads, rows in parts
        if rows
    ]


def _encounters(found: Timeline, words: Words) -> list[dict[str, Any]]:
    """Stays and visits, newest last, with their notes; of the whole record only."""
    if found.topic:
        return []
    return [
        {
            "first": one.first, "last": one.last, "kind": words("stay" if one.kind == "stay" else "visit"),
            "notes": [(document_address(found.scope, doc_id), doc_id) for doc_id in one.doc_ids],
        }
        for one in found.encounters
    ]  # fmt: skip
