"""Checks one claim against the texts it cites: by rules, the same every time, in about a millisecond.

Supported means that everything the claim says is accounted for and nothing speaks against it; a share of common words
never suffices. In doubt the answer is no: a wrong claim that passes is a harm, a true one refused is a nuisance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chartcite.core.unseen import seen
from chartcite.facts.language import is_portuguese
from chartcite.records.days import DateOrder
from chartcite.verification.analysis import Analysed, analyse
from chartcite.verification.computed.check import with_computed
from chartcite.verification.computed.stated import Cited
from chartcite.verification.evidence import alone, join
from chartcite.verification.kin import says_whose
from chartcite.verification.matching import look_up, match_words
from chartcite.verification.orders import may_bear
from chartcite.verification.present import is_of_now, outdated_vetoes
from chartcite.verification.sentences import Piece, is_family, pieces
from chartcite.verification.support import Account, account
from chartcite.verification.verbatim import is_quoted
from chartcite.verification.verdicts import CheckedClaim, Source, Verdict

MAX_SENTENCE_CHARS = 2000
"""A longer sentence is no evidence and no claim: reading it costs too much, and cutting it could cut off a negation."""


def check_claim(claim: str, sources: Sequence[Source]) -> CheckedClaim:
    """Say whether the cited sources carry a claim.

    Args:
        claim: one sentence or a few; each must hold.
        sources: what it cites; their order changes nothing.

    Returns:
        The verdict. `best_source` is the source that carries it, or the nearest one.
    """
    return examine(claim, sources)[0]


def examine(claim: str, sources: Sequence[Source]) -> tuple[CheckedClaim, tuple[Account, ...]]:
    """The verdict, and how each sentence of the claim was accounted for, if there was anything to account for."""
    claim = seen(claim)
    sources = [_as_seen(source) for source in sources]
    given = sorted(sources, key=lambda source: (source.text, source.section, source.id))
    sources = [source for source in given if may_bear(claim, source.text)]
    if given and not sources:
        return CheckedClaim("unsupported", False, (), None, "the cited text reads like an order to a model"), ()
    early = _without_reading(claim, sources)
    if early is not None:
        return early, ()
    read = [(s, [analyse(s.text, *piece) for piece in _readable(s)]) for s in sources]
    parts = [analyse(claim, *piece) for piece in pieces(claim)]
    quoted = next((s.id for s, sentences in read if is_quoted(claim, parts, s.text, sentences)), None)
    if quoted is not None:
        return CheckedClaim("supported", True, (), quoted, "the claim is a part of the cited text, word for word"), ()
    cited = [(source.id, sentence) for source, sentences in read for sentence in sentences]
    named = {m.quantity.when for part in parts for m in part.measures if m.quantity.kind == "date"}
    order: DateOrder = "day" if any(map(is_portuguese, (claim, *(source.text for source in sources)))) else ""
    stated = Cited(sources, cited, named, order)
    accounts = with_computed([best_account(part, cited) for part in parts], stated)
    return _verdict(accounts), accounts


def _as_seen(source: Source) -> Source:
    """The texts of a source without what a person does not see in them; spans stay."""
    return replace(source, text=seen(source.text), section=tuple(map(seen, source.section)), head=seen(source.head))


def _without_reading(claim: str, sources: Sequence[Source]) -> CheckedClaim | None:
    if not sources:
        return CheckedClaim("unsupported", False, (), None, "nothing cited")
    if not any(char.isalnum() for char in claim):
        return CheckedClaim("unsupported", False, (), None, "the claim says nothing that can be checked")
    for source in sources:
        if claim.split() == source.text.split() and (not is_family(source.section) or _names_relatives(claim)):
            return CheckedClaim("supported", True, (), source.id, "the claim is the cited text, word for word")
        if _is_under_its_header(claim, source):
            reason = "the claim is the cited text under its header, word for word"
            return CheckedClaim("supported", True, (), source.id, reason)
    if any(end - start > MAX_SENTENCE_CHARS for start, end, _ in pieces(claim)):
        return CheckedClaim("unsupported", False, (), None, "the claim is too long to be checked")
    return None


def _is_under_its_header(claim: str, source: Source) -> bool:
    """Whether a claim is the header of relatives above the cited text, and all of that text: `Family history: ...`."""
    said = claim.rstrip().removesuffix(".").split()
    text = source.text.rstrip().removesuffix(".")
    return any(said == f"{header.rstrip(': ')}: {text}".split() for header in source.section if is_family((header,)))


def _names_relatives(claim: str) -> bool:
    """Whether each sentence says itself whom it tells of, so that it means the same without the header above it."""
    return all(says_whose(claim[piece.start : piece.end]) for piece in pieces(claim))


def _readable(source: Source) -> Iterator[Piece]:
    return (piece for piece in pieces(source.text, source.section) if piece.end - piece.start <= MAX_SENTENCE_CHARS)


_TOGETHER = 6
"""How many cited sentences may carry one sentence of a claim together."""


def best_account(part: Analysed, cited: Sequence[tuple[str, Analysed]]) -> Account:
    """The best account of one sentence of the claim: by one cited sentence, else by several together."""
    accounts = [account(part, alone(*sentence)) for sentence in cited]
    best = max(accounts, key=lambda a: a.rank, default=None)
    if best is None:
        return account(part, join(()))
    if best.holds and len(cited) > 1 and is_of_now(part):
        # What one sentence says, another may end.
        return _of_now(best, [cited[n] for n in range(len(cited)) if accounts[n].covered])
    if best.holds or len(cited) == 1:
        return best
    order = sorted(range(len(cited)), key=lambda n: (-accounts[n].covered, n))[:_TOGETHER]
    together = account(part, join([cited[n] for n in sorted(order) if accounts[n].covered]))
    return max(best, together, key=lambda a: a.rank)


def _of_now(best: Account, cited: Sequence[tuple[str, Analysed]]) -> Account:
    evidence = join(cited)
    vetoes = outdated_vetoes(match_words(best.claim, look_up(evidence)), best.claim, evidence)
    return replace(best, evidence=evidence, vetoes=tuple(vetoes)) if vetoes else best


def _verdict(accounts: Sequence[Account]) -> CheckedClaim:
    vetoes = tuple(veto for a in accounts for veto in a.vetoes)
    uncovered = tuple(item.text for a in accounts for item in a.uncovered)
    covered = sum(a.covered for a in accounts)
    best = _source(max(accounts, key=lambda a: a.covered))
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


def _source(found: Account) -> str | None:
    """The source that carries most of it."""
    votes: dict[str, int] = {}
    for item in found.matched:
        for hit in item.hits:
            source_id = found.evidence.places[hit.at].source_id
            votes[source_id] = votes.get(source_id, 0) + 1
    first = found.evidence.parts[0][0] if found.evidence.parts else None
    return max(votes, key=lambda name: votes[name], default=first)
