"""The page of a patient's timeline: a topic, plots whose points are links, and tables with the same."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from chartcite.app.page.pages import page, words_of
from chartcite.app.page.paths import PatientName
from chartcite.app.page.plots import BAR, HEIGHT, WIDTH, bars_of, plot_of, source_url, span_of, stays_of
from chartcite.app.page.said import said_of
from chartcite.app.render.timeline import course_rows, value_row
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.app.words import Words
from chartcite.core.errors import UnknownPartition, UsageError
from chartcite.core.scope import Scope
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
    drugs = [
        (course.drug, [row for episode in course.episodes for row in course_rows(episode, words)])
        for course in found.courses
    ]
    if days is None:
        return {"tables": tables, "drugs": drugs}
    plots = [plot for one in found.series if (plot := plot_of(one, scope, days))]
    return {
        "tables": tables, "drugs": drugs, "plots": plots, "doses": bars_of(found, days),
        "stays": stays_of(found, days), "days": days,
    }  # fmt: skip
