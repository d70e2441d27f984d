"""The audit trail for people: what a check found, and the lines as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.tables import columns

if TYPE_CHECKING:
    from chartcite.store.audit_check import AuditCheck

_PROBLEMS = {
    "changed": "Line {n} is not what was written there.",
    "missing": "Lines are missing before line {n}.",
    "cut": "Lines are missing at the end, from line {n} on.",
    "other_trail": "The anchor is that of another trail, or this one was begun anew.",
}


def check_lines(found: AuditCheck, paper: Paper) -> Iterator[Text]:
    """Each fault, or that there is none; and whether anything bears out the end."""
    words = paper.words
    for fault in found.faults:
        yield from paper.hanging("", Text(words(_PROBLEMS[fault.kind], n=words.number(fault.n)), "red"))
    if not found.faults:
        said = words("{lines}, each as it was written.", lines=words.plural(found.lines, "line"))
        yield from paper.hanging("", Text(said, "green"))
    if found.anchored is None:
        said = words("No anchor was found: that lines were cut off at the end would not be seen.")
        yield from paper.hanging("", Text(said, "yellow"))


def report_lines(lines: Sequence[Mapping[str, Any]], paper: Paper) -> Iterator[Text]:
    """When (UTC), who, what, with what outcome, on how many documents, about whom."""
    if not lines:
        yield Text(paper.words("There are no such lines."))
        return
    words = paper.words
    heads = [words(head) for head in ("Line", "When (UTC)", "User", "Action", "Outcome", "Documents", "Subject")]
    rows = [
        (
            str(line["n"]), line["when"][:19].replace("T", " "), line["who"], line["action"], line["outcome"],
            str(len(line["documents"])), line["subject_name"] or line["subject"] or "-",
        )
        for line in lines
    ]  # fmt: skip
    yield from columns(rows, paper, heads, frozenset({0, 5}))
