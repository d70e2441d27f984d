"""JATS and PubMed: an article with its bibliography, sections and tables, and no reference inside a number."""

from __future__ import annotations

import time
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource, EmptySource, ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.jats import READER

DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "JATS-archivearticle1.dtd">'
FRONT = """<front><journal-meta><journal-title-group><journal-title>Journal of X</journal-title></journal-title-group>
</journal-meta><article-meta><article-id pub-id-type="pmid">123</article-id><article-id pub-id-type="doi">10.5555/a.1
</article-id><title-group><article-title>A <italic>trial</italic></article-title></title-group><contrib-group>
<contrib contrib-type="author"><name><surname>Aalto</surname><given-names>Riitta M</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>No</surname></name></contrib><contrib contrib-type="author"><collab>
The Group</collab></contrib></contrib-group><pub-date pub-type="epub"><day>2</day><month>11</month><year>2018</year>
</pub-date><pub-date pub-type="ppub"><year>2019</year></pub-date><permissions><license
xlink:href="https://creativecommons.org/licenses/by/4.0/"/></permissions><abstract><sec><title>Aims</title><p>To see.
</p></sec></abstract><kwd-group><kwd>one</kwd><kwd>two</kwd></kwd-group></article-meta></front>"""


def read(path: Path, data: str) -> tuple[list[Document], list[str]]:
    path.write_bytes(data.encode())
    items = list(READER.read(path, path.name, "", ReadOptions()))
    documents = [item.document for item in items if isinstance(item, Found)]
    return documents, [str(item.error) for item in items if isinstance(item, Problem)]


def body(path: Path, inner: str) -> str:
    ((document,), _) = read(path / "a.xml", f"{DOCTYPE}<article><body>{inner}</body></article>")
    return document.text.rstrip("\n")


def test_an_article(tmp_path: Path) -> None:
    sub = "<sec><label>1.</label><title>Sub</title><p>x</p></sec>"
    inner = f"<body><sec><title>Methods</title><p>Done.</p>{sub}</sec></body>"
    back = "<back><ack><p>Thanks.</p></ack><ref-list><ref/><ref/></ref-list></back>"
    article = f'{DOCTYPE}<article article-type="research-article" xml:lang="en">{FRONT}{inner}{back}</article>'
    ((document,), problems) = read(tmp_path / "a.nxml", article)
    assert document.text == (
        "# A trial\n\n# Abstract\n\n## Aims\nTo see.\nKeywords: one; two\n\n# Methods\nDone.\n\n## 1. Sub\nx\n\n"
        "# Acknowledgements\nThanks.\n"
    )
    cited = document.bibliography
    assert (cited.authors, cited.year, cited.doi, cited.pmid) == (
        ("Aalto RM", "The Group"),
        "2019",
        "10.5555/a.1",
        "123",
    )
    assert (document.title, document.lang, str(document.time)) == ("A trial", "en", "2018-11-02")
    assert document.note_type == "Research article"
    assert document.source.format == "jats; article; journal=Journal of X; licence=CC BY 4.0"
    assert problems == ["references, which are no evidence of the article, left out: 2"]


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("<p>4.5<xref ref-type='bibr'>12</xref> mg</p>", "4.5 [12] mg"),
        ("<p>4.5<sup><xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref></sup> mg</p>", "4.5 [1,2] mg"),
        ("<p>seen [<xref ref-type='bibr'>1</xref>–<xref ref-type='bibr'>3</xref>].</p>", "seen [1–3]."),
        ("<p>seen (<xref ref-type='bibr'>Po, 2010</xref>)</p>", "seen (Po, 2010)"),
        ("<p>10<sup>9</sup>/L, m<sup>2</sup>, h<sup>−1</sup>, HbA<sub>1c</sub></p>", "10^9/L, m2, h^−1, HbA1c"),
        ("<p>a <xref ref-type='fig'>Fig. 1</xref> b</p>", "a Fig. 1 b"),
        ("<p>x<fn><label>a</label><p>note</p></fn> y</p>", "x y\na note"),
        ("<p>p &lt; 0.05, &nbsp;40 &micro;g &#x2265; 3</p>", "p < 0.05, 40 µg ≥ 3"),
        ("<list list-type='order'><list-item><p>a</p><list><list-item><p>b</p></list-item></list></list-item></list>",
         "1. a\n  - b"),
        ("<def-list><def-item><term>BP</term><def><p>blood pressure</p></def></def-item></def-list>",
         "BP: blood pressure"),
        ("<p>see<fig><label>Fig. 1</label><caption><title>Flow</title><p>Of all.</p></caption><graphic/></fig>too</p>",
         "see\nFig. 1. Flow. Of all.\ntoo"),
        ("<p><disp-formula><label>(1)</label><tex-math>x</tex-math></disp-formula></p>", "x (1)"),
        ("<p>n = <inline-formula><alternatives><tex-math>no</tex-math><math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo>"
         "<mn>1</mn></mrow></mfrac></math></alternatives></inline-formula>.</p>", "n = a/(b+1)."),
        ("<boxed-text><caption><title>Box</title></caption><p>in it</p></boxed-text>", "# Box\nin it"),
    ],
)  # fmt: skip
def test_running_text(tmp_path: Path, inner: str, text: str) -> None:
    assert body(tmp_path, inner).replace("\n\n", "\n") == text.replace("\n\n", "\n")


def test_a_table(tmp_path: Path) -> None:
    table = (
        "<table-wrap><label>Table 1</label><caption><title>Outcome</title></caption><table><thead><tr><th rowspan='2'>"
        "Arm</th><th colspan='2'>HbA<sub>1c</sub></th></tr><tr><th>n</th><th>mean<xref ref-type='table-fn'><sup>a</sup>"
        "</xref></th></tr></thead><tbody><tr><td>Drug</td><td>12</td><td>7.1<break/>(0.2)</td></tr></tbody></table>"
        "<table-wrap-foot><fn><label>a</label><p>Adjusted.</p></fn></table-wrap-foot></table-wrap>"
    )
    assert body(tmp_path, table) == (
        "Table 1. Outcome.\nArm: Drug | HbA1c, n: 12 | HbA1c, mean [a]: 7.1; (0.2)\na Adjusted."
    )


def test_a_table_that_is_a_picture_is_told(tmp_path: Path) -> None:
    article = "<article><body><p>x</p><table-wrap><label>T</label><graphic/></table-wrap></body></article>"
    (_, problems) = read(tmp_path / "a.xml", article)
    assert problems == ["tables and formulas that are pictures, left out: 1"]


def test_a_reply_is_a_document_of_its_own(tmp_path: Path) -> None:
    reply = (
        "<sub-article id='SA1'><front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>"
    )
    article = f"<article><body><p>x</p></body>{reply}<body><p>y</p></body></sub-article></article>"
    ((first, second), _) = read(tmp_path / "a.xml", article)
    assert (first.text, second.doc_id, second.text) == ("x\n", "a.xml#SA1", "# Reply\ny\n")


PUBMED = """<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "x" "https://dtd.nlm.nih.gov/x.dtd"><PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID>77</PMID><Article><Journal><Title>J</Title><JournalIssue><PubDate><Year>2018</Year>
<Month>May</Month></PubDate></JournalIssue></Journal><ArticleTitle>Aspirin.</ArticleTitle><Abstract><AbstractText
Label="RESULTS">10<sup>9</sup> and 5 mg.</AbstractText></Abstract><AuthorList><Author><LastName>Po</LastName><Initials>A
</Initials></Author></AuthorList><Language>eng</Language><PublicationTypeList><PublicationType>KIND</PublicationType>
</PublicationTypeList></Article></MedlineCitation></PubmedArticle><PubmedArticle><MedlineCitation><PMID>78</PMID><Article>
<ArticleTitle>No abstract</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""


def test_pubmed(tmp_path: Path) -> None:
    ((document,), problems) = read(tmp_path / "set.xml", PUBMED.replace("KIND", "Journal Article"))
    assert document.doc_id == "set.xml#77"
    assert document.text == "# Aspirin.\n\n## Results\n10^9 and 5 mg.\n"
    cited = document.bibliography
    assert (cited.authors, cited.year, cited.pmid, str(document.time)) == (("Po A",), "2018", "77", "2018-05")
    assert (document.lang, document.status) == ("en", "current")
    assert problems == ["an article without abstract"]


def test_a_retracted_article_is_no_evidence(tmp_path: Path) -> None:
    ((document,), problems) = read(tmp_path / "set.xml", PUBMED.replace("KIND", "Retracted Publication"))
    assert document.status == "entered-in-error"
    assert "retracted" in problems[0]


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        ('<!DOCTYPE article [<!ENTITY a "b">]><article><body>&a;</body></article>', CorruptSource, "type definition"),
        ('<!DOCTYPE article SYSTEM "x" [<!ENTITY a SYSTEM "file:///etc/passwd">]><article><body>&a;</body></article>',
         CorruptSource, "type definition"),
        (f"{DOCTYPE}<article><body><p>&company;</p></body></article>", CorruptSource, "declared nowhere"),
        ("<article><body><p>&nbsp;</p></body></article>", CorruptSource, "not well-formed"),
        (f"{DOCTYPE}<article><body/></article>", EmptySource, "no text"),
        ("<article><front><body><p>x</p></article>", CorruptSource, "not well-formed"),
        ("<article><body>" + "<sec>" * 300, ReadError, "nested more than"),
    ],
    ids=["entity", "external", "unknown entity", "no doctype", "empty", "broken", "deep"],
)  # fmt: skip
def test_refused(tmp_path: Path, data: str, error: type[ReadError], says: str) -> None:
    (tmp_path / "a.xml").write_text(data)
    with pytest.raises(error, match=says):
        list(read_source(tmp_path / "a.xml", "a.xml"))


def test_an_entity_bomb_is_refused_at_once(tmp_path: Path) -> None:
    names = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    start = time.perf_counter()
    with pytest.raises(CorruptSource):
        read(
            tmp_path / "a.xml",
            f'<!DOCTYPE article [<!ENTITY a0 "x">{names}]><article><body><p>&a11;</p></body></article>',
        )
    assert time.perf_counter() - start < 1


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zs", "Zl", "Zp"]) | st.just(" "), min_size=1)


def comes_back(folder: Path, said: str) -> None:
    bare = " ".join(said.split())
    if not bare:
        return
    written = escape(said)
    assert body(folder, f"<p>{written}</p>") == bare
    row = f"<table><tr><td>{written}</td><td>b</td><td>c</td></tr></table>"
    assert body(folder, f"<table-wrap>{row}</table-wrap>") == f"{bare} | b | c"


@settings(deadline=None, max_examples=200)
@given(said=WORDS)
def test_any_words_come_back(tmp_path_factory: pytest.TempPathFactory, said: str) -> None:
    comes_back(tmp_path_factory.getbasetemp(), said)


@pytest.mark.soak
@settings(deadline=None, max_examples=2000)
@given(said=WORDS)
def test_any_words_come_back_at_length(tmp_path_factory: pytest.TempPathFactory, said: str) -> None:
    comes_back(tmp_path_factory.getbasetemp(), said)
