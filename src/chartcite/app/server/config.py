"""How a server runs: what shapes no answer. Settings that shape answers are `library.settings.Settings`."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chartcite.app.server.errors import InvalidServe, UnsafeBind
from chartcite.library.settings import Settings


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Everything that `chartcite serve` may be told.

    Attributes:
        store: folder of the store; it must exist.
        settings: what shapes answers.
        host: address to listen at.
        port: 0 takes a free one.
        allowed_hosts: further names (without port) that a request's Host may be; the bound one always may.
        tls_cert: certificate chain (PEM), with
        tls_key: its key (PEM).
        behind_proxy: a proxy of this machine ends TLS: cookies are Secure, and a bind without a certificate is let be.
        no_audit: serve beyond loopback without an audit trail.
        workers: books open at once; 0: one a core.
        queue: requests that may wait for a book.
        per_visitor: requests of one visitor at once.
        rate: requests of one visitor a minute.
        burst: requests of one visitor that may come together.
        login_rate: attempts to log in from one address a minute.
        body_bytes: most bytes of a request's body (an upload has its own limit).
        answer_bytes: most bytes where a whole answer is sent back: to be verified, made a file, or judged.
        body_seconds: most seconds that a body may take to come.
        wait_seconds: most seconds that a request waits for a book.
        session_hours: most hours that a login in a browser lasts.
        idle_minutes: minutes without a request that end a login.
        lab: folder with reports of lab runs; None: there are none.
        upload_bytes: most bytes of one upload.
    """

    store: Path
    settings: Settings = field(default_factory=Settings)
    host: str = "127.0.0.1"
    port: int = 8321
    allowed_hosts: tuple[str, ...] = ()
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    no_audit: bool = False
    workers: int = 0
    queue: int = 32
    per_visitor: int = 8
    rate: float = 240.0
    burst: int = 60
    login_rate: float = 10.0
    body_bytes: int = 64 << 10
    answer_bytes: int = 1 << 20
    body_seconds: float = 20.0
    wait_seconds: float = 60.0
    session_hours: float = 10.0
    idle_minutes: float = 60.0
    lab: Path | None = None
    upload_bytes: int = 256 << 20

    @property
    def books(self) -> int:
        """Books open at once."""
        return self.workers or len(os.sched_getaffinity(0))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def is_tls(self) -> bool:
        """Whether browsers speak TLS to it, here or at a proxy."""
        return self.tls_cert is not None or self.behind_proxy

    @property
    def hosts(self) -> frozenset[str]:
        """Names that a request's Host may be, without port, in lower case."""
        own = {self.host.lower()}
        if self.is_loopback:
            own |= {"localhost", "127.0.0.1", "::1"}
        own |= {name.strip().lower().strip("[]") for name in self.allowed_hosts}
        return frozenset(own - {"0.0.0.0", "::"})  # noqa: S104  (what is listened at, and nobody's name)

    def check(self) -> None:
        """Refuse what would show records to whoever listens.

        Raises:
            UnsafeBind: beyond loopback without TLS, without a name to be called by, or without an audit trail.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise UnsafeBind(
                "A certificate needs its key, and a key its certificate.", "Give --tls-cert and --tls-key."
            )
        if self.is_loopback:
            return
        if not self.is_tls:
            raise UnsafeBind(
                "Beyond loopback everybody on the way could read the records.",
                "Give --tls-cert and --tls-key, or end TLS at a proxy of this machine and say --behind-proxy.",
            )
        if not self.hosts:
            raise UnsafeBind(
                "All addresses are listened at, and none has a name that requests may use.",
                "Name the server: --allowed-host NAME.",
            )
        if not (self.settings.audit_key or self.no_audit):
            raise UnsafeBind(
                "Beyond loopback every use must be audited, and no audit_key is set.",
                "Set audit_key to a file outside the store, or say --no-audit.",
            )


def server_config(store: Path, settings: Settings, given: Mapping[str, object]) -> ServerConfig:
    """A configuration from the table `[serve]` and the command line.

    Raises:
        InvalidServe: a name that is not known, or a value of another kind.
    """
    known = sorted({one.name for one in fields(ServerConfig)} - {"store", "settings"})
    for name in given:
        if name not in known:
            raise InvalidServe(f"[serve] knows no setting of the name {name}.", f"Known: {', '.join(known)}.")
    try:
        return TypeAdapter(ServerConfig).validate_python({"store": store, "settings": settings, **given})
    except ValidationError as error:
        wrong = ", ".join(str(one["loc"][0]) for one in error.errors())
        raise InvalidServe(f"[serve] has values of another kind: {wrong}.", "See docs/server.md.") from None


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
