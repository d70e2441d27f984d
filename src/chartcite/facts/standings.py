"""How the words of a sentence are asserted, as runs: `fever, chills` absent, `colon cancer` the family's.

Turns the statuses that `assertions` gives to tokens into spans, and says which words each cue governs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.assertions import Assertions, Status, read_assertions
from chartcite.facts.cues import Cue, CueKind
from chartcite.facts.lexicon import word_set
from chartcite.facts.line import Line
from chartcite.facts.tokens import QUANTITY, Token, expand

StandingName = Literal["absent", "possible", "historical", "family", "hypothetical", "unclear"]


class Standing(NamedTuple):
    """A run of words that is not plainly affirmed, and how it stands; several may hold at once."""

    span: Span
    names: tuple[StandingName, ...]


class CueScope(NamedTuple):
    """A cue and the runs of words that it governs."""

    cue: Span
    kind: CueKind
    scope: tuple[Span, ...]


def read_standings(line: Line) -> tuple[tuple[Standing, ...], tuple[CueScope, ...]]:
    """Standings and cues of a sentence, in order."""
    tokens = blanked(expand(_in_language(line.tokens)), line)
    found = read_assertions(tokens)
    return tuple(_standings(found, tokens)), tuple(_scopes(found, tokens))


_ENGLISH = word_set(
    "the of and with is was has had have for or to in on at denies evidence reports not patient pt but by from"
)
_PORTUGUESE = word_set(
    "de da do dos das com em na nas para por ao um uma nao foi e os as apos sem ha dor paciente direito direita "
    "esquerdo esquerda joelho peito torax abdome abdomen edema lesao nega refere apresenta exame ombro braco olho "
    "ouvido pe"
)


def _in_language(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """In a Portuguese sentence `no` behind a word is `em + o` (`dor no joelho`), and `mama` is nobody's mother."""
    words = [token.text for token in tokens]
    is_portuguese = sum(w in _PORTUGUESE for w in words) > sum(w in _ENGLISH for w in words)
    if not is_portuguese or not {"no", "mama", "mamas"} & set(words):
        return tuple(tokens)
    return tuple(_portuguese(token, is_behind=n > 0 and not tokens[n - 1].is_mark) for n, token in enumerate(tokens))


def _portuguese(token: Token, *, is_behind: bool) -> Token:
    if token.text in ("no", "nos") and is_behind:
        return token._replace(text="em")
    return token._replace(text="seio") if token.text in ("mama", "mamas") else token


_PAST = (
    "no further",
    "no more",
    "no recurrent",
    "no additional",
    "no longer",
    "sem novos",
    "sem novas",
    "sem mais",
    "nao mais",
    "nenhuma nova",
)


def _is_over(cue: Cue, tokens: Sequence[Token]) -> bool:
    """`No further seizures`: there were some."""
    words = " ".join(token.text for token in tokens[cue.first : cue.last + 1])
    return cue.kind == "negation" and words.startswith(_PAST)


def blanked(tokens: Sequence[Token], line: Line) -> tuple[Token, ...]:
    """The tokens with a blank one in the place of each quantity, as assertion rules want it."""
    out: list[Token] = []
    spans = iter(q.span for q in line.quantities)
    span = next(spans, None)
    for token in tokens:
        while span is not None and span.end <= token.start:
            span = next(spans, None)
        if span is None or span.start >= token.end:
            out.append(token)
        elif not out or out[-1].text != QUANTITY or out[-1].start != span.start:
            out.append(Token(span.start, span.end, QUANTITY, False))
    return tuple(out)


def _names(status: Status) -> tuple[StandingName, ...]:
    said = {
        "absent": status.polarity == "negated", "unclear": status.polarity == "doubtful",
        "possible": status.is_possible, "historical": status.is_historical,
        "family": status.is_family, "hypothetical": status.is_hypothetical,
    }  # fmt: skip
    return tuple(name for name, holds in said.items() if holds)  # type: ignore[misc]


def _standings(found: Assertions, tokens: Sequence[Token]) -> Iterator[Standing]:
    over = {i for cue, scope in zip(found.cues, found.scopes, strict=True) if _is_over(cue, tokens) for i in scope}
    cue_tokens = {i for cue in found.cues for i in range(cue.first, cue.last) if not cue.speaks}
    runs: list[tuple[list[int], tuple[StandingName, ...]]] = []
    last: tuple[StandingName, ...] = ()
    for i, status in enumerate(found.statuses):
        names = () if tokens[i].is_mark or i in cue_tokens or tokens[i].text in _JOINS else _names(status)
        if i in over and names and "historical" not in names:
            names = (*names, "historical")
        if names and names == last:
            runs[-1][0].append(i)
        elif names:
            runs.append(([i], names))
        last = names
    for run, names in runs:
        yield Standing(Span(*_extent(tokens, run)), names)


_JOINS = frozenset(("and", "or", "nor", "e", "ou", "nem"))


def _scopes(found: Assertions, tokens: Sequence[Token]) -> Iterator[CueScope]:
    for cue, scope in zip(found.cues, found.scopes, strict=True):
        if cue.kind != "end":
            runs = _runs(_said_of(scope, cue, tokens))
            cue_span = Span(*_extent(tokens, range(cue.first, cue.last)))
            yield CueScope(cue_span, cue.kind, tuple(Span(*_extent(tokens, run)) for run in runs))


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


def _extent(tokens: Sequence[Token], indexes: Sequence[int]) -> tuple[int, int]:
    return min(tokens[i].start for i in indexes), max(tokens[i].end for i in indexes)
