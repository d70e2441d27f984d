"""The specification: one TOML file is one experiment. Frozen, complete after loading, and hashed as a whole."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from chartcite.lab.experiment.errors import BadSpec, UnknownPreset
from chartcite.library.settings import Settings

LIMITS_ONLY = frozenset({"jobs", "cache_mb", "max_seconds_per_file", "max_mb_per_file"})
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
    """A whole experiment. `depth`: items kept of each ranking. `settings` in the file go below every strategy's."""

    name: str = Field(min_length=1, max_length=120)
    preset: str = ""
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
        return _digest(self.to_dict())

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

    def basis(self) -> dict[str, str]:
        """By stage, a hash of what its rows depend on in this file, with all that earlier stages depend on."""
        whole = self.to_dict()
        data = dict(whole["data"])
        answering = {"answer_limit": data.pop("answer_limit")}
        kitchens = [{k: s["settings"][k] for k in ("encoder", "splitter", "language")} for s in whole["strategies"]]
        parts: dict[str, Any] = {
            "corpus": [data, kitchens],
            "retrieve": [whole["strategies"], whole["depth"]],
            "answer": [whole["answers"], answering],
            "verify": [whole["verifiers"], whole["verifier"]],
            "measure": [whole["metrics"], whole["statistics"]],
            "compare": [whole["annotation"]],
            "report": [whole["name"]],
        }
        found, so_far = {}, ""
        for stage, part in parts.items():
            so_far = found[stage] = _digest([so_far, part])
        return found


def load_experiment(path: Path) -> Experiment:
    """Read an experiment's file, its preset below it.

    Raises:
        BadSpec: not readable, not TOML, a field that does not exist, a value that cannot be; the field is named.
        UnknownPreset: no preset of that name.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadSpec(f"{path.name} cannot be read ({error.strerror}).", "Name a TOML file.") from None
    except ValueError as error:
        raise BadSpec(f"{path.name} is not TOML: {error}.", "docs/lab.md shows the form.") from None
    return parse_experiment(table, path.name)


def parse_experiment(table: Mapping[str, Any], name: str = "the experiment") -> Experiment:
    """An experiment from a table as TOML gives it. Raises as `load_experiment`."""
    preset = table.get("preset", "")
    if preset and isinstance(preset, str):
        table = _merged(load_preset(preset), table)
    table = _with_common_settings(table)
    try:
        return Experiment.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"] if part != "settings")
        reason = first["msg"].removeprefix("Value error, ")
        raise BadSpec(f"{name}: {where + ': ' if where else ''}{reason}.", "docs/lab.md lists the fields.") from None


def load_preset(name: str) -> dict[str, Any]:
    """A preset's table.

    Raises:
        UnknownPreset: no such file; the message lists the known ones.
    """
    if name not in known_presets():
        raise UnknownPreset(f"There is no lab preset called {name!r}.", f"Known: {', '.join(known_presets())}.")
    return tomllib.loads((files("chartcite.lab.presets") / f"{name}.toml").read_text("utf-8"))


def known_presets() -> list[str]:
    """All presets, sorted."""
    names = [entry.name for entry in files("chartcite.lab.presets").iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def slug(name: str) -> str:
    """A name as a part of a file's.

    >>> slug("SciFact, two retrievers!")
    'scifact-two-retrievers'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower(), flags=re.ASCII).strip("-")[:_MAX_SLUG_CHARS].strip("-") or "run"


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _with_common_settings(table: Mapping[str, Any]) -> dict[str, Any]:
    rest = {k: v for k, v in table.items() if k != "settings"}
    common, strategies = table.get("settings", {}), table.get("strategies")
    if isinstance(common, Mapping) and isinstance(strategies, list):
        rest["strategies"] = [{**common, **s} if isinstance(s, Mapping) else s for s in strategies]
    elif common:
        rest["settings"] = common  # refused by name, as any unknown field
    return rest


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
