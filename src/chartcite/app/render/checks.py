"""Results of checks, for people: a claim a line, a stored answer sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.app.words import Words

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
    words, verdict = paper.words, paper.words(result["verdict"])
    said = verdict if result["id"] is None else f"{one_line(str(result['id']))}: {verdict}"
    if not result["verified"]:
        said += f" ({one_line(words.told(str(result['reason'])))})"
    if result["unknown_citations"]:
        dropped = words.plural(len(result["unknown_citations"]), "citation")
        said += words("; {citations} of unknown sources dropped", citations=dropped)
    yield from paper.hanging(mark, Text(said))


def recheck_lines(checks: Sequence[Recheck], quality: Mapping[str, Any], paper: Paper) -> Iterator[Text]:
    """A stored answer: each sentence and what became of its citations, and how well the whole is cited."""
    if not checks:
        yield Text(paper.words("The stored answer has no sentences: there is nothing to check."))
        return
    for check in checks:
        yield from paper.hanging(_mark(check.holds, paper), Text(one_line(check.text)))
        for number, problem in check.citations:
            what = paper.words(_PROBLEMS.get(problem, problem))
            said = paper.words("citation {number}: {what}", number=number, what=what)
            yield from paper.hanging("", Text(said, "red"), indent=4)
        if check.checked is None or not check.checked.verified:
            why = paper.words.told(check.checked.reason) if check.checked else paper.words("it cites nothing")
            said = paper.words("the quotes do not carry it: {why}", why=one_line(why))
            yield from paper.hanging("", Text(said, "red"), indent=4)
    failed = sum(not check.holds for check in checks)
    yield Text()
    yield Text(_verdict(failed, len(checks), paper.words), "bold red" if failed else "bold")
    yield from paper.hanging("", Text(_cited(quality, paper.words), "dim"))


def _cited(quality: Mapping[str, Any], words: Words) -> str:
    strict, omitted = quality["citation"]["strict"], quality["citation"]["omitted"]
    said = words(
        "Carried by what they cite: {carried} of the sentences; needed: {needed} of {citations}.",
        carried=_percent(strict["recall"]), needed=_percent(strict["precision"]),
        citations=words.plural(strict["citations"], "citation"),
    )  # fmt: skip
    if omitted:
        said += " " + words(
            "Strong evidence that the answer does not use: {sentences} (--json names them).",
            sentences=words.plural(len(omitted), "sentence"),
        )
    return said


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _verdict(failed: int, total: int, words: Words) -> str:
    if failed:
        text = "{failed} of {sentences} no longer holds." if failed == 1 else "{failed} of {sentences} no longer hold."
        return words(text, failed=words.number(failed), sentences=words.plural(total, "sentence"))
    if total == 1:
        return words("The sentence still holds.")
    return words("All {total} sentences still hold.", total=words.number(total))


def _mark(good: bool, paper: Paper) -> Text:
    glyph, style = (paper.glyphs.good, "green") if good else (paper.glyphs.bad, "red")
    return Text(f"{glyph} ", style)
