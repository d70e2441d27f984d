"""Whether a word of a claim and the word that stands for it are asserted alike, and which differences count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from chartcite.facts.assertions import Status
from chartcite.facts.cues import Cue
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.evidence import Evidence
from chartcite.verification.kin import are_alike
from chartcite.verification.matching import Matched
from chartcite.verification.reversals import governs, is_ended, reversing_words
from chartcite.verification.rivals import is_last_time
from chartcite.verification.tenses import has_verb_beside, past_tokens
from chartcite.verification.verdicts import VetoKind

Clash = tuple[VetoKind, str]


def clash(claimed: Status, stated: Status, claim_is_past: bool) -> Clash | None:
    """How two statuses of one word disagree; None when a source that says one may be cited for the other."""
    if claimed.is_family != stated.is_family:
        return "experiencer", "the source says it of another person"
    are_denied = claimed.polarity == stated.polarity == "negated"
    # "Considered but never given" is not given.
    if claimed.is_hypothetical != stated.is_hypothetical and not (are_denied and stated.is_hypothetical):
        return "certainty", "one of the two speaks of something planned, feared or conditional"
    if "neutral" in (claimed.polarity, stated.polarity) and "doubtful" not in (claimed.polarity, stated.polarity):
        return None
    # What one has never had one does not have now.
    return _clash_of_polarity(claimed, stated) or _clash_of_time(claimed, stated, claim_is_past or are_denied)


def _clash_of_polarity(claimed: Status, stated: Status) -> Clash | None:
    if "doubtful" in (claimed.polarity, stated.polarity):
        return "negation", "it is unclear whether this is denied"
    if claimed.polarity != stated.polarity:
        return "negation", "the source denies it" if stated.polarity == "negated" else "the source does not deny it"
    return None


def _clash_of_time(claimed: Status, stated: Status, may_be_past: bool) -> Clash | None:
    if claimed.is_possible != stated.is_possible:
        return "certainty", "one of the two is certain, the other is not"
    if claimed.is_historical and not stated.is_historical:
        return "history", "the source does not say that it is past"
    if stated.is_historical and not claimed.is_historical and not may_be_past:
        return "history", "the source speaks of the past"
    return None


_FLAGS = ("is_possible", "is_historical", "is_hypothetical")
# "No longer takes": what is denied was there before.
_NO_LONGER = word_set("longer currently on any more now anymore of from off")
_SINCE = word_set("since anymore")
_OLD = word_set("old chronic remote longstanding long-standing previous")


_NEEDED = word_set("needed required needs requires requiring needing")
_MUST = word_set("should must may shall can cannot to never allowed advised told")
_WITHHELD = word_set(
    "deferred canceled cancelled postponed aborted skipped omitted avoided withheld missed refused declined forwent"
)
_FORBIDS = word_set("avoid avoids avoided avoiding contraindicated against hold stop discontinue")
_ALLERGIES = word_set("allergies allergy adverse reactions adrs adr intolerances")


_WHICH_ONE = word_set("late older younger elder eldest oldest youngest maternal paternal own")
_TIMES = word_set(
    "overnight today yesterday tonight tomorrow previously before again yet either anymore currently daily now"
)


class Agreement:
    """Compares the statuses of one claim with those of its evidence."""

    def __init__(self, matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> None:
        self.matched, self.claim, self.evidence = matched, claim, evidence
        self._past = past_tokens(tuple(token.text for token in claim.tokens))
        found = [m for m in matched if m.hits]
        # What both sides say of some of the words: where exactly it ends in a sentence is then no matter of dispute.
        self._shared = tuple(
            flag
            for flag in _FLAGS
            if any(getattr(m.word.status, flag) for m in found)
            and any(getattr(hit.status, flag) for m in found for hit in m.hits)
        )

    def clash(self, item: Matched, hit: Word) -> Clash | None:
        """How a word and one of its hits disagree, when that is worth a veto."""
        claimed = self._unshared(item.word.status)
        stated = self._unshared(hit.status)
        if claimed.is_hypothetical and not stated.is_hypothetical and self._may_be_plan(hit):
            # "Is to be stopped" may be cited from "Stop naproxen.", a plan without a word of planning.
            claimed = replace(claimed, is_hypothetical=False)
        found = clash(claimed, stated, self._past[item.word.at] and not self._is_goal(item.word.at))
        if found is not None and found[0] == "experiencer" and self._names_relative(item.word, hit):
            return None
        if found is None:
            return self._other_relative(item.word, hit)
        return None if self._is_settled(found[0], item, hit) else found

    def _names_relative(self, word: Word, hit: Word) -> bool:
        """The word that names a relative is said of nobody: `the wife told the history`."""
        return (
            word.text in _WHICH_ONE
            or any(c.kind == "family" and c.first <= word.at < c.last for c in self.claim.assertions.cues)
            or any(c.kind == "family" and c.first <= hit.at < c.last for c, _ in self.evidence.cues)
        )

    def _unshared(self, status: Status) -> Status:
        return Status(
            status.polarity,
            status.is_possible and "is_possible" not in self._shared,
            status.is_historical and "is_historical" not in self._shared,
            status.is_family,
            status.is_hypothetical and "is_hypothetical" not in self._shared,
        )

    def _is_goal(self, at: int) -> bool:
        """`Went from etanercept to methotrexate`: what it came to is no thing of the past."""
        texts = [token.text for token in self.claim.tokens[:at]]
        return "from" in texts and "to" in texts[texts.index("from") :]

    def _may_be_plan(self, hit: Word) -> bool:
        """Whether the sentence is not of the past or has a plan beside what is past: `polyps; repeat in 5 years`."""
        number = self.evidence.sentences[hit.at]
        return not self.evidence.is_past[number] or number in self._planned or self._is_order(hit)

    def _is_order(self, hit: Word) -> bool:
        """`X-ray: alignment kept, no gym x 6 wks`, `PICC placed for ertapenem 1 g q24h`: an order without a verb."""
        beside = [m for m in self.evidence.measures if m.segment == hit.segment]
        if any(m.quantity.kind == "frequency" for m in beside) or not _NEEDED.isdisjoint(_beside(hit, self.evidence)):
            return True
        first = self.evidence.sentences.index(self.evidence.sentences[hit.at])
        last = first + self.evidence.sentences.count(self.evidence.sentences[hit.at])
        is_lasting = any(m.quantity.kind == "duration" and m.role == "" for m in beside)
        return is_lasting and not has_verb_beside(self.evidence.texts[first:last], hit.at - first)

    @cached_property
    def _planned(self) -> frozenset[int]:
        plans = (cue for cue, _ in self.evidence.cues if cue.kind == "hypothetical" and not _is_refusal(cue))
        return frozenset(self.evidence.sentences[cue.first] for cue in plans)

    def _is_settled(self, kind: VetoKind, item: Matched, hit: Word) -> bool:
        if kind == "negation":
            return (
                self._is_turned(item.word, hit) or self._is_over(item.word, hit) or self._is_answered(item.word, hit)
                or self._is_forbidden(item.word, hit) or self._is_last_time(item.word, hit)
            )  # fmt: skip
        return kind == "history" and (self._is_dated(item.word, hit) or self._is_listed_reaction(item.word, hit))

    def _is_forbidden(self, word: Word, hit: Word) -> bool:
        """`Should not be given magnesium` from `avoid Mg`, `was not done` from `deferred`."""
        if word.status.polarity != "negated" or hit.status.polarity != "affirmed":
            return False
        if any(w.text in _WITHHELD and governs(w, hit, self.evidence) for w in self.evidence.words):
            return True
        governing = {text for cue in self._governing(word.at, "negation") for text in cue.words.split()}
        ordered = not _MUST.isdisjoint(t.text for t in self.claim.tokens) or not _MUST.isdisjoint(governing)
        return ordered and any(w.text in _FORBIDS and governs(w, hit, self.evidence) for w in self._reversing)

    def _is_last_time(self, word: Word, hit: Word) -> bool:
        """`No heroin for four months` from `last heroin use 4 months ago`."""
        if word.status.polarity != "negated" or not any(m.quantity.kind == "duration" for m in self.claim.measures):
            return False
        number = self.evidence.sentences[hit.at]
        agos = [m for m in self.evidence.measures if m.role == "ago" and self.evidence.sentences[m.at] == number]
        return any(is_last_time(m, self.evidence) for m in agos)

    def _is_listed_reaction(self, word: Word, hit: Word) -> bool:
        """`A history of anaphylaxis` from a list of allergies."""
        headed = {
            text for text, is_header in zip(self.evidence.texts, self.evidence.is_header, strict=True) if is_header
        }
        return word.status.is_historical and not hit.status.is_historical and not _ALLERGIES.isdisjoint(headed)

    @cached_property
    def _reversing(self) -> list[Word]:
        return reversing_words(self.evidence)

    def _governing(self, at: int, kind: str) -> list[Cue]:
        pairs = zip(self.claim.assertions.cues, self.claim.assertions.scopes, strict=True)
        return [cue for cue, scope in pairs if cue.kind == kind and at in scope]

    def _is_over(self, word: Word, hit: Word) -> bool:
        """`No longer has a headache` from `headache resolved`."""
        if word.status.polarity != "negated" or hit.status.polarity != "affirmed":
            return False
        cues = self._governing(word.at, "negation")
        goes_on = not _SINCE.isdisjoint(token.text for token in self.claim.tokens)
        says_before = goes_on or any(cue.words.split()[-1] in _NO_LONGER for cue in cues)
        return says_before and is_ended(hit, self.evidence, self._reversing)

    @cached_property
    def _turned(self) -> dict[int, set[int]]:
        """By token of the claim, the segments of the evidence where the opposite of its denial stands."""
        out: dict[int, set[int]] = {}
        for item in self.matched:
            if not item.is_complement:
                continue
            for cue, scope in zip(self.claim.assertions.cues, self.claim.assertions.scopes, strict=True):
                if cue.kind == "negation" and item.word.at in scope:
                    for at in scope:
                        out.setdefault(at, set()).update(hit.segment for hit in item.hits)
        return out

    def _is_turned(self, word: Word, hit: Word) -> bool:
        """`Not intolerant of gadolinium` is `tolerates gadolinium`: two denials leave the rest affirmed."""
        segments = self._turned.get(word.at, ())
        near = any(abs(hit.segment - segment) <= 1 for segment in segments)
        return hit.status.polarity == "affirmed" and (near or (bool(segments) and self.evidence.is_header[hit.at]))

    @cached_property
    def _answered(self) -> frozenset[int]:
        return frozenset(at for cue, scope in self.evidence.cues if cue.direction == "answer" for at in scope)

    def _is_answered(self, word: Word, hit: Word) -> bool:
        """`Reactions: azithromycin - none` says that azithromycin gave no reaction."""
        if word.status.polarity == "negated":
            return self.evidence.is_header[hit.at] and any(
                h.at in self._answered for m in self.matched if m.word.status.polarity == "affirmed" for h in m.hits
            )
        denied = [m for m in self.matched if m.word.status.polarity == "negated"]
        return hit.at in self._answered and any(self.evidence.is_header[h.at] for m in denied for h in m.hits)

    def _is_dated(self, word: Word, hit: Word) -> bool:
        """Whether the past is said on both sides, but in other words."""
        cues = self._governing(word.at, "historical")
        if word.status.is_historical:
            if cues and all(cue.words == "ago" for cue in cues):
                return True  # the time itself is compared
            return (
                is_ended(hit, self.evidence, self._reversing)
                or _speaks_of_past(hit, self.evidence)
                or (any(cue.words in _OLD for cue in cues) and "chronic" in _beside(hit, self.evidence))
            )
        return not _OLD.isdisjoint(t.text for t in self.claim.tokens) and not _OLD.isdisjoint(
            _beside(hit, self.evidence)
        )

    def _other_relative(self, word: Word, hit: Word) -> Clash | None:
        """`The grandfather had a repair` may not be cited from `father: repair; grandfather: rupture`."""
        if not word.status.is_family or not hit.status.is_family:
            return None
        pairs = zip(self.claim.assertions.cues, self.claim.assertions.scopes, strict=True)
        claimed, stated = _relatives(word.at, pairs), _relatives(hit.at, self.evidence.cues)
        if claimed and stated and not are_alike(claimed, stated):
            return "experiencer", "the source says it of another relative"
        return None

    def _next(self, item: Matched) -> Matched | None:
        """What stands right behind a word in the claim; the words of one phrase share their place."""
        place = next(n for n, other in enumerate(self.matched) if other is item)
        follower = self.matched[place + 1 : place + 2]
        return follower[0] if follower and follower[0].word.at - item.word.at <= 1 else None

    def is_modifier(self, item: Matched) -> bool:
        """Whether a word only describes the next one: `transfusion reaction`, found in `transfused without reaction`.

        Then the status of the described word counts.
        """
        head = self._next(item)
        found = [self.clash(item, hit) for hit in item.hits]
        if item.word.status.polarity != "negated" or any(c is not None and c[0] != "negation" for c in found):
            return False
        if head is None or not head.hits or head.word.segment != item.word.segment or binds(item.word.text):
            return False
        if head.word.status != item.word.status or binds(head.word.text) or head.word.text in _TIMES:
            return False
        good = [hit for hit in head.hits if self.clash(head, hit) is None]
        places = {hit.at for hit in item.hits}
        return bool(good) and not any(hit.at - 1 in places or hit.at in places for hit in good)


def _is_refusal(cue: Cue) -> bool:
    return cue.words.startswith(("refus", "declin"))


def _relatives(at: int, pairs: Iterable[tuple[Cue, tuple[int, ...]]]) -> frozenset[str]:
    return frozenset(
        cue.words for cue, scope in pairs if cue.kind == "family" and (at in scope or cue.first <= at < cue.last)
    )


def _speaks_of_past(hit: Word, evidence: Evidence) -> bool:
    number = evidence.sentences[hit.at]
    first = evidence.sentences.index(number)
    last = first + evidence.sentences[first:].count(number)
    texts = evidence.texts[first:last]
    return bool(_WAS & set(texts)) and past_tokens(texts)[hit.at - first]


_WAS = word_set("was were had underwent took used did s/p teve foi")


def _beside(hit: Word, evidence: Evidence) -> set[str]:
    return {evidence.texts[i] for i in range(len(evidence.texts)) if evidence.segments[i] == hit.segment}
