"""GrantedBook: a store as one visitor may see it. Doors that let others in get nothing else.

The scope comes from the grant: every method asks the access file first, at every call, and what is not granted looks
like what is not there. A refusal is a line of the audit trail, under the visitor's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chartcite.core.access import Permission, Visitor
from chartcite.core.audit import Action, Event
from chartcite.core.errors import ChartciteError, NotPermitted, UnknownPartition, UsageError
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo, OpenDocument, PartitionSummary
from chartcite.library.book import Book
from chartcite.store.access import AccessStore

if TYPE_CHECKING:
    import threading

    from chartcite.core.answer import Answer, Audience
    from chartcite.core.choice import Choice
    from chartcite.core.feedback import Feedback
    from chartcite.core.listener import Listener
    from chartcite.core.reading import PagePicture
    from chartcite.core.spans import SpanAnswer
    from chartcite.core.table import Asked, Table
    from chartcite.ingest.corridor import Progress
    from chartcite.ingest.ledger import Ledger
    from chartcite.library.found import FoundPassage
    from chartcite.records.timeline import Timeline
    from chartcite.verification.answers import Recheck


class GrantedBook:
    """What one visitor may do with a store. Errors are those of `Book`, and these.

    Raises:
        UnknownPartition: not there, or not granted; which of the two is not said.
        NotPermitted: the token was made for other things.
        AccessDenied: the token is not valid any more.
    """

    def __init__(self, book: Book, access: AccessStore, visitor: Visitor) -> None:
        self._book = book.used_by(visitor.user)
        self._access = access
        self.visitor = visitor

    def ask(
        self, question: str, *, patient: str | None = None, collection: str | None = None, narrative: str = "",
        as_of: str | None = None, cancel: threading.Event | None = None, listener: Listener | None = None,
        audience: Audience = "clinician",
    ) -> Answer:  # fmt: skip
        """As `Book.ask`."""
        with self._let("ask", "read", patient, collection, f"{question} {narrative}"):
            return self._book.ask(
                question, patient=patient, collection=collection, narrative=narrative, as_of=as_of, cancel=cancel,
                listener=listener, audience=audience,
            )  # fmt: skip

    def choose(
        self, question: str, options: Sequence[str] | Mapping[str, str], *, patient: str | None = None,
        collection: str | None = None, as_of: str | None = None, cancel: threading.Event | None = None,
    ) -> Choice:  # fmt: skip
        """As `Book.choose`."""
        with self._let("choose", "read", patient, collection, question):
            return self._book.choose(
                question, options, patient=patient, collection=collection, as_of=as_of, cancel=cancel
            )

    def span(
        self, question: str, *, patient: str | None = None, collection: str | None = None, as_of: str | None = None,
        cancel: threading.Event | None = None,
    ) -> SpanAnswer:  # fmt: skip
        """As `Book.span`."""
        with self._let("span", "read", patient, collection, question):
            return self._book.span(question, patient=patient, collection=collection, as_of=as_of, cancel=cancel)

    def table(
        self, questions: Sequence[str | Asked], *, patient: str | None = None, collection: str | None = None,
        documents: Sequence[str] | None = None, as_of: str | None = None,
    ) -> Table:  # fmt: skip
        """As `Book.table`."""
        with self._let("table", "read", patient, collection):
            return self._book.table(questions, patient=patient, collection=collection, documents=documents, as_of=as_of)

    def timeline(self, topic: str = "", *, patient: str, as_of: str | None = None) -> Timeline:
        """As `Book.timeline`."""
        with self._let("timeline", "read", patient, None, topic):
            return self._book.timeline(topic, patient=patient, as_of=as_of)

    def search(
        self, query: str, *, patient: str | None = None, collection: str | None = None, as_of: str | None = None,
        order: Literal["rank", "time"] = "rank", fallback: Callable[[str, int], None] | None = None,
    ) -> list[FoundPassage]:  # fmt: skip
        """As `Book.search`."""
        with self._let("search", "read", patient, collection, query):
            return self._book.search(
                query, patient=patient, collection=collection, as_of=as_of, order=order, fallback=fallback
            )

    def document(self, doc_id: str, *, patient: str | None = None, collection: str | None = None) -> OpenDocument:
        """As `Book.document`."""
        with self._let("document", "read", patient, collection):
            return self._book.document(doc_id, patient=patient, collection=collection)

    def documents(self, *, patient: str | None = None, collection: str | None = None) -> list[DocumentInfo]:
        """As `Book.documents`."""
        with self._let("documents", "read", patient, collection):
            return self._book.documents(patient=patient, collection=collection)

    def page_picture(
        self, doc_id: str, page: int, *, patient: str | None = None, collection: str | None = None
    ) -> PagePicture | None:
        """As `Book.page_picture`."""
        with self._let("document", "read", patient, collection):
            return self._book.page_picture(doc_id, page, patient=patient, collection=collection)

    def give_feedback(self, said: Feedback) -> int:
        """As `Book.give_feedback`, in the visitor's own name."""
        with self._let("feedback", "feedback", *_named(said.answer)):
            return self._book.give_feedback(replace(said, who=self.visitor.user))

    def feedback(self, *, patient: str | None = None, collection: str | None = None) -> list[dict[str, Any]]:
        """As `Book.feedback`."""
        with self._let("feedback", "feedback", patient, collection):
            return self._book.feedback(patient=patient, collection=collection)

    def verify_answer(self, stored: Mapping[str, Any]) -> list[Recheck]:
        """As `Book.verify_answer`; the scope that the stored answer names must be granted."""
        with self._let("verify", "read", *_named(stored)):
            return self._book.verify_answer(stored)

    def citation_quality(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """As `Book.citation_quality`."""
        with self._let("verify", "read", *_named(stored)):
            return self._book.citation_quality(stored)

    def patients(self) -> list[PartitionSummary]:
        """The patients granted, with what the store has of each."""
        return self._granted("patient")

    def collections(self) -> list[PartitionSummary]:
        """The collections granted."""
        return self._granted("collection")

    def ingest(
        self, *paths: str | Path, patient: str | None = None, collection: str | None = None,
        progress: Progress | None = None,
    ) -> Ledger:  # fmt: skip
        """As `Book.ingest`, into one partition that is granted; it may be new, where its name is granted.

        Files that name their patients themselves need somebody to whom everything is granted.
        """
        if patient is None and collection is None:
            with self._everything("ingest", "ingest"):
                return self._book.ingest(*paths, progress=progress)
        with self._let("ingest", "ingest", patient, collection):
            return self._book.ingest(*paths, patient=patient, collection=collection, progress=progress)

    def delete(self, *, patient: str | None = None, collection: str | None = None) -> int:
        """As `Book.delete`; grants of what was deleted go too."""
        with self._let("delete", "admin", patient, collection):
            return self._book.delete(patient=patient, collection=collection)

    def must_see(
        self, permission: Permission, action: Action, *, patient: str | None = None, collection: str | None = None
    ) -> None:
        """For doors that keep things of their own beside a partition: raises as everything here does."""
        with self._let(action, permission, patient, collection):
            return

    def must_see_everything(self, permission: Permission, action: Action) -> None:
        """The same, for what is about no one partition."""
        with self._everything(action, permission):
            return

    def sees(self, *, patient: str | None = None, collection: str | None = None) -> bool:
        """Whether a partition is granted, for lists of what may be shown."""
        return self._access.allows(self.visitor, _scope(patient, collection))

    def _granted(self, kind: Literal["patient", "collection"]) -> list[PartitionSummary]:
        try:
            self._access.check(self.visitor)
            self._must_be_permitted("read")
        except ChartciteError as error:
            self._refused("documents", None, "", error)
            raise
        found = self._book.patients() if kind == "patient" else self._book.collections()
        allowed = set(self._access.allowed(self.visitor, [p.scope for p in found]))
        return [p for p in found if p.scope in allowed]

    @contextmanager
    def _let(
        self, action: Action, permission: Permission, patient: str | None, collection: str | None, asked: str = ""
    ) -> Iterator[None]:
        scope: Scope | None = None
        try:
            scope = _scope(patient, collection)
            self._access.check(self.visitor)
            if not self._access.allows(self.visitor, scope):
                raise _unknown(scope)
            self._must_be_permitted(permission)
        except ChartciteError as error:
            self._refused(action, scope, asked, error)
            raise
        try:
            yield
        except UnknownPartition:
            raise _unknown(scope) from None  # word for word the same as of one that is not granted

    @contextmanager
    def _everything(self, action: Action, permission: Permission) -> Iterator[None]:
        try:
            self._access.check(self.visitor)
            self._must_be_permitted(permission)
            if not self._access.sees_everything(self.visitor):
                raise NotPermitted("This is about all of the store.", "It needs a grant of everything.")
        except ChartciteError as error:
            self._refused(action, None, "", error)
            raise
        yield

    def _must_be_permitted(self, permission: Permission) -> None:
        if permission not in self.visitor.permissions:
            raise NotPermitted(f"The token was not made for this ({permission}).", "Ask the operator for another one.")

    def _refused(self, action: Action, scope: Scope | None, asked: str, error: ChartciteError) -> None:
        if self._book.witness:
            self._book.witness.record(Event(action, "refused", scope, asked, reason=error.kind))


def _scope(patient: str | None, collection: str | None) -> Scope:
    if (patient is None) == (collection is None):
        raise UsageError("One patient or one collection must be named.", "Name one of them.")
    return Scope.collection(str(collection)) if patient is None else Scope.patient(patient)


def _named(stored: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Patient and collection that a stored answer names; neither where it names none, which is refused."""
    scope = stored.get("scope") if isinstance(stored, Mapping) else None
    found = scope if isinstance(scope, dict) and len(scope) == 1 else {}
    patient, collection = found.get("patient"), found.get("collection")
    return (patient if isinstance(patient, str) else None, collection if isinstance(collection, str) else None)


def _unknown(scope: Scope) -> UnknownPartition:
    return UnknownPartition(f"There is no such {scope.kind} here.", "Choose one of those that are listed.")
