"""What the command lines share: options, one clear sentence and an exit code for an error, results as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chartcite.core.errors import ChartciteError
from verification.checkers import MAKERS, Judged


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """A parser with `--checker` and `--json`; the module's docstring is the help."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checker", nargs="+", default=[], metavar="NAME", help=f"of: {', '.join(MAKERS)}")
    parser.add_argument("--json", type=Path, metavar="OUT")
    return parser


def ended(work: Callable[[], None]) -> None:
    """Run it; a named error is one sentence on stderr and its exit code (3: something is not there)."""
    try:
        work()
    except ChartciteError as error:
        print(f"{error} {error.advice}".strip(), file=sys.stderr)
        sys.exit(error.exit_code)


def write(path: Path | None, result: Any) -> None:
    if path:
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


def show_errors(judged: Sequence[Judged], count: int, *, all_of_them: bool = False) -> None:
    """Print so many of the claims gone wrong (or of all of them), evenly spaced, with what they cite."""
    wrong = [one for one in judged if all_of_them or one.accepted != one.item.supported]
    for one in wrong[:: max(1, len(wrong) // count)][:count] if count else ():
        print(error_lines(one))


def error_lines(judged: Judged) -> str:
    """One claim gone wrong, to be read by a person."""
    item = judged.item
    what = "true, refused" if item.supported else "wrong, accepted"
    cited = "\n".join(f"    {source.id}: {source.text}" for source in item.sources)
    return f"{what} [{item.kind}] {item.id} ({judged.verdict})\n    claim: {item.claim}\n{cited}"
