"""Plain words by rules: nothing but what the glossary says is put into a sentence, and nothing is taken out of it.

Several wordings, the plainest first, since a check decides which of them still says the same: `Denies dyspnea
(shortness of breath)` might read as if the bracket were no longer denied, `Denies shortness of breath` does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.cascade.audience.glossary import Found, Language, find_terms


def wordings(text: str, language: Language) -> Iterator[str]:
    """Plain wordings of one sentence, each different from it; none where the glossary has nothing to say."""
    spelt = _put(text, find_terms(text, language, ["say"]), in_brackets=False)
    said = spelt.casefold()
    terms = [t for t in find_terms(spelt, language, ["gloss"]) if t.entry.plain.casefold() not in said]
    known = {" ".join(text.split())}
    for wording in (
        _put(spelt, _first_of_each(terms), in_brackets=True),
        _put(spelt, terms, in_brackets=False),
        spelt,
    ):
        if wording not in known:
            known.add(wording)
            yield wording


def _put(text: str, terms: Sequence[Found], *, in_brackets: bool) -> str:
    parts, at = [], 0
    for term in terms:
        said = text[term.start : term.end]
        plain = _as_written(term.entry.plain, said)
        parts += [text[at : term.start], f"{said} ({term.entry.plain})" if in_brackets else plain]
        at = term.end
    return " ".join("".join([*parts, text[at:]]).split())


def _first_of_each(terms: Sequence[Found]) -> list[Found]:
    """Each explanation once."""
    seen: set[str] = set()
    kept = []
    for term in terms:
        if term.entry.plain not in seen:
            seen.add(term.entry.plain)
            kept.append(term)
    return kept


def _as_written(plain: str, said: str) -> str:
    """With a capital where the word that it replaces begins with one and goes on in small letters."""
    return plain[0].upper() + plain[1:] if said[:1].isupper() and said[1:2].islower() else plain
