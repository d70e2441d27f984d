"""`chartcite lab score archehr`: a submission's official scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from rich.text import Text

    from chartcite.lab.archehr_scores.result import OfficialScores


def archehr(
    submission: Annotated[Path, typer.Option("--submission", metavar="FILE", help="What is scored.")],
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="archehr-qa_key.json.")] = None,
    xml: Annotated[
        Path | None, typer.Option("--xml", metavar="FILE", help="archehr-qa.xml: task 1, SARI, relevance of 2025.")
    ] = None,
    year: Annotated[int, typer.Option("--year", metavar="YEAR", help="2025 or 2026.")] = 2026,
    task: Annotated[int | None, typer.Option("--task", metavar="N", help="The subtask of 2026: 1 to 4.")] = None,
    bertscore: Annotated[str, typer.Option("--bertscore", metavar="DIR", help="A model folder (docs/lab.md).")] = "",
    alignscore: Annotated[str, typer.Option("--alignscore", metavar="DIR", help="A model folder.")] = "",
    medcon: Annotated[str, typer.Option("--medcon", metavar="DIR", help="QuickUMLS files.")] = "",
    per_case: Annotated[bool, typer.Option("--per-case", help="Each case's values too.")] = False,
    json: options.Json = False,
) -> int:
    """Score a submission by the official rules of ArchEHR-QA, times 100; what needs a model is empty without it."""
    from chartcite.lab.archehr_scores.score import score  # noqa: PLC0415
    from chartcite.lab.archehr_scores.texts import Models  # noqa: PLC0415

    found = score(
        submission, year=year, task=task, key=key, xml=xml, models=Models(bertscore, alignscore, medcon)
    )  # fmt: skip
    if json:
        output.print_json({
            "schema": "chartcite.lab.archehr/1", "year": found.year, "task": found.task, "cases": found.cases,
            "scores": dict(found.scores), "reasons": dict(found.reasons),
            "mean_of_available": {"value": found.mean_of_available, "of": list(found.available)},
            "notes": list(found.notes),
            **({"values": [{"case_id": v.case_id, "measure": v.measure, "value": v.value, "reason": v.reason}
                           for v in found.values]} if per_case else {}),
        })  # fmt: skip
        return exits.DONE
    output.print_lines(_lines(found, per_case=per_case))
    return exits.DONE


def _lines(found: OfficialScores, *, per_case: bool) -> Iterator[Text]:
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    paper = output.paper()
    rows = [(name, _figure(value, found.reasons.get(name, ""))) for name, value in found.scores.items()]
    if found.reasons and found.available:
        of = f"{_figure(found.mean_of_available, '')} (not official: {', '.join(found.available)})"
        rows.append(("mean of available", of))
    rows += [("note", note) for note in found.notes]
    if per_case:
        rows += [(f"case {one_line(v.case_id)} {v.measure}", _figure(v.value, v.reason)) for v in found.values]
    wide = max(len(name) for name, _ in rows)
    yield Text(
        f"ArchEHR-QA {found.year}{f', subtask {found.task}' if found.task else ''}: {found.cases:,} cases", "bold"
    )
    for name, value in rows:
        yield from paper.hanging(f"{name:<{wide}}  ", Text(one_line(value)))


def _figure(value: float | None, reason: str) -> str:
    return f"- ({reason})" if value is None else f"{value:.2f}"
