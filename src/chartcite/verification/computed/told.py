"""What cited sentences tell in words as having happened on a day: an operation, a diagnosis, any event.

Every word of it must be found in one sentence, said of the patient and of then: not planned, not long past.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.core.documents import Span
from chartcite.facts.dates import covers
from chartcite.records.days import days
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.computed.stated import Cited
from chartcite.verification.evidence import alone
from chartcite.verification.matching import look_up, match_words
from chartcite.verification.verdicts import Source

_ELSEWHEN = re.compile(
    r"\b(?:s/p|status\s+post|history|hx|h/o|previous\w*|prior|remote|ago|since|post-?\s?op\w*|pod|will|plan\w*|schedul\w*|"
    r"pending|consider\w*|recommend\w*|refer\w*|await\w*|tomorrow|next|yesterday|last|if|before|after|until|hist[óo]ria|"
    r"pr[ée]vi[ao]\w*|pregress[ao]|programad[ao]|agendad[ao]|aguard\w*|planej\w*|p[óo]s-?\s?op\w*|ontem|amanh[ãa]|ap[óo]s|antes)\b",
    re.IGNORECASE,
)
"""What puts an event on another day than that of the note that tells it."""


def told_on(span: Span, form: str, claim: Analysed, cited: Cited) -> Iterator[str]:
    """The sources with a sentence that tells, as having happened on a day, what a part of a claim names in words.

    Args:
        span: that part, in the claim's text.
        form: the day (`facts.dates`).
        claim: the sentence.
        cited: all that it cites.
    """
    start, end = span
    words = [word for word in claim.content if start <= word.span.start and word.span.end <= end]
    sides = {side.name for side in claim.sides if side.at in {w.at for w in claim.words if start <= w.span.start < end}}
    by_id = {source.id: source for source in cited.sources}
    for source_id, sentence in cited.sentences if words else ():
        if sides != ({side.name for side in sentence.sides} if sides else set()):
            continue
        matched = match_words(claim, look_up(alone(source_id, sentence)))
        own = [m for m in matched if start <= m.word.span.start and m.word.span.end <= end]
        is_told = bool(own) and all(any(_happened(hit) for hit in m.hits) and not m.is_complement for m in own)
        if is_told and _is_on(form, sentence, by_id[source_id]):
            yield source_id


def _happened(word: Word) -> bool:
    status = word.status
    return status.polarity == "affirmed" and not (
        status.is_possible or status.is_historical or status.is_family or status.is_hypothetical
    )


def _is_on(form: str, sentence: Analysed, source: Source) -> bool:
    """Whether a sentence tells something of a day: the only one that it names, else that of its note."""
    named = [m.quantity.when for m in sentence.measures if m.quantity.kind == "date" and ":" not in m.quantity.when]
    if not named:
        text = sentence.text[slice(*sentence.span)]
        return bool(source.day) and covers(form, source.day) and not _ELSEWHEN.search(text)
    iso = {day.iso for day in days(sentence.text[slice(*sentence.span)], source.day)} | set(named)
    return len(named) == 1 and any(covers(form, one) for one in iso)
