"""Street addresses, post boxes, postal codes: English and Portuguese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.deid.mentions import Mention
from chartcite.deid.vocabulary import is_word

_CAP = r"[A-ZÀ-Þ][\w'’.-]{0,30}|\d{1,3}(?:st|nd|rd|th)"
_LONG_STREET = (
    r"Street|Avenue|Road|Lane|Drive|Boulevard|Court|Circle|Terrace|Parkway|Pkwy|Highway|Square|Trail|Turnpike|"
    r"Crescent|"
    r"Alley|Blvd"
)
_STREET = rf"(?:{_LONG_STREET}|St|Ave|Av|Rd|Ln|Dr|Ct|Cir|Pl|Place|Ter|Way|Hwy|Sq|Trl|Loop|Pike|Close|Row)"
_UNIT = (
    r"(?:,?[ ]*(?:[Aa]pt|[Aa]partment|[Ss]uite|[Ss]te|[Uu]nit|[Ff]loor|[Ff]l|[Rr]m|[Ll]ot|[Nn]o)"
    r"\.?[ ]*#?[ ]*\w{1,5}|,?[ ]*#\s?\w{1,5})?"
)
_UNIT_START = re.compile(r"[ ]*(?:,|\b[Aa]pt|\b[Ss]uite|\b[Ss]te\b|\b[Uu]nit|\b[Ff]l|\b[Rr]m|\b[Ll]ot|#)")
_ENGLISH = (
    re.compile(
        r"(?<![\w.,/-])\d{1,6}[A-Za-z]?[ ]+(?:(?:NE|NW|SE|SW|[NSEW]|North|South|East|West)\.?[ ]+)?"
        rf"(?:(?:{_CAP})[ ]+){{1,4}}?{_STREET}\b(?:\.(?=[ ]*(?:,|[Aa]pt|#|[Uu]nit|[Ss]uite)))?{_UNIT}"
    ),
    re.compile(rf"(?<=\b(?:on|at|in|of)\s)(?:(?:{_CAP})[ ]+){{1,3}}?(?:{_LONG_STREET})\b"),
    re.compile(r"\b(?:P\.?[ ]?O\.?[ ]?Box|PO[ ]+Box|Caixa[ ]+Postal)[ ]+\d+", re.IGNORECASE),
    re.compile(r"(?<!\w)(?:I-|US-|Route\s|Highway\s|Hwy\s)\d{1,3}(?:[ ]+(?:mile[ ]+marker|exit)[ ]+\d{1,4})?(?!\w)"),
)
_PORTUGUESE = re.compile(
    r"(?<!\w)(?:Rua|R\.(?=[ ][^\n]{2,40},[ ]*(?:n[º°o.])?[ ]?\d)|Av\.|Avenida|Travessa|Trav\.|Alameda|Al\.|"
    r"Praça|Pça\.?|Rodovia|Rod\.|Estrada|Largo|Ladeira|Quadra)"
    r"[ ]+(?:(?:d[aeo]s?|e)[ ]+)?[A-ZÀ-Þ0-9][\w'’.-]{0,30}(?:[ ]+(?:(?:d[aeo]s?|e)[ ]+)?[A-ZÀ-Þ0-9][\w'’.-]{0,30}){0,5}"
    r"(?:[ ]*,?[ ]*(?:n[º°o.][ ]*)?\d{1,6}[A-Z]?(?![\w/])"
    r"(?:[ ]*,?[ ]*(?:ap(?:to|\.)?|casa|bloco|bl\.?|sala|fundos|andar|conj\.?|lote|lt\.?|qd\.?)\.?[ ]*\w{0,5})*)?",
)
_ZIP = re.compile(
    r"(?<![\w-])(?:(?<=\bzip\s)|(?<=\bzip:\s)|(?<=\bzip\scode\s)|(?<=\bpostal\scode\s)|(?<=\bpostcode\s)"
    r"|(?<=\b(?-i:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|"
    r"T[NX]|UT|V[TA]|W[AVIY])\s)"
    r"|(?<=\b(?-i:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|"
    r"T[NX]|UT|V[TA]|W[AVIY]),\s))"
    r"\d{5}(?:-\d{4})?(?![\w-]|[.,]\d)",
    re.IGNORECASE,
)
_BRITISH = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}(?!\w)")
_CEP = re.compile(
    r"(?:(?<=\bCEP\s)|(?<=\bCEP:\s)|(?<=\bCEP))\d{5}-?\d{3}(?!\w)|(?<![\w.,/-])\d{5}-\d{3}(?![\w-]|[.,]\d)"
)


def find_addresses(text: str) -> Iterator[Mention]:
    """Streets with their numbers, post boxes, postal codes; on one line each."""
    for pattern in (*_ENGLISH, _PORTUGUESE):
        for found in pattern.finditer(text):
            if pattern is _ENGLISH[0] and not _is_street(found.group()):
                continue
            first_line = found.group().split("\n")[0].rstrip(" ,")
            yield Mention(found.start(), found.start() + len(first_line), "address")
    for pattern in (_ZIP, _BRITISH, _CEP):
        for found in pattern.finditer(text):
            yield Mention(*found.span(), "postcode")


def _is_street(written: str) -> bool:
    """Whether a number with words is an address; `70 M. Dr` is none, nor are words of medicine before `Dr` or `St`."""
    words = re.findall(r"[^\W\d_]+", re.split(_UNIT_START, written)[0])
    names = words[:-1]
    if re.fullmatch(_LONG_STREET, words[-1]):
        return True
    return any(len(word) > 2 and not is_word(word) for word in names) and all(len(word) > 1 for word in names)
