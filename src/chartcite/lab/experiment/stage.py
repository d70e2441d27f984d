"""What a stage is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from chartcite.lab.cases import Case
from chartcite.lab.experiment.errors import RunDamaged
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.tables import CorpusRow
from chartcite.lab.experiment.units import Key
from chartcite.library.book import Book
from chartcite.library.settings import Settings

COLLECTION = "corpus"
OpenBook = Callable[[Path, Settings, bool], Book]
"""(folder, settings, create) to an open store."""
Typed = TypeVar("Typed")


def open_book(folder: Path, settings: Settings, create: bool) -> Book:
    """The real thing; tests give another."""
    return Book(folder, settings, create=create)


@dataclass
class Context:
    """One run: its specification, its folder, and how to open a store.

    `base`: what relative paths of the specification are relative to.
    """

    spec: Experiment
    folder: RunFolder
    base: Path
    open_book: OpenBook = open_book
    advance: Callable[[int, int], None] = lambda done, total: None  # noqa: ARG005
    """Called within a long unit: (done, total) of whatever it counts."""

    @property
    def data_folder(self) -> Path:
        """Where the data set's files are."""
        return self.base / Path(self.spec.data.folder).expanduser()

    @property
    def store(self) -> Path:
        """The run's own store."""
        return self.folder.path / "store"

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of this run, in order."""
        return tuple(self.folder.read_table("corpus", "cases", Case))

    @cached_property
    def clusters(self) -> dict[str, str]:
        """What hangs together, by case id."""
        return {c.id: c.cluster or c.patient_id or c.id for c in self.cases}

    @cached_property
    def scopes(self) -> frozenset[tuple[str, str]]:
        """The partitions of the store, as (kind, name)."""
        return frozenset((r.kind, r.scope) for r in self.folder.read_table("corpus", "", CorpusRow))

    def scope_of(self, case: Case) -> dict[str, Any]:
        """Where a case is asked: its patient's record if there is one, else the collection."""
        own = ("patient", case.patient_id) in self.scopes and case.patient_id
        return {"patient": case.patient_id} if own else {"collection": COLLECTION}

    def rows(self, stage: str, kind: type[Typed], table: str = "") -> list[Typed]:
        """A table of a finished stage."""
        return self.folder.read_table(stage, table, kind)

    def checked_store(self) -> None:
        """Make sure that the store still holds what the corpus stage put there.

        Raises:
            RunDamaged: it does not.
        """
        wanted = {(r.kind, r.scope): r.documents for r in self.folder.read_table("corpus", "", CorpusRow)}
        with self.open_book(self.store, self.spec.strategies[0].settings, False) as book:
            found: dict[tuple[str, str], int] = {
                (p.scope.kind, p.scope.name): p.documents for p in book.store.partitions()
            }
        if any(found.get(scope) != documents for scope, documents in wanted.items() if documents):
            raise RunDamaged(f"The store in {self.folder.path} is not the one that was made.", "Run it anew.")


@dataclass(frozen=True, slots=True)
class Done:
    """One finished unit and its rows by table."""

    key: Key
    rows: Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Finished:
    """What a stage leaves beside its tables: files, and facts for the manifest (`data`, `models`, `metrics`)."""

    files: tuple[Path, ...] = ()
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class Stage:
    """One stage. Units are independent of one another; their rows are put together in the order of `units`."""

    name: ClassVar[str]
    tables: ClassVar[Mapping[str, type[Any]]] = {}
    needs_store: ClassVar[bool] = False
    """Whether it reads the run's store, and not only tables."""
    shares_out: ClassVar[bool] = False
    """Whether its units may be done by workers elsewhere: each takes long, the first word of its key is a strategy."""

    def units(self, ctx: Context) -> list[Key]:  # noqa: ARG002
        """All units, in the order of the specification."""
        return []

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:  # noqa: ARG002
        """Work through the units that are not done yet."""
        return iter(())

    def finish(self, ctx: Context) -> Finished:  # noqa: ARG002
        """Called once all tables are written."""
        return Finished()
