from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, ReadError
from chartcite.core.reading import Found, Problem, Reader, ReadOptions
from chartcite.core.time import When
from chartcite.readers.sandbox import Sandbox
from chartcite.readers.sandbox_wire import WireBroken, receive_reply

NAUGHTY = """
import os, signal, sys, time
from pathlib import Path
from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import EmptySource
from chartcite.core.reading import Found, Problem
from chartcite.core.time import When

class Naughty:
    name, hostile = "naughty", True

    def accepts(self, path, head):
        return True

    def read(self, path, name, sha256, options):
        what = path.read_text()
        def found(text):
            return Found(Document(doc_id=name, text=text, source=Provenance(name, sha256, "naughty"),
                time=When.parse("2020-01"), hidden=(Span(0, 1),), pages=(0,)), "p1")
        if what == "good":
            yield found(str(os.getpid()))
            yield Problem("page 2", EmptySource("no text", "scan"), skipped=True)
        elif what == "sleep":
            time.sleep(60)
        elif what == "spin":
            while True: pass
        elif what == "hoard":
            kept = []
            while True: kept.append(bytearray(1 << 24))
        elif what == "abort":
            os.abort()
        elif what == "kill":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif what == "exit":
            os._exit(0)
        elif what == "raise":
            raise KeyError("Jane Doe")
        elif what == "refuse":
            raise EmptySource("nothing in it", "look elsewhere")
        elif what == "print":
            print("Jane Doe" * 1000); os.write(1, b"x" * 1000); os.write(2, b"y" * 1000)
            yield found("printed")
        elif what == "write":
            path.with_suffix(".out").write_text("x" * 100)
        elif what == "slowly":
            for n in range(3):
                time.sleep(0.2)
                yield found(str(n))
        elif what == "endless":
            while True: yield found("again")
        elif what == "large":
            yield found("x" * (1 << 22))

READER = Naughty()
"""


@pytest.fixture(scope="module")
def naughty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("readers")
    (folder / "naughty_reader.py").write_text(NAUGHTY)
    sys.path.insert(0, str(folder))
    try:
        module: ModuleType = __import__("naughty_reader")
        yield module.READER
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def child() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


class Ask:
    def __init__(self, reader: Reader, sandbox: Sandbox, folder: Path) -> None:
        self.reader, self.sandbox, self.folder = reader, sandbox, folder

    def __call__(self, what: str, seconds: float = 20, mebibytes: int = 256) -> Iterator[Found | Problem]:
        path = self.folder / "request"
        path.write_text(what)
        options = ReadOptions(max_seconds=seconds, max_bytes_memory=mebibytes << 20)
        return self.sandbox.read(self.reader, path, "n", "0" * 64, options)

    def pid(self) -> int:
        found = next(iter(list(self("good"))))
        assert isinstance(found, Found)
        return int(found.document.text)


@pytest.fixture
def ask(naughty: Reader, child: Sandbox, tmp_path: Path) -> Ask:
    return Ask(naughty, child, tmp_path)


def test_results_cross_whole_and_the_child_is_kept(ask: Ask) -> None:
    found, problem = list(ask("good"))
    assert isinstance(found, Found)
    assert isinstance(problem, Problem)
    source = Provenance("n", "0" * 64, "naughty")
    assert found.document == Document(
        doc_id="n",
        text=found.document.text,
        source=source,
        time=When("2020-01", "month"),
        hidden=(Span(0, 1),),
        pages=(0,),
    )
    assert (str(problem.error), problem.error.advice, problem.skipped) == ("no text", "scan", True)
    assert ask.pid() == int(found.document.text) != os.getpid()


def test_what_the_reader_raises_is_raised_here_and_the_child_is_kept(ask: Ask) -> None:
    before = ask.pid()
    with pytest.raises(EmptySource, match="nothing in it") as caught:
        list(ask("refuse"))
    assert caught.value.advice == "look elsewhere"
    with pytest.raises(CorruptSource, match=r"the parser failed \(KeyError\)") as failed:
        list(ask("raise"))
    assert "Jane" not in str(failed.value)
    assert ask.pid() == before


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        ("sleep", LimitExceeded, "more than 0.5 s"),
        ("spin", LimitExceeded, "more than 0.5 s"),
        ("hoard", LimitExceeded, "memory"),
        ("abort", CorruptSource, "crashed"),
        ("kill", CorruptSource, "crashed"),
        ("exit", CorruptSource, "crashed"),
    ],
)
def test_limits_and_crashes_are_named_and_the_child_is_replaced(
    ask: Ask, what: str, kind: type[ReadError], message: str
) -> None:
    before = ask.pid()
    start = time.monotonic()
    with pytest.raises(kind, match=message):
        list(ask(what, seconds=0.5 if what in {"sleep", "spin"} else 20, mebibytes=128))
    assert time.monotonic() - start < 30
    assert ask.pid() != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_the_memory_limit_is_one_of_this_file_not_of_the_child(ask: Ask) -> None:
    for _ in range(3):
        (found,) = list(ask("large", mebibytes=64))
        assert isinstance(found, Found)
        assert len(found.document.text) == 1 << 22


def test_an_answer_over_the_limit_is_refused(ask: Ask) -> None:
    with pytest.raises(ReadError):
        list(ask("large", mebibytes=2))
    assert ask.pid()


def test_the_clock_runs_only_while_we_wait(ask: Ask) -> None:
    seen = 0
    for _ in ask("slowly", seconds=2):
        time.sleep(0.8)
        seen += 1
    assert seen == 3


def test_what_the_engine_prints_goes_nowhere(ask: Ask, capfd: pytest.CaptureFixture[str]) -> None:
    assert len(list(ask("print"))) == 1
    assert capfd.readouterr() == ("", "")


def test_the_child_writes_no_files(ask: Ask) -> None:
    with pytest.raises(ReadError):
        list(ask("write"))
    assert not (ask.folder / "request.out").exists() or not (ask.folder / "request.out").stat().st_size


def test_stopping_half_way_ends_the_child(ask: Ask) -> None:
    before = ask.pid()
    answers = ask("endless")
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert ask.pid() != before


def test_files_read_at_the_same_time_have_their_own_children(ask: Ask) -> None:
    first, second = ask("slowly"), ask("slowly")
    next(first)
    next(second)
    assert (len(list(first)), len(list(second))) == (2, 2)


def test_a_child_that_died_between_files_costs_no_file(ask: Ask) -> None:
    pid = ask.pid()
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.1)
    assert ask.pid() != pid


def test_closing_leaves_no_process(naughty: Reader, tmp_path: Path) -> None:
    with Sandbox() as sandbox:
        pid = Ask(naughty, sandbox, tmp_path).pid()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


PARENT = """
import sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from chartcite.core.reading import ReadOptions
from chartcite.readers.sandbox import Sandbox
import naughty_reader
path, options, box = Path({request!r}), ReadOptions(max_seconds=60), Sandbox()
path.write_text("good")
print(next(box.read(naughty_reader.READER, path, "n", "", options)).document.text, flush=True)
box.close()
path.write_text("good")
answers = list(box.read(naughty_reader.READER, path, "n", "", options))
print(answers[0].document.text, flush=True)
path.write_text({what!r})
list(box.read(naughty_reader.READER, path, "n", "", options))
"""


def _gone(pid: int) -> bool:
    """Whether it ends within a minute; a zombie nobody reaps here counts as ended."""
    for _ in range(1200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("what", ["sleep", "spin"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_orphan_when_the_parent_ends(naughty: Reader, tmp_path: Path, what: str, how: signal.Signals) -> None:
    folder = str(Path(str(sys.modules["naughty_reader"].__file__)).parent)
    code = PARENT.format(folder=folder, request=str(tmp_path / "r"), what=what)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        pid = int(parent.stdout.readline())
        time.sleep(0.3)
        parent.send_signal(how)
        assert parent.wait(60) != 0
    assert _gone(pid)


class _Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("true",)


def test_a_hostile_answer_is_not_unpickled(tmp_path: Path) -> None:
    for body in (pickle.dumps(_Evil()), pickle.dumps(Path("x")), pickle.dumps([1]), b"junk"):
        path = tmp_path / "answer"
        path.write_bytes(len(body).to_bytes(8, "big") + body)
        with path.open("rb") as pipe, pytest.raises(WireBroken):
            receive_reply(pipe, 1 << 20)
    path.write_bytes((1 << 40).to_bytes(8, "big"))
    with path.open("rb") as pipe, pytest.raises(WireBroken):
        receive_reply(pipe, 1 << 20)
