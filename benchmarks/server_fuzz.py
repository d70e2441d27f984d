"""Schemathesis over the whole OpenAPI of a server: does anything that it makes up end in a server error?

Usage: python benchmarks/server_fuzz.py STORE WORK [--examples 20] [--seed 1] [--json OUT]

STORE is copied into WORK. The server runs in this process with limits that do not send the many requests away; the
examples are made by `schemathesis` (its command, beside this interpreter) from the server's own description, good ones
and bad ones, for a user to whom everything is granted. The check is `not_a_server_error`; what it finds is printed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import uvicorn

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.library.settings import Settings
from served.process import token_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--examples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    store = given.work / "store"
    given.work.mkdir(parents=True, exist_ok=True)
    shutil.copytree(given.store, store)
    token = token_of(store)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    settings = Settings(audit_key=str(given.work / "audit.key"))
    config = ServerConfig(
        store=store, settings=settings, port=port, rate=1e9, burst=1_000_000, per_visitor=64, login_rate=1e6, queue=64
    )
    statuses: Counter[str] = Counter()
    faults: Counter[str] = Counter()

    def log(text: str) -> None:
        line = json.loads(text)
        statuses[str(line["status"])] += 1
        if str(line["status"]).startswith("5") and str(line["status"]) != "503":
            faults[f"{line['method']} {line['route']} {line['status']}"] += 1

    server = uvicorn.Server(uvicorn.Config(make_application(config, log=log), port=port, log_config=None, http="h11"))
    thread = threading.Thread(target=server.run)
    thread.start()
    address = f"http://127.0.0.1:{port}"
    while not server.started:
        time.sleep(0.05)
    headers = {"Authorization": f"Bearer {token}"}
    paths = httpx.get(f"{address}/openapi.json", headers=headers, timeout=30).json()["paths"]
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{address}/openapi.json",
        "-H", f"Authorization:Bearer {token}", "--checks", "not_a_server_error", "--seed", str(given.seed),
        "--max-examples", str(given.examples), "--no-color", "--generation-database", "none", "--phases",
        "examples,coverage,fuzzing", "--warnings", "off", "--request-timeout", "60", "--continue-on-failure",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=given.work)
    server.should_exit = True
    thread.join()
    print(done.stdout[-3000:], done.stderr[-1000:])
    found = {
        "operations": sum(len(path) for path in paths.values()), "requests": sum(statuses.values()),
        "statuses": dict(sorted(statuses.items())), "server_errors": dict(sorted(faults.items())),
        "exit": done.returncode,
    }  # fmt: skip
    print(json.dumps(found, indent=1))
    if given.json:
        given.json.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
