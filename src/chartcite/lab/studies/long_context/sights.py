"""The four note settings as a book narrowed to what a question may draw on."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.cases import Case
from chartcite.lab.experiment.spec import Experiment, Strategy
from chartcite.lab.studies.long_context.options import NoteSetting, Options
from chartcite.library.book import Book

FULL = "full_context"


def related(case: Case) -> list[str]:
    """Ids of the notes that the data set names as the answer's."""
    return [r.item_id for r in case.relevant if r.grade > 0]


def seen(book: Book, case: Case, notes: NoteSetting) -> Book:
    """The book with the notes of a setting. Nothing is encoded anew (decision 43)."""
    match notes:
        case "include_all":
            return book
        case "include_related":
            return book.narrowed(only=related(case))
        case "exclude_related":
            return book.narrowed(without=related(case))
        case "exclude_all":
            return book.narrowed(only=())


def applies(case: Case, notes: NoteSetting) -> bool:
    """A case that names no note has no related ones to include or to leave out."""
    return bool(related(case)) or notes in ("include_all", "exclude_all")


def combinations(spec: Experiment, options: Options) -> list[tuple[NoteSetting, Strategy]]:
    """Note settings with the strategies tried in them: full context in each, others where `retrieval_in` says so.

    Without any note there is nothing to retrieve: one strategy stands for all.
    """
    found: list[tuple[NoteSetting, Strategy]] = []
    for notes in options.notes:
        here = [s for s in spec.strategies if s.settings.method == FULL or notes in options.retrieval_in]
        found += [(notes, s) for s in (here[:1] if notes == "exclude_all" else here)]
    return found


def asked_in(case: Case, options: Options) -> Sequence[str]:
    """The task forms in which a case is asked."""
    return [form for form in options.forms if form in case.forms]
