"""Answers by chartcite: `ask`, `choose` or `span`, verified and cited, by rules or with the settings' writer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chartcite.core.answer import Answer, Citation
from chartcite.core.choice import Choice
from chartcite.core.errors import UsageError
from chartcite.core.spans import SpanAnswer
from chartcite.lab.cases import Case
from chartcite.lab.experiment.stage import Context
from chartcite.lab.experiment.tables import Cited
from chartcite.lab.studies.long_context.located import Slice, touched_slices
from chartcite.lab.studies.long_context.tables import AnsweredRow, System
from chartcite.library.book import Book


def by_cascade(ctx: Context, system: System, book: Book, case: Case, shown: Sequence[Slice]) -> AnsweredRow:
    """Answer one case.

    Args:
        ctx: the run.
        system: who, in which form and setting.
        book: narrowed to the setting's notes.
        case: the question.
        shown: the strategy's context, to count what the answer took from elsewhere.
    """
    where: dict[str, Any] = {**ctx.scope_of(case), "as_of": case.as_of or None}
    try:
        match system.form:
            case "choice":
                return _chosen(system, case, book.choose(case.question, case.choices, **where))
            case "span":
                return _cut(system, case, book.span(case.question, **where))
            case _:
                answer = book.ask(case.question, narrative=case.narrative, **where)
                return _said(system, case, answer, shown)
    except UsageError as error:
        return none(system, case, f"{error.kind}: {error}")


def none(system: System, case: Case, reason: str) -> AnsweredRow:
    """The row of a case without an answer."""
    return AnsweredRow(*system, case.id, "", "", True, reason)


def _said(system: System, case: Case, answer: Answer, shown: Sequence[Slice]) -> AnsweredRow:
    places = [Slice(e.doc_id, e.start, e.end) for e in answer.evidence]
    return AnsweredRow(
        *system, case.id, " ".join(s.text for s in answer.sentences), "", answer.abstained, answer.reason or "",
        calls=answer.llm_calls, fallbacks=_names(answer.fallbacks), citations=_cited(answer.citations),
        evidence=len(places), outside=len(places) - touched_slices(places, shown),
    )  # fmt: skip


def _chosen(system: System, case: Case, choice: Choice) -> AnsweredRow:
    right = choice.answer
    return AnsweredRow(
        *system, case.id, right.option.text if right else "", choice.chosen or "", choice.abstained,
        choice.reason or "", calls=choice.llm_calls, fallbacks=_names(choice.fallbacks),
        citations=_cited(right.citations if right else ()),
    )  # fmt: skip


def _cut(system: System, case: Case, span: SpanAnswer) -> AnsweredRow:
    own = [span.citation] if span.citation else []
    return AnsweredRow(
        *system, case.id, span.text or "", "", span.is_impossible, span.reason or "", calls=span.llm_calls,
        fallbacks=_names(span.fallbacks), citations=_cited(own),
    )  # fmt: skip


def _cited(citations: Iterable[Citation]) -> tuple[Cited, ...]:
    return tuple(Cited(c.doc_id, c.start, c.end, c.quote, c.section, (c.time or "")[:10]) for c in citations)


def _names(fallbacks: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{f['name']}: {f.get('count', 1)}" for f in fallbacks)
