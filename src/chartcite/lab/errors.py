"""What can go wrong in the lab, each with its exit code. No message carries a question, an answer or note text.

NotConfigured                     exit 3
└── MissingData                            a data set's files are not where they were looked for
UsageError                        exit 2
├── BadTable                               a CSV or JSONL line that cannot be what it should be
├── BadTrec                                a line of a run or of qrels
├── BadInput                               arguments that contradict each other
├── BadSubmission                          a file of answers that a task's official script would refuse
│   ├── WrongType                          text where a list should be, an id that is no string, a field missing
│   ├── CasesDiffer                        not the cases of the key
│   ├── DuplicateCase                      a case twice
│   ├── UnknownId                          a sentence that the case has not got
│   ├── EmptyPrediction                    nothing where there must be a text
│   └── NoCitations                        an answer of 2025 that cites nothing
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


class BadSubmission(UsageError):
    """A file of answers that a task's official script would refuse; the message names cases and ids, never text."""


class WrongType(BadSubmission):
    """A text where a list should be, an id that is no string, a field that is missing."""


class CasesDiffer(BadSubmission):
    """The cases of a submission are not those of the key."""


class DuplicateCase(BadSubmission):
    """A case comes twice: the official script would count it twice."""


class UnknownId(BadSubmission):
    """A prediction names a sentence that its case has not got."""


class EmptyPrediction(BadSubmission):
    """There is nothing where there must be a text."""


class NoCitations(BadSubmission):
    """An answer of 2025 cites nothing at all."""
