"""The core of the PyPI package anchorcite 0.1.0 (MIT, 75 kB, pure Python, needs pydantic alone, opens no socket).

It is no dependency of ours; to compare, put it beside:
`pip install --no-deps --target DIR anchorcite==0.1.0`, and `PYTHONPATH=DIR` before the command.

Judged is what its `verify_answer` does without the model extra: an answer of one claim in a cite tag of all its
sources, split into atoms, each found word for word or with at least .4 of its content words in a sentence (its own
thresholds). The claim counts as supported when it is verified against any one of the sources.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from typing import Any

from chartcite.core.errors import NotConfigured
from chartcite.verification.verdicts import Source, Verdict

_ADVICE = "Run pip install --no-deps --target DIR anchorcite==0.1.0, and set PYTHONPATH=DIR."


class AnchorciteCore:
    """Its anchorer with its lexical scorer.

    Raises:
        NotConfigured: the package is not on the path.
    """

    def __init__(self) -> None:
        try:
            self._package: Any = importlib.import_module("anchorcite")
        except ImportError as error:
            raise NotConfigured("The package anchorcite is not on the path.", _ADVICE) from error
        logging.getLogger("anchorcite").setLevel(logging.ERROR)
        self._anchorer = self._package.CitationAnchorer(scorer=self._package.LexicalScorer())

    def __call__(self, claim: str, sources: Sequence[Source]) -> Verdict:
        """One claim."""
        texts = {str(n): source.text for n, source in enumerate(sources, start=1)}
        answer = f'<cite id="{",".join(texts)}">{claim}</cite>'
        report = self._package.anchor_citations(answer, texts, anchorer=self._anchorer)
        return "supported" if any(citation.verified for citation in report.citations) else "unsupported"
