"""A real PostgreSQL on loopback, Debian's, with data in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.cluster.servers.opensearch import NotToBeHad, free_ports


def _binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
    if found:
        return found[-1]
    if there := shutil.which("initdb"):
        return Path(there).parent
    raise NotToBeHad("no PostgreSQL (initdb)")


class Postgres:
    """One server; use as a context manager. `url` names its superuser, who needs no password."""

    def __init__(self) -> None:
        self._bin = _binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="chartcite-postgres-"))
        self.port = free_ports(1)[0]
        self._user: list[str] = []
        if os.geteuid() == 0:  # the server will not run as root
            try:
                account = pwd.getpwnam("postgres")
            except KeyError as error:
                raise NotToBeHad("no user postgres to run PostgreSQL as") from error
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._user = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]

    @property
    def url(self) -> str:
        """Of the database `postgres`."""
        return f"postgresql://chartcite@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Postgres:
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "chartcite", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()
        return self

    def start(self) -> None:
        """Start it, or start it again after `kill`."""
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories= -c max_connections=100"
        )
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-w", "-o", options, "start"
        )

    def stop(self, how: str = "fast") -> None:
        """Stop it; `immediate` is as a crash."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", how, "stop")

    def __exit__(self, *_: object) -> None:
        with suppress(subprocess.CalledProcessError):  # a test had stopped it
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def tool(self, name: str, *arguments: str) -> bytes:
        """What one of its programs prints, as `pg_dump`."""
        return subprocess.run([self._bin / name, *arguments], check=True, capture_output=True).stdout

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [*self._user, self._bin / name, *arguments], check=True, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
