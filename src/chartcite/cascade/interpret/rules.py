"""Interpretation by rules: a short question is its own query; of a long message the sentence that asks, and its topic.

It adds no word of its own, so it can add no diagnosis; a negation goes with the word that it turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from unicodedata import normalize

from chartcite.cascade.interpret.cues import Cues, load_cues
from chartcite.cascade.interpret.message import read_message
from chartcite.cascade.interpret.spelling import respell
from chartcite.cascade.interpret.vocabulary import Vocabulary
from chartcite.cascade.interpret.weights import SUBJECT, WORD, Weights, Word, weigh
from chartcite.core.answer import Interpretation, QuestionKind
from chartcite.facts.dates import find_dates
from chartcite.facts.language import question_language
from chartcite.facts.tokens import fold

MAX_QUERY_WORDS = 15
DEFAULT = Weights()
"""For a collection: what people tell of themselves is what its texts are about."""
IN_RECORD = Weights(topic_only=True, most_verbatim=MAX_QUERY_WORDS, most_edits=1)
"""For a patient's own record, where a question that names something needs little else."""
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
_YEAR = re.compile(
    r"\b(?:in|during|of|for|since|from|by|after|before|until|till|between|and|to|"
    r"em|de|desde|at[eé]|ap[oó]s|durante|entre|a partir de) (?:o )?(?:ano (?:de )?)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:since|from|by|after|before|until|till|between|through|prior to|up to|as of|desde|at[eé]|ap[oó]s|"
    r"antes d[eoa]|depois d[eoa]|a partir d[eoa]|entre)\s+(?:the\s+|[oa]\s+)?(?:dia\s+|ano\s+(?:de\s+)?)?$",
    re.IGNORECASE,
)
_Numbered = list[tuple[int, str]]


def interpret(
    question: str, narrative: str = "", vocabulary: Vocabulary | None = None, weights: Weights = DEFAULT
) -> Interpretation:
    """What a question asks for.

    Args:
        question: as asked; may be a whole message.
        narrative: the longer story around it, if there is one.
        vocabulary: of what will be searched; without it no spelling is mended and only the lists weigh words.
        weights: factors of the words of a long message.
    """
    language = question_language(question + " " + narrative)
    cues = load_cues(language)
    if language == "pt":  # letters and their accents may come apart
        question, narrative = normalize("NFC", question), normalize("NFC", narrative)
    # Portuguese inflects too much for edits to tell a misspelling from another form.
    speller = vocabulary if language == "en" else None
    question, narrative, readings = _respelt(question.strip(), narrative.strip(), speller, cues, weights.most_edits)

    def weighed(numbered: _Numbered, asking: int | None) -> list[Word]:
        return weigh(numbered, asking, cues, weights, vocabulary.rarity if vocabulary is not None else None)

    text = question or narrative
    sentences = _numbered(text, cues)
    chosen = _asking(sentences, weighed(sentences, None), cues)
    asked = _bare(dict(sentences)[chosen], cues)
    words = weighed(sentences, chosen)
    query = _query(asked, chosen, sentences, words, cues, weights)
    told = _numbered(narrative, cues) if question and narrative else sentences if query != asked else []
    others = sum(s.endswith("?") for n, s in sentences if n != chosen)
    found = _interpretation(asked, query, " ".join(text for _, text in told), others, cues)
    return replace(found, readings=readings, lang=language)


def _respelt(
    question: str, narrative: str, vocabulary: Vocabulary | None, cues: Cues, most_edits: int
) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    if vocabulary is None:
        return question, narrative, ()
    question, asked = respell(question, vocabulary, cues, most_edits)
    narrative, told = respell(narrative, vocabulary, cues, most_edits)
    return question, narrative, tuple((r.written, r.read) for r in dict.fromkeys((*asked, *told)))


def _focus(text: str, cues: Cues) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w for w in WORD.findall(text.lower()) if fold(w) not in cues.generic))


def _interpretation(asked: str, query: str, story: str, others: int, cues: Cues) -> Interpretation:
    period, dated, is_open = _period(asked)
    low = " ".join(asked.lower().split())
    named = cues.named.match(asked)
    bare = _without(_without(asked, dated), named.span("name") if named else None)
    for start, end, form in find_dates(bare):
        bare = _without(bare, (start, end)) if _ISO_DATE.fullmatch(form) else bare
    focus = _focus(bare, cues) or _focus(query if query != asked else bare, cues)
    return Interpretation(query, _kind(low, cues), focus, bool(cues.number.search(low)), period, is_open, story, others)


def _numbered(text: str, cues: Cues) -> _Numbered:
    """The subject line, if there is one, and the sentences, each with its number."""
    message = read_message(text, cues)
    body = list(enumerate(message.sentences)) or [(0, " ".join(text.split()))]
    return ([(SUBJECT, message.subject)] if message.subject else []) + body


def _asking(sentences: _Numbered, words: Sequence[Word], cues: Cues) -> int:
    """The sentence that asks most and names most; of equals, and of the questions of a short text, the last."""
    weights: dict[int, list[float]] = {n: [] for n, _ in sentences}
    for word in words:
        weights[word.sentence].append(word.weight)
    mass = {n: sum(sorted(heavy, reverse=True)[:3]) for n, heavy in weights.items()}
    most = max(mass.values()) or 1.0
    is_short = _n_words(sentences) <= MAX_QUERY_WORDS

    def asks(pair: tuple[int, str]) -> tuple[float, int]:
        n, text = pair
        low = text.lower()
        points = 2.0 if text.endswith("?") else 1.0 if cues.request.search(low) else 0.0
        points = max(points, 1.5 if cues.opening.match(low) else 0.0)
        return points * (0.25 if cues.vague.fullmatch(low) else 1.0) + (0.0 if is_short else mass[n] / most), n

    return max(sentences, key=asks)[0]


def _n_words(sentences: _Numbered) -> int:
    return sum(len(text.split()) for _, text in sentences)


def _bare(sentence: str, cues: Cues) -> str:
    """A sentence without what stands before the question proper, and without marks around it."""
    chosen = sentence
    while True:
        shorter = cues.preamble.sub("", chosen, count=1).lstrip(" ,:;-")
        if shorter == chosen or not shorter:
            break
        chosen = shorter
    bare = chosen.strip().strip("\"“”'").rstrip("?!. ")
    return " ".join((bare or sentence).split())


def _query(asked: str, chosen: int, sentences: _Numbered, words: Sequence[Word], cues: Cues, weights: Weights) -> str:
    """What is searched for: the question if it is short, with the words that weigh most of the rest of the message.

    The other questions of a short text wait for their turn. A question that is long gives its words that weigh most.
    """
    inside = {fold(w) for w in WORD.findall(asked)}
    if _n_words(sentences) <= MAX_QUERY_WORDS:
        waiting = {n for n, s in sentences if n != chosen and s.endswith("?")}
        rest = [w for w in words if w.sentence not in waiting and fold(w.text) not in inside]
        return _first_words([asked, *(w.text for w in _heaviest(rest, MAX_QUERY_WORDS, 0.0))])
    if weights.topic_only and any(w.is_name and w.sentence == chosen for w in words):
        words = [w for w in words if w.sentence == chosen or w.is_topic]
    if len(asked.split()) <= weights.most_verbatim and _is_question(dict(sentences)[chosen], asked, cues):
        rest = [w for w in words if fold(w.text) not in inside]
        return _first_words([asked, *(w.text for w in _heaviest(rest, weights.most_added, 0.0))])
    picked = _heaviest(words, weights.most_words if len(sentences) > 1 else MAX_QUERY_WORDS, weights.least)
    return _joined(sorted(picked, key=lambda w: (w.sentence != chosen, w.sentence, w.at))) or _first_words([asked])


def _is_question(sentence: str, asked: str, cues: Cues) -> bool:
    """Whether a sentence asks in so many words, and names what it asks about."""
    low = asked.lower()
    return (sentence.endswith("?") or cues.opening.match(low) is not None) and not cues.vague.fullmatch(low)


def _first_words(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split()[:MAX_QUERY_WORDS])


def _heaviest(words: Sequence[Word], most: int, least: float) -> list[Word]:
    """The heaviest words, each once, with the negations that turn them, in the order of the message."""
    best: dict[str, Word] = {}
    for word in words:
        key = fold(word.text)
        if word.weight and (key not in best or word.weight > best[key].weight):
            best[key] = word
    floor = least * max((w.weight for w in best.values()), default=0.0)
    taken: dict[tuple[int, int], Word] = {}
    for word in sorted(best.values(), key=lambda w: (-w.weight, w.sentence, w.at)):
        wanted = [word]
        if word.turned_by is not None:
            at, negation = word.turned_by
            wanted.insert(0, Word(negation, word.sentence, at, word.weight))
        fresh = {(w.sentence, w.at): w for w in wanted if (w.sentence, w.at) not in taken}
        if word.weight >= floor and len(taken) + len(fresh) <= most:
            taken |= fresh
    return [taken[place] for place in sorted(taken)]


def _joined(words: Sequence[Word]) -> str:
    return " ".join(w.text for w in words)


def _period(asked: str) -> tuple[str, tuple[int, int] | None, bool]:
    """The day, month or year that a question asks about, as the start of an ISO date; where it stands; if it is open.

    `since 2015` or `before March 2019` begin or end a range: no period, and the caller says so.
    """
    found = next(((s, e, form) for s, e, form in find_dates(asked) if _ISO_DATE.fullmatch(form)), None)
    if found is None:
        year = _YEAR.search(asked)
        found = (*year.span(1), year[1]) if year else None
    if found is None:
        return "", None, False
    start, end, form = found
    is_open = bool(_OPEN.search(asked[:start]))
    return ("" if is_open else form), (start, end), is_open


def _without(text: str, span: tuple[int, int] | None) -> str:
    """The text with a span blanked."""
    return text if span is None else text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]


def _kind(low: str, cues: Cues) -> QuestionKind:
    if cues.latest.search(low):
        return "latest"
    if cues.first.search(low):
        return "first"
    return "absence" if cues.absence.search(low) else "fact"
