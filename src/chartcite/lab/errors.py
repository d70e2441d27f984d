"""What can go wrong in the lab, each with its exit code. No message carries a question, an answer or note text.

NotConfigured                     exit 3
└── MissingData                            a data set's files are not where they were looked for
UsageError                        exit 2
├── BadTable                               a CSV or JSONL line that cannot be what it should be
├── BadTrec                                a line of a run or of qrels
├── BadInput                               arguments that contradict each other
└── NotWritable                            a value that no file may hold (NaN, infinity)
"""

from __future__ import annotations

from chartcite.core.errors import NotConfigured, UsageError


class MissingData(NotConfigured):
    """A data set's files are not where they were looked for."""


class BadTable(UsageError):
    """A line of a CSV or JSONL file is not what the form promises; the message names the line."""


class BadTrec(UsageError):
    """A line of a TREC run or of qrels is not what the form promises; the message names the line."""


class BadInput(UsageError):
    """Arguments that contradict each other: unequal lengths, a cut-off below 1, no ids in common."""


class NotWritable(UsageError):
    """A value that no file may hold: NaN or infinity."""
