"""What can go wrong with an experiment, each with its exit code. No message carries a question or note text.

UsageError                        exit 2
├── BadSpec                                the experiment's file says something that cannot be
├── RunMismatch                            a run folder is not what this experiment would make
└── RunDamaged                             a stage's file is not the one that was written
NotConfigured                     exit 3
├── UnknownPreset
└── MissingEndpoint                        a language model was asked for and none is set
StoreError                        exit 1
└── RunLocked                              another process works in this run folder
"""

from __future__ import annotations

from chartcite.core.errors import NotConfigured, StoreError, UsageError


class BadSpec(UsageError):
    """The experiment's file cannot be read, or says something that cannot be."""


class RunMismatch(UsageError):
    """A run folder is not what this experiment would make."""


class RunDamaged(UsageError):
    """A file of a run folder is missing, or not the one that was written."""


class UnknownPreset(NotConfigured):
    """No preset of that name."""


class MissingEndpoint(NotConfigured):
    """A language model was asked for and none is set."""


class RunLocked(StoreError):
    """Another process works in this run folder."""
