"""ArchEHR-QA's XML: cases with a patient's narrative, a question, and a note excerpt cut into numbered sentences.

A sentence's span is where its words stand in the excerpt: at the offset that the file states, else where they come
next. An excerpt in which a sentence cannot be found is made anew from its sentences, a line each; the case says so. Ids
are strings. Nothing is guessed: what is missing or unknown is named in `problems`, by field, never by content.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Span
from chartcite.core.errors import CorruptSource, LimitExceeded
from chartcite.readers.xml_tree import parse_xml

MAX_SENTENCES = 5_000
_KNOWN = frozenset({
    "patient_narrative", "patient_question", "clinician_question", "note_excerpt", "note_excerpt_sentences",
    "clinician_answer", "clinician_answer_sentences",
})  # fmt: skip
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<annotations[^>]*>\s*<case[\s>]", re.DOTALL
)
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,39}", re.ASCII)


@dataclass(frozen=True, slots=True)
class StatedSentence:
    """One numbered sentence. `span` is its place in the text that it belongs to; `written`: its words in the list.

    The two differ in white space at most; official scores are of the list's words.
    """

    id: str
    paragraph: str
    span: Span
    written: str


@dataclass(frozen=True, slots=True)
class ArchehrCase:
    """One case, as far as the file holds it; what it lacks is empty.

    Attributes:
        phrases: the parts of the narrative that ask.
        note: the excerpt; spans of `sentences` are places in it.
        answer: a clinician's answer, where the task gives it; spans of `answer_sentences` are places in it.
        problems: what was missing, unknown or mended, in words that name fields.
    """

    id: str
    narrative: str
    phrases: tuple[str, ...]
    clinician_question: str
    note: str
    sentences: tuple[StatedSentence, ...]
    answer: str = ""
    answer_sentences: tuple[StatedSentence, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """What the patient asks: the phrases in a row, else the whole narrative."""
        return " ".join(self.phrases) or self.narrative

    def sentence_text(self, sentence: StatedSentence) -> str:
        """The words of one of the note's sentences."""
        return self.note[slice(*sentence.span)]


def is_archehr(head: bytes) -> bool:
    """Whether a file begins as this format does."""
    return _HEAD.match(head) is not None


def read_cases(data: bytes) -> tuple[ArchehrCase, ...]:
    """All cases of a file, in its order.

    Raises:
        CorruptSource: not such XML, a document type definition, a case or sentence without an id or with one twice.
        LimitExceeded: more than 5,000 sentences in a case.
    """
    root = parse_xml(data)
    if root.tag != "annotations":
        raise CorruptSource("the XML is not that of ArchEHR-QA: its root is not `annotations`")
    cases = tuple(_case(node) for node in root.findall("case"))
    if not cases:
        raise CorruptSource("the file holds no `case`")
    _once([case.id for case in cases], "a case")
    return cases


def _case(node: ET.Element) -> ArchehrCase:
    problems: list[str] = []
    name = (node.get("id") or "").strip()
    unknown = sorted({child.tag for child in node} - _KNOWN)
    problems += [f"unknown field {tag if _NAME.fullmatch(tag) else 'of an odd name'}" for tag in unknown]
    note, sentences = _numbered(node, "note_excerpt", problems)
    answer, answer_sentences = _numbered(node, "clinician_answer", problems, optional=True)
    narrative, asked = _text(node.find("patient_narrative")), _text(node.find("clinician_question"))
    phrases = tuple(text for phrase in node.iterfind("patient_question/phrase") if (text := _text(phrase)))
    for field, value in (
        ("patient_narrative", narrative),
        ("patient_question", phrases),
        ("clinician_question", asked),
    ):
        if not value:
            problems.append(f"no {field}")
    return ArchehrCase(name, narrative, phrases, asked, note, sentences, answer, answer_sentences, tuple(problems))


def _numbered(
    node: ET.Element, field: str, problems: list[str], *, optional: bool = False
) -> tuple[str, tuple[StatedSentence, ...]]:
    """A text and its sentences, each with its place."""
    text = _text(node.find(field))
    parts = node.findall(f"{field}_sentences/sentence")
    if not text and not optional:
        problems.append(f"no {field}")
    if not parts and not optional:
        problems.append(f"no {field}_sentences")
    if len(parts) > MAX_SENTENCES:
        raise LimitExceeded(f"a case has more than {MAX_SENTENCES:,} sentences")
    filled = [part for part in parts if _text(part)]
    if len(filled) < len(parts):
        problems.append(f"{len(parts) - len(filled)} empty sentences in {field}_sentences")
    _once([(part.get("id") or "").strip() for part in filled], "a sentence")
    spans = _places(text, filled)
    if spans is None:
        if text:
            problems.append(f"{field} does not hold its sentences one after the other: made anew from them")
        text, spans = _joined(filled)
    return text, tuple(
        StatedSentence((part.get("id") or "").strip(), (part.get("paragraph_id") or "").strip(), span, _text(part))
        for part, span in zip(filled, spans, strict=True)
    )


def _places(text: str, parts: Sequence[ET.Element]) -> list[Span] | None:
    """Where the sentences stand, each after the one before it; None if one stands nowhere."""
    found: list[Span] = []
    for part in parts:
        least = found[-1].end if found else 0
        span = _place(text, _text(part), part.get("start_char_index") or "", least)
        if span is None:
            return None
        found.append(span)
    return found


def _place(text: str, words: str, stated: str, least: int) -> Span | None:
    if stated.isdecimal() and len(stated) < 10:
        at = int(stated)
        if at >= least and text.startswith(words, at):
            return Span(at, at + len(words))
    flexible = re.compile(r"\s+".join(map(re.escape, words.split())))
    match = flexible.search(text, least)
    return Span(*match.span()) if match else None


def _joined(parts: Sequence[ET.Element]) -> tuple[str, list[Span]]:
    """The sentences as a text: a line each, paragraphs apart."""
    text, spans = "", list[Span]()
    before: str | None = None
    for part in parts:
        paragraph = part.get("paragraph_id") or ""
        text += "" if before is None else "\n" if paragraph == before else "\n\n"
        spans.append(Span(len(text), len(text) + len(_text(part))))
        text, before = text + _text(part), paragraph
    return text, spans


def _text(node: ET.Element | None) -> str:
    return "".join(node.itertext()).strip() if node is not None else ""


def _once(ids: Sequence[str], what: str) -> None:
    if not all(ids):
        raise CorruptSource(f"{what} has no id")
    if len(set(ids)) < len(ids):
        raise CorruptSource(f"two of one kind have the same id: {what} must have its own")
