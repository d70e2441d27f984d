"""Rehearsal: reads and routes as an ingest would, with no store and no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from chartcite.core.errors import ChartciteError, ReadError
from chartcite.core.reading import Problem, ReadOptions
from chartcite.core.scope import Scope
from chartcite.ingest.corridor import Progress, reader_failed
from chartcite.ingest.ledger import Ledger, ProblemLine, SourceEntry
from chartcite.ingest.people import People
from chartcite.ingest.routing import Route
from chartcite.ingest.walk import SourceFile, check_inside


@dataclass(slots=True)
class Rehearsal:
    """What an ingest would find. Documents that would go in count as `added`, whatever a store may have already."""

    ledger: Ledger = field(default_factory=Ledger)
    partitions: Counter[Scope] = field(default_factory=Counter)


def rehearse(sources: Sequence[SourceFile], route: Route, options: ReadOptions, progress: Progress) -> Rehearsal:
    """Read all sources, find the partition of each document, and keep only the counts."""
    from chartcite.readers.detect import read_source  # noqa: PLC0415
    from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415

    found = Rehearsal()
    bytes_done = 0
    people = People(lambda _: None)
    with Sandbox() as sandbox:
        for source in sources:
            entry = SourceEntry(source.name)
            found.ledger.sources.append(entry)
            try:
                check_inside(source)
                for item in read_source(source.path, source.name, options, sandbox):
                    if isinstance(item, Problem):
                        entry.add_problem(item)
                        continue
                    try:
                        scope = route.scope_of(item, source.name)
                        conflicts = people.meet(scope, item.person, source.name)
                    except ChartciteError as error:
                        entry.add(ProblemLine.of(item.document.doc_id, error))
                        continue
                    for conflict in conflicts:
                        entry.add(ProblemLine.of(item.document.doc_id, conflict))
                    found.partitions[scope] += 1
                    entry.counts["added"] += 1
                    entry.note(item.document.source.format, len(item.document.text), f"{scope.kind} {scope.name}")
                    entry.chars += len(item.document.text)
                    progress(entry, bytes_done)
            except ReadError as error:
                entry.add(ProblemLine.of(source.name, error))
            except Exception as error:  # noqa: BLE001  (as in the ingest itself)
                entry.add(ProblemLine.of(source.name, reader_failed(error)))
            bytes_done += source.size
            progress(entry, bytes_done)
    return found
