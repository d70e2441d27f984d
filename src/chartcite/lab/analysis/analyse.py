"""All of it for one table: the rules of disagreement, correlations, judges; and the tables that go to CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.analysis.correlation import Correlation, correlations
from chartcite.lab.analysis.disagreement import RuleFound, contradicted, judges_apart, spread
from chartcite.lab.analysis.judges import JudgeAgreement, judge_agreement
from chartcite.lab.analysis.standardise import standardised
from chartcite.lab.analysis.table import MetricTable, names_of
from chartcite.lab.csv_safe import Cell, write_csv


@dataclass(frozen=True, slots=True)
class Asked:
    """Which columns play which part. `metrics`: those compared by spread and correlation, all if empty."""

    metrics: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    contradiction: str = ""
    correctness: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found. `judges` is None where none are named."""

    rules: tuple[RuleFound, ...]
    correlations: tuple[Correlation, ...]
    judges: JudgeAgreement | None


def analyse(table: MetricTable, asked: Asked) -> Analysis:
    """Apply every rule whose columns are named.

    Raises:
        BadInput: a column that there is not, one where two are needed, shares outside 0 to 1.
        MissingExtra: the lab's libraries are not installed.
    """
    rules: list[RuleFound] = []
    if asked.contradiction and asked.correctness:
        rules.append(contradicted(table, asked.contradiction, asked.correctness))
    if asked.judges:
        rules += judges_apart(table, asked.judges)
    rules.append(spread(table, names_of(table, asked.metrics)))
    agreement = judge_agreement(table, asked.judges) if asked.judges else None
    return Analysis(tuple(rules), tuple(correlations(table, asked.metrics)), agreement)


def write_analysis(folder: Path, table: MetricTable, found: Analysis) -> list[Path]:
    """The tables as CSV: items found, counts, correlations, judges in pairs, z-scores. Returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, tuple[Sequence[str], list[dict[str, Cell]]]] = {
        "disagreements": (_ITEM, list(_items(found))),
        "counts": (_COUNT, list(_counts(found))),
        "correlations": (_CORRELATION, [{n: getattr(c, n) for n in _CORRELATION} for c in found.correlations]),
        "judges": (_JUDGES, list(_judges(found))),
        "z_scores": (("item", *table.columns), list(_scores(table))),
    }
    paths = [folder / f"{name}.csv" for name in tables]
    for path, (columns, rows) in zip(paths, tables.values(), strict=True):
        write_csv(path, columns, rows)
    return paths


_ITEM = ("rule", "between", "item", "high", "high_value", "low", "low_value")
_COUNT = ("rule", "between", "found", "n", "undefined", "share", "low", "high", "clusters", "by", "reason")
_CORRELATION = ("first", "second", "kind", "value", "low", "high", "p", "n", "reason")
_JUDGES = ("first", "second", "n", "difference", "absolute_difference", "kappa", "kappa_low", "kappa_high",
           "weighted_kappa", "agreement", "reason")  # fmt: skip


def _items(found: Analysis) -> Iterator[dict[str, Cell]]:
    for rule in found.rules:
        for d in rule.items:
            row: dict[str, Cell] = {name: getattr(d, name) for name in _ITEM[2:]}
            yield {"rule": rule.rule, "between": " | ".join(rule.between), **row}


def _counts(found: Analysis) -> Iterator[dict[str, Cell]]:
    for rule in found.rules:
        row: dict[str, Cell] = {name: getattr(rule.count, name) for name in _COUNT[2:]}
        yield {"rule": rule.rule, "between": " | ".join(rule.between), **row}


def _judges(found: Analysis) -> Iterator[dict[str, Cell]]:
    for pair in found.judges.pairs if found.judges else ():
        row: dict[str, Cell] = {name: getattr(pair, name) for name in _JUDGES[:5]}
        kappa = pair.kappa
        yield row | {
            "kappa": kappa.kappa, "kappa_low": kappa.low, "kappa_high": kappa.high,
            "weighted_kappa": pair.weighted_kappa.kappa, "agreement": kappa.observed_agreement, "reason": kappa.reason,
        }  # fmt: skip


def _scores(table: MetricTable) -> Iterator[dict[str, Cell]]:
    columns = standardised(table).columns
    for item in table.items:
        yield {"item": item, **{name: column[item] for name, column in columns.items()}}
