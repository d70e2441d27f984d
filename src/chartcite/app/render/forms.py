"""A choice among options and a span, for people: what was chosen, what the record says of each option, and where."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from chartcite.app.render.answer import NOTICE, cautions, scope_line, searched_sentence, source_line
from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.core.answer import VerdictWord
from chartcite.core.choice import Choice, ChoiceReason, OptionVerdict
from chartcite.core.spans import SpanAnswer

_NONE: dict[ChoiceReason, str] = {
    "no_option_borne_out": "No option is borne out.",
    "several_borne_out": "More than one option is borne out, and none better than the others.",
    "time_not_resolved": "Several values are on record, and nothing here dates the event that the question names.",
    "empty_record": "There is nothing to answer from.",
}
_SAID: dict[VerdictWord, tuple[str, str]] = {
    "supported": ("borne out", "green"), "contradicted": ("contradicted", "red"), "unsupported": ("open", "dim"),
}  # fmt: skip
_HOW = {
    "by_exclusion": "No sentence states this: all other options are borne out.",
    "by_absence": "No sentence states this: no other option is borne out.",
}


def choice_lines(choice: Choice, paper: Paper) -> Iterator[Text]:
    """The page of a multiple choice."""
    yield from _head(choice, paper)
    chosen = choice.answer
    if chosen is not None:
        yield from paper.hanging("", Text(f"{chosen.option.letter}: {one_line(chosen.option.text)}", "bold"), indent=2)
        if choice.how in _HOW:
            yield from paper.hanging("", Text(paper.words(_HOW[choice.how]), "yellow"), indent=2)
    elif choice.reason:
        yield from paper.hanging("", Text(paper.words(_NONE[choice.reason]), "yellow"), indent=2)
    yield Text()
    for verdict in choice.options:
        yield from _option(verdict, paper)
    yield Text()
    yield from _foot(choice, paper)


def _option(verdict: OptionVerdict, paper: Paper) -> Iterator[Text]:
    word, style = _SAID[verdict.verdict]
    mark = Text(f" {paper.glyphs.dot} {paper.words(word)}", style) if verdict.statement else Text()
    yield from paper.hanging(f"{verdict.option.letter}: ", Text(one_line(verdict.option.text)) + mark, indent=2)
    if verdict.citations and verdict.why:
        yield from paper.hanging("", Text(paper.words.told(verdict.why), "dim"), indent=5)
    for citation in verdict.citations[:1]:
        yield from paper.hanging("", Text(one_line(citation.quote)), indent=5)
        yield from paper.hanging("", Text(source_line(citation, paper), "dim"), indent=5)


def span_lines(found: SpanAnswer, paper: Paper) -> Iterator[Text]:
    """The page of a span: the part, its sentence, and its place."""
    yield from _head(found, paper)
    if found.text is None or found.citation is None:
        yield from paper.hanging("", Text(paper.words("No span answers this."), "yellow"), indent=2)
    else:
        yield from paper.hanging("", Text(one_line(found.text), "bold"), indent=2)
        yield Text()
        yield from paper.hanging("", Text(one_line(found.citation.quote)), indent=2)
        place = f"{source_line(found.citation, paper)} {paper.glyphs.dot} {found.start}-{found.end}"
        yield from paper.hanging("", Text(place, "dim"), indent=2)
    yield Text()
    yield from _foot(found, paper)


def _head(found: Choice | SpanAnswer, paper: Paper) -> Iterator[Text]:
    yield from paper.hanging("", Text(one_line(found.question), "bold"))
    yield from paper.hanging("", Text(scope_line(found, paper), "dim"))
    yield Text()


def _foot(found: Choice | SpanAnswer, paper: Paper) -> Iterator[Text]:
    for caution in cautions(found, paper.words):
        yield from paper.hanging("", Text(caution, "yellow"))
    yield from paper.hanging("", Text(searched_sentence(found.searched, paper.words)))
    yield from paper.hanging("", Text(paper.words(NOTICE), "dim"))
