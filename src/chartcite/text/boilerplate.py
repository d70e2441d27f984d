"""Sentences that a form, a fax or a dictation system adds: they say nothing of the patient.

Known by their wording alone, from their first words on; a line that many notes repeat is not one for that (`No known
allergies`). A sentence that names an amount is none. They stay in the text, and are no evidence; but a signature is,
which answers who signed.
"""

from __future__ import annotations

import re
from typing import Literal

Boilerplate = Literal["page", "signature", "dictation", "confidential", "template", "disclaimer"]
_MOST_CHARS = 600
_LEAD = r"[\s*#>\-–—_=(\[]*"
_PAPER = r"(?:e-?mail|message|fax|facsimile|transmission|communication|document|report|record|note|letter|information)"
_PAPEL = (
    r"(?:documento|laudo|mensagem|e-?mail|relat[óo]rio|prontu[áa]rio|nota|comunica[çc][ãa]o|informa[çc][õo]es|exame)"
)
_FORMS: tuple[tuple[Boilerplate, str], ...] = (
    ("page", r"(?:page|p[áa]gina|p[áa]g\.?)\s*:?\s*\d{1,4}\s*(?:of|de|/)\s*\d{1,4}\W*\Z"),
    (
        "signature",
        r"(?:(?:this\s+\w+\s+(?:was|has\s+been)\s+)?(?:electronically|digitally)\s+(?:signed|authenticated|verified|"
        r"approved|co-?signed)|e-?signed|signed\s+electronically)\b|"
        rf"(?:(?:este\s+)?{_PAPEL}\s+)?assinad[oa]\s+(?:eletronicamente|digitalmente)\b",
    ),
    (
        "dictation",
        r"dictated\s+(?:but|and)\s+not\s+(?:read|reviewed|edited|signed)|(?:dictated|transcribed|typed)\s+by\s*:|"
        rf"(?:this|portions\s+of\s+this|parts\s+of\s+this)\s+{_PAPER}\s+(?:was|were|has\s+been|may\s+have\s+been)\s+"
        r"(?:\w+\s+){0,3}(?:dictated|generated|created|prepared|transcribed|produced|completed)\b[^.]{0,80}"
        r"(?:voice|speech|dragon|dictation|software|scribe|template)|"
        r"ditado\s*,?\s+(?:mas\s+)?n[ãa]o\s+(?:lido|revisado|corrigido)|(?:ditado|digitado|transcrito)\s+por\s*:|"
        rf"este\s+{_PAPEL}\s+foi\s+(?:ditado|gerado|transcrito)\b[^.]{{0,80}}(?:voz|software|sistema|autom)",
    ),
    (
        "confidential",
        r"confidential(?:ity)?\s+(?:notice|note|statement|patient\s+information|medical\s+record)|"
        r"strictly\s+(?:private\s+and\s+)?confidential\W*\Z|confidential\W*\Z|"
        rf"(?:this|the(?:\s+information\s+contained\s+in\s+this)?|any)\s+{_PAPER}\b[^.]{{0,120}}\b(?:confidential|privileged|"
        r"intended\s+(?:only|solely)|protected\s+(?:health\s+information|by\s+(?:federal|state)))|"
        r"if\s+you\s+(?:are\s+not\s+the\s+intended|have\s+received\s+this)\b|"
        r"unauthori[sz]ed\s+(?:use|review|disclosure|copying)\b[^.]{0,60}\bprohibited|"
        rf"(?:aviso\s+de\s+confidencialidade|confidencial\W*\Z|(?:este|esta|as|o|a)\s+{_PAPEL}\b[^.]{{0,120}}\b(?:confidencia|"
        r"sigilos|destina(?:m)?-se\s+exclusivamente|uso\s+exclusivo)|se\s+voc[êe]\s+(?:n[ãa]o\s+[ée]\s+o\s+destinat|"
        r"recebeu\s+est[ae]\s+mensagem))",
    ),
    (
        "template",
        r"(?:(?:please\s+)?(?:check|select|circle|mark|tick)\s+(?:(?:all|one|any)\s+(?:that\s+appl|below)|the\s+box\w*\s+below)|"
        r"(?:this\s+)?(?:page|section|space)\s+(?:is\s+)?(?:intentionally|left)\s+(?:left\s+)?blank|"
        r"please\s+(?:complete|fill)\s+(?:in\s+|out\s+)?(?:all|this|the)\s+(?:form|field|section|box)|"
        r"delete\s+if\s+not\s+applicable|(?:for\s+)?office\s+use\s+only\W*\Z|insert\s+\w+(?:\s+\w+){0,3}\s+here\W*\]?\Z|"
        r"(?:marque|assinale)\s+(?:todas|uma|com\s+x)|preench(?:a|er)\s+(?:todos\s+)?(?:os\s+|o\s+|este\s+)?(?:campos?|"
        r"formul[áa]rio)|campos?\s+de\s+preenchimento|(?:p[áa]gina|espa[çc]o)\s+(?:deixad[oa]\s+)?(?:intencionalmente|em\s+branco)|"
        r"uso\s+(?:interno|exclusivo\s+d[ao]\s+\w+)\W*\Z)",
    ),
    (
        "disclaimer",
        r"(?:this\s+(?:test|assay)\s+was\s+developed\s+and\s+its\s+performance|(?:it|this\s+(?:test|assay))\s+has\s+not\s+been\s+"
        r"(?:cleared|approved)\b[^.]{0,40}\bfda|this\s+report\s+(?:may|must|shall)\s+not\s+be\s+(?:reproduced|copied)|"
        r"(?:this|the)\s+(?:information|document|content)\b[^.]{0,60}\bnot\s+(?:a\s+substitute|intended\s+(?:to\s+replace|as\s+"
        r"(?:medical|a\s+substitute)))|(?:there\s+may\s+be|please\s+(?:excuse|forgive|disregard)|despite\s+(?:proof\w*|best))\b"
        r"[^.]{0,80}\b(?:typographical|transcription|grammatical|voice|dictation)\b|"
        r"este\s+(?:laudo|exame|documento)\s+n[ãa]o\s+substitui|a\s+interpreta[çc][ãa]o\s+d(?:o|os|este)s?\s+(?:resultados?|"
        r"exames?)\b[^.]{0,60}(?:depende|deve)\b|este\s+laudo\s+n[ãa]o\s+pode\s+ser\s+reproduzido)",
    ),
)
_PATTERNS = tuple((kind, re.compile(rf"{_LEAD}(?:{form})", re.IGNORECASE)) for kind, form in _FORMS)
_FIRST = re.compile(
    rf"{_LEAD}(?:page|p[áa]g|this|the|any|portions|parts|electronically|digitally|e-?sign|signed|este|esta|as|o|a|document|"
    r"laudo|mensagem|relat|prontu|nota|comunica|informa|exame|assin|dictat|transcri|typed|ditado|digitado|confiden|"
    r"strictly|if|unauth|aviso|se|please|check|select|circle|mark|tick|section|space|delete|for|office|insert|marque|"
    r"preench|campo|espa|uso|it|there|despite)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d\s*(?:m[cg]|[µu]g|mcg|g|m?l|mmol|meq|units?|ui|iu|%|mm)\b", re.IGNORECASE)


def boilerplate(said: str) -> Boilerplate | None:
    """What kind of boilerplate a sentence is; None for all others, in time that does not depend on its length.

    >>> boilerplate("Page 2 of 5"), boilerplate("She asked that her diagnosis be kept confidential.")
    ('page', None)
    """
    head = said[:_MOST_CHARS]
    if _FIRST.match(head) is None or _AMOUNT.search(head):
        return None
    return next((kind for kind, pattern in _PATTERNS if pattern.match(head)), None)


def is_no_evidence(said: str) -> bool:
    """Whether a sentence is boilerplate that answers nothing; a signature may answer who signed."""
    return boilerplate(said) not in (None, "signature")
