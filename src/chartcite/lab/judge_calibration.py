"""Measures a judge on claims whose label is known, and makes the record that lets its word be called calibrated.

The claims are those of the generator `planted_edits` (invented notes, the `test` split, English) or a file of the same
form: `id, supported, claim, citations, sources` a line. Each claim is shown with the sentences that it cites, as `ask`
shows them. Intervals are exact (Clopper and Pearson) and take claims as independent, which those of one note are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartcite.core.calibration import JudgeCalibration, Share
from chartcite.lab.datafiles import read_objects
from chartcite.lab.errors import BadTable, MissingData
from chartcite.lab.planted_edits import DEFAULT_SEED
from chartcite.lab.planted_edits.generate import Sizes, items
from chartcite.lab.rows import json_line
from chartcite.lab.statistics.proportion import clopper_pearson
from chartcite.verification.verdicts import Source

SPLIT = "test"
Verdict = tuple[bool, bool]
"""(supported, whether the reply held a verdict)."""
AskJudge = Callable[[str, Sequence[Source]], Verdict]


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with what it cites."""

    claim: str
    sources: tuple[Source, ...]
    is_supported: bool


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Claims under a name, with the hash of all that a judge is shown of them."""

    name: str
    claims: tuple[LabelledClaim, ...]

    @property
    def sha256(self) -> str:
        """Of claims, sources and labels, in order."""
        return hashlib.sha256("\n".join(map(json_line, self.claims)).encode()).hexdigest()


def planted_claims(per_kind: int, seed: int = DEFAULT_SEED) -> ClaimSet:
    """So many claims of each of the generator's kinds: 20 wrong ones and 14 right ones."""
    made = items(seed, Sizes(per_kind, 0, per_kind, 0), ("en",))
    rows = [item.row() for item in made if item.split == SPLIT]
    return ClaimSet(f"planted_edits {SPLIT}, seed {seed}, {per_kind} of each kind", tuple(map(_claim, rows)))


def claims_of_file(path: Path, limit: int = 0) -> ClaimSet:
    """The claims of a JSONL file; at most `limit`, evenly spaced.

    Raises:
        MissingData: there is no such file, or no claim in it.
        BadTable: a line that lacks a field.
    """
    if not path.is_file():
        raise MissingData(f"There is no file {path}.", "One claim a line: id, supported, claim, citations, sources.")
    found = list(_read(path))
    if not found:
        raise MissingData(f"{path.name} holds no claim.", "One claim a line: id, supported, claim, citations, sources.")
    n = len(found)
    kept = [found[i * n // limit] for i in range(limit)] if 0 < limit < n else found
    return ClaimSet(path.name, tuple(kept))


def calibrate(
    ask: AskJudge, model: str, prompt: str, claims: ClaimSet, date: str, progress: Callable[[int, int], None]
) -> JudgeCalibration:
    """Ask the judge about every claim.

    Args:
        ask: the judge.
        model: its model's name, for the record.
        prompt: the hash of what it is told.
        claims: with true ones and false ones among them.
        date: ISO, for the record.
        progress: told (done, all).

    Raises:
        MissingData: all claims have one label.
        EndpointFailed: the judge cannot be reached; nothing is recorded.
    """
    if len({c.is_supported for c in claims.claims}) < 2:
        raise MissingData("A judge is measured on true claims and false ones; these have one label.")
    right = {True: 0, False: 0}
    silent = 0
    for done, claim in enumerate(claims.claims, start=1):
        supported, conclusive = ask(claim.claim, claim.sources)
        silent += not conclusive
        right[claim.is_supported] += supported == claim.is_supported
        progress(done, len(claims.claims))
    shares = {
        label: _share(right[label], sum(c.is_supported is label for c in claims.claims)) for label in (True, False)
    }
    return JudgeCalibration(model, prompt, date, claims.name, claims.sha256, shares[True], shares[False], silent)


def _share(right: int, n: int) -> Share:
    p = clopper_pearson(right, n)
    return Share(right, n, p.low or 0.0, 1.0 if p.high is None else p.high)


def _read(path: Path) -> Iterator[LabelledClaim]:
    for n, row in enumerate(read_objects(path), start=1):
        try:
            yield _claim(row)
        except (KeyError, TypeError):
            raise BadTable(
                f"{path.name}, line {n}: not a claim of known label.", "supported, claim, citations, sources"
            ) from None


def _claim(row: dict[str, Any]) -> LabelledClaim:
    texts = {str(source["id"]): str(source["text"]) for source in row["sources"]}
    cited = tuple(Source(str(i), texts[str(name)]) for i, name in enumerate(row["citations"], start=1))
    if not isinstance(row["supported"], bool):
        raise TypeError("no label")
    return LabelledClaim(str(row["claim"]), cited, row["supported"])
