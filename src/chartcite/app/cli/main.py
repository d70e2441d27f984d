"""The console entry point: parses, runs, and turns every end of a run into an exit code and at most two lines."""

from __future__ import annotations

import contextlib
import os
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command line; returns its exit code."""
    _open_closed_streams()
    given = sys.argv[1:] if arguments is None else arguments
    options, rest = _split(given)
    debug, as_json = "--debug" in options, "--json" in options
    _speak(options)
    try:
        code = _run([a for a in options if a != "--debug"] + rest, debug=debug)
        sys.stdout.flush()  # what cannot be written is an error now, and not a complaint of the interpreter later
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 0  # whoever read our output has seen enough
    except Exception as error:  # noqa: BLE001  (the last resort: nothing may end in a traceback)
        code = _failed(error, debug=debug, as_json=as_json)
    _abandon_output()
    if code == 130:
        _interrupted(resumes=options[:1] in (["ingest"], ["index"], ["table"]))
    return code


def _open_closed_streams() -> None:
    """A stream that the caller has closed is nowhere to write, and nothing to read."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123  (open as long as we run)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def _split(given: list[str]) -> tuple[list[str], list[str]]:
    """What stands before `--`, and the rest."""
    end = given.index("--") if "--" in given else len(given)
    return given[:end], given[end:]


def _speak(options: list[str]) -> None:
    """An error before the settings are known is told in the language asked for on the command line."""
    from chartcite.app.cli.output import speak  # noqa: PLC0415
    from chartcite.app.words import LANGUAGES  # noqa: PLC0415

    named = options[options.index("--lang") + 1 :][:1] if "--lang" in options else []
    speak(next((lang for lang in LANGUAGES if named == [lang]), "auto"))


def _run(arguments: list[str], *, debug: bool) -> int:
    from typer.main import get_command  # noqa: PLC0415  (an interrupt from here on ends quietly)

    from chartcite.app.cli.commands import app  # noqa: PLC0415
    from chartcite.app.cli.output import settle_streams  # noqa: PLC0415

    settle_streams()
    _quiet(debug=debug)
    result = get_command(app).main(args=arguments, prog_name="chartcite", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _quiet(*, debug: bool) -> None:
    """Libraries keep their warnings to themselves, for they may quote a document; a TERM still cleans up."""
    import logging  # noqa: PLC0415
    import signal  # noqa: PLC0415
    import warnings  # noqa: PLC0415

    if not debug:
        logging.lastResort = None
        warnings.simplefilter("ignore")
    with contextlib.suppress(ValueError):  # not in the main thread: somebody else's process
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def _failed(error: Exception, *, debug: bool, as_json: bool) -> int:
    from chartcite.app.cli.exits import explain, report  # noqa: PLC0415

    if debug:
        import traceback  # noqa: PLC0415

        traceback.print_exception(error)
    if type(error).__name__ == "Abort":  # the parser's word for an interrupted prompt
        return 130
    if type(error).__name__ == "NoArgsIsHelpError":
        print(str(error), file=sys.stderr)
        return 2
    failure = explain(error)
    report(failure, as_json=as_json)
    return failure.exit_code


def _abandon_output() -> None:
    """Output that nobody takes (a closed pipe, a full disk) is dropped, so that the interpreter ends quietly."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupted(*, resumes: bool) -> None:
    stays = ": what was committed stays, and the same command resumes" if resumes else ""
    print(f"\ninterrupted{stays}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
