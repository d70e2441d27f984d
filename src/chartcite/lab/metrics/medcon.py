"""MEDCON: F1 over the medical concepts of prediction and reference, found by QuickUMLS; best over the references.

Yim et al., *ACI-BENCH*, Scientific Data 10, 2023, with the settings of the ArchEHR-QA script: window 5, threshold 1,
seven semantic groups. A term of the reference is found if any of its concepts is among the prediction's;
`P = found / terms of the prediction`, `R = found / terms of the reference`; no term on a side is 0. `medcon:FOLDER`
names QuickUMLS files made from a licensed UMLS; the library `quickumls` must be installed. Never run here: no licence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, ClassVar

from chartcite.lab.extras import need
from chartcite.lab.measured import Measured, Needs
from chartcite.lab.prf import harmonic
from chartcite.lab.text_scores import against_best, without

NEEDS = "needs QuickUMLS and a UMLS licence: medcon:FOLDER (docs/lab.md)"
Terms = Mapping[str, frozenset[str]]
"""By term, its concepts."""
# UMLS semantic types by group: anatomy; chemicals and drugs; devices; disorders; genes; phenomena; physiology.
SEMANTIC_TYPES = tuple(
    f"T{n:03d}"
    for group in (
        (17, 18, 21, 22, 23, 24, 25, 26, 29, 30, 31),
        (103, 104, 109, 114, 116, 120, 121, 122, 123, 125, 126, 127, 129, 130, 131, 192, 195, 196, 197, 200),
        (74, 75, 203),
        (19, 20, 33, 37, 46, 47, 48, 49, 50, 184, 190, 191),
        (28, 85, 86, 87, 88),
        (34, 38, 67, 68, 69, 70),
        (32, 39, 40, 41, 42, 43, 44, 45, 201),
    )
    for n in group
)


@dataclass(frozen=True, slots=True)
class Medcon:
    """Needs text."""

    folder: str = ""
    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`medcon`."""
        return "medcon"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "MEDCON, QuickUMLS, window 5, threshold 1" if self.folder else f"no figure: {NEEDS}"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        if not self.folder or find_spec("quickumls") is None:
            return without(self.name, gold, NEEDS)
        terms = lru_cache(maxsize=4096)(_finder(self.folder))
        return against_best(self.name, gold, predicted, lambda text, ref: medcon(terms(text), terms(ref)))


def medcon(ours: Terms, theirs: Terms) -> float:
    """F1 from both sides' terms."""
    concepts = {c for found in ours.values() for c in found}
    found = sum(bool(wanted & concepts) for wanted in theirs.values())
    return harmonic(found / len(ours), found / len(theirs)) if ours and theirs else 0.0


@lru_cache(maxsize=1)
def _finder(folder: str) -> Callable[[str], Terms]:
    matcher: Any = need("quickumls").QuickUMLS(folder, window=5, threshold=1, accepted_semtypes=list(SEMANTIC_TYPES))

    def terms(text: str) -> Terms:
        hits = [hit for hits in matcher.match(text, ignore_syntax=True) for hit in hits]
        return {t: frozenset(hit["cui"] for hit in hits if hit["term"] == t) for t in {hit["term"] for hit in hits}}

    return terms


METRIC = Medcon
