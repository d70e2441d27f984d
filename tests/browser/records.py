"""Records for browser tests: some of the demo's, a text that is hard to count in, and names a path must carry."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from tests.browser.payloads import PAYLOADS

from chartcite.library.book import Book

DEMO = Path(str(files("chartcite"))) / "demo"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HARD_TEXT = (
    f"MEDICATIONS:\r\n{FAMILY} \U0001f48a\U0001f48a Jose\u0301 takes\tlisinopril\u00a010\u202fmg every\u200b morning "
    "\u05e2\u05dc \u05d4\u05d1\u05d5\u05e7\u05e8 \u202e\u202c \U0001f1e7\U0001f1f7 & <b>5 < 6</b>.\r\n\r\n"
    f"PLAN:\r\n{FAMILY} Recheck potassium in two weeks.\r\n"
)
"""Emoji of several code points, a combining accent, CR LF, a tab, hard spaces, no width, right to left, an override."""
ODD_NAME = "ward 7/bed\u00a02 \U0001f60a 50%"


def write_records(book: Book, folder: Path) -> None:
    """Ingest all of them."""
    for name in ("demo-marta-castelli", "demo-maria-castello"):
        book.ingest(DEMO / "records" / name, patient=name)
    book.ingest(DEMO / "articles", collection="demo-articles")
    rows = [
        {"doc_id": "n1", "patient_id": ODD_NAME, "time": "2024-05-01", "note_type": "Note", "text": HARD_TEXT},
        {"doc_id": "n2", "patient_id": "conflicted", "time": "2024-05-01", "note_type": "Allergy list",
         "text": "ALLERGIES: Penicillin, anaphylaxis in 2012."},
        {"doc_id": "n3", "patient_id": "conflicted", "time": "2024-06-01", "note_type": "Progress note",
         "text": "She denies any allergy to penicillin. No known drug allergies."},
    ]  # fmt: skip
    rows += [
        {"doc_id": f"{n} {payload}", "patient_id": payload, "time": "2024-05-01", "title": payload,
         "note_type": payload, "text": f"Warfarin 5 mg every evening. {payload}"}
        for n, payload in enumerate(PAYLOADS)
    ]  # fmt: skip
    notes = folder / "notes.jsonl"
    notes.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ledger = book.ingest(notes)
    assert not ledger.failed
