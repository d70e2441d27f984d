"""`chartcite ask --option ...` and `--form span`: the other forms of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chartcite.app.cli import options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.app.config import Config

_NAMED = re.compile(r"\s*([A-Za-z])\s*=(.*)", re.DOTALL)


def ask_in_form(
    config: Config,
    question: str,
    given: Sequence[str] | None,
    patient: str | None,
    collection: str | None,
    as_of: str | None,
    *,
    is_span: bool,
    json: bool,
) -> bool:
    """Ask, print, and say whether there was no answer."""
    from chartcite.app.render.forms import choice_lines, span_lines  # noqa: PLC0415

    if given and is_span:
        raise UsageError("--option and --form span are two forms of an answer.", "Choose one of them.")
    named, paper = read_given(given or ()), output.paper()
    with options.open_book(config) as book:
        if is_span:
            span = book.span(question, patient=patient, collection=collection, as_of=as_of)
            shown, lines, abstained = span.to_dict(), span_lines(span, paper), span.is_impossible
        else:
            choice = book.choose(question, named, patient=patient, collection=collection, as_of=as_of)
            shown, lines, abstained = choice.to_dict(), choice_lines(choice, paper), choice.abstained
    if json:
        output.print_json(shown)
    else:
        output.print_lines(lines)
    return abstained


def read_given(given: Sequence[str]) -> Sequence[str] | Mapping[str, str]:
    """Options as `A=text`, or all of them as texts, which get letters in their order.

    Raises:
        UsageError: some have a letter and some have none, or a letter comes twice.

    >>> read_given(["b=left", "A=right"]), read_given(["left", "right"])
    ({'B': 'left', 'A': 'right'}, ['left', 'right'])
    """
    found = [_NAMED.fullmatch(one) for one in given]
    if not any(found):
        return list(given)
    if not all(found):
        raise UsageError("Some options have a letter and some have none.", "Give all of them as LETTER=TEXT.")
    pairs = [(match[1].upper(), match[2].strip()) for match in found if match]
    if len({letter for letter, _ in pairs}) < len(pairs):
        raise UsageError("Two options have the same letter.", "Name each option once.")
    return dict(pairs)
