"""What the text and facts rooms see in a document, as JSON rows and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.core.documents import Document, Sentence
from chartcite.facts.assertions import Assertions, Cue, read_assertions
from chartcite.facts.quantities import Quantity, find_quantities
from chartcite.facts.sides import Side, find_sides
from chartcite.facts.tokens import Token, expand, tokenise
from chartcite.text.sentences import split_sentences

_BLANK = "\0"


def sentences_of(document: Document) -> dict[str, Any]:
    """Spans in code points of the document's text, kind and section of every sentence."""
    return {
        "schema": "chartcite.sentences/1",
        "doc_id": document.doc_id,
        "chars": len(document.text),
        "sentences": [_row(document, s) for s in split_sentences(document.text)],
    }


def sentence_lines(document: Document, paper: Paper) -> Iterator[Text]:
    """One sentence after the other with its span, under its section."""
    yield from paper.hanging("", Text(one_line(document.doc_id), "bold"))
    section: tuple[str, ...] = ()
    for s in split_sentences(document.text):
        if s.section != section:
            section = s.section
            yield from paper.hanging("", Text(" > ".join(map(one_line, section)) or "(no section)", "cyan"), indent=2)
        head = f"{s.n:>5} [{s.start}, {s.end}) {'' if s.kind == 'sentence' else s.kind + ' '}"
        yield from paper.hanging(Text(head, "dim"), Text(one_line(document.text[s.start : s.end])))


def facts_of(document: Document) -> dict[str, Any]:
    """Every sentence with its quantities, assertions and sides; all spans are of the document's text."""
    return {
        "schema": "chartcite.facts/1",
        "doc_id": document.doc_id,
        "chars": len(document.text),
        "sentences": [
            {**_row(document, s), **sentence_facts(document.text, s.start, s.end)}
            for s in split_sentences(document.text)
        ],
    }


def fact_lines(document: Document, paper: Paper) -> Iterator[Text]:
    """The sentences that hold facts, and the facts below each."""
    yield from paper.hanging("", Text(one_line(document.doc_id), "bold"))
    for s in split_sentences(document.text):
        facts = sentence_facts(document.text, s.start, s.end)
        if not any(facts.values()):
            continue
        text = one_line(document.text[s.start : s.end])
        yield from paper.hanging(Text(f"{s.n:>5} ", "dim"), Text(text))
        for kind, said in _said(facts):
            yield from paper.hanging(Text(f"{kind:<10} ", "cyan"), Text(one_line(said)), indent=8)


def sentence_facts(text: str, start: int, end: int) -> dict[str, list[dict[str, Any]]]:
    """Quantities, assertions and sides of `text[start:end]`."""
    piece = text[start:end]
    quantities = find_quantities(piece)
    tokens = _without(expand(tokenise(piece)), quantities)
    assertions = read_assertions(tokens)
    return {
        "quantities": [_quantity(q, piece, start) for q in quantities],
        "assertions": list(_assertions(assertions, tokens, piece, start)),
        "sides": [_side(s, tokens, piece, start) for s in find_sides(tokens, piece)],
    }


def _row(document: Document, s: Sentence) -> dict[str, Any]:
    return {
        "n": s.n, "start": s.start, "end": s.end, "kind": s.kind, "section": list(s.section),
        "text": document.text[s.start : s.end],
    }  # fmt: skip


def _without(tokens: Sequence[Token], quantities: Sequence[Quantity]) -> tuple[Token, ...]:
    """A blank token in the place of each quantity, as assertion rules want it."""
    out: list[Token] = []
    for token in tokens:
        span = next((q.span for q in quantities if q.span.start < token.end and token.start < q.span.end), None)
        if span is None:
            out.append(token)
        elif not out or out[-1].text != _BLANK or out[-1].start != span.start:
            out.append(Token(span.start, span.end, _BLANK, False))
    return tuple(out)


def _quantity(q: Quantity, piece: str, at: int) -> dict[str, Any]:
    row = {"start": at + q.span.start, "end": at + q.span.end, "text": piece[q.span.start : q.span.end], "kind": q.kind}
    if q.kind == "date":
        return row | {"date": q.when}
    return row | {
        "low": _number(q.low), "high": _number(q.high), "comparator": q.comparator, "unit": q.unit.name,
    }  # fmt: skip


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _assertions(found: Assertions, tokens: Sequence[Token], piece: str, at: int) -> Iterator[dict[str, Any]]:
    for cue, scope in zip(found.cues, found.scopes, strict=True):
        if cue.kind == "end":
            continue
        start, end = _extent(tokens, range(cue.first, cue.last))
        yield {
            "kind": cue.kind, "start": at + start, "end": at + end, "cue": piece[start:end],
            "scope": [_part(tokens, run, piece, at) for run in _runs(_said_of(scope, cue, tokens))],
        }  # fmt: skip


def _said_of(scope: Sequence[int], cue: Cue, tokens: Sequence[Token]) -> list[int]:
    """The words and quantities in a cue's scope: neither its own words nor marks."""
    return [i for i in scope if not cue.first <= i < cue.last and not tokens[i].is_mark]


def _runs(indexes: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for i in sorted(indexes):
        if run and i != run[-1] + 1:
            yield run
            run = []
        run.append(i)
    if run:
        yield run


def _part(tokens: Sequence[Token], indexes: Sequence[int], piece: str, at: int) -> dict[str, Any]:
    start, end = _extent(tokens, indexes)
    return {"start": at + start, "end": at + end, "text": piece[start:end]}


def _extent(tokens: Sequence[Token], indexes: Sequence[int]) -> tuple[int, int]:
    return min(tokens[i].start for i in indexes), max(tokens[i].end for i in indexes)


def _side(side: Side, tokens: Sequence[Token], piece: str, at: int) -> dict[str, Any]:
    word = tokens[side.at]
    row: dict[str, Any] = {
        "side": side.name, "start": at + word.start, "end": at + word.end, "text": piece[word.start : word.end],
    }  # fmt: skip
    indexes = range(side.first, side.last)
    return row | {"of": _part(tokens, indexes, piece, at) if indexes else None}


def _said(facts: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, str]]:
    for q in facts["quantities"]:
        yield q["kind"], q["text"] if q["kind"] == "date" else f"{q['text']}  =  {_amount(q)}"
    for a in facts["assertions"]:
        yield a["kind"], f"{a['cue']}: {', '.join(part['text'] for part in a['scope']) or '(nothing in its scope)'}"
    for side in facts["sides"]:
        yield side["side"], side["of"]["text"] if side["of"] else ""


def _amount(q: dict[str, Any]) -> str:
    low, high = f"{q['low']:g}", f"{q['high']:g}"
    value = low if low == high else f"{low}/{high}" if q["kind"] == "pressure" else f"{low} to {high}"
    unit = {"frequency": "a day", "count": "times"}.get(q["kind"], q["unit"])
    return f"{q['comparator']}{value} {unit}".strip()
