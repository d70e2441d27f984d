"""Whether the server in this container runs and takes questions: exit 0, else 1. By the name that its visitors use."""

from __future__ import annotations

import http.client
import socket
import ssl
import sys
import tomllib
from pathlib import Path


def is_ready(config: Path) -> bool:
    """Ask `/readyz` over TLS, on loopback."""
    serve = tomllib.loads(config.read_text("utf-8"))["serve"]
    name = serve["allowed_hosts"][0]
    trusted = ssl.create_default_context(cafile="/run/secrets/authority")
    with socket.create_connection(("127.0.0.1", serve["port"]), timeout=4) as plain:
        connection = http.client.HTTPConnection(name)
        connection.sock = trusted.wrap_socket(plain, server_hostname=name)
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK


if __name__ == "__main__":
    try:
        sys.exit(not is_ready(Path("/etc/chartcite/chartcite.toml")))
    except (OSError, KeyError, ValueError, http.client.HTTPException):
        sys.exit(1)
