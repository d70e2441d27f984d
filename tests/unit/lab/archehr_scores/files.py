"""The contents of files in ArchEHR-QA's forms; all of it invented."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Write = Callable[[str, Any], Path]
LABELS = {"e": "essential", "s": "supplementary", "n": "not-relevant"}


def key_case(case: str, labels: str, answer: str = "", links: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """`labels`: a letter a sentence, `ens` for three; `links`: what each sentence of the answer cites."""
    return {
        "case_id": case,
        "answers": [{"sentence_id": str(n), "relevance": LABELS[x]} for n, x in enumerate(labels, start=1)],
        "clinician_answer_without_citations": answer,
        "clinician_answer_sentences": [{"id": a, "citations": ids} for a, ids in (links or {}).items()],
    }


def xml_case(case: str, narrative: str, question: str, sentences: list[str]) -> str:
    note = " ".join(sentences)
    listed = "".join(
        f'<sentence id="{n}" paragraph_id="1" start_char_index="{note.index(s)}">\n{s}\n</sentence>'
        for n, s in enumerate(sentences, start=1)
    )
    return (
        f'<case id="{case}"><patient_narrative>\n{narrative}\n</patient_narrative><patient_question>'
        f'<phrase id="0" start_char_index="0">{narrative}</phrase></patient_question><clinician_question>\n{question}\n'
        f"</clinician_question><note_excerpt>{note}</note_excerpt>"
        f"<note_excerpt_sentences>{listed}</note_excerpt_sentences></case>"
    )
