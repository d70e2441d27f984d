"""To which partition a document goes. Identity is never guessed: a document without one place to go is refused."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from unicodedata import normalize

from chartcite.core.errors import InvalidScope, ReadError
from chartcite.core.reading import Found
from chartcite.core.scope import Scope


class NoPatient(ReadError):
    """Neither the source nor the command says whose document this is."""


class OtherPatient(ReadError):
    """The source and the command name different patients."""


@dataclass(frozen=True, slots=True)
class Route:
    """What the command says: a patient, a collection, or that folders are named after patients.

    A folder speaks only for sources that name no patient of their own.
    """

    scope: Scope | None = None
    patient_from_folder: bool = False

    @property
    def target(self) -> str:
        """A short name for the ledger of sources: the same file may feed several targets."""
        if self.scope:
            return f"{self.scope.kind}:{self.scope.name}"
        return "folder" if self.patient_from_folder else "source"

    def scope_of(self, found: Found, source: str) -> Scope:
        """The partition of one document.

        Raises:
            NoPatient: nobody says whose it is.
            OtherPatient: the source's own patient is not the one that was named.
        """
        own = found.patient_id
        named = self.scope
        try:
            if named is None and own is None and self.patient_from_folder:
                inside = found.document.source.name  # of a member of an archive
                named = self._folder(inside if inside.startswith(f"{source}!") else source)
        except InvalidScope as error:
            raise NoPatient("The folder's name cannot be a patient identifier.", error.advice) from error
        if named is None and own is None:
            raise NoPatient(
                "The document names no patient.", "Use --patient ID, --patient-from folder, or --collection NAME."
            )
        if named is not None and own is not None and named != Scope("patient", own):
            raise OtherPatient(
                "The document belongs to another patient than the command says.",
                "Leave --patient away: the source names its patients. Records of patients do not go to collections.",
            )
        try:
            return named or Scope.patient(str(own))
        except InvalidScope as error:
            raise NoPatient("The document's patient identifier cannot be used.", error.advice) from error

    def _folder(self, source: str) -> Scope:
        parents = tuple(part for part in PurePosixPath(source).parts[:-1] if not part.endswith("!"))  # no archives
        if len(parents) != 1:
            raise NoPatient(
                "The file is not directly in a folder named after a patient.",
                "Name the folder that holds the patients' folders (PATIENT/file).",
            )
        return Scope.patient(normalize("NFC", parents[0]))  # two file systems write `José` in two ways


def place(route: Route, path: str) -> str:
    """What is kept of a source's place: the same relative name at another place is another source."""
    return f"{route.target} {sha256(path.encode()).hexdigest()[:16]}"
