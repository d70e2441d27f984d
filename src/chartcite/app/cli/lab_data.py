"""`chartcite lab datasets` and `lab generate`: what there is to be evaluated on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from rich.text import Text

    from chartcite.lab.dataset import Dataset


def datasets(
    data: Annotated[
        Path, typer.Option("--data", metavar="DIR", help="A folder that holds one folder for each data set.")
    ] = Path("data"),
    json: options.Json = False,
) -> int:
    """List the data sets with licence and counts, and whether their files are there. None is shipped or fetched."""
    from chartcite.library.registry import find, known  # noqa: PLC0415

    rows = []
    for name in known("dataset"):
        found: Any = find("dataset", name)
        rows.append(_row(getattr(found, "DATASET", found), data / name))
    if json:
        output.print_json({"schema": "chartcite.lab.datasets/1", "folder": str(data), "datasets": rows})
        return exits.DONE
    output.print_lines(_lines(rows))
    print(f"\nLooked for in {data}/NAME (--data DIR). Where each comes from: --json, field source.")
    return exits.DONE


def _lines(rows: list[dict[str, Any]]) -> Iterator[Text]:
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    paper = output.paper()
    wide = max(len(row["name"]) for row in rows)
    for row in rows:
        head = Text(f"{row['name']:<{wide}}  ", "bold")
        parts = (row["state"], row["reason"] or "", row["rows"], row["licence"])
        yield from paper.hanging(head, f" {paper.glyphs.dot} ".join(one_line(part) for part in parts if part))


def _row(dataset: Dataset, folder: Path) -> dict[str, Any]:
    from chartcite.core.errors import ChartciteError  # noqa: PLC0415
    from chartcite.lab.dataset import count  # noqa: PLC0415

    card = dataset.card
    counts: list[dict[str, Any]] = [asdict(expected) for expected in card.expected]
    state, why = ("there" if folder.is_dir() else "not there"), ""
    if folder.is_dir():
        try:
            found = count(dataset, folder)
        except ChartciteError as error:
            state, why = "not usable", str(error)
        else:
            counts = [{**asdict(c.expected), "found": c.n, "as_expected": c.right} for c in found]
            if not all(c.right for c in found):
                state = "differs"
    words = {True: " with an answer", False: " without one", None: ""}
    said = [f"{c['n']:,} {c['kind']}{' ' + c['split'] if c['split'] else ''}{words[c['answerable']]}" for c in counts]
    return {
        "name": card.name, "lang": card.lang, "licence": card.licence, "source": card.source, "paper": card.paper,
        "note": card.note, "state": state, "reason": why or None, "counts": counts, "rows": "; ".join(said),
    }  # fmt: skip


def longchart(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the data set goes.")] = Path("longchart"),
    patients: Annotated[int, typer.Option("--patients", metavar="N", min=1, help="How many patients.")] = 20,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="Same seed, same bytes.")] = None,
    json: options.Json = False,
) -> int:
    """Make fictional long records with questions whose answers are computed."""
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.longchart import DEFAULT_SEED, generate  # noqa: PLC0415

    try:
        made = generate(patients, DEFAULT_SEED if seed is None else seed, out=out)
    except ValueError as error:  # its words for a request that cannot be
        raise UsageError(f"Nothing was made: {error}.", "Name a folder that is new or empty (--out).") from None
    if json:
        output.print_json({"schema": "chartcite.lab.longchart/1", "out": str(out), "manifest": made})
    else:
        print(f"Made: {out}")
    return exits.DONE


def planted_edits(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the data set goes.")] = Path("planted_edits"),
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="Same seed, same bytes.")] = None,
    json: options.Json = False,
) -> int:
    """Make claims about invented notes: wrong in one of 20 ways, or right in other words."""
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.planted_edits import DEFAULT_SEED, generate  # noqa: PLC0415

    try:
        made = generate(DEFAULT_SEED if seed is None else seed, out)
    except ValueError as error:  # its words for a request that cannot be
        raise UsageError(f"Nothing was made: {error}.", "Name a folder that is new or empty (--out).") from None
    if json:
        output.print_json({"schema": "chartcite.lab.planted_edits/1", "out": str(out), "manifest": made})
    else:
        print(f"Made: {out}")
    return exits.DONE


def archehr(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the data set goes.")] = Path("archehr"),
    cases: Annotated[int, typer.Option("--cases", metavar="N", min=1, help="Cases a scenario; there are 12.")] = 4,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="Same seed, same bytes.")] = None,
    json: options.Json = False,
) -> int:
    """Make invented cases in the form of ArchEHR-QA, dev and test, with their keys."""
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.archehr_cases import DEFAULT_SEED, generate  # noqa: PLC0415

    try:
        made = generate(cases, out, DEFAULT_SEED if seed is None else seed)
    except ValueError as error:  # its words for a request that cannot be
        raise UsageError(f"Nothing was made: {error}.", "Name a folder that is new or empty (--out).") from None
    if json:
        output.print_json({"schema": "chartcite.lab.archehr/1", "out": str(out), "manifest": made})
    else:
        print(f"Made: {out}")
    return exits.DONE
