"""PubMed's export: a document an article, of its title and abstract. A retracted article is never evidence."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import ChartciteError, EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem
from chartcite.core.time import When
from chartcite.readers.bibliography import as_pmid, read_bibliography
from chartcite.readers.jats_front import day_of, person
from chartcite.readers.jats_inline import running_text
from chartcite.readers.page_text import PageText
from chartcite.readers.xml_tree import text_of

_LANGUAGES = {"eng": "en", "por": "pt", "spa": "es", "fre": "fr", "ger": "de", "ita": "it"}


def read_article_set(root: ET.Element, name: str, sha256: str) -> Iterator[Found | Problem]:
    """Yield a document for each article; its id is the file's name with the PMID behind it.

    Raises:
        EmptySource: there is none.
    """
    parts = [root] if root.tag == "PubmedArticle" else list(root)
    count = 0
    for number, part in enumerate(parts, start=1):
        pmid = as_pmid(text_of(part.find("MedlineCitation/PMID")))
        where = f"{name}#{pmid or number}"
        count += part.tag == "PubmedArticle"
        try:
            yield from _article(part, where, Provenance(name, sha256, "jats; pubmed"))
        except (EmptySource, UnsupportedFormat) as error:
            yield Problem(where, error, skipped=True)
    if not count:
        raise EmptySource("the file holds no `PubmedArticle`")


def _article(part: ET.Element, doc_id: str, source: Provenance) -> Iterator[Found | Problem]:
    article = part.find("MedlineCitation/Article")
    if part.tag != "PubmedArticle" or article is None:
        raise UnsupportedFormat("an entry of PubMed that is no article is not read")
    title_node = article.find("ArticleTitle")
    title = running_text(title_node).strip("[]") if title_node is not None else ""
    page = PageText()
    if title:
        page.header(title, 1)
    abstracts = [article.find("Abstract"), *part.findall("MedlineCitation/OtherAbstract")]
    for abstract in abstracts:
        for piece in abstract.findall("AbstractText") if abstract is not None else ():
            label = (piece.get("Label") or "").strip().capitalize()
            if label and label != "Unlabelled":
                page.header(label, 2)
            page.paragraph(running_text(piece))
    if not page.has_body:
        raise EmptySource("an article without abstract")
    kinds = [text_of(kind) for kind in article.findall("PublicationTypeList/PublicationType")]
    bibliography, problems = read_bibliography(_stated(part, article))
    lang = _LANGUAGES.get(text_of(article.find("Language")), "")
    document = Document(
        doc_id=doc_id,
        text=page.text,
        source=source,
        title=title,
        note_type=kinds[0][:80] if kinds else "",
        time=_when(article),
        lang="" if title_node is not None and running_text(title_node).startswith("[") else lang,
        status="entered-in-error" if "Retracted Publication" in kinds else "current",
        bibliography=bibliography,
    )
    yield Found(document, patient_id=None)
    asides: list[ChartciteError] = [*problems]
    if document.status != "current":
        asides.append(UnsupportedFormat("the article was retracted: it is kept, and is never evidence"))
    yield from (Problem(doc_id, error, skipped=True) for error in asides)


def _stated(part: ET.Element, article: ET.Element) -> dict[str, object]:
    places = [*article.findall("ELocationID"), *part.findall("PubmedData/ArticleIdList/ArticleId")]
    doi = next((text_of(p) for p in places if "doi" in (p.get("EIdType"), p.get("IdType"))), "")
    when = _when(article)
    return {
        "authors": _authors(article),
        "year": when.text[:4] if when else "",
        "doi": doi,
        "pmid": text_of(part.find("MedlineCitation/PMID")),
        "journal": text_of(article.find("Journal/Title")),
    }


def _authors(article: ET.Element) -> list[str]:
    found = []
    for one in article.findall("AuthorList/Author"):
        given = text_of(one.find("Initials")) or text_of(one.find("ForeName"))
        found.append(text_of(one.find("CollectiveName")) or person(text_of(one.find("LastName")), given))
    return [name for name in found if name]


def _when(article: ET.Element) -> When | None:
    """The date of the issue; `MedlineDate`, which is written freely, gives its year alone."""
    issue = article.find("Journal/JournalIssue/PubDate")
    parts = [text_of(issue.find(tag)) if issue is not None else "" for tag in ("Year", "Month", "Day")]
    free = text_of(issue.find("MedlineDate")) if issue is not None else ""
    return day_of(*parts) or day_of(free[:4], "", "")
