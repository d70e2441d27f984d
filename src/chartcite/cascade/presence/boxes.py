"""Boxes of a form: what stands at an empty one is asked for on the form, and not said of the patient."""

from __future__ import annotations

import re

from chartcite.core.documents import Span

_BOX = re.compile(r"\[\s*(?P<a>[xX✓✔])?\s*\]|\(\s*(?P<b>[xX✓✔])?\s*\)|[☐□]|(?P<c>[☑☒■])")
_YES_NO = re.compile(r"\b(?:yes|no|sim|n[ãa]o)\b", re.IGNORECASE)


def is_unticked(text: str, span: Span) -> bool:
    """Whether the box that belongs to what stands at `span` is empty, or one of a yes and a no.

    Boxes stand before what they tick where the line begins with one, else behind it.

    >>> is_unticked("GI: [ ] melena [x] nausea", Span(8, 14)), is_unticked("GI: [ ] melena [x] nausea", Span(19, 25))
    (True, False)
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return False
    head = text[: boxes[0].start()].rstrip()
    before = [box for box in boxes if box.end() <= span.start]
    after = [box for box in boxes if box.start() >= span.end]
    if not before and after and _YES_NO.search(text, span.end):
        return True
    is_ahead = not head or head.endswith(":")
    own = (before[-1:] if is_ahead else after[:1]) or []
    return any(box.lastgroup is None for box in own)
