"""JATS and PubMed XML: articles with their bibliography, for a collection.

An article's references are left out: they say what others wrote. A sub-article (a decision letter, a reply) is a
document of its own. The document type that these files name is never loaded.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import ChartciteError, CorruptSource, EmptySource
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bibliography import read_bibliography
from chartcite.readers.bytes_in import read_all
from chartcite.readers.jats_body import titled, write_body, write_section
from chartcite.readers.jats_front import Front, read_front
from chartcite.readers.page_text import PageText
from chartcite.readers.pubmed import read_article_set
from chartcite.readers.xml_tree import parse_xml

MAX_BYTES = 64 << 20
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?(?:article|PubmedArticleSet|PubmedArticle)[\s/>]")
_FRONT = (b"<front", b"article-type=", b"<!DOCTYPE article", b"<body", b"<PubmedArticle", b":front")


class JatsReader:
    """One document an article; gzip is looked through."""

    name = "jats"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By the root element, and for `article`, which others have too, by what belongs to it."""
        narrow = head.replace(b"\0", b"")
        return _ROOT.search(narrow) is not None and any(mark in narrow for mark in _FRONT)

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:  # noqa: ARG002
        """Yield the article and its sub-articles, then what of them could not be used.

        Raises:
            CorruptSource: not well-formed, or with declarations of entities.
            EmptySource: there is no text in it.
            LimitExceeded: over 64 MiB, or nested without end.
        """
        root = parse_xml(read_all(path, MAX_BYTES, "export the articles in several files"), names_doctype=True)
        if root.tag in ("PubmedArticleSet", "PubmedArticle"):
            yield from read_article_set(root, name, sha256)
            return
        if root.tag != "article":
            raise CorruptSource("the XML is not that of JATS: its root is not `article`")
        yield from _article(root, name, Provenance(name, sha256, "jats; article"))
        for number, part in enumerate([*root.iter("sub-article"), *root.iter("response")], start=1):
            where = f"{name}#{_plain(part.get('id')) or f'part{number}'}"
            try:
                yield from _article(part, where, Provenance(name, sha256, "jats; sub-article"))
            except EmptySource as error:
                yield Problem(where, error, skipped=True)


def _article(node: ET.Element, doc_id: str, source: Provenance) -> Iterator[Found | Problem]:
    front = read_front(node)
    page = PageText()
    _write(node, front, page)
    if not page.has_body:
        raise EmptySource("the article has no text")
    bibliography, problems = read_bibliography(front.stated)
    document = Document(
        doc_id=doc_id,
        text=page.text,
        source=replace(source, format="; ".join(filter(None, (source.format, *_stated(front))))),
        title=front.title,
        note_type=front.kind,
        time=front.time,
        lang=front.lang,
        units=tuple(page.units),
        bibliography=bibliography,
    )
    yield Found(document, patient_id=None)
    asides: list[ChartciteError] = [*problems, *page.asides()]
    yield from (Problem(doc_id, error, skipped=True) for error in asides)


def _stated(front: Front) -> Iterator[str]:
    """Journal and licence, for which a bibliography has no field."""
    for what in ("journal", "licence"):
        said = " ".join(str(front.stated[what]).replace(";", ",").split())
        if said:
            yield f"{what}={said[:200]}"


def _write(node: ET.Element, front: Front, page: PageText) -> None:
    """Title, abstracts, body, what floats, and the back matter."""
    if front.title:
        page.header(front.title, 1)
    for abstract in front.abstracts:
        write_section(abstract, page, 1, without_title="Abstract")
    write_body(_holding(front.keywords), page)
    body = node.find("body")
    if body is not None:
        if page.has_body and next((child.tag for child in body), "sec") != "sec":
            page.header("Main text", 1)  # else it would stand under the last header of the abstract
        write_body(body, page)
    floats = node.find("floats-group")
    if floats is not None:
        page.header("Figures and tables", 1)
        write_body(floats, page)
    back = node.find("back")
    for part in back if back is not None else ():
        if part.tag == "ack" and not titled(part):
            write_section(part, page, 1, without_title="Acknowledgements")
        elif part.tag != "title":
            write_body(_holding([part]), page)


def _holding(parts: Iterable[ET.Element]) -> ET.Element:
    holder = ET.Element("body")
    holder.extend(parts)
    return holder


def _plain(identity: str | None) -> str:
    return identity if identity and re.fullmatch(r"[\w.-]{1,60}", identity, re.ASCII) else ""


READER = JatsReader()
