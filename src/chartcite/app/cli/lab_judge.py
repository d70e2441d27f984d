"""`chartcite lab calibrate-judge` and `lab annotations`: what a judge is worth, and what people say."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chartcite.core.calibration import JudgeCalibration, Share
    from chartcite.lab.judge_calibration import AskJudge
    from chartcite.verification.verdicts import Source

_EVERY = 50


def calibrate_judge(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the record goes.")],
    claims: Annotated[
        Path | None, typer.Option("--claims", metavar="FILE", help="Your own claims of known label (JSONL).")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="At most so many claims of the file.")] = 0,
    per_kind: Annotated[
        int, typer.Option("--per-kind", metavar="N", min=1, max=200, help="Planted claims of each of 34 kinds.")
    ] = 6,
    judge: Annotated[
        Literal["endpoint", "rules", "always"], typer.Option("--judge", help="Which judge; the others are to compare.")
    ] = "endpoint",
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
    json: options.Json = False,
) -> int:
    """Measure the judge on claims of known label; judge_calibration = FILE then calls its word calibrated."""
    from chartcite.lab.csv_safe import replace_text  # noqa: PLC0415
    from chartcite.lab.judge_calibration import calibrate, claims_of_file, planted_claims  # noqa: PLC0415

    ask, model, prompt = _judge(judge, config, assignments)
    found = claims_of_file(claims, limit) if claims else planted_claims(per_kind)
    date = datetime.now(UTC).date().isoformat()
    record = calibrate(ask, model, prompt, found, date, _progress)
    replace_text(out, record.to_json())
    if json:
        print(record.to_json(), end="")
        return exits.DONE
    _show(record, out)
    return exits.DONE


def _judge(name: str, config: Path | None, assignments: list[str] | None) -> tuple[AskJudge, str, str]:
    """The judge, its name for the record, and the hash of its prompt."""
    from chartcite.core.errors import NotConfigured  # noqa: PLC0415
    from chartcite.library.chats import unlimited  # noqa: PLC0415
    from chartcite.library.engines import Engines  # noqa: PLC0415
    from chartcite.verification.check import check_claim  # noqa: PLC0415
    from chartcite.verification.judge import judge, judge_prompt_hash  # noqa: PLC0415

    if name == "always":
        return lambda _claim, _sources: (True, True), "always", ""
    if name == "rules":
        return lambda claim, sources: (check_claim(claim, sources).verified, True), "rules", ""
    settings = options.configure(None, config, None, assignments).settings
    chat = unlimited(Engines(settings), settings).judge  # refused where real text would go to another machine
    if chat is None:
        raise NotConfigured("There is no judge to measure.", "Set judge_url and judge_model, or --judge rules.")

    def ask(claim: str, sources: Sequence[Source]) -> tuple[bool, bool]:
        said = judge(chat, "", claim, sources)
        return said.verdict == "supported", said.is_conclusive

    return ask, chat.name, judge_prompt_hash()


def _progress(done: int, of: int) -> None:
    if done % _EVERY == 0 and done < of:
        print(f"{done:,} of {of:,} claims judged", file=sys.stderr, flush=True)


def _show(record: JudgeCalibration, out: Path) -> None:
    def said(share: Share) -> str:
        return f"{share.value:.3f} [{share.low:.3f}, {share.high:.3f}]  {share.right:,} of {share.n:,}"

    print(f"Judge: {record.model}\nClaims: {record.claims}")
    print(f"Sensitivity (true claims supported)      {said(record.sensitivity)}")
    print(f"Specificity (false claims not supported) {said(record.specificity)}")
    if record.inconclusive:
        print(f"Replies without a verdict: {record.inconclusive:,}; they count as no support.")
    if record.says_yes_to_all:
        print("This judge supports everything: its support says nothing.")
    print(f"Record: {out} (judge_calibration)")


def sheets_back(
    run: Annotated[Path, typer.Argument(help="A run of a grounding_study.", metavar="RUN")],
    sheets: Annotated[list[Path], typer.Argument(help="One filled sheet or two.", metavar="SHEET.csv...")],
    json: options.Json = False,
) -> int:
    """Read people's sheets back: shares, their agreement (kappa), and the judges' agreement with them."""
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.experiment.folder import RunFolder  # noqa: PLC0415
    from chartcite.lab.studies.grounding_study.annotation import KEY, read_key, read_sheet, strangers  # noqa: PLC0415
    from chartcite.lab.studies.grounding_study.people import agreements  # noqa: PLC0415

    if len(sheets) > 2:
        raise UsageError("One sheet or two are compared.", "Give the sheets of two people.")
    filled = [read_sheet(path) for path in sheets]
    folder = RunFolder.open(run)
    key = read_key(run / KEY)
    found = agreements(filled, key, folder)
    unknown = sum(strangers(sheet, key) for sheet in filled)
    if json:
        output.print_json({
            "schema": "chartcite.lab.annotations/1", "run": str(run), "items_not_in_the_key": unknown,
            **{name: [asdict(row) for row in rows] for name, rows in found.items()},
        })  # fmt: skip
        return exits.DONE
    _print_shares(found)
    if unknown:
        print(f"{unknown} items of the sheets are not of this run and count nowhere in the judges' figures.")
    return exits.DONE


def _print_shares(found: dict[str, list[Any]]) -> None:
    for row in found["shares"]:
        value = "-" if row.value is None else f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]  n {row.n:,}"
        print(f"{row.sheet}: {row.question}  {value}")
    for row in [*found["people"], *found["judges"]]:
        kappa = row.reason if row.kappa is None else f"kappa {row.kappa:.3f}"
        ends = "" if row.low is None or row.high is None else f" [{row.low:.3f}, {row.high:.3f}]"
        agreed = "" if row.agreement is None else f", agreement {row.agreement:.3f}"
        print(f"{row.first} and {row.second}: {row.question}  n {row.n:,}{agreed}, {kappa}{ends}")
