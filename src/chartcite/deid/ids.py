"""Numbers that stand for a person, a stay, a report, a thing: by the word before them, or by their form alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.deid.mentions import Mention

# A word that is followed by a number of its own. `(?-i:...)` where small letters mean something else.
_LABEL = (
    r"(?:mrn|m\.r\.n\.|med(?:ical)?\.?\s+rec(?:ord)?\.?(?:\s+(?:number|no\.?|\#))?|unit\s+(?:number|no\.?)|"
    r"(?:patient|pt|member|subscriber|group|policy|plan|encounter|visit|study|order|case|episode|interpreter|badge|"
    r"health\s+plan|insurance|beneficiary|chart|record|file|account|acct|claim|authorization|referral|"
    r"driver'?s\s+licen[cs]e|"
    r"licen[cs]e|passport|report|specimen|sample|accession|requisition|serial|device|lot|batch|certificate|"
    r"invoice|protocol|"
    r"protocolo|contract|ticket)"
    r"\.?\s*(?:id|identifier|number|num\.?|no\.?|nr\.?|nº|n°|\#)"
    r"|ssn|social\s+security(?:\s+(?:number|no\.?))?|nhs\s+(?:number|no\.?)|npi|dea|(?-i:ID|UPIN|EIN|CNS|CPF|RG|"
    r"CNPJ|PIS|CRM|CRF|"
    r"COREN|CRP|CRO|CREFITO|RQE|SAME)(?:[-/]?(?-i:[A-Z]{2}))?|cartão\s+sus|cartao\s+sus|carteir(?:inha|a)|"
    r"prontu[aá]rio|"
    r"registro|matr[ií]cula|conv[eê]nio\s+n|n[uú]mero\s+do\s+(?:exame|laudo|prontu[aá]rio)|"
    r"(?:exame|laudo|pedido|guia|atendimento|processo|amostra|ficha)\s*n[º°o]\.?)"
)
_END = r"(?![^\W_]|[.,]\d|\s?(?:mg|mcg|ml|kg|%|units?)\b)"
_CUED = re.compile(
    rf"(?<![^\W_]){_LABEL}(?![^\W\d_])[\s_]*(?:is|was|é|do\s+paciente)?\s*[:\#=]?\s*\#?\s*"
    r"(?P<id>(?=[\w./-]*\d)(?=(?:\W?\w){3})(?!\d{1,3}[.,]\d{1,2}(?!\d))"
    rf"(?:[A-Z]{{1,5}}[-/]?)?\d?[A-Z0-9]+(?:[./-][A-Z0-9]+)*(?:\s\d{{3,5}})*){_END}",
    re.IGNORECASE,
)
# Words that often stand before another number: what follows must have many figures, and not look like a date.
_WEAKLY_CUED = re.compile(
    r"(?<!\w)(?:accession|serial|lot|account|acct|specimen|authorization|report|requisition|group|reference|"
    r"ref)\b\s*[:\#]?\s*"
    rf"(?P<id>(?=(?:[A-Z-]*\d){{4}})(?!(?:19|20)\d\d(?![\w]))[A-Z]{{0,5}}[-]?\d[A-Z0-9]*(?:-[A-Z0-9]+)*){_END}(?!/)",
    re.IGNORECASE,
)
_BEFORE_NAME = re.compile(r"^[ \t]*(?P<id>\d{6,12})(?=[ ]{1,3}[A-ZÀ-Þ]{3,})", re.MULTILINE)
# Forms that need no word: SSN, CPF, CNPJ, CNS, RG, UUID, accession (S18-44210, 2021-009871).
_FORMS = re.compile(
    r"(?<![^\W_]|[./-])(?:"
    r"\d{3}-\d{2}-\d{4}"
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}"
    r"|\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}"
    r"|\d{2}\.\d{3}\.\d{3}-[\dX]"
    r"|[1-2789]\d{2}\s?\d{4}\s?\d{4}\s?\d{4}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|[A-Z]{1,4}-?\d{2,4}-\d{4,8}"
    r"|\d{4}-\d{5,8}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])(?=(?:[A-Z]*\d){5})[A-Z0-9]{8,20}"
    r"|\#\s?\d{5,12}"
    r"|\d{9,12}"
    r")(?![^\W_]|[/-]|[.,]\d|\s?(?:mg|mcg|ml|kg|%|units?|cells?|copies|/)\b)"
)
_PLATE = re.compile(
    r"\b(?:licen[cs]e\s+plate|plate(?:\s+(?:number|no\.?))?|registration|placa(?:\s+d[oe]\s+ve[ií]culo)?|"
    r"ve[ií]culo)\s*(?:was|is|of)?\s*[:\#]?\s*"
    r"(?P<id>(?-i:(?=[A-Z0-9 -]*\d)[A-Z0-9]{2,4}[ -]?[A-Z0-9]{2,5}))(?!\w)",
    re.IGNORECASE,
)
_BARE_PLATE = re.compile(r"(?<![^\W_]|-)[A-Z]{3}-\d{4}(?![^\W_]|-)")
_AMBULANCE = re.compile(
    r"\b(?:(?:EMS|ambulance|medic)\s+unit|unit(?=\s+\d{1,4}\s+brought))\s+(?P<id>\d{1,4})\b", re.IGNORECASE
)


def find_ids(text: str) -> Iterator[Mention]:
    """Record, account, accession, licence and serial numbers, social security and health card numbers, plates."""
    for pattern in (_CUED, _WEAKLY_CUED, _BEFORE_NAME, _AMBULANCE):
        for found in pattern.finditer(text):
            yield Mention(*found.span("id"), "id")
    for found in _PLATE.finditer(text):
        yield Mention(*found.span("id"), "plate")
    for found in _FORMS.finditer(text):
        yield Mention(*found.span(), "id")
    for found in _BARE_PLATE.finditer(text):
        yield Mention(*found.span(), "plate")
