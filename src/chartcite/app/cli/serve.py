"""`chartcite serve`: the pages and the API of a store."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from chartcite.app.cli import exits, options
from chartcite.core.errors import MissingExtra


def serve(
    host: Annotated[str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen at.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option("--allowed-host", metavar="NAME", help="Another name of this server; repeat it.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate chain (PEM).")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key (PEM).")] = None,
    behind_proxy: Annotated[
        bool | None, typer.Option("--behind-proxy", help="A proxy of this machine ends TLS for it.")
    ] = None,
    no_audit: Annotated[
        bool | None, typer.Option("--no-audit", help="Serve beyond loopback without an audit trail.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=0, max=64, help="Questions at once; 0: one a core.")
    ] = None,
    queue: Annotated[int | None, typer.Option("--queue", min=0, max=1000, help="Requests that may wait.")] = None,
    lab: Annotated[Path | None, typer.Option("--lab", metavar="DIR", help="Folder with reports of lab runs.")] = None,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Serve pages and an API, on this machine alone unless told otherwise (docs/server.md)."""
    configured = options.configure(store, config, preset, assignments)
    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None:
        raise MissingExtra("The server's libraries are not installed.", "pip install 'chartcite[serve]'")
    from chartcite.app.server.config import server_config  # noqa: PLC0415
    from chartcite.app.server.run import run  # noqa: PLC0415

    given = {
        "host": host, "port": port, "allowed_hosts": allowed_host or None, "tls_cert": tls_cert, "tls_key": tls_key,
        "behind_proxy": behind_proxy, "no_audit": no_audit, "workers": workers, "queue": queue, "lab": lab,
    }  # fmt: skip
    named = {name: value for name, value in given.items() if value is not None}
    run(server_config(configured.store, configured.settings, configured.serve | named))
    return exits.DONE
