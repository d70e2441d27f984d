"""Hyphens at line ends and soft hyphens, as PDFs leave them: `ther-/apy` is joined, `Follow-/up` is kept.

Knows no dictionary. Evidence, strongest first: digits, capitals and parts of one or two letters keep the hyphen
(`5-/10 mg` must not become 510); the document writes the word one way or the other inside a line; a part that forms
compounds, and is no syllable of other words, keeps it. What is left is a hyphenated word.
"""

from __future__ import annotations

import re

LINE_END = "\ufffe"
"""What stands for a hyphen at the end of a line, the line break being gone with it, as pdfium has it."""

_AT_LINE_END = re.compile(rf"(?<![^\W_])(?P<left>[^\W_]*){LINE_END}(?P<right>[^\W_]*)")
_SOFT_HYPHEN = re.compile("\u00ad(?P<break>\r?\n)?")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIRST_PARTS = _words("""
    all alpha beta gamma case cross current dose double end evidence first second third follow four five free full half
    heart high hospital ill left right life light line long low lower upper mild moderate near new night non old one
    open placebo point post quasi risk same self semi short side single six slow stage step three time two type ultra
    water week weight well white wide year zero bem recém pós não
""")
_LAST_PARTS = _words("""
    off down over like free based related term dose old year years months weeks hours fold type grade risk level levels
    onset acting release blocker blockers sensitive dependent independent induced positive negative specific associated
    controlled blind label sided ray rays point points cell cells known being defined tolerated lasting scale care
    dimer reactive weighted enhanced guided treated naive naïve los las lhe lhes nos
""")


def hyphen_edits(text: str) -> dict[int, str]:
    r"""What to put in the place of single characters: nothing, or a hyphen.

    >>> text = "ther\ufffeapy was stopped. Follow\ufffeup is nor\xadmal, 5\ufffe10 mg"
    >>> edits = hyphen_edits(text)
    >>> "".join(edits.get(i, c) for i, c in enumerate(text))
    'therapy was stopped. Follow-up is normal, 5-10 mg'
    """
    edits: dict[int, str] = {}
    for found in _SOFT_HYPHEN.finditer(text):
        edits.update(_soft(found, text))
    if LINE_END in text:
        words = {word.lower() for word in _WORD.findall(_AT_LINE_END.sub(" ", text))}
        for found in _AT_LINE_END.finditer(text):
            real = _is_real(found["left"], found["right"], words)
            edits[found.end("left")] = "-" if real else ""
    return edits


def _soft(found: re.Match[str], text: str) -> dict[int, str]:
    """Some programs write every hyphen as a soft one: it goes, with its line break, only between two small letters."""
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    if before.islower() and after.islower():
        return dict.fromkeys(range(found.start(), found.end()), "")
    return {found.start(): "-"}


def _is_real(left: str, right: str, words: set[str]) -> bool:
    if len(left) < 2 or len(right) < 3 or not (left[1:].islower() and right.islower()):
        return True
    left = left.lower()
    if f"{left}-{right}" in words:
        return True
    if left + right in words:
        return False
    return left in _FIRST_PARTS or (len(left) > 2 and right in _LAST_PARTS)
