"""Results of checks, for people: a claim a line, a stored answer sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from chartcite.app.render.layout import Paper, plural
from chartcite.app.render.safe import one_line

if TYPE_CHECKING:
    from chartcite.verification.answers import Recheck

_PROBLEMS = {
    "missing": "its document is gone",
    "out of range": "its place is beyond the end of the text",
    "quote differs": "its place says something else now",
    "text changed": "its document has changed",
    "moved": "the quote stands elsewhere in the document",
    "quote gone": "the quote is no longer in the document",
}


def claim_lines(result: Mapping[str, Any], paper: Paper) -> Iterator[Text]:
    """One claim: the mark, its id, the verdict, and why."""
    mark = _mark(result["verdict"] == "supported", paper)
    said = result["verdict"] if result["id"] is None else f"{one_line(str(result['id']))}: {result['verdict']}"
    if not result["verified"]:
        said += f" ({one_line(str(result['reason']))})"
    if result["unknown_citations"]:
        said += f"; {plural(len(result['unknown_citations']), 'citation')} of unknown sources dropped"
    yield from paper.hanging(mark, Text(said))


def recheck_lines(checks: Sequence[Recheck], quality: Mapping[str, Any], paper: Paper) -> Iterator[Text]:
    """A stored answer: each sentence and what became of its citations, and how well the whole is cited."""
    if not checks:
        yield Text("The stored answer has no sentences: there is nothing to check.")
        return
    for check in checks:
        yield from paper.hanging(_mark(check.holds, paper), Text(one_line(check.text)))
        for number, problem in check.citations:
            said = f"citation {number}: {_PROBLEMS.get(problem, problem)}"
            yield from paper.hanging("", Text(said, "red"), indent=4)
        if check.checked is None or not check.checked.verified:
            why = check.checked.reason if check.checked else "it cites nothing"
            yield from paper.hanging("", Text(f"the quotes do not carry it: {one_line(why)}", "red"), indent=4)
    failed = sum(not check.holds for check in checks)
    yield Text()
    yield Text(_verdict(failed, len(checks)), "bold red" if failed else "bold")
    yield from paper.hanging("", Text(_cited(quality), "dim"))


def _cited(quality: Mapping[str, Any]) -> str:
    strict, omitted = quality["citation"]["strict"], quality["citation"]["omitted"]
    said = f"Carried by what they cite: {_percent(strict['recall'])} of the sentences"
    said += f"; needed: {_percent(strict['precision'])} of {plural(strict['citations'], 'citation')}."
    if omitted:
        said += (
            f" Strong evidence that the answer does not use: {plural(len(omitted), 'sentence')} (--json names them)."
        )
    return said


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _verdict(failed: int, total: int) -> str:
    if failed:
        return f"{failed} of {plural(total, 'sentence')} no longer hold{'s' if failed == 1 else ''}."
    return "The sentence still holds." if total == 1 else f"All {total} sentences still hold."


def _mark(good: bool, paper: Paper) -> Text:
    glyph, style = (paper.glyphs.good, "green") if good else (paper.glyphs.bad, "red")
    return Text(f"{glyph} ", style)
