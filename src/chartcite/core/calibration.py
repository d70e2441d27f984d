"""What a judge was found to be worth: its record on claims whose label is known. Without one its word is uncalibrated.

A record is of one model under one prompt; another model, or another version of the prompt, is another judge.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartcite.core.errors import UnreadableCalibration

SCHEMA = "chartcite.judge_calibration/1"


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `n` were judged rightly, with an exact 95 % interval."""

    right: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share."""
        return self.right / self.n

    def to_dict(self) -> dict[str, Any]:
        """For records and answers."""
        return {"right": self.right, "n": self.n, "value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class JudgeCalibration:
    """One record.

    Attributes:
        model: the judge's model, by its server's name.
        prompt: the hash of what it is told (`judge_prompt_hash`).
        date: when it was measured, ISO.
        claims: which claims they were.
        claims_sha256: of all of them.
        sensitivity: true claims that it supported.
        specificity: false claims that it did not.
        inconclusive: replies without a verdict, among them; they count as no support.
    """

    model: str
    prompt: str
    date: str
    claims: str
    claims_sha256: str
    sensitivity: Share
    specificity: Share
    inconclusive: int = 0

    @property
    def says_yes_to_all(self) -> bool:
        """Whether it supported everything, the false claims too: then its support says nothing."""
        return self.specificity.right == 0 and self.sensitivity.right == self.sensitivity.n

    def is_of(self, model: str, prompt: str) -> bool:
        """Whether it is the record of this judge."""
        return (self.model, self.prompt) == (model, prompt)

    def figures(self) -> dict[str, Any]:
        """What is shown beside a judge's word."""
        return {
            "sensitivity": self.sensitivity.to_dict(), "specificity": self.specificity.to_dict(), "date": self.date,
            "claims": self.claims, "says_yes_to_all": self.says_yes_to_all,
        }  # fmt: skip

    def to_json(self) -> str:
        """As a file's content."""
        row = {
            "schema": SCHEMA, "model": self.model, "prompt": self.prompt, "date": self.date, "claims": self.claims,
            "claims_sha256": self.claims_sha256, "sensitivity": self.sensitivity.to_dict(),
            "specificity": self.specificity.to_dict(), "inconclusive": self.inconclusive,
            "says_yes_to_all": self.says_yes_to_all,
        }  # fmt: skip
        return json.dumps(row, indent=2, ensure_ascii=False) + "\n"


def parse_calibration(text: str) -> JudgeCalibration:
    """Read a record.

    Raises:
        UnreadableCalibration: it is none.
    """
    try:
        row = json.loads(text)
        if row["schema"] != SCHEMA:
            raise ValueError("another schema")
        return JudgeCalibration(
            str(row["model"]), str(row["prompt"]), str(row["date"]), str(row["claims"]), str(row["claims_sha256"]),
            _share(row["sensitivity"]), _share(row["specificity"]), int(row["inconclusive"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableCalibration(
            "The judge's calibration is no such record.", "chartcite lab calibrate-judge writes one."
        ) from error


def _share(row: Mapping[str, Any]) -> Share:
    share = Share(int(row["right"]), int(row["n"]), float(row["low"]), float(row["high"]))
    if not 0 <= share.right <= share.n or share.n < 1:
        raise ValueError("counts that cannot be")
    return share
