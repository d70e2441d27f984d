"""Named errors. Each says what is wrong and what to do, and never carries note text or a patient's name.

ChartciteError                    exit 1
├── UsageError                    exit 2   the request cannot be right
│   ├── InvalidScope                       no such partition can exist
│   ├── UnknownDocument                    the partition has no such document
│   ├── UnknownPartition                   no such patient or collection in this store
│   ├── InvalidQuestion                    empty or far too long
│   ├── InvalidOptions                     of a multiple choice: too few, two that say the same
│   ├── AccessDenied                       no token, or one that is not valid (any more)
│   └── NotPermitted                       the token is valid, and not for this
├── NotConfigured                 exit 3   something must be installed or set first
│   ├── MissingExtra
│   ├── UnknownImplementation
│   ├── ModelMissing
│   ├── ModelRefused                       wrong hash or unsafe format
│   ├── UnreadableCalibration              a judge's record that is none
│   └── AuditKeyMissing                    a store with an audit trail, and its key is not there
├── EndpointFailed                exit 5   a server the user named does not answer as it should
│   └── BudgetUsedUp                       a question may ask it no more
├── Cancelled                     exit 130 whoever asked wants no answer any more
├── ReadError                     exit 1   one source cannot be read (a ledger line, never the batch)
│   ├── UnsupportedFormat
│   ├── CorruptSource
│   ├── EncryptedSource
│   ├── EmptySource
│   ├── LimitExceeded                      time, memory or size
│   └── UnreadableSource                   permission, vanished file
└── StoreError                    exit 1
    ├── StoreMissing
    ├── StoreLocked
    ├── StoreNewer                         written by a later chartcite
    ├── StoreDamaged
    ├── StoreMismatch                      asked for what was never built
    ├── StoreUnwritable                    disk full, read-only
    └── BackupRefused                      the file is no whole backup, or was changed
"""

from __future__ import annotations

from typing import ClassVar


class ChartciteError(Exception):
    """What went wrong (`args[0]`) and what to do about it (`advice`)."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice

    @property
    def kind(self) -> str:
        """The class name: stable, fit for ledgers and metrics."""
        return type(self).__name__

    def __reduce__(self) -> tuple[type[ChartciteError], tuple[str, str]]:
        # Errors cross a process border when a reader runs in a child.
        return type(self), (str(self.args[0]), self.advice)


class UsageError(ChartciteError):
    """The request cannot be right."""

    exit_code = 2


class InvalidScope(UsageError):
    """A partition name that cannot exist."""


class UnknownPartition(UsageError):
    """The store has no such patient or collection."""


class UnknownDocument(UsageError):
    """The partition has no document of that doc_id."""


class InvalidQuestion(UsageError):
    """The question is empty or far too long."""


class InvalidOptions(UsageError):
    """The options of a multiple choice are none: too few, two that say the same, or without text."""


class AccessDenied(UsageError):
    """No token, or one that is unknown, expired or revoked; which of these is not said."""


class NotPermitted(UsageError):
    """The visitor is known, and the token was made for other things."""


class NotConfigured(ChartciteError):
    """Something must be installed or set first."""

    exit_code = 3


class MissingExtra(NotConfigured):
    """A library of an optional extra is not installed."""


class UnknownImplementation(NotConfigured):
    """No file of that name in the room and no entry point."""


class ModelMissing(NotConfigured):
    """A model's files are not where they were looked for."""


class ModelRefused(NotConfigured):
    """A model file has another hash than the pinned one, or an unsafe format."""


class UnreadableCalibration(NotConfigured):
    """The file that the settings name as the judge's record cannot be read, or is none."""


class AuditKeyMissing(NotConfigured):
    """A store has an audit trail, and the key of it is not where the settings say; or they do not say."""


class EndpointFailed(ChartciteError):
    """A server that the user named cannot be reached, refuses, or answers something else."""

    exit_code = 5

    def fallback(self, who: str) -> str:
        """The name of the fallback that a stage takes for it; `who` as in `writer`."""
        return f"{who}_endpoint_failed"


class BudgetUsedUp(EndpointFailed):
    """A question has made all the calls, or used all the tokens or time, that the settings allow it."""

    def fallback(self, who: str) -> str:  # noqa: ARG002
        """The same name for whoever asked."""
        return "llm_budget_used_up"


class Cancelled(ChartciteError):
    """Whoever asked wants no answer any more."""

    exit_code = 130


class ReadError(ChartciteError):
    """One source, or one record of it, cannot be read."""


class UnsupportedFormat(ReadError):
    """No reader for this format."""


class CorruptSource(ReadError):
    """The bytes do not hold what the format promises."""


class EncryptedSource(ReadError):
    """A password is needed."""


class EmptySource(ReadError):
    """There is no text in it."""


class LimitExceeded(ReadError):
    """Reading took too much time, memory or space."""


class UnreadableSource(ReadError):
    """The operating system refuses the file."""


class StoreError(ChartciteError):
    """The store cannot do what was asked."""


class StoreMissing(StoreError):
    """There is no store in that folder."""


class StoreLocked(StoreError):
    """Another process is writing."""


class StoreNewer(StoreError):
    """The store was written by a later version."""


class StoreDamaged(StoreError):
    """The store's file is not what it should be."""


class StoreMismatch(StoreError):
    """What is asked for was never built in this store."""


class StoreUnwritable(StoreError):
    """The disk is full, or the folder is read-only."""


class BackupRefused(StoreError):
    """A file is no whole backup of a store, or was changed since it was made."""
