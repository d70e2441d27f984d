"""Whether a question asks if something is in the record, and what: by the patterns of `data/questions.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from chartcite.cascade.presence.forms import is_listed, is_name
from chartcite.cascade.presence.frames import by_frame, is_loose
from chartcite.cascade.presence.slots import asks_otherwise, by_slot
from chartcite.core.presence import About
from chartcite.facts.dates import find_dates
from chartcite.facts.drugs import generic_name
from chartcite.facts.language import is_portuguese
from chartcite.facts.lexicon import word_set
from chartcite.text.language import detect

MOST_CHARS = 240
"""A longer question tells more than it asks."""
MOST_WORDS = 9
_ON = re.compile(
    r"\s*\b(?:on|from|in|during|at|as of|dated?|of|for|em|n[oa]|d[eo]|durante)\s+(?:the\s+)?"
    r"(?:visit (?:of|on)\s+|o dia\s+)?\Z",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:since|from|by|after|before|until|till|between|through|prior to|desde|at[ée]|ap[óo]s|antes d[eo]|entre)\s+\Z",
    re.I,
)
_NOTE_OF = re.compile(r"\b(?:notes?|entry|visit|encounter|consultation|report|record)\s+from\s+\Z", re.I)
"""`the note from 2014-05-06` is that of a day, not what was written since."""
_YEAR = re.compile(r"\b(?:in|during|em|durante)\s+((?:19|20)\d\d)\b", re.I)
_CLAUSE = re.compile(
    r"\b(?:because|when|while|since|that|which|who|whom|whose|why|how|what|if|whether|than|after|before|until|or|and|and/or|"
    r"porque|quando|enquanto|desde|que|qual|quem|como|por que|se|ap[óo]s|antes|depois|at[ée]|ou|e|mais recente|"
    r"figuram?|entre [oa]s|"
    r"above|below|over|under|acima|abaixo)\b|[;:?]|"
    r"^(?:most|latest|last|first|highest|lowest|[úu]ltim[oa]|primeir[oa])\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:hist[óo]ri(?:a|co)|historial|prontu[áa]rio|problemas|diagn[óo]sticos?|confirmad[oa]|citad[oa]|documentad[oa]|"
    r"registrad[oa]|registad[oa]|integra|nome|not[íi]cia|estaria|paciente|doente|utente|"
    r"registr?os?|antecedentes?|laudos?|relat[óo]rios?|an[áa]lises?|dosea\w+|dosage\w+|acompanhamento|seguimento|"
    r"tratamento|momento|nest[ea]|descrit[oa]|dispon[íi]vel|a[íi]|tentad[oa]|relatad[oa]|tido|realizad[oa])\b",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"\b(?:anything about|comorbidit(?:y|ies)|such as|reports?$|made$|tested$|listed)\b", re.IGNORECASE
)
"""Words on the record itself, which are none of a thing's name."""
_INTOLERANCE = re.compile(
    r"\b(?:intolerance (?:to|of) (?:the )?(?:cold|heat|exercise|activity|exertion)|"
    r"(?:cold|heat|exercise|activity) intolerance|"
    r"intoler[âa]ncia (?:a|à|ao|aos|às) (?:frio|calor|atividade|exerc[íi]cios?|esfor[çc]os?))\b",
    re.IGNORECASE,
)
"""What is felt, and no allergy."""
_AUXILIARY = re.compile(r"(?:is|was|are|were|has|have|had|does|did|do|any)\b", re.IGNORECASE)
_THERE_IS = re.compile(r"^there (is|was|are|were)\b", re.IGNORECASE)
_IF = re.compile(r"^(?:if|whether|se)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:an?|any|the|some|her|his|their|um|uma|algum|alguma|o|a|os|as|ever|de|do|da)\s+)+", re.IGNORECASE
)
_EMPTY = frozenset(
    (
        "it",
        "this",
        "that",
        "them",
        "one",
        "isso",
        "isto",
        "anything",
        "something",
        "algo",
        "problems",
        "symptoms",
        "patient",
        "pt",
        "he",
        "she",
        "paciente",
        "doente",
        "utente",
        "ele",
        "ela",
    )
)
_ANY = word_set(
    "any known other new drug drugs medication medications medicine medicines food foods environmental documented "
    "recorded listed reported previous past prior significant relevant active chronic current medical allergy "
    "allergies allergic reaction reactions adverse condition conditions disease diseases diagnosis diagnoses illness "
    "illnesses treatment treatments test tests result results "
    "qualquer conhecida conhecidas medicamento medicamentos medicamentosa medicamentosas medicação medicações remédio "
    "remédios alimento alimentos alimentar alimentares alergia alergias reação reações doença doenças diagnóstico "
    "diagnósticos tratamento tratamentos exame exames crônica crônicas prévia prévias outra outras outro outros"
)
"""Words that name no one thing: `any known drug allergies` asks for all there are, and one `no` answers nothing."""
_NOW = re.compile(
    r"\b(?:currently|still|now|at present|today|nowadays|atualmente|ainda|hoje|agora|no momento)\b|"
    r"^(?:is|are)\b(?!.*\bbeen\b)|^(?:does|do) (?!.*\b(?:record|chart|notes?|file|history)\b)|"
    r"\b(?:usa|toma|recebe|faz uso|est[áa])\b",
    re.IGNORECASE,
)
_EVER = re.compile(r"\b(?:ever|previously|alguma vez|j[áa])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question wants to know of.

    Attributes:
        thing: in the words of the question, without articles.
        about: in what sense it is to be there.
        period: the start of an ISO date: the only day, month or year asked for; empty: any.
        lang: of the question, `en` or `pt`.
        is_now: it asks whether a drug is taken, not whether it ever was.
    """

    thing: str
    about: About
    period: str = ""
    lang: str = "en"
    is_now: bool = False


def read_question(question: str) -> Asked | None:
    """What of, and in what sense, a question asks whether the record has it; None for any other question.

    >>> read_question("Is there any record of an allergy to latex?")
    Asked(thing='latex', about='allergy', period='', lang='en', is_now=False)
    >>> read_question("Why was latex avoided?") is None
    True
    """
    text = " ".join(question.split()).rstrip("?!. ")
    if not 0 < len(text) <= MOST_CHARS:
        return None
    lang = "pt" if detect(text) == "pt" or is_portuguese(text) else "en"
    period, text, is_open = _without_date(text, lang)
    if is_open:
        return None
    found = _found(text, lang, period)
    if found is None and detect(text) != lang:
        lang = "en" if lang == "pt" else "pt"
        found = _found(text, lang, period)
    if found is None:
        return None
    is_now = found[0] == "drug" and not period and bool(_NOW.search(text)) and not _EVER.search(text)
    return Asked(found[1], found[0], period, lang, is_now)


def bare(question: str) -> tuple[str, str]:
    """A question without its end mark, and its language."""
    text = " ".join(question.split()).rstrip("?!. ")
    return text[:MOST_CHARS], "pt" if detect(text) == "pt" or is_portuguese(text) else "en"


def _found(text: str, lang: str, period: str) -> tuple[About, str] | None:
    """By the patterns of whole questions, else by the frame, else by the closed words around one open place.

    What the last finds goes before, where it is a listed name within a longer thing of the others.
    """
    if asks_otherwise(text, lang):
        return None
    found, slot = _match(text, lang) or _frame(text, lang), _slot(text, lang, period)
    if (found or slot) and (felt := _INTOLERANCE.search(text)):
        return "thing", felt[0]
    if slot is None or found is None:
        return found or slot
    is_within = slot[1] != found[1] and slot[1].lower() in found[1].lower()
    is_loose_end = (_PLACE if lang == "pt" else _AROUND).search(found[1]) is not None
    return slot if is_within and (is_listed(slot[1]) or is_loose_end) and not is_listed(found[1]) else found


def _slot(text: str, lang: str, period: str) -> tuple[About, str] | None:
    """What has its place among closed words; a measured thing with a day is its value's, which the timeline tells."""
    found = by_slot(text, lang)
    is_value = found is not None and bool(period) and is_name(found[1]) and generic_name(found[1]) is None
    return found if found and not is_value and _is_thing(found[1]) else None


def _match(text: str, lang: str) -> tuple[About, str] | None:
    patterns = _patterns(lang)
    text = _IF.sub("", text)
    if lang == "en" and patterns.who.match(text) and not _AUXILIARY.match(text):
        text = f"did {text}"
    text = _THERE_IS.sub(r"\1 there", text)
    bare, shorter = text, patterns.strip.sub("", text)
    while shorter != bare:
        bare, shorter = shorter, patterns.strip.sub("", shorter)
    return _by_rows(bare, patterns) or (_by_rows(text, patterns) if bare != text else None)


def _frame(text: str, lang: str) -> tuple[About, str] | None:
    """What no pattern of a whole question reads may be read by its frame."""
    for about, said in by_frame(text, lang):
        thing = _LEAD.sub("", said.strip(" ,;:'\"“”")).strip()
        if _is_thing(thing):
            return about, thing
    return None


def _by_rows(text: str, patterns: _Patterns) -> tuple[About, str] | None:
    for about, pattern in patterns.rows:
        found = pattern.fullmatch(text)
        if found:
            thing = _LEAD.sub("", found["x"].strip(" ,;:'\"“”")).strip()
            return (about, thing) if _is_thing(thing) else None
    return None


def _is_thing(thing: str) -> bool:
    words = thing.split()
    is_one = 0 < len(words) <= MOST_WORDS and not _CLAUSE.search(thing)
    if thing.isupper() and is_listed(thing):  # HAS
        return True
    return is_one and not {word.lower() for word in words} <= _EMPTY | _ANY and not is_loose(thing)


def _without_date(text: str, lang: str) -> tuple[str, str, bool]:
    """The day, month or year that a question names, the question without it, and whether it is the end of a range."""
    spans = [(s, e, form) for s, e, form in find_dates(text) if not form.startswith("--")]
    if not spans and (year := _YEAR.search(text)):
        spans = [(*year.span(1), year[1])]
    if not spans:
        return "", text, bool(_OPEN_YEAR.search(text))
    start, end, form = spans[0]
    if len(spans) > 1 or (_OPEN.search(text[:start]) and not _NOTE_OF.search(text[:start])):
        return "", text, True
    head = _ON.sub("", text[:start]).rstrip(" ,(")
    return _iso(form, lang), " ".join(f"{head} {text[end:].lstrip(' ),')}".split()), False


_OPEN_YEAR = re.compile(r"\b(?:since|before|after|until|desde|antes de|ap[óo]s|at[ée]) (?:19|20)\d\d\b", re.IGNORECASE)


def _iso(form: str, lang: str) -> str:
    """Of `?02/11/2009` nobody says which number is the month: in Portuguese the second, else the first."""
    found = re.fullmatch(r"\?(\d\d)/(\d\d)/(\d{4})", form)
    if found:
        month, day = (found[2], found[1]) if lang == "pt" else (found[1], found[2])
        return f"{found[3]}-{month}-{day}"
    return form if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", form) else ""


@dataclass(frozen=True, slots=True)
class _Patterns:
    rows: tuple[tuple[About, re.Pattern[str]], ...]
    strip: re.Pattern[str]
    who: re.Pattern[str]


@lru_cache(maxsize=2)
def _patterns(lang: str) -> _Patterns:
    data = tomllib.loads(files("chartcite.cascade.presence").joinpath("data/questions.toml").read_text("utf-8"))[lang]
    who = data["who"]
    rows = tuple((about, re.compile(pattern.replace("{who}", who), re.IGNORECASE)) for about, pattern in data["rows"])
    return _Patterns(
        rows, re.compile(rf"(?:{'|'.join(data['strip'])})$", re.IGNORECASE), re.compile(rf"{who}\s", re.IGNORECASE)
    )
