"""Ways to reach somebody or something: e-mail, URL, IP address, telephone and fax numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.deid.mentions import Mention

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_URL = re.compile(r"\b(?:https?://|ftp://|www\.)[^\s<>\"\\]*[^\s<>\"\\.,;:)\]']", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]*\d)")
_IPV6 = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4})(?![\w:])", re.IGNORECASE)

_CUE = (
    r"(?:tel(?:e(?:phone|fone|fax))?|phone|ph|fax|cell(?:ular)?|mobile|pager|beeper|call(?:ed)?(?:\s+back)?|contact|"
    r"celular|fone|ramal|ext(?:ension)?|recado|whats(?:app)?|ligar)"
)
_CUED = re.compile(
    rf"\b{_CUE}\b\.?(?:\s*(?:number|no\.?|nº|#|is|at|on|para|results\s+to|to))*\s*[:#(]?\s*"
    r"(?P<n>\+?\(?\d[\d\s().-]{2,18}\d)(?![\w/]|[.,]\d|\s*(?:mg|mcg|ml|units?|%|kg|times|x\b|hours?|days?|weeks?|min))",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"\b(?:ext|extension|ramal|pager|beeper|fax)\b", re.IGNORECASE)
_FORMS = re.compile(
    r"(?<![\w.,/-])(?P<n>"
    r"(?:\+\d{1,3}[\s.-]?)?\(\d{2,3}\)\s?\d{3,5}[\s.-]?\d{4}"  # (937) 555-0142, (21) 98888-0123
    r"|(?:\+?1[\s.-])?\d{3}([\s.-])\d{3}\2\d{4}"  # 937-555-0199, 505.555.0121
    r"|\+\d{1,3}[\s.-]?\d{2,4}(?:[\s.-]?\d{2,5}){2,3}"  # +55 11 95555-0166
    r"|\d{3}-\d{4}(?=\s*(?:ext|x\d|\(|$|,|;|\.))"
    r")(?:\s*(?:x|ext\.?|ramal)\s*\d{1,6})?(?![\w/-]|[.,]\d)",
    re.IGNORECASE,
)


def find_contacts(text: str) -> Iterator[Mention]:
    """E-mail addresses, URLs, IP addresses and telephone numbers; overlaps are the caller's business."""
    if "@" in text:
        yield from (Mention(*m.span(), "email") for m in _EMAIL.finditer(text))
    yield from (Mention(*m.span(), "url") for m in _URL.finditer(text))
    yield from (Mention(*m.span(), "ip") for m in _IPV4.finditer(text))
    yield from (Mention(*m.span(), "ip") for m in _IPV6.finditer(text))
    for found in _FORMS.finditer(text):
        yield Mention(*found.span(), "phone")
    for found in _CUED.finditer(text):
        if sum(c.isdigit() for c in found["n"]) < 6 and not _EXTENSION.search(text[found.start() : found.start("n")]):
            continue  # "called 2130" is a time
        if not re.fullmatch(r"[\d\s]*(?:19|20)\d\d-\d\d-\d\d.*|\d\d?[.-]\d\d?[.-]\d{2,4}", found["n"]):
            yield Mention(*found.span("n"), "phone")
