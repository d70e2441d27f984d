"""What a data set is: a card that says what must be there, and rows of four kinds, each read when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from chartcite.lab.cases import Case, Claim, CorpusItem, SpoiltNote
from chartcite.lab.errors import BadTable

Kind = Literal["corpus", "cases", "claims", "notes"]


@dataclass(frozen=True, slots=True)
class Expected:
    """How many rows of a kind a complete copy has, in which split, and which come first and last.

    An empty id is not known: of credentialed data only the published counts are. `answerable`: of the cases, only
    those that can (True) or cannot (False) be answered are counted.
    """

    kind: Kind
    n: int
    first_id: str = ""
    last_id: str = ""
    split: str = ""
    answerable: bool | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a data set.

    Attributes:
        licence: as its publisher states it; empty licences are stated as such.
        source: where it comes from.
        paper: what to cite.
        expected: counts of a complete copy; empty for the generic forms.
        note: what must be known before a figure is quoted.
    """

    name: str
    licence: str
    source: str
    paper: str = ""
    lang: str = "en"
    expected: tuple[Expected, ...] = ()
    note: str = ""


class Dataset:
    """A data set by name. Subclasses override what they have; what they have not is empty.

    Every method takes the folder that holds the files.

    Raises:
        MissingData: the files are not there.
        BadTable, BadTrec: a file is not what it should be.
    """

    card: Card

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:  # noqa: ARG002
        """What is searched."""
        return iter(())

    def cases(self, folder: Path) -> Iterator[Case]:  # noqa: ARG002
        """What is asked."""
        return iter(())

    def claims(self, folder: Path) -> Iterator[Claim]:  # noqa: ARG002
        """What is to be checked."""
        return iter(())

    def notes(self, folder: Path) -> Iterator[SpoiltNote]:  # noqa: ARG002
        """Notes with a planted error."""
        return iter(())

    def rows(self, kind: Kind, folder: Path) -> Iterator[CorpusItem | Case | Claim | SpoiltNote]:
        """The rows of one kind."""
        match kind:
            case "corpus":
                return iter(self.corpus(folder))
            case "cases":
                return iter(self.cases(folder))
            case "claims":
                return iter(self.claims(folder))
            case "notes":
                return iter(self.notes(folder))


@dataclass(frozen=True, slots=True)
class Counted:
    """What was found where something was expected. `right`: the number and both ends are as expected."""

    expected: Expected
    n: int
    first_id: str
    last_id: str
    right: bool


def count(dataset: Dataset, folder: Path) -> tuple[Counted, ...]:
    """Compare a copy with the card."""
    return tuple(_count(dataset, folder, expected) for expected in dataset.card.expected)


def qrels_of(cases: Iterator[Case] | tuple[Case, ...]) -> dict[str, dict[str, int]]:
    """Judgements for the ranking metrics, of the cases that have any."""
    return {case.id: {r.item_id: r.grade for r in case.relevant} for case in cases if case.relevant}


def field(row: Mapping[str, Any], name: str, dataset: str) -> Any:
    """A field that must be there.

    Raises:
        BadTable: it is not; the message names the field.
    """
    if name not in row:
        raise BadTable(f"A row of {dataset} has no field {name!r}.", "Is this the folder of another data set?")
    return row[name]


def _count(dataset: Dataset, folder: Path, expected: Expected) -> Counted:
    ids = [
        row.id
        for row in dataset.rows(expected.kind, folder)
        if (not expected.split or getattr(row, "split", "") == expected.split)
        and expected.answerable in (None, getattr(row, "answerable", None))
    ]
    first, last = (ids[0], ids[-1]) if ids else ("", "")
    ends = ((expected.first_id, first), (expected.last_id, last))
    as_declared = all(wanted in ("", found) for wanted, found in ends)
    right = len(ids) == expected.n and as_declared and len(set(ids)) == len(ids)
    return Counted(expected, len(ids), first, last, right)
