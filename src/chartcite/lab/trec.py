"""TREC runs and qrels: what every retrieval evaluation tool reads and writes.

Run lines are `query Q0 document rank score tag`, qrels lines `query 0 document grade`, separated by white space. The
rank of a run is not looked at: order is by score, ties as trec_eval breaks them (`lab/ranking.py`). No message holds
an id.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.errors import BadTrec
from chartcite.lab.ranking import order

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
_Table = TypeVar("_Table", Run, Qrels)


def read_run(path: Path) -> Run:
    """Scores by query and document.

    Raises:
        BadTrec: a line without 6 fields, a score that is no finite number, a document ranked twice for one query, no
            line at all, not UTF-8. The message names the line.
    """
    run: Run = {}
    for n, fields in _fields(path):
        if len(fields) != 6:
            raise BadTrec(f"{path.name}, line {n}: {len(fields)} fields.", "query Q0 document rank score tag")
        query, _, doc, _, score, _ = fields
        if doc in run.setdefault(query, {}):
            raise BadTrec(f"{path.name}, line {n}: this query ranks the document twice.", "Keep its best line.")
        run[query][doc] = _score(score, path, n)
    return _not_empty(run, path)


def read_qrels(path: Path) -> Qrels:
    """Grades by query and document; the four-column form, or BEIR's TSV (`query-id corpus-id score`, with a header).

    Raises:
        BadTrec: a line with other fields, a grade that is no whole number, a document judged twice for one query.
    """
    qrels: Qrels = {}
    for n, fields in _fields(path):
        if n == 1 and len(fields) == 3 and not _whole(fields[2]):
            continue
        if len(fields) not in (3, 4) or not _whole(fields[-1]):
            raise BadTrec(f"{path.name}, line {n}: not a judgement.", "query 0 document grade")
        query, doc, grade = fields[0], fields[-2], int(fields[-1])
        if doc in qrels.setdefault(query, {}):
            raise BadTrec(f"{path.name}, line {n}: this query judges the document twice.", "Keep one line.")
        qrels[query][doc] = grade
    return _not_empty(qrels, path)


def write_run(path: Path, run: Mapping[str, Mapping[str, float]], tag: str = "chartcite") -> int:
    """Write a run, each query's documents in trec_eval's order. Returns the number of lines.

    Scores are written in full, so that reading gives the same numbers back.

    Raises:
        BadTrec: an id that is empty or holds white space, or a score that is not finite.
    """
    lines = [
        f"{_id(query)} Q0 {_id(doc)} {rank} {_finite(scores[doc])!r} {_id(tag)}\n"
        for query, scores in run.items()
        for rank, doc in enumerate(order(scores), start=1)
    ]
    replace_text(path, "".join(lines))
    return len(lines)


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> int:
    """Write judgements, in the order given. Returns the number of lines.

    Raises:
        BadTrec: an id that is empty or holds white space.
    """
    lines = [f"{_id(q)} 0 {_id(doc)} {grade}\n" for q, judged in qrels.items() for doc, grade in judged.items()]
    replace_text(path, "".join(lines))
    return len(lines)


def _fields(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadTrec(f"There is no file {path.name}.", "Check the path.") from None
    for n, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            fields = line.decode("utf-8").split()
        except UnicodeDecodeError:
            raise BadTrec(f"{path.name}, line {n}: not UTF-8.", "Save the file as UTF-8.") from None
        if fields:
            yield n, fields


def _score(text: str, path: Path, n: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise BadTrec(f"{path.name}, line {n}: the score is no finite number.", "query Q0 document rank score tag")
    return score


def _whole(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()


def _finite(score: float) -> float:
    if not math.isfinite(score):
        raise BadTrec("A score is no finite number, so no run can hold it.")
    return float(score)


def _id(name: str) -> str:
    if len(name.split()) != 1 or name != name.strip():
        raise BadTrec("An id that is empty or holds white space cannot stand in a TREC file.", "Rename it.")
    return name


def _not_empty(found: _Table, path: Path) -> _Table:
    if not found:
        raise BadTrec(f"{path.name} is empty.")
    return found
