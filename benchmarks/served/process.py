"""One server as a process, with a token for whoever measures, and what it uses of the machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from chartcite.core.access import Grant
from chartcite.core.errors import UsageError
from chartcite.store.access import AccessStore

USER = "measurer"


def token_of(store: Path, user: str = USER) -> str:
    """A token that opens everything."""
    access = AccessStore(store)
    try:
        access.add_user(user)
        access.grant(user, Grant("everything"))
    except UsageError:
        pass  # made by an earlier round
    until = datetime.now(UTC) + timedelta(days=1)
    return access.make_token(user, ["read", "ingest", "feedback", "audit", "admin"], until, None)


class Server:
    """`chartcite serve` over a store, ready when made."""

    def __init__(self, store: Path, log: Path, *arguments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        command = [str(Path(sys.executable).with_name("chartcite")), "serve", "--store", str(store)]
        environment = {**os.environ, "CHARTCITE_AUDIT_KEY": str(store.parent / "audit.key")}
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), *arguments], stdout=out, stderr=out, env=environment
            )
        self.address = f"http://127.0.0.1:{self.port}"
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if httpx.get(f"{self.address}/readyz", timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError("the server did not begin")

    def peak_mb(self) -> float:
        """The most resident memory so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return float(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024

    def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        """SIGTERM; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)
