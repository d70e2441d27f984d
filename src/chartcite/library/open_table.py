"""A question x document table under way: its questions and documents, a key that names it, and its rows one by one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence

from chartcite.core.errors import InvalidQuestion, UsageError
from chartcite.core.neural import EMBEDDED_ELSEWHERE
from chartcite.core.stored import DocumentInfo
from chartcite.core.table import Asked, QuestionRow, Table
from chartcite.table import Desk, rows


class OpenTable:
    """The rows are made when they are asked for; all of them see the same state of the store."""

    def __init__(self, questions: Sequence[Asked], desk: Desk) -> None:
        self.questions = questions
        self._desk = desk
        reader, tools = desk.reader, desk.tools
        told = (EMBEDDED_ELSEWHERE,) if getattr(tools.encoder, "is_remote", False) else ()
        self.table = Table(reader.scope, desk.described(), (), tools.config(), reader.seq, tools.as_of, told)

    @property
    def key(self) -> str:
        """A hash of all that shapes the table; rows kept under another key belong to another table."""
        asked = [(one.id, one.question) for one in self.questions]
        return hashlib.sha256(json.dumps([asked, self.table.to_dict()], sort_keys=True).encode()).hexdigest()

    def rows(self, start: int = 0) -> Iterator[QuestionRow]:
        """The rows of the questions from number `start`, counted from 0."""
        return rows(self.questions[start:], self._desk)


def numbered(questions: Sequence[str | Asked]) -> list[Asked]:
    """Questions with an id each, by default their number.

    Raises:
        InvalidQuestion: there is none.
        UsageError: an id occurs twice.
    """
    asked = [q if isinstance(q, Asked) else Asked(str(n), q) for n, q in enumerate(questions, start=1)]
    if not asked:
        raise InvalidQuestion("There is no question.", "Write one a line.")
    if any(count > 1 for count in Counter(one.id for one in asked).values()):
        raise UsageError("A question's id occurs twice.", "Give each question an id of its own.")
    return asked


def chosen(documents: Sequence[DocumentInfo], wanted: Sequence[str] | None) -> list[DocumentInfo]:
    """The documents by their ids, in the order asked for; all of them, oldest first, where none are named.

    Raises:
        UsageError: one of them is not there, or not evidence.
    """
    if wanted is None:
        return list(documents)
    known = {d.doc_id: d for d in documents}
    missing = [doc_id for doc_id in wanted if doc_id not in known]
    if missing:
        named = ", ".join(repr(doc_id) for doc_id in missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise UsageError(
            f"Not there, or not to be used as evidence: {named}.",
            "A document's id is what `ask` and `search` print below its title.",
        )
    return [known[doc_id] for doc_id in dict.fromkeys(wanted)]
