"""Real OpenSearch nodes on loopback, a process each, so that one can be killed; jars by Maven, kept between runs."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).parent
MANAGERS = 3
_HEAP = ("-Xms512m", "-Xmx1g")


class NotToBeHad(RuntimeError):
    """Java, Maven or the jars are not there; says which."""


def jars(runner: str = "2.19.1.0") -> Path:
    """The folder with the jars, fetched if need be."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chartcite-tests"
    folder = cache / f"opensearch-{runner}"
    if (folder / ".whole").is_file():
        return folder
    if not (maven := shutil.which("mvn")):
        raise NotToBeHad("no Maven (mvn) to fetch OpenSearch with")
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [maven, "-q", "-B", "-f", HERE / "pom.xml", f"-Drunner={runner}", "dependency:copy-dependencies",
         f"-DoutputDirectory={folder}"],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    if done.returncode:
        raise NotToBeHad(f"Maven could not fetch OpenSearch {runner}: {done.stdout.strip()[:300]}")
    (folder / ".whole").touch()
    return folder


def free_ports(n: int) -> list[int]:
    """Ports that nothing listens on now."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


@dataclass
class Node:
    """One process."""

    name: str
    http: int
    transport: int
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    log: IO[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Of its REST API."""
        return f"http://127.0.0.1:{self.http}"

    def kill(self) -> None:
        """As a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None
        if self.log is not None:
            self.log.close()
            self.log = None


class Loopback:
    """A cluster of nodes; use as a context manager."""

    def __init__(self, nodes: int = MANAGERS, java: str = "", runner: str = "2.19.1.0") -> None:
        self._java = java or shutil.which("java") or ""
        if not self._java:
            raise NotToBeHad("no Java to run OpenSearch with")
        self._jars = jars(runner)
        self.folder = Path(tempfile.mkdtemp(prefix="chartcite-opensearch-"))
        ports = free_ports(2 * nodes)
        self.nodes = [Node(f"n{i}", ports[2 * i], ports[2 * i + 1]) for i in range(nodes)]

    def __enter__(self) -> Loopback:
        try:
            for node in self.nodes:
                self.start(node)
            self.wait(len(self.nodes))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def urls(self) -> list[str]:
        """Of all nodes, also of killed ones."""
        return [node.url for node in self.nodes]

    def start(self, node: Node) -> None:
        """Start a node, or one that was killed again, on the same data."""
        seeds = ",".join(f"127.0.0.1:{n.transport}" for n in self.nodes)
        names = ",".join(n.name for n in self.nodes)
        node.log = (self.folder / f"{node.name}.log").open("ab")
        node.process = subprocess.Popen(
            [self._java, *_HEAP, "-cp", f"{self._jars}/*", HERE / "LoopbackNode.java", node.name,
             self.folder / node.name, str(node.http), str(node.transport), seeds, names],
            stdin=subprocess.PIPE, stdout=node.log, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def wait(self, nodes: int, status: str = "green", seconds: float = 180) -> None:
        """Until so many nodes are one cluster in this health."""
        last = time.monotonic() + seconds
        while time.monotonic() < last:
            for node in self.nodes:
                health = _health(node)
                if health.get("number_of_nodes") == nodes and health.get("status") in {status, "green"}:
                    return
            time.sleep(0.5)
        raise TimeoutError(f"OpenSearch did not come up in {seconds:.0f} s; see {self.folder}")

    def close(self) -> None:
        """End all nodes and remove what they wrote."""
        for node in self.nodes:
            if node.process is not None and node.process.stdin is not None:
                node.process.stdin.close()  # what a node ends with
        for node in self.nodes:
            if node.process is not None:
                try:
                    node.process.wait(20)
                except subprocess.TimeoutExpired:
                    node.kill()
            if node.log is not None:
                node.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _health(node: Node) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{node.url}/_cluster/health", timeout=5) as answer:
            said: dict[str, Any] = json.load(answer)
            return said
    except (OSError, ValueError):
        return {}
