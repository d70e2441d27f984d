"""FHIR R4: bundles, resources and NDJSON; notes, reports and compositions as they are, structured ones as sentences.

Resources of other types are counted, one problem a type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.apart import Apart
from chartcite.readers.fhir_composition import read_composition
from chartcite.readers.fhir_fields import Place
from chartcite.readers.fhir_notes import read_note
from chartcite.readers.fhir_resources import Broken, Resource, looks_like_fhir, resources_of
from chartcite.readers.fhir_structured import STRUCTURED, read_structured

_NOTES = frozenset({"DocumentReference", "DiagnosticReport"})
_CONTEXT = frozenset({"Binary", "Medication", "Patient"})
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z]{2,60}")


class FhirReader:
    """Bundles and resources in `.json`, one resource a line in `.ndjson` and `.jsonl`; gzip is looked through."""

    name = "fhir"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:
        """Whether it is FHIR; lines only when a resource shows early."""
        return looks_like_fhir(path, head)

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents in the order of the source, then one problem for each type of resource left out.

        Raises:
            CorruptSource: a `.json` file that is not JSON.
            UnsupportedFormat: JSON, but not FHIR.
            LimitExceeded: a bundle of more than 256 MiB.
        """
        tally = _Tally(name)
        with Apart(options) as apart:
            for item in resources_of(path, options.encoding, apart):
                if isinstance(item, Broken):
                    yield Problem(f"{name}#{item.number}", item.error)
                else:
                    yield from _read(item, Place(name, item.number, sha256), tally)
        yield from tally.problems()


def _read(resource: Resource, place: Place, tally: _Tally) -> Iterator[Found | Problem]:
    try:
        kind = resource.node.text("resourceType")
    except CorruptSource as error:
        yield Problem(f"{place.name}#{place.number}", error)
        return
    if kind in STRUCTURED:
        for found in read_structured(resource.node, place, resource.references):
            if isinstance(found, Problem) and kind == "Patient" and isinstance(found.error, EmptySource):
                tally.others[kind] += 1  # an id for others to name
                continue
            tally.documents += isinstance(found, Found)
            yield found
        return
    if kind == "Composition":
        for found in read_composition(resource.node, place, resource.references):
            tally.documents += isinstance(found, Found)
            yield found
        return
    if kind not in _NOTES:
        tally.others[kind if _TYPE_NAME.fullmatch(kind) else ""] += 1
        return
    for found in read_note(resource.node, place, resource.references):
        if isinstance(found, Problem) and kind == "DiagnosticReport" and isinstance(found.error, EmptySource):
            tally.bare_reports += 1  # a laboratory panel, which only groups results; an export has thousands
            continue
        tally.documents += isinstance(found, Found)
        yield found


class _Tally:
    """Counts what is left out, so that a ledger has one line a type and not one a resource."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.documents = 0
        self.bare_reports = 0
        self.others: Counter[str] = Counter()

    def problems(self) -> Iterator[Problem]:
        for kind, count in sorted(self.others.items()):
            if not kind:
                yield self._skip(_counted(count, "object") + " without a resourceType")
            elif kind not in _CONTEXT:
                yield self._skip(_counted(count, f"{kind} resource") + ": resources of this type are not read")
            elif not self.documents:
                yield self._skip(_counted(count, f"{kind} resource") + ": nothing here refers to them")
        if self.bare_reports:
            yield self._skip(_counted(self.bare_reports, "DiagnosticReport resource") + " without text")

    def _skip(self, what: str) -> Problem:
        return Problem(self._name, UnsupportedFormat(what), skipped=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("s" if count != 1 else "")


READER = FhirReader()
