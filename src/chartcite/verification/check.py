"""Checks one claim against the texts it cites: by rules, the same every time, in about a millisecond.

Supported means that everything the claim says is accounted for and nothing speaks against it; a share of common words
never suffices. In doubt the answer is no: a wrong claim that passes is a harm, a true one refused is a nuisance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.verification.analysis import Analysed, analyse
from chartcite.verification.clauses import units
from chartcite.verification.relations import find_relation
from chartcite.verification.sentences import Piece, is_family, pieces
from chartcite.verification.support import Account, account
from chartcite.verification.verbatim import is_quoted
from chartcite.verification.verdicts import CheckedClaim, Source, Verdict

MAX_SENTENCE_CHARS = 4000
"""A longer sentence is no evidence and no claim: reading it costs too much, and cutting it could cut off a negation."""


def check_claim(claim: str, sources: Sequence[Source]) -> CheckedClaim:
    """Say whether the cited sources carry a claim.

    Args:
        claim: one sentence or a few; each must hold.
        sources: what it cites, in the order of the citations.

    Returns:
        The verdict. `best_source` is the source that carries it, or the nearest one.
    """
    if not sources:
        return CheckedClaim("unsupported", False, (), None, "nothing cited")
    if not any(char.isalnum() for char in claim):
        return CheckedClaim("unsupported", False, (), None, "the claim says nothing that can be checked")
    for source in sources:
        if claim.split() == source.text.split() and not is_family(source.section):
            return CheckedClaim("supported", True, (), source.id, "the claim is the cited text, word for word")
    if any(end - start > MAX_SENTENCE_CHARS for start, end, _ in pieces(claim)):
        return CheckedClaim("unsupported", False, (), None, "the claim is too long to be checked")
    read = [(s, [analyse(s.text, *piece) for piece in _readable(s)]) for s in sources]
    parts = [analyse(claim, *piece) for piece in pieces(claim)]
    quoted = next((s.id for s, sentences in read if is_quoted(claim, parts, s.text, sentences)), None)
    if quoted is not None:
        return CheckedClaim("supported", True, (), quoted, "the claim is a part of the cited text, word for word")
    cited = [(source.id, sentence) for source, sentences in read for sentence in sentences]
    accounts = [_best(part, cited) for part in parts]
    return _verdict([a for found in accounts for a in found])


def _readable(source: Source) -> Iterator[Piece]:
    return (piece for piece in pieces(source.text, source.section) if piece.end - piece.start <= MAX_SENTENCE_CHARS)


def _best(part: Analysed, cited: Sequence[tuple[str, Analysed]]) -> list[Account]:
    """The best account of one sentence of the claim: by one source sentence, or clause by clause by several."""
    whole = [account(part, sentence, source_id) for source_id, sentence in cited]
    if not whole:
        return [Account("", 0, tuple(word.text for word in part.content), ())]
    best = max(whole, key=lambda a: a.rank)
    parts = [unit for unit in units(part.tokens, part.layout) if _says_something(part, unit)]
    if best.holds or len(parts) < 2 or len(cited) < 2 or find_relation(part):
        return [best]
    each = [
        max((account(part, sentence, source_id, unit) for source_id, sentence in cited), key=lambda a: a.rank)
        for unit in parts
    ]
    return each if all(a.holds for a in each) else [best]


def _says_something(part: Analysed, segments: frozenset[int]) -> bool:
    has_word = any(word.segment in segments for word in part.content)
    return has_word or any(part.layout.segments[measure.at] in segments for measure in part.measures)


def _verdict(accounts: Sequence[Account]) -> CheckedClaim:
    vetoes = tuple(veto for a in accounts for veto in a.vetoes)
    uncovered = tuple(word for a in accounts for word in a.uncovered)
    covered = sum(a.covered for a in accounts)
    best = max(accounts, key=lambda a: a.covered).source_id or None
    if accounts and all(a.holds for a in accounts):
        return CheckedClaim("supported", True, (), best, "everything the claim says is in the cited text")
    verdict: Verdict = "contradicted" if vetoes and covered >= len(uncovered) else "unsupported"
    if verdict == "contradicted":
        reason = "; ".join(dict.fromkeys(f"{veto.kind}: {veto.why}" for veto in vetoes))
    elif covered == 0:
        reason = "nothing the claim says is in the cited text"
    else:
        count = len(uncovered)
        reason = f"{count} {'word' if count == 1 else 'words'} of the claim not accounted for by the cited text"
    return CheckedClaim(verdict, False, vetoes, best, reason, uncovered)
