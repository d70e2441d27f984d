"""Listening: uvicorn with limits, and an end that lets questions under way end."""

from __future__ import annotations

import ssl
import sys
from types import FrameType
from typing import cast

import uvicorn
from fastapi import FastAPI

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.app.server.errors import CannotListen
from chartcite.app.server.logs import Write, to_stderr
from chartcite.app.server.protocol import ImpatientProtocol
from chartcite.app.server.state import ServerState
from chartcite.library.engines import Engines

_HEADER_BYTES = 16 << 10
_END_SECONDS = 30


class Server(uvicorn.Server):
    """Takes no new question from the moment on at which it is told to end."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal: whoever waits for a book is sent away; what is under way has until the end of the grace."""
        app = cast("FastAPI", self.config.app)
        cast("ServerState", app.state.server).desks.stop()
        super().handle_exit(sig, frame)


def make_server(config: ServerConfig, *, engines: Engines | None = None, log: Write = to_stderr) -> Server:
    """A server that is ready to run; arguments and errors as of `make_application`."""
    app = make_application(config, engines=engines, log=log)
    return Server(
        uvicorn.Config(
            app, host=config.host, port=config.port, http=ImpatientProtocol, ws="none", lifespan="on", log_config=None,
            access_log=False, server_header=False, date_header=True, proxy_headers=False,
            h11_max_incomplete_event_size=_HEADER_BYTES, timeout_keep_alive=10,
            timeout_graceful_shutdown=_END_SECONDS, limit_concurrency=1000,
            ssl_certfile=config.tls_cert, ssl_keyfile=config.tls_key,
        )
    )  # fmt: skip


def run(config: ServerConfig) -> None:
    """Serve until a signal comes.

    Raises:
        CannotListen: the address or the port is not to be had.
    """
    server = make_server(config)
    scheme = "https" if config.tls_cert else "http"
    host = f"[{config.host}]" if ":" in config.host else config.host
    print(f"chartcite: {scheme}://{host}:{config.port}/ (research use; not a medical device)", file=sys.stderr)
    try:
        server.run()
    except (ssl.SSLError, OSError) as error:
        if server.started or config.tls_cert is None:
            raise
        raise CannotListen(
            "The certificate and its key cannot be used.", "Check that both are PEM files that belong together."
        ) from error
    except KeyboardInterrupt:  # it has ended in good order
        return
    except SystemExit as error:
        if server.started:  # as told by a signal
            return
        raise CannotListen(
            f"{host}:{config.port} cannot be listened at.", "Choose another --port or --host."
        ) from error
