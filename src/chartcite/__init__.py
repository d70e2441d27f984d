"""chartcite: cited, checked answers from medical records and documents. Research use; not a medical device.

>>> import chartcite                                                   # doctest: +SKIP
>>> book = chartcite.open("records/")                                  # doctest: +SKIP
>>> book.ingest("notes/", patient_from_folder=True)                    # doctest: +SKIP
>>> print(book.ask("What is the warfarin dose?", patient="p1").text)   # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chartcite.library.book import Book

__version__ = "0.1.0"
__all__ = ["__version__", "open"]


def open(folder: str | Path, **settings: Any) -> Book:  # noqa: A001  (reads as chartcite.open)
    """Open the store in a folder, making it if there is none.

    Args:
        folder: the store's folder.
        settings: fields of `chartcite.library.settings.Settings`, for example `answer_words=50`.

    Raises:
        StoreError: the folder holds something else, a newer store, or cannot be written.
        pydantic.ValidationError: an unknown setting, or a value out of range.
    """
    from chartcite.library.book import Book  # noqa: PLC0415  (imports of engines wait until they are wanted)
    from chartcite.library.settings import Settings  # noqa: PLC0415

    return Book(Path(folder), Settings(**settings))
