"""Words that end, refuse or forbid what stands beside them, and how far they reach: `stopped aspirin and naproxen`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from chartcite.facts.lexicon import read_words, word_set
from chartcite.verification.analysis import Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.stems import stem


@lru_cache(maxsize=1)
def _reversing() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words(DATA, "reversing.tsv"))


def is_reversing(text: str) -> bool:
    """Whether a folded word ends, refuses or forbids something."""
    return text in _EXACT or stem(text) in _reversing()


# Only in this form: lungs are clear, but delirium has cleared.
_EXACT = word_set("cleared gone ended off terminated disappeared subsided abated halted extubated")
_ENDS = word_set(
    "stop discontinu ceas off quit resolv clear gone end terminat disappear subsid abat halt wean remov d/c dc "
    "taper finish complet former cancel suspend withdrawn extubat held hold"
)
_DISCHARGE = word_set(
    "on to home with today from instructions summary planning medications meds rx diagnosis diagnoses date"
)


def reversing_words(evidence: Evidence) -> list[Word]:
    """Those of the evidence."""
    words = (w for w in evidence.words if w.is_content or w.text in _EXACT)
    return [
        w
        for w in words
        if (
            is_reversing(w.text)
            and w.status.polarity != "negated"
            and not _is_discharge(w, evidence)
            and not _is_lowered(w, evidence)
        )
        or _is_reaction(w, evidence)
    ]


def _is_lowered(word: Word, evidence: Evidence) -> bool:
    """`FiO2 weaned 0.6 to 0.35`: lowered, not ended."""
    if stem(word.text) not in _LOWERS:
        return False
    beside = [m for m in evidence.measures if 0 < m.at - word.at <= _BESIDE]
    return any(m.role in ("from", "to") for m in beside) or (
        len(beside) > 1 and not evidence.texts[beside[-1].at - 1].isalnum()
    )


_LOWERS = word_set("wean taper")
_BESIDE = 4


_REACTIONS = word_set("anaphylaxis angioedema hives urticaria rash reaction")


def _is_reaction(word: Word, evidence: Evidence) -> bool:
    """`Anaphylaxis to iron dextran`: a thing to which one reacts is one to avoid."""
    after = evidence.texts[word.at + 1] if word.at + 1 < len(evidence.texts) else ""
    return word.text in _REACTIONS and after in ("to", "with", "from") and word.status.polarity == "affirmed"


def _is_discharge(word: Word, evidence: Evidence) -> bool:
    """`D/c on fluticasone`, `DC home`: sent home, not stopped."""
    if word.text not in ("d/c", "dc", "d/c'd", "dc'd"):
        return False
    ahead = evidence.texts[word.at + 1 : word.at + 4]
    if ahead[:1] == ("cardioversion",) or evidence.texts[word.at - 1 : word.at] in (("at",), ("on",), ("upon",)):
        return True  # "DC cardioversion", "started at d/c"
    return ahead[:1] != () and (ahead[0] in _DISCHARGE or (ahead[0] in _DAYS and not _DISCHARGE.isdisjoint(ahead[1:])))


_DAYS = word_set("pod hod dol day hd d")


def ends(word: Word) -> bool:
    """Whether it says that something is over, rather than refused or not borne."""
    return stem(word.text) in _ENDS or word.text in _EXACT


_LINKS = word_set(", and or / & plus e ou")


def governs(word: Word, hit: Word, evidence: Evidence) -> bool:
    """Whether a reversing word is said of another word of the evidence."""
    if evidence.sentences[word.at] != evidence.sentences[hit.at]:
        return False
    if word.segment == hit.segment:
        return not _is_apart(word, hit, evidence)
    return _shares_subject(word, hit, evidence) if word.at > hit.at else _heads_list(word, hit, evidence)


# "Metformin stopped d/t eGFR 24", "diet advanced as nausea subsided".
_CLAUSES = word_set("because due d/t after when as once while despite whereas though although if")
_COMPLETE = word_set("complete completes")
_BY_MEANS = word_set("reversed resolved resolves cleared improved")


def _is_apart(word: Word, hit: Word, evidence: Evidence) -> bool:
    """Whether a new clause, a means or another subject stands between the two."""
    between = evidence.texts[min(word.at, hit.at) + 1 : max(word.at, hit.at)]
    if not _CLAUSES.isdisjoint(between):
        return True
    if hit.at > word.at:
        # "Reversed with vitamin K"; "complete tear" completes nothing.
        return (between[:1] == ("with",) and word.text in _BY_MEANS) or word.text in _COMPLETE
    # "On a gluten-free diet her diarrhea resolved".
    return word.text in _OVER and not _POSSESSIVES.isdisjoint(between)


_OVER = word_set("resolved resolves resolving subsided cleared gone disappeared abated")
_POSSESSIVES = word_set("her his their the")


def _heads_list(word: Word, hit: Word, evidence: Evidence) -> bool:
    between = [evidence.texts[i] for i in range(word.at + 1, hit.at)]
    if between[:1] == [":"] and word.text.isalpha() and _STOPS.isdisjoint(between):
        return True  # "STOP: amiodarone, digoxin"
    # "Stopped aspirin and naproxen": a list goes on over its conjunctions as long as no other verb comes.
    if word.clause != hit.clause or hit.at - word.at >= 6:
        return False
    if any(text in _STOPS for text in between) or not _LINKS & set(between):
        return False
    has_object = not any(w.segment == word.segment and w.at < word.at and w.is_content for w in evidence.words)
    is_list = has_object or "," not in between
    return is_list and not any(binds(w.text) for w in evidence.words if word.at < w.at < hit.at)


_STOPS = word_set("; ( ) because for due after before until when since from but then")


_THEN = word_set("and but then later was subsequently")


def _shares_subject(word: Word, hit: Word, evidence: Evidence) -> bool:
    """`Methadone was tried and stopped`: behind a conjunction the verb has the subject of the one before."""
    if word.segment != hit.segment + 1 or evidence.texts[word.at - 1] not in _THEN:
        return False
    return not any(w.segment == word.segment and w.at < word.at and w.is_content for w in evidence.words)


def is_ended(hit: Word, evidence: Evidence, words: Sequence[Word]) -> bool:
    """Whether one of these reversing words says that what is named here is over."""
    return any(ends(word) and word.at != hit.at and governs(word, hit, evidence) for word in words)
