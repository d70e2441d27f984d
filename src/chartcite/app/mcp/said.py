"""Results in words, for a reader that is a model: whatever comes from a record stands on lines that begin with `> `.

A quotation is one line, so that nothing in it can look like a line of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chartcite.app.render.answer import NOTICE, abstained_sentence, cautions, searched_sentence
from chartcite.app.render.layout import Paper, plain
from chartcite.app.render.safe import one_line
from chartcite.app.render.timeline import timeline_lines
from chartcite.app.words import Words
from chartcite.core.answer import identity

if TYPE_CHECKING:
    from chartcite.core.answer import Answer
    from chartcite.core.errors import ChartciteError
    from chartcite.core.stored import PartitionSummary
    from chartcite.library.found import FoundPassage
    from chartcite.records.timeline import Timeline
    from chartcite.verification.answers import Recheck

_WIDE = 10_000


def said_answer(found: Answer) -> str:
    """Sentences with numbers, each with its verdict, then the numbered quotations; or why there is no answer."""
    words = Words("pt" if found.lang == "pt" else "en")
    lines = list[str]()
    if found.abstained:
        lines.append(f"ABSTAINED: {one_line(abstained_sentence(found, words))}")
    numbers = {identity(c): n for n, c in enumerate(found.citations, start=1)}
    for sentence in found.sentences:
        marks = "".join(f"[{n}]" for n in dict.fromkeys(numbers[identity(c)] for c in sentence.citations))
        lines.append(f"> {one_line(sentence.text)} {marks} ({sentence.verdict})")
    for citation in found.citations:
        day = citation.time or "undated"
        where = f"{one_line(citation.title or citation.doc_id)}, {one_line(str(day))}"
        lines += ["", f"[{numbers[identity(citation)]}]", f"> {where}:", f"> {one_line(citation.quote)}"]
    if found.conflicts:
        lines += ["", f"{words('May disagree')}: {len(found.conflicts)}"]
    lines += ["", *(f"! {one_line(caution)}" for caution in cautions(found, words))]
    return "\n".join([*lines, searched_sentence(found.searched, words), words(NOTICE)])


def said_passages(found: Sequence[FoundPassage]) -> str:
    """Ranked passages."""
    lines = list[str]()
    for one in found:
        lines += [f"{one.rank}.", f"> {one_line(one.title)}, {one.time or 'undated'}:", f"> {one_line(one.text)}"]
    return "\n".join(lines) or "Nothing was found."


def said_timeline(found: Timeline) -> str:
    """The table of the terminal, each of its lines as a quotation."""
    return "\n".join(f"> {line}" for line in plain(timeline_lines(found, Paper(_WIDE))).splitlines())


def said_checks(checks: Sequence[Recheck]) -> str:
    """Whether each sentence of a stored answer still holds."""
    told = [(check.number, check.holds, check.to_dict()["reason"]) for check in checks]
    return "\n".join(f"{n}. {'holds' if holds else f'does not hold: {reason}'}" for n, holds, reason in told)


def said_partitions(found: Sequence[PartitionSummary]) -> str:
    """Names with what there is."""
    rows = [f"> {p.scope.kind} {one_line(p.scope.name)}: {p.documents} documents, {p.first} to {p.last}" for p in found]
    return "\n".join(rows) or "Nothing is granted here."


def said_error(error: ChartciteError) -> str:
    """An error by its name, with what to do."""
    return f"{error.kind}: {error} {error.advice}".strip()
