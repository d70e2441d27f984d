"""Pictures of the page's main states in docs/images, from the demo records: python scripts/screenshots.py.

Needs playwright, Pillow and Chromium (`make .venv/browser`). The same records and code give the same states.
"""

from __future__ import annotations

import io
import os
import shutil
import threading
import time
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.library.book import Book

OUT = Path(__file__).parent.parent / "docs" / "images"
WIDE, PHONE = {"width": 1280, "height": 760}, {"width": 390, "height": 844}
SHOTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "page-start": ("/", "", {"viewport": WIDE}),
    "page-answer": ("/p/demo-marta-castelli", "Why was metformin stopped?", {"viewport": WIDE}),
    "page-answer-dark": (
        "/p/demo-maria-castello", "What is the latest warfarin dose?", {"viewport": WIDE, "color_scheme": "dark"},
    ),
    "page-not-mentioned": ("/p/demo-maria-castello", "Does she have a pacemaker?", {"viewport": WIDE}),
    "page-present": ("/p/demo-maria-castello", "Is she allergic to penicillin?", {"viewport": WIDE}),
    "page-portuguese": (
        "/p/demo-maria-castello?lang=pt", "Qual é a dose mais recente de metoprolol?", {"viewport": WIDE},
    ),
    "page-phone": ("/p/demo-maria-castello", "What is the latest warfarin dose?", {"viewport": PHONE}),
}  # fmt: skip


def main() -> None:
    """Take all of them."""
    OUT.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, as_file(files("chartcite.demo")) as demo:
        store = Path(folder) / "store"
        with Book(store) as book:
            book.ingest(demo / "records", patient_from_folder=True)
            book.ingest(demo / "articles", collection="demo-articles")
        app = make_application(ServerConfig(store=store), log=lambda _: None)
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        with sync_playwright() as running:
            chromium = os.environ.get("CHARTCITE_CHROMIUM") or shutil.which("chromium")
            browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name, (path, question, how) in SHOTS.items():
                _save(name, _shot(browser, url + path, question, how))
        server.should_exit = True
        thread.join(30)


def _shot(browser: Browser, url: str, question: str, how: dict[str, Any]) -> bytes:
    context = browser.new_context(**how)
    page = context.new_page()
    page.goto(url)
    if question:
        page.fill("#question", question)
        page.click("#go")
        page.wait_for_selector("#answer .answer", timeout=60_000)
        page.mouse.move(0, 0)
    picture = page.screenshot(full_page=how["viewport"] == PHONE)
    context.close()
    return picture


def _save(name: str, picture: bytes) -> None:
    """As a PNG of at most 64 colours, which text and flat grounds need."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    image.save(OUT / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
