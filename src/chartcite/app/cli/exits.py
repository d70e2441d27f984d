"""How a run ends: exit codes, and errors as one or two lines on stderr.

| code | meaning |
|---|---|
| 0 | done |
| 1 | an error |
| 2 | the request cannot be right |
| 3 | something must be installed or set first |
| 4 | some sources failed, the rest is in the store |
| 5 | an endpoint failed |
| 6 | no answer, and `--fail-on-abstain` was given |
| 7 | something checked no longer holds |
| 130 | interrupted |

With `--json` the error is one line of JSON on stderr, `{"error": {"kind", "message", "advice", "exit_code"}}`; stdout
holds results only. No message carries note text: named errors are written that way, and of an unexpected exception
only the type is shown.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from chartcite.core.errors import ChartciteError, ReadError

DONE, ERROR, USAGE, SOME_FAILED, ABSTAINED, NOT_HELD, INTERRUPTED = 0, 1, 2, 4, 6, 7, 130


class InvalidOption(ChartciteError):
    """A command line that cannot be parsed, or an option with a value it does not take."""

    exit_code = USAGE


@dataclass(frozen=True, slots=True)
class Failure:
    """What is said about an error."""

    kind: str
    message: str
    advice: str
    exit_code: int


def explain(error: BaseException) -> Failure:
    """An error in words that hold nothing of a record."""
    if isinstance(error, ChartciteError):
        # Readers name what is wrong in half a sentence; alone on a line it is a whole one.
        message = str(error)[:1].upper() + str(error)[1:] if isinstance(error, ReadError) else str(error)
        return Failure(error.kind, _sentence(message), error.advice, error.exit_code)
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # the command line parser's own
        command = getattr(getattr(error, "ctx", None), "command_path", "chartcite")
        return Failure(InvalidOption.__name__, _sentence(error.format_message()), f"{command} --help", error.exit_code)
    name = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return Failure(
            name, f"The operating system refused: {error.strerror}.", "Run again with --debug to see where.", ERROR
        )
    return Failure(name, f"Unexpected {name}: a fault in chartcite.", "Run again with --debug to see where.", ERROR)


def report(failure: Failure, *, as_json: bool) -> None:
    """Write an error to stderr."""
    from chartcite.app.cli.output import spoken  # noqa: PLC0415
    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    if as_json:
        content = {
            "kind": failure.kind, "message": failure.message, "advice": failure.advice,
            "exit_code": failure.exit_code,
        }  # fmt: skip
        print(json.dumps({"error": content}), file=sys.stderr)
        return
    words = spoken()
    print(words("error: {message}", message=one_line(words.told(failure.message))), file=sys.stderr)
    if failure.advice:
        print(f"  {words('try: ')}{one_line(words.told(failure.advice))}", file=sys.stderr)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else f"{text}."
