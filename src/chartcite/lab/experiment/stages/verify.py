"""Stage `verify`: every verifier judges every answer sentence, and every labelled claim that the data set has.

A verifier that cannot work (no endpoint, no gold) leaves rows without a verdict and with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.core.errors import NotConfigured
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.tables import AnswerRow, Cited, ClaimCheckRow, ClaimRow, GoldRow, VerifyRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck, Verifier, find_verifier

_CLAIMS = "claims of the data set"


class VerifyStage(Stage):
    """See the module."""

    name = "verify"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": VerifyRow, "claims": ClaimCheckRow}

    def units(self, ctx: Context) -> list[Key]:
        """Verifier by strategy, then verifier on the claims."""
        names = [s.name for s in ctx.spec.strategies] if ctx.spec.answers else []
        return [(v, where) for v in ctx.spec.verifiers for where in (*names, _CLAIMS)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Judge."""
        answers = [r for r in ctx.rows("answer", AnswerRow) if r.sentence]
        claims = ctx.rows("corpus", ClaimRow, "claims")
        given = _given(ctx, answers, claims)
        for name in dict.fromkeys(key[0] for key in pending):
            verifier, why = _loaded(name, given)
            for key in [k for k in pending if k[0] == name]:
                if key[1] == _CLAIMS:
                    yield Done(key, {"claims": [_claim(name, verifier, why, c) for c in claims]})
                else:
                    own = [r for r in answers if r.strategy == key[1]]
                    yield Done(key, {"": [_sentence(name, verifier, why, r) for r in own]})


def _given(ctx: Context, answers: Sequence[AnswerRow], claims: Sequence[ClaimRow]) -> Given:
    gold: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in ctx.rows("corpus", GoldRow, "gold"):
        gold.setdefault(row.case_id, {})[row.item_id] = row.sentences
    quotes = [c.quote for r in answers for c in r.citations] + [text for c in claims for text in c.sources]
    settings = ctx.spec.strategies[0].settings
    return Given(tuple(dict.fromkeys(quotes)), gold, settings.language, ctx.spec.verifier, settings)


def _loaded(name: str, given: Given) -> tuple[Verifier | None, str]:
    try:
        return find_verifier(name)(given), ""
    except NotConfigured as error:
        return None, f"{error.kind}: {error} {error.advice}".strip()


def _sentence(name: str, verifier: Verifier | None, why: str, row: AnswerRow) -> VerifyRow:
    found = _checked(verifier, why, ToCheck(row.text, row.citations, row.case_id))
    return VerifyRow(row.strategy, row.case_id, row.sentence, name, found.supported, found.supports, found.reason)


def _claim(name: str, verifier: Verifier | None, why: str, row: ClaimRow) -> ClaimCheckRow:
    texts = tuple(Cited("", 0, len(text), text) for text in row.sources)
    found = _checked(verifier, why, ToCheck(row.claim, texts))
    return ClaimCheckRow(name, row.claim_id, row.label, row.cluster, found.supported, found.reason)


def _checked(verifier: Verifier | None, why: str, what: ToCheck) -> Finding:
    if verifier is None:
        return Finding(None, (None,) * len(what.citations), why)
    return verifier.check(what)
