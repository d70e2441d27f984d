"""Queries in, a TREC run out: the two file forms that retrieval evaluation shares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chartcite.core.errors import UsageError


class Query(NamedTuple):
    """One query with its identifier."""

    qid: str
    text: str


class UnreadableQueries(UsageError):
    """A line of the queries file is neither `qid<TAB>text` nor `{"id", "text"}`."""


class UnwritableName(UsageError):
    """An identifier with white space cannot stand in a TREC run."""


def read_queries(lines: Iterable[str]) -> list[Query]:
    r"""Queries in order; each line says by itself which form it has; blank lines are skipped.

    Raises:
        UnreadableQueries: naming the line, never its content.

    >>> read_queries(["q1\twarfarin dose\n", '{"id": 2, "text": "INR"}'])
    [Query(qid='q1', text='warfarin dose'), Query(qid='2', text='INR')]
    """
    found: dict[str, Query] = {}
    for n, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        query = _query(line.removeprefix("\ufeff").rstrip("\r\n"))
        if query is None:
            raise UnreadableQueries(
                f"Line {n} of the queries is unreadable.", 'Each line is qid<TAB>text, or {"id": ..., "text": "..."}.'
            )
        if query.qid in found:
            raise UnreadableQueries(f"Line {n} of the queries repeats an id.", "Give each query its own id.")
        found[query.qid] = query
    if not found:
        raise UnreadableQueries("There is no query in the file.", "Each line is qid<TAB>text.")
    return list(found.values())


def run_lines(qid: str, ranked: Sequence[tuple[str, float]], tag: str) -> list[str]:
    """`qid Q0 docid rank score tag` lines, rank from 1.

    Raises:
        UnwritableName: an identifier holds white space, or is empty.

    >>> run_lines("q1", [("d2", 0.5), ("d1", 0.25)], "chartcite")
    ['q1 Q0 d2 1 0.5 chartcite', 'q1 Q0 d1 2 0.25 chartcite']
    """
    for name in (qid, *(doc_id for doc_id, _ in ranked)):
        if len(name.split()) != 1 or name != name.strip():
            raise UnwritableName(
                "An id with white space cannot be written to a TREC run.", "Rename it in the corpus or the queries."
            )
    return [f"{qid} Q0 {doc_id} {rank} {score:.9g} {tag}" for rank, (doc_id, score) in enumerate(ranked, start=1)]


def _query(line: str) -> Query | None:
    if line.lstrip().startswith("{"):
        return _from_json(line)
    qid, tab, text = line.partition("\t")
    return Query(qid.strip(), text.strip()) if tab and qid.strip() and text.strip() else None


def _from_json(line: str) -> Query | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    qid, text = row.get("id"), row.get("text")
    if isinstance(qid, bool) or not isinstance(qid, str | int) or not isinstance(text, str):
        return None
    return Query(str(qid).strip(), text.strip()) if str(qid).strip() and text.strip() else None
