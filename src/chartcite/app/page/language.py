"""In which language the page speaks: `?lang=pt`, else what was chosen before (a cookie), else what the browser asks."""

from __future__ import annotations

from chartcite.app.words import LANGUAGES, Language

COOKIE = "chartcite_lang"


def chosen(query: str | None, cookie: str | None, accepted: str | None) -> Language:
    """The first of the three that names a language we have; English for want of one.

    >>> chosen(None, None, "fr-FR, pt-BR;q=0.8, en;q=0.5"), chosen("en", "pt", None), chosen("xx", None, None)
    ('pt', 'en', 'en')
    """
    for asked in (query, cookie):
        known = _known(asked or "")
        if known:
            return known
    return next(filter(None, map(_known, _by_weight(accepted or ""))), "en")


def _known(tag: str) -> Language | None:
    base = tag.strip().casefold().partition("-")[0]
    return next((lang for lang in LANGUAGES if lang == base), None)


def _by_weight(header: str) -> list[str]:
    """Tags of an `Accept-Language` header, most wanted first; ties in their order; what is malformed is last."""
    ranked = []
    for part in header[:1000].split(","):
        tag, _, parameters = part.partition(";")
        _, _, weight = parameters.partition("q=")
        try:
            wanted = float(weight) if weight.strip() else 1.0
        except ValueError:
            wanted = 0.0
        if tag.strip() and wanted > 0:
            ranked.append((wanted, tag))
    return [tag for _, tag in sorted(ranked, key=lambda one: -one[0])]
