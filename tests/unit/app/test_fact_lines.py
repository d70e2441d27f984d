from __future__ import annotations

import json
from typing import Any

from chartcite.app.render.facts import fact_lines, facts_of
from chartcite.app.render.layout import Paper
from chartcite.core.documents import Document, Provenance

TEXT = (
    "Metoprolol was increased from 25 mg to 50 mg BID. She was not started on heparin.\n"
    "K 5.9, Cr 2.4 (baseline 1.1). Denies fever or chills. Fracture of the left wrist after a fall.\n"
)


def _document(text: str) -> Document:
    return Document(doc_id="n1", text=text, source=Provenance("n1.txt", "0" * 64, "text"))


def _rows(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [row for item in value for row in _rows(item)]
    if not isinstance(value, dict):
        return []
    return [value, *(row for item in value.values() for row in _rows(item))]


def test_every_span_of_the_json_is_the_quote() -> None:
    seen = json.loads(json.dumps(facts_of(_document(TEXT))))
    quoted = [row for row in _rows(seen) if {"start", "end", "text"} <= row.keys()]
    assert len(quoted) > 30
    assert all(TEXT[row["start"] : row["end"]] == row["text"] for row in quoted)


def test_lines_say_what_a_clinician_would() -> None:
    lines = [line.plain.strip() for line in fact_lines(_document(TEXT), Paper(width=120))]
    for wanted in (
        "drug         Metoprolol: 50 mg, BID (2 a day), before: 25 mg",
        "change       increase Metoprolol, from 25 mg, to 50 mg",
        "change       start heparin (absent)",
        "value        potassium: 5.9",
        "value        creatinine: 2.4, baseline 1.1",
        "absent       fever; chills",
        "site         left wrist",
        "order        Fracture of the left wrist | after | fall",
    ):
        assert wanted in lines, "\n".join(lines)
