"""DOCX: what a reader of the page sees with all changes accepted, and nothing that the page hides."""

# ruff: noqa: E501 - parts as Word writes them

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.errors import (
    CorruptSource,
    EmptySource,
    EncryptedSource,
    LimitExceeded,
    ReadError,
    UnsupportedFormat,
)
from chartcite.readers.docx import read_docx
from chartcite.readers.left_out import NO_WIDTH
from chartcite.readers.office_pages import OfficePages

RELS = """<Relationships><Relationship Id="s" Type="http://x/styles" Target="styles.xml"/><Relationship Id="n"
Type="http://x/numbering" Target="numbering.xml"/><Relationship Id="f" Type="http://x/footnotes" Target="footnotes.xml"/>
<Relationship Id="h1" Type="http://x/header" Target="header1.xml"/><Relationship Id="out" Type="http://x/header"
Target="http://example.org/x" TargetMode="External"/></Relationships>"""
STYLES = """<w:styles><w:docDefaults/><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Kap"><w:basedOn w:val="H1"/><w:name w:val="Kapitel"/></w:style><w:style
w:type="paragraph" w:styleId="Out"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:type="character"
w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="table" w:styleId="Lines"><w:tblStylePr
w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style></w:styles>"""
NUMBERING = """<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt
w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/>
</w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText
w:val="&#xF0B7;"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2">
<w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride
w:val="4"/></w:lvlOverride></w:num></w:numbering>"""
FOOTNOTES = '<w:footnotes><w:footnote w:id="5"><w:p><w:r><w:footnoteRef/><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
HEADER = "<w:hdr><w:p><w:r><w:t>Hospital X</w:t></w:r></w:p></w:hdr>"
CORE = "<cp:coreProperties><dc:title>Letter</dc:title><dc:creator>Dr. Po</dc:creator><dcterms:created>2031-03-02T10:00:00Z</dcterms:created></cp:coreProperties>"  # fmt: skip


def docx(body: str, more: Mapping[str, str] = {}) -> io.BytesIO:
    made = io.BytesIO()
    parts = {
        "word/document.xml": f"<w:document><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": RELS, "word/styles.xml": STYLES, "word/numbering.xml": NUMBERING,
        "word/footnotes.xml": FOOTNOTES, "word/header1.xml": HEADER, "docProps/core.xml": CORE, **more,
    }  # fmt: skip
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    made.seek(0)
    return made


def read(body: str) -> OfficePages:
    return read_docx(docx(body))


def p(*runs: str, style: str = "", more: str = "") -> str:
    said = f"<w:pStyle w:val='{style}'/>" if style else ""
    return f"<w:p><w:pPr>{said}{more}</w:pPr>{''.join(runs)}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


def item(text: str, number: int, level: int = 0) -> str:
    return p(r(text), more=f"<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{number}'/></w:numPr>")


def field(instruction: str, result: str, begin: str = "") -> str:
    ends = [f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>" for kind in ("separate", "end")]
    code = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return f"<w:r><w:fldChar w:fldCharType='begin'>{begin}</w:fldChar></w:r>{code}{ends[0]}{result}{ends[1]}"


BOX = "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (p(r("5 mg"), "<w:r><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t><w:noBreakHyphen/><w:t>z</w:t></w:r>"), "5 mg\tx\ny-z"),
        (p("<w:del><w:r><w:delText>stop</w:delText></w:r></w:del>", "<w:ins>" + r("take") + "</w:ins>"), "take"),
        (p("<w:moveFrom>" + r("no") + "</w:moveFrom><w:moveTo>" + r("yes") + "</w:moveTo>"), "yes"),
        (p(r("one "), more="<w:rPr><w:del/></w:rPr>") + p(r("two")), "one two"),
        (p(r("a"), r("no", "<w:vanish/>"), r("b", "<w:vanish w:val='0'/>"), r("no", "<w:rStyle w:val='Gone'/>")), "ab"),
        (p(r("no", "<w:color w:val='FFFFFF'/>"), r("no", "<w:sz w:val='2'/>"), r("no", "<w:strike/>"), r("yes")), "yes"),
        (p(r("yes", "<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>")), "yes"),
        (p(r("10"), r("3", "<w:position w:val='8'/>"), r("/L CO"), r("2", "<w:position w:val='-6'/>")), "10^3/L CO2"),
        (p(r("N\u200bo allergy, 5\u200b0 mg")), "No allergy, 50 mg"),
        (p(r("10"), r("3", "<w:position w:val='0'/>"), r("0", "<w:position w:val='x'/>")), "1030"),
        (p("<w:hyperlink r:id='out'>" + r("link") + "</w:hyperlink><w:smartTag>" + r("tag") + "</w:smartTag>"), "linktag"),
        (p(field("PAGE", r("7")), field("IF " + "x", "")), "7"),
        (p(field(' SYMBOL 179 \\f "Symbol" ', ""), r("5"), "<w:r><w:sym w:font='Symbol' w:char='F0A3'/></w:r>"), "≥5≤"),
        (p(field("FORMCHECKBOX", "", "<w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox></w:ffData>"),
           r(" yes")), "☒ yes"),
        (p(r("10"), r("9", "<w:vertAlign w:val='superscript'/>"), r("/L, CO"), r("2", "<w:vertAlign w:val='subscript'/>"),
           r(", 4.5"), r("12", "<w:vertAlign w:val='superscript'/>")), "10^9/L, CO2, 4.5 [12]"),
        (p(r("4.5"), "<w:r><w:footnoteReference w:id='5'/></w:r>", r(" mg")), "4.5 [1] mg\n[1] A note."),
        (p(r("a"), f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{BOX}</w:drawing></mc:Choice><mc:Fallback><w:pict>"
           f"{BOX}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"), "a\nin a box"),
        ("<w:sdt><w:sdtContent>" + p(r("held")) + "</w:sdtContent></w:sdt><w:customXml>" + p(r("too")) + "</w:customXml>",
         "held\ntoo"),
        (p("<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"),
         "a/b"),
        (p(r("Plan"), style="Kap") + p(r("x")) + p(r("Sub"), style="Out") + p(r("y")), "# Plan\nx\n\n## Sub\ny"),
        (item("a", 1) + item("b", 1, 1) + item("c", 1, 1) + item("d", 1) + item("e", 1, 1) + item("f", 2) + item("g", 3),
         "1. a\n  1.a) b\n  1.b) c\n2. d\n  2.a) e\n- f\n4. g"),
        (p(r("x")) + "<w:sectPr><w:headerReference r:id='h1'/><w:headerReference r:id='out'/></w:sectPr>", "Hospital X\nx"),
        (p(r("A long paragraph that has no full stop at its very end")) + p(r("another")),
         "A long paragraph that has no full stop at its very end\n\nanother"),
    ],
)  # fmt: skip
def test_what_is_seen(body: str, text: str) -> None:
    assert read(body).text.strip("\n").replace("\n\n", "\n") == text.replace("\n\n", "\n")


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def tr(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def tc(text: str, properties: str = "", bold: str = "") -> str:
    inner = text if text.startswith("<") else p(r(text, bold))
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


HEAD = tr(tc("Test"), tc("Value"), tc("Unit"), properties="<w:tblHeader/>")
BOLD = tr(*(tc(name, bold="<w:b/>") for name in ("Test", "Value", "Unit")))
PLAIN = tr(tc("Test"), tc("Value"), tc("Unit"))
ROW = tr(tc("K"), tc("5.8"), tc("mmol/L"))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (table(ROW), "K | 5.8 | mmol/L"),
        (table(HEAD, ROW), "Test: K | Value: 5.8 | Unit: mmol/L"),
        (table(BOLD, ROW), "Test: K | Value: 5.8 | Unit: mmol/L"),
        (table(PLAIN, ROW, properties="<w:tblStyle w:val='Lines'/><w:tblLook w:val='04A0'/>"),
         "Test: K | Value: 5.8 | Unit: mmol/L"),
        (table(PLAIN, ROW, properties="<w:tblStyle w:val='Lines'/><w:tblLook w:firstRow='0'/>"),
         "Test | Value | Unit\nK | 5.8 | mmol/L"),
        (table(HEAD, tr(tc("Note"), tc("all", "<w:gridSpan w:val='2'/>"))), "Test: Note | Value: all"),
        (table(tr(tc("a", "<w:vMerge w:val='restart'/>"), tc("1")), tr(tc("", "<w:vMerge/>"), tc("2"))), "a | 1\na | 2"),
        (table(tr(tc("no"), tc("no"), properties="<w:del/>"), tr(tc("yes"), tc("too"))), "yes | too"),
        (table(tr(tc(p(r("a")) + p(r("b"))), tc("c"))), "a; b | c"),
        (table(tr(tc(p(r("a")) + p(r("b"))))), "a\nb"),
        (table(tr(tc(table(ROW)), tc("c"))), "K | 5.8 | mmol/L\nc"),
        (table(tr(tc("white", bold="<w:color w:val='FFFFFF'/>"), tc("x")), properties="<w:tblStyle w:val='Grid'/>"),
         "white | x"),
    ],
    ids=["rows", "head", "bold", "style", "style not asked", "spans", "down", "deleted", "in a cell", "layout", "nested", "styled"],
)  # fmt: skip
def test_tables(body: str, text: str) -> None:
    made = read(body)
    assert made.text.strip("\n").replace("\n\n", "\n") == text.replace("\n\n", "\n")
    assert all(made.text[slice(*unit)] in text.split("\n") for unit in made.units)


def test_what_the_file_says_of_itself_and_what_is_left_out() -> None:
    drawing = "<w:r><w:drawing><a:blip/></w:drawing></w:r><w:r><w:object><o:OLEObject/></w:object></w:r>"
    hidden = r("no", "<w:vanish/>") + "<w:r><w:commentReference/></w:r><w:r><w:sym w:font='Odd' w:char='F021'/></w:r>"
    made = read(p(r("x"), drawing, hidden, "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>") + "<w:altChunk/>")
    assert (made.title, made.author, made.created) == ("Letter", "Dr. Po", "2031-03-02T10:00:00Z")
    assert [str(problem) for problem in made.problems] == [
        "comments in the margin, left out: 1",
        "characters that a tracked change deleted, left out: 4",
        "embedded objects, charts and files, left out: 1",
        "characters that a reader of the page cannot see, left out: 2",
        "pictures, left out: 1",
        "pieces in a form that is not read, left out: 1",
        "signs that no font or code page explains, shown as a mark: 1",
    ]


def zipped(parts: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()


DOCUMENT = b"<w:document><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>"
OLE = b"\xd0\xcf\x11\xe0" + bytes(500)


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (OLE + "EncryptedPackage".encode("utf-16-le"), EncryptedSource, "password"),
        (OLE, UnsupportedFormat, "old Word format"),
        (b"plain text", CorruptSource, "not a DOCX"),
        (b"PK\x03\x04" + bytes(40), CorruptSource, "ZIP"),
        (zipped({"word/other.xml": DOCUMENT}), CorruptSource, "no text part"),
        (zipped({"word/document.xml": b"<w:document><w:body/></w:document>"}), EmptySource, "no text"),
        (zipped({"word/document.xml": b"<!DOCTYPE a [<!ENTITY b 'c'>]>" + DOCUMENT}), CorruptSource, "type definition"),
        (zipped({"word/document.xml": b"<workbook/>"}), UnsupportedFormat, "not a document of text"),
        (zipped({"word/document.xml": DOCUMENT[:-5]}), CorruptSource, "well-formed"),
        (zipped({"word/document.xml": DOCUMENT + b" " * (50 << 20)}), LimitExceeded, "out of proportion"),
        (zipped({"word/document.xml": b"<w:document><w:body>" + b"<w:sdt>" * 500}), LimitExceeded, "nested"),
        (zipped({"word/document.xml": DOCUMENT, "WORD/document.xml": DOCUMENT}), CorruptSource, "two parts"),
    ],
    ids=["password", "doc", "text", "cut zip", "no part", "empty", "dtd", "xlsx", "broken", "bomb", "deep", "twice"],
)
def test_refused(data: bytes, error: type[ReadError], says: str) -> None:
    with pytest.raises(error, match=says):
        read_docx(io.BytesIO(data))


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"]), min_size=1)


def comes_back(said: str) -> None:
    bare = said.translate(NO_WIDTH).strip(" ")
    if not bare.strip():
        return
    written = escape(said)
    assert read(p(r(written))).text == f"{bare}\n"
    assert read(table(tr(tc(p(r(written))), tc("b"), tc("c")))).text == f"{bare.strip()} | b | c\n"


@settings(deadline=None, max_examples=200)
@given(WORDS)
def test_any_words_come_back(said: str) -> None:
    comes_back(said)


@pytest.mark.soak
@settings(deadline=None, max_examples=2000)
@given(WORDS)
def test_any_words_come_back_at_length(said: str) -> None:
    comes_back(said)
