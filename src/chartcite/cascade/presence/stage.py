"""Presence as a stage: the sentences that answer whether something is in a record, and what the answer is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.presence.asked import Asked, read_question
from chartcite.cascade.presence.forms import Forms, is_name, readings_of
from chartcite.cascade.presence.mentions import Mention, mentions
from chartcite.cascade.presence.patterns import pattern
from chartcite.cascade.presence.verdict import counted, grouped, plainest, shown, status_of
from chartcite.cascade.presence.versions import read_version_question, versions
from chartcite.cascade.presence.wording import LANGUAGES, wording
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.presence import Looked, Presence
from chartcite.facts.bilingual import in_other_language
from chartcite.retrieval.candidates import Bookshelf
from chartcite.retrieval.crosslingual import Crossing
from chartcite.retrieval.probe import Probe

_COMPACT_TERMS = 4
"""A thing of more words may well be worded otherwise in the record."""


class FoundPresence(NamedTuple):
    """What the record says, and the sentences that say it; none of a thing that is not mentioned."""

    presence: Presence
    evidence: list[Evidence]


def presence_of(question: str, asked: Interpretation, probe: Probe, inquiry: Inquiry) -> FoundPresence | None:
    """The answer to a question whether something is in a patient's record; None for any other question.

    `question` as the person put it; of a misspelt one the query is read, whose spelling is mended.
    """
    if inquiry.is_collection or asked.is_open_range:
        return None
    text = asked.query if asked.readings else question
    wanted = read_question(text)
    if wanted is None:
        return _more_than_one(text, asked.lang, probe, inquiry)
    tools = inquiry.tools
    readings = readings_of(
        wanted.thing, tools.readings or (tools.analyse,), is_test=wanted.about == "test", lang=wanted.lang,
        named=_named(tools.across),
    )  # fmt: skip
    forms = [one.forms for one in readings if one.forms.patterns]
    if not forms:
        return None
    every = mentions(readings, wanted.about, probe, inquiry)
    found = [m for m in every if m.is_of(wanted.period)]
    if not every and not (_is_known(wanted.thing, tools.across) and all(_is_sure(wanted, f, probe) for f in forms)):
        return None
    by = grouped(found)
    status = status_of(by, wanted.about, wanted.period, is_now=wanted.is_now)
    chosen = shown(by, status, wanted.about, is_now=wanted.is_now)
    presence = Presence(
        thing=wanted.thing, about=wanted.about, status=status, looked=_looked(forms, inquiry), day=wanted.period,
        said=counted(by), whose=_whose(by.get("family", ())),
        nearest=_nearest(forms, probe) if not every else (), other_days=len(every) - len(found),
        by_kind=bool(chosen) and all(m.is_kind for m in chosen), lang=asked.lang,
    )  # fmt: skip
    presence = replace(presence, wordings={lang: wording(presence, lang) for lang in LANGUAGES})
    return FoundPresence(presence, [_evidence(m, found, inquiry.shelf) for m in chosen])


def _more_than_one(question: str, lang: str, probe: Probe, inquiry: Inquiry) -> FoundPresence | None:
    """The versions of a value that does not change, where the record has more than one."""
    wanted = read_version_question(question)
    if wanted is None:
        return None
    about, thing = wanted
    tools = inquiry.tools
    readings = readings_of(thing, tools.readings or (tools.analyse,), lang=lang, named=_named(tools.across))
    found = mentions(readings, "allergy" if about == "reaction" else "thing", probe, inquiry)
    several = versions(found, about)
    if len(several) < 2:
        return None
    presence = Presence(
        thing=thing, about=about, status="conflicting", looked=_looked([r.forms for r in readings], inquiry),
        said=counted({one.value: one.mentions for one in several}), lang=lang,
    )  # fmt: skip
    presence = replace(presence, wordings={own: wording(presence, own) for own in LANGUAGES})
    chosen = [plainest(one.mentions) for one in several]
    return FoundPresence(presence, [_evidence(m, found, inquiry.shelf) for m in chosen])


def _named(across: Crossing | None) -> Callable[[str], Sequence[str]]:
    """What a whole phrase is called in the other language; of one that is said in pieces nothing."""

    def names(phrase: str) -> Sequence[str]:
        said = in_other_language(phrase, across.to) if across else []
        return said[0].names if len(said) == 1 else ()

    return names


def _is_known(thing: str, across: Crossing | None) -> bool:
    """Whether a thing has a name as a whole in the language of the record; word by word it may be called otherwise.

    Drugs, tests and names in capitals are the same in both.
    """
    if across is None or across.is_beside:
        return True
    said = in_other_language(thing, across.to)
    is_listed = len(said) == 1 and bool(said[0].names)
    return is_listed or all(one.text.isupper() or is_name(one.text) for one in said)


def _is_sure(wanted: Asked, forms: Forms, probe: Probe) -> bool:
    """Whether finding no form means that the thing is not there: it is listed, short, or a word of it is nowhere."""
    terms = {term for slot in forms.patterns[-1] for form in slot[:1] for term in form.terms}
    is_short = len(terms) <= _COMPACT_TERMS and len(wanted.thing.split()) <= _COMPACT_TERMS + 1
    return is_short or forms.is_listed or any(not probe.has_akin(term) for term in terms)


def _nearest(forms: Sequence[Forms], probe: Probe) -> tuple[str, ...]:
    """Of a thing of several words, those that the record has, each in some form."""
    found = [
        slot[0].text
        for slots in (one.patterns[-1] for one in forms if len(one.patterns[-1]) > 1)
        for slot in slots
        if any(all(map(probe.has_akin, form.terms)) for form in slot if not form.beside)
    ]
    return tuple(dict.fromkeys(found))


def _looked(forms: Sequence[Forms], inquiry: Inquiry) -> Looked:
    index = inquiry.index
    documents = index.documents
    dated = [d.time.date for d in documents if d.time]
    types = Counter(d.note_type for d in documents)
    with_text = {key for passage in range(index.size) for key, _, _ in index.places(passage)}
    return Looked(
        forms=tuple(dict.fromkeys(text for one in forms for text in one.texts)),
        kinds=tuple(dict.fromkeys(kind.text for one in forms for kind in one.kinds)),
        types=dict(sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))),
        first=dated[0] if dated else None, last=dated[-1] if dated else None, undated=len(documents) - len(dated),
        empty=sum(d.key not in with_text for d in documents),
    )  # fmt: skip


def _whose(found: Sequence[Mention]) -> tuple[str, ...]:
    """The relatives that the sentences name."""
    return tuple(
        dict.fromkeys(" ".join(kin[0].lower().split()) for m in found if (kin := pattern("kin").search(m.quote)))
    )


def _evidence(mention: Mention, found: Sequence[Mention], shelf: Bookshelf) -> Evidence:
    folded = " ".join(mention.quote.split()).casefold()
    same = {m.key for m in found if " ".join(m.quote.split()).casefold() == folded}
    return Evidence(
        key=mention.key, doc_id=shelf.document(mention.key).doc_id, sentence=mention.sentence.n, start=mention.start,
        end=mention.end, quote=mention.quote, sort_key=mention.sort_key, relevance=5, probability=1.0, kept="presence",
        section=mention.sentence.section, same_text=len(same) - 1, is_item=mention.sentence.kind == "item",
    )  # fmt: skip
