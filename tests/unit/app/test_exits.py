import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from chartcite.app.cli import exits, main
from chartcite.app.cli import options as cli_options
from chartcite.app.cli.main import main as run
from chartcite.core import errors

CANARY = "zebrafinch"

CODES = [
    (errors.UsageError, 2),
    (errors.InvalidScope, 2),
    (errors.UnknownPartition, 2),
    (errors.InvalidQuestion, 2),
    (errors.NotConfigured, 3),
    (errors.MissingExtra, 3),
    (errors.UnknownImplementation, 3),
    (errors.ModelMissing, 3),
    (errors.ModelRefused, 3),
    (errors.StoreMissing, 1),
    (errors.StoreLocked, 1),
    (errors.StoreNewer, 1),
    (errors.StoreDamaged, 1),
    (errors.StoreMismatch, 1),
    (errors.StoreUnwritable, 1),
    (errors.CorruptSource, 1),
]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[BaseException], None]:
    """Makes `chartcite ask` raise what it is given."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(main, "_quiet", lambda debug: None)  # leave the test process's signals alone

    def fail_with(error: BaseException) -> None:
        def open_book(*_: object, **__: object) -> NoReturn:
            raise error

        monkeypatch.setattr(cli_options, "open_book", open_book)

    return fail_with


ASK = ["ask", "Which dose?", "-p", "p1"]


@pytest.mark.parametrize(("kind", "code"), CODES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_each_named_error_has_its_code_and_two_lines(
    failing: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
    kind: type[errors.ChartciteError],
    code: int,
) -> None:
    failing(kind("What is wrong.", "Do this."))
    assert run(ASK) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error: What is wrong.\n  try: Do this.\n")


def test_with_json_the_error_is_one_json_line_on_stderr(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(errors.StoreLocked("What is wrong.", "Do this."))
    assert run([*ASK, "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err) == {
        "error": {"kind": "StoreLocked", "message": "What is wrong.", "advice": "Do this.", "exit_code": 1}
    }
    assert err.count("\n") == 1


@pytest.mark.parametrize("error", [ValueError(CANARY), KeyError(CANARY), RuntimeError(CANARY), MemoryError(CANARY)])
def test_of_an_unexpected_error_only_the_type_is_shown(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    failing(error)
    assert run(ASK) == 1
    err = capsys.readouterr().err
    assert CANARY not in err
    assert type(error).__name__ in err
    assert "--debug" in err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 2


def test_debug_shows_the_traceback_wherever_it_stands(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(ValueError(CANARY))
    assert run(["--debug", *ASK]) == 1
    assert "Traceback" in capsys.readouterr().err
    assert run([*ASK, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_130_and_one_line(
    failing: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    failing(KeyboardInterrupt())
    assert run(ASK) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"
    assert run(["ingest", str(tmp_path / "note.txt")]) == 2  # nothing there: never gets as far
    capsys.readouterr()
    (tmp_path / "note.txt").write_text("x", "utf-8")
    assert run(["ingest", str(tmp_path / "note.txt"), "-p", "p1"]) == 130
    assert capsys.readouterr().err == "\ninterrupted: what was committed stays, and the same command resumes\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "No such command"),
        (["ask"], "Missing argument 'QUESTION'"),
        (["ask", "q", "--nonsense"], "No such option"),
        (["ingest"], "Missing argument"),
        (["ingest", ".", "--jobs", "two"], "--jobs"),
        (["ingest", ".", "--patient-from", "moon"], "--patient-from"),
        (["search", "q", "--top-k", "x"], "--top-k"),
        (["patients", "delete"], "Name one patient"),
        (["search"], "A query or --queries FILE"),
        (["search", "q", "--queries", "f"], "A query or --queries FILE"),
        (["search", "q", "--corpus", "f", "-p", "p1"], "--corpus needs no store"),
        (["search", "q", "-p", "p1", "--run-out", "f"], "--run-out goes with --queries"),
    ],
)
def test_a_wrong_command_line_is_two_lines_and_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert said in err
    assert len(err.splitlines()) == 2


def test_terminal_escapes_in_messages_are_spelt_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "/nowhere/\x1b[31mred"]) == 2
    assert "\\x1b[31mred" in capsys.readouterr().err


def test_without_a_command_the_help_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Usage: chartcite" in err


def test_help_and_version_load_nothing_heavy(capsys: pytest.CaptureFixture[str]) -> None:
    heavy = ("numpy", "onnxruntime", "tokenizers", "pydantic", "rich", "sqlite3", "lxml")
    for option in ("--help", "--version"):
        code = (
            "import sys; from chartcite.app.cli.main import main;"
            f" assert main(['{option}']) == 0; print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stderr == "[]\n"
        assert "chartcite" in done.stdout


def test_a_reader_that_leaves_is_no_error(failing: Callable[[BaseException], None]) -> None:
    failing(BrokenPipeError())
    assert run(ASK) == 0


def test_the_table_of_codes_is_the_one_in_the_docstring() -> None:
    for code in (exits.DONE, exits.ERROR, exits.USAGE, exits.SOME_FAILED, exits.ABSTAINED, exits.NOT_HELD, 3, 5, 130):
        assert f"\n| {code} |" in exits.__doc__
