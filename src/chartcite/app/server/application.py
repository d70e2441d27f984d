"""The application: what stands before every request, and the routes. Another router is one line here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from chartcite import __version__
from chartcite.app.page.install import add_pages
from chartcite.app.server.config import ServerConfig
from chartcite.app.server.desks import Desks
from chartcite.app.server.headers import Headers
from chartcite.app.server.hosts import Hosts
from chartcite.app.server.jobs import Jobs
from chartcite.app.server.limits import AtOnce, Bodies, Buckets, InFlight
from chartcite.app.server.logs import Logs, Write, to_stderr
from chartcite.app.server.problems import respond
from chartcite.app.server.routes import (
    ask,
    audit,
    documents,
    exports,
    feedback,
    health,
    ingest,
    openai,
    partitions,
    search,
    timeline,
    verify,
)
from chartcite.app.server.sessions import Sessions
from chartcite.app.server.state import ServerState
from chartcite.core.errors import ChartciteError
from chartcite.library.engines import Engines
from chartcite.store.access import AccessStore

_ROUTERS = (
    health.router, ask.router, search.router, timeline.router, documents.router, verify.router, partitions.router,
    audit.router, ingest.router, openai.router, exports.router, feedback.router,
)  # fmt: skip
_SPARE_THREADS = 8


def make_application(config: ServerConfig, *, engines: Engines | None = None, log: Write = to_stderr) -> FastAPI:
    """The server's application; books are opened now, and closed when it ends.

    Args:
        config: see there; refused where it would show records to others.
        engines: loaded already, with `config.settings`; by default they are loaded with the first question.
        log: takes each line of the log.

    Raises:
        UnsafeBind: `config` would show records to whoever listens.
        StoreError, NotConfigured: the store cannot be opened with these settings.
    """
    config.check()
    access = AccessStore(config.store)
    desks = Desks(
        config.store, config.settings, access, books=config.books, waiting=config.queue,
        wait_seconds=config.wait_seconds, engines=engines,
    )  # fmt: skip
    jobs = Jobs(config.store, config.settings, access, desks.engines)
    most = config.books + config.queue

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = most + _SPARE_THREADS
        try:
            yield
        finally:
            desks.stop()
            jobs.close()
            desks.close()

    app = FastAPI(
        title="chartcite",
        summary="Cited, checked answers from medical records and documents. Research use; not a medical device.",
        version=__version__,
        docs_url=None,  # pages that load from elsewhere
        redoc_url=None,
        openapi_url="/openapi.json",
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.server = ServerState(
        config=config,
        access=access,
        desks=desks,
        sessions=Sessions(hours=config.session_hours, idle_minutes=config.idle_minutes, is_tls=config.is_tls),
        rates=Buckets(config.rate, config.burst),
        at_once=AtOnce(config.per_visitor),
        logins=Buckets(config.login_rate, max(1, round(config.login_rate))),
    )
    app.state.jobs = jobs
    for kind in (ChartciteError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _respond)
    for router in _ROUTERS:
        app.include_router(router)
    add_pages(app)
    # The last added stands outermost.
    app.add_middleware(
        Bodies, most_bytes=config.body_bytes, answer_bytes=config.answer_bytes, upload_bytes=config.upload_bytes,
        seconds=config.body_seconds,
    )  # fmt: skip
    app.add_middleware(InFlight, most=most, closing=lambda: desks.stopping)
    app.add_middleware(Hosts, names=config.hosts)
    app.add_middleware(Logs, write=log)
    app.add_middleware(Headers, is_tls=config.is_tls)
    return app


async def _respond(request: Request, error: Exception) -> Response:
    return respond(request, error)
