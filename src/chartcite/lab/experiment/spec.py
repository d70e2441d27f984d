"""The specification: one TOML file is one experiment. Frozen, complete after loading, and hashed as a whole."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chartcite.library.settings import Settings
from chartcite.models.http_json import server_of

KEYS = ("encoder_key", "writer_key", "judge_key", "opensearch_password")
"""Bearer tokens: from the environment, never in a run's folder."""
_ROLES = ("writer", "judge")
LIMITS_ONLY = frozenset(
    {"jobs", "compute", "ray_address", "cache_mb", "max_seconds_per_file", "max_mb_per_file", "audit_key", *KEYS}
)
"""Settings that change no row, and so are no part of an experiment's identity."""
_MAX_SLUG_CHARS = 40


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Data(_Part):
    """What is asked and searched.

    `limit`, `answer_limit`: so many cases, evenly spaced over the data set's order; 0 is all. `corpus_limit`: the items
    relevant to these cases and the first so many others; 0 is all. A smaller pool makes retrieval easier, so the report
    says it.
    """

    dataset: str = Field(min_length=1)
    folder: str = Field(min_length=1)
    split: str = ""
    group: str = ""
    corpus_group: str = ""
    limit: int = Field(default=0, ge=0)
    answer_limit: int = Field(default=0, ge=0)
    corpus_limit: int = Field(default=0, ge=0)


class Strategy(_Part):
    """One way to search and answer: a name, and fields of `Settings` beside it in the file."""

    name: str = Field(min_length=1, max_length=60)
    settings: Settings

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, table: Any) -> Any:
        if isinstance(table, Mapping) and not isinstance(table.get("settings"), Mapping | Settings):
            own = {"name": table["name"]} if "name" in table else {}
            return own | {"settings": {k: v for k, v in table.items() if k != "name"}}
        return table


class Statistics(_Part):
    """How figures are compared. `hit_k`: "correct" in the McNemar table is a relevant item among the first so many.

    `pairs`: (first, second) strategies; all pairs when empty.
    """

    seed: int = Field(default=0, ge=0)
    resamples: int = Field(default=10_000, ge=100, le=1_000_000)
    level: float = Field(default=0.95, gt=0.5, lt=1)
    hit_k: int = Field(default=5, ge=1)
    pairs: tuple[tuple[str, str], ...] = ()


class Bm25Ngram(_Part):
    """Free parameters of the baseline verifier; see `verifiers/bm25_ngram.py`."""

    k1: float = Field(default=1.2, ge=0)
    b: float = Field(default=0.75, ge=0, le=1)
    min_score: float = Field(default=0.5, ge=0, le=1)
    n: int = Field(default=3, ge=1, le=20)
    min_overlap: float = Field(default=0.6, ge=0, le=1)


class VerifierOptions(_Part):
    """Options by verifier."""

    bm25_ngram: Bm25Ngram = Bm25Ngram()


class Annotation(_Part):
    """Two annotators' labels, `item,rater1,rater2`; the path is relative to the experiment's file."""

    ratings: str = ""


class Experiment(_Part):
    """A whole experiment. `depth`: items kept of each ranking. `settings` in the file go below every strategy's.

    `study` says which stages there are (`lab/studies`), `options` are that study's own.
    """

    name: str = Field(min_length=1, max_length=120)
    preset: str = ""
    study: str = Field(default="comparison", min_length=1)
    options: dict[str, Any] = {}
    data: Data
    strategies: tuple[Strategy, ...] = Field(min_length=1)
    metrics: tuple[str, ...] = Field(default=("recall@5", "mrr@10", "ndcg@10"), min_length=1)
    depth: int = Field(default=100, ge=1, le=1000)
    answers: bool = False
    verifiers: tuple[str, ...] = ("rules",)
    verifier: VerifierOptions = VerifierOptions()
    statistics: Statistics = Statistics()
    annotation: Annotation = Annotation()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [s.name for s in self.strategies]
        for what, given in (("strategies", names), ("metrics", self.metrics), ("verifiers", self.verifiers)):
            if len(set(given)) < len(given):
                raise ValueError(f"two {what} have the same name")
        for pair in self.statistics.pairs:
            if unknown := [name for name in pair if name not in names]:
                raise ValueError(f"statistics.pairs names {unknown[0]!r}, which is no strategy")
            if pair[0] == pair[1]:
                raise ValueError("statistics.pairs compares a strategy with itself")
        return self

    @property
    def slug(self) -> str:
        """The name as a folder's."""
        return slug(self.name)

    @property
    def sha256(self) -> str:
        """Hash of everything that may change a row or the report."""
        return digest(self.to_dict())

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs to compare."""
        names = [s.name for s in self.strategies]
        return self.statistics.pairs or tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :])

    def to_dict(self) -> dict[str, Any]:
        """Everything, settings in full; for the manifest and the hash."""
        content: dict[str, Any] = self.model_dump(mode="json")
        for strategy in content["strategies"]:
            strategy["settings"] = {k: v for k, v in strategy["settings"].items() if k not in LIMITS_ONLY}
        return content


def with_keys(spec: Experiment, given: Settings) -> Experiment:
    """The same experiment, its endpoints' keys taken from other settings where it has none of its own.

    A key goes to one server only: that of the url which is given with it; where none is, the first that is named here.
    """
    firsts = {r: next((u for s in spec.strategies if (u := _url(r, s.settings, spec))), "") for r in _ROLES}
    homes = {role: server_of(getattr(given, f"{role}_url") or firsts[role]) for role in _ROLES}

    def is_at_home(role: str, own: Settings) -> bool:
        return role not in homes or server_of(_url(role, own, spec)) == homes[role]

    def keyed(own: Settings) -> Settings:
        without = [key for key in KEYS if not getattr(own, key).get_secret_value()]
        return own.model_copy(
            update={key: getattr(given, key) for key in without if is_at_home(key.removesuffix("_key"), own)}
        )

    strategies = tuple(s.model_copy(update={"settings": keyed(s.settings)}) for s in spec.strategies)
    return spec.model_copy(update={"strategies": strategies})


def with_workers(spec: Experiment, given: Settings) -> Experiment:
    """The same experiment, done by the workers that other settings name; whether text may leave is its own matter."""
    if given.compute == "local":
        return spec
    update = {"compute": given.compute, "ray_address": given.ray_address, "jobs": given.jobs}
    strategies = tuple(s.model_copy(update={"settings": s.settings.model_copy(update=update)}) for s in spec.strategies)
    return spec.model_copy(update={"strategies": strategies})


def _url(role: str, own: Settings, spec: Experiment) -> str:
    """Where a strategy's writer or judge is; of a study that names judges with urls, where the first one is."""
    url: str = getattr(own, f"{role}_url")
    judges = spec.options.get("judges") if role == "judge" and not url else None
    first = judges[0] if isinstance(judges, list | tuple) and judges else None
    return str(first.get("url", "")) if isinstance(first, Mapping) else url


def slug(name: str) -> str:
    """A name as a part of a file's.

    >>> slug("SciFact, two retrievers!")
    'scifact-two-retrievers'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower(), flags=re.ASCII).strip("-")[:_MAX_SLUG_CHARS].strip("-") or "run"


def digest(content: Any) -> str:
    """A hash of plain values, whatever the order of their keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
