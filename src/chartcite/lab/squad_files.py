"""Files in SQuAD 2.0's form (Rajpurkar et al., ACL 2018), as several clinical sets of extractive questions have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartcite.lab.cases import GoldSpan
from chartcite.lab.datafiles import read_object
from chartcite.lab.dataset import field


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about a paragraph. `spans`, `texts`: its answers; none where it cannot be answered."""

    id: str
    question: str
    answerable: bool
    texts: tuple[str, ...]
    spans: tuple[GoldSpan, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A context with its questions. `document_id` is the file's own, else made of `title` and number."""

    document_id: str
    title: str
    text: str
    asked: tuple[Asked, ...]


def paragraphs(path: Path, dataset: str) -> Iterator[Paragraph]:
    """The paragraphs of a file, in order.

    An answer whose offset does not hold (the text there is another) keeps its words and loses its span.

    Raises:
        BadTable: no JSON, or a field is missing.
    """
    for n, article in enumerate(field(read_object(path), "data", dataset), start=1):
        title = str(article.get("title") or n)
        own_paragraphs = field(article, "paragraphs", dataset)
        for m, paragraph in enumerate(own_paragraphs, start=1):
            own = str(paragraph.get("document_id") or "") or (f"{title}/{m}" if len(own_paragraphs) > 1 else title)
            text = field(paragraph, "context", dataset)
            asked = tuple(_asked(row, own, text, dataset) for row in field(paragraph, "qas", dataset))
            yield Paragraph(own, title, text, asked)


def _asked(row: dict[str, Any], document_id: str, text: str, dataset: str) -> Asked:
    answers = row.get("answers") or []
    answerable = not row.get("is_impossible", False) and bool(answers)
    texts, spans = [], []
    for answer in answers if answerable else []:
        said, start = field(answer, "text", dataset), answer.get("answer_start", -1)
        texts.append(said)
        if isinstance(start, int) and start >= 0 and text[start : start + len(said)] == said:
            spans.append(GoldSpan(document_id, start, start + len(said)))
    return Asked(
        str(field(row, "id", dataset)), field(row, "question", dataset), answerable, tuple(dict.fromkeys(texts)),
        tuple(dict.fromkeys(spans)),
    )  # fmt: skip
