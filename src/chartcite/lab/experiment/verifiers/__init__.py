"""Who judges answer sentences, one file each: `load(given)` makes a verifier; the file's name is its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from chartcite.core.chat import OF_THE_FORM
from chartcite.core.errors import UnknownImplementation
from chartcite.lab.experiment.spec import VerifierOptions
from chartcite.lab.experiment.tables import Cited
from chartcite.library.calls.account import Account
from chartcite.library.calls.deidentified import SENT_AS_IT_IS
from chartcite.library.settings import Settings


@dataclass(frozen=True, slots=True)
class ToCheck:
    """One sentence with its citations; `case_id` is empty for a claim of the data set."""

    text: str
    citations: tuple[Cited, ...]
    case_id: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether all citations together carry the sentence, and each by itself; None where nothing can be said."""

    supported: bool | None
    supports: tuple[bool | None, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a verifier may use.

    Attributes:
        texts: every distinct text that anything in this run cites.
        gold: by case, its relevant items with their gold sentences.
        settings: of the first strategy; the judge that they name is everybody's.
    """

    texts: tuple[str, ...]
    gold: Mapping[str, Mapping[str, tuple[str, ...]]]
    language: str
    options: VerifierOptions
    settings: Settings


class Verifier(Protocol):
    """Judges one sentence at a time."""

    def check(self, what: ToCheck) -> Finding:
        """The finding."""
        ...


def with_doubts(reason: str, account: Account) -> str:
    """A model's reason with what happened on the wire that makes its word doubtful: a cut prompt, another model.

    How it had to be asked for, and that it was shown the text as it is, say nothing of its word.
    """
    doubts = [name for name in account.take_notes() if name not in OF_THE_FORM | {SENT_AS_IT_IS}]
    return f"{reason} ({', '.join(doubts)})" if doubts else reason


def find_verifier(name: str) -> Callable[[Given], Verifier]:
    """The maker of a verifier.

    Raises:
        UnknownImplementation: no such file; the message lists the known ones.
    """
    known = sorted(m.name for m in pkgutil.iter_modules(__path__))
    if name not in known:
        raise UnknownImplementation(f"There is no verifier called {name!r}.", f"Known: {', '.join(known)}.")
    load: Callable[[Given], Verifier] = importlib.import_module(f"{__name__}.{name}").load
    return load
