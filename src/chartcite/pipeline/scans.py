"""Whether an answer rests on text that a program read from an image, and how surely it was read."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.trace import Trace
from chartcite.core.answer import AnswerSentence, is_unsure


def tell_scans(sentences: Sequence[AnswerSentence], trace: Trace) -> None:
    """Name it with the answer: a figure of a scan may be another one."""
    cited = [citation for sentence in sentences for citation in sentence.citations]
    if any(is_unsure(citation) for citation in cited):
        trace.fallback("cites_unsure_ocr")
    elif any(citation.ocr_confidence is not None for citation in cited):
        trace.fallback("cites_ocr")
