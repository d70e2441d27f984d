"""A real server on the loopback with real models, and Debian's Chromium to look at it. Skipped where there is none."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from tests.browser import planted
from tests.browser.records import write_records

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

CHROMIUM = os.environ.get("CHARTCITE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""


@dataclass  # without slots: Playwright puts names of its own on whoever listens
class Watch:
    """What a page did that it must not: dialogs, requests to elsewhere, breaches of its policy, faults of scripts."""

    home: str
    found: list[str] = field(default_factory=list)

    def on(self, page: Page) -> None:
        """Look at one page from now on."""
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.found.append(f"fault: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("console", lambda said: self._console(said.type, said.text))

    def _dialog(self, dialog: Dialog) -> None:
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, url: str) -> None:
        if not url.startswith((self.home, "blob:")):
            self.found.append(f"request: {url[:80]}")

    def _console(self, kind: str, text: str) -> None:
        if "Content Security Policy" in text or "Refused to" in text or kind == "error":
            self.found.append(f"console: {text[:200]}")


Open = Callable[..., "Page"]


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    url: str
    book: Book


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Records of `records.py` and some of the demo's, served with everything granted, as on loopback."""
    if not CHROMIUM:
        pytest.skip("no Chromium here: `make .venv/browser` installs it, CHARTCITE_CHROMIUM names one")
    folder = tmp_path_factory.mktemp("site")
    settings, store = Settings(), folder / "store"
    engines = Engines(settings)
    with Book(store, settings, engines=engines) as book:
        write_records(book, folder)
        with serving(ServerConfig(store=store, settings=settings, port=0, rate=100_000, burst=10_000), engines) as url:
            yield Site(url, book)


@contextmanager
def serving(config: ServerConfig, engines: Engines | None = None) -> Iterator[str]:
    """The address of an application on a free port of the loopback, run in a thread."""
    app = make_application(config, engines=engines, log=lambda _: None)
    app.include_router(planted.router)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, http="h11", ws="none", log_config=None, server_header=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(30)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no Chromium here: `make .venv/browser` installs it, CHARTCITE_CHROMIUM names one")
    with playwright.sync_playwright() as running:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = running.chromium.launch(executable_path=CHROMIUM, args=[*options, "--disable-dev-shm-usage"])
        yield opened
        opened.close()


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    """Fails a test whose pages did what they must not."""
    seen = Watch(site.url)
    yield seen
    assert seen.found == []


@pytest.fixture
def open_page(site: Site, browser: Browser, watch: Watch) -> Iterator[Open]:
    """Opens a path in a browser of its own; keyword arguments are those of a Playwright context."""
    contexts: list[BrowserContext] = []

    def opened(path: str, width: int = 1280, **how: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": width, "height": 800}, "locale": "en-US", **how})
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        watch.on(page)
        page.goto(site.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
