"""Good files of the page formats, with everything in them that their readers know: what fuzzers change byte by byte."""

# ruff: noqa: E501, UP012 - files as programs write them

from __future__ import annotations

import io
import zipfile

HTML = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>T</title><style>.a{display:none}</style></head><body>"
    "<h1>Plan</h1><p>Zebulon <sup>12</sup> CRP &lt;5 <del>x</del></p><ol><li>a<ul><li hidden>b</ul></ol><pre>c\n d</pre>"
    "<table><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>c<th>d</thead><tr><td>1<td>2<td>3</table><input type=checkbox>"
    "<select><option>q<option selected>r</select><p class=a>s<!-- t --><script>u</script></body></html>"
).encode()
RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset2 Symbol;}{\f2\fcharset128 M;}}{\colortbl;\red255"
    r"\green255\blue255;}{\stylesheet{\s1 heading 1;}}{\info{\title T}{\creatim\yr2031\mo3\dy2}}{\header H\par}\pard\s1 Plan"
    r"\par\pard\plain Zebulon caf\'e9 \u8805?3 {\f1\'b3}{\f2\'93\'fa}{\v x}{\deleted y}10{\super 9}{\field{\*\fldinst SYMBOL "
    r'163 \\f "Symbol"}{\fldrslt}}{\super\chftn}{\footnote n\par}\par{\listtext 1.\tab}a\par\trowd\trhdr\cellx9\cellx99\intbl T'
    r"\cell V\cell\row\trowd\clvmgf\cellx9\cellx99\intbl K\par\pard\intbl\itap2 n\nestcell{\*\nesttableprops\trowd\cellx1"
    r"\nestrow}\cell 5\cell\row\pard{\shp{\*\shpinst{\shptxt b\par}}}{\pict\bin3 abc}\uc2\u-10179??\u-8704??}"
).encode()
JATS = (
    '<!DOCTYPE article PUBLIC "x" "y.dtd"><article article-type="a"><front><article-meta><article-id pub-id-type="doi">'
    "10.5555/a</article-id><title-group><article-title>T</article-title></title-group><contrib-group><contrib><name><surname>"
    "Po</surname></name></contrib></contrib-group><pub-date><year>2031</year></pub-date><abstract><p>a</p></abstract>"
    "</article-meta></front><body><sec><title>S</title><p>Zebulon 4.5<xref ref-type='bibr'>12</xref> 10<sup>9</sup> &nbsp;"
    "<inline-formula><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></inline-formula></p><list><list-item><p>i</p>"
    "</list-item></list><table-wrap><label>T</label><caption><p>c</p></caption><table><thead><tr><th colspan='2'>h</th></tr>"
    "</thead><tbody><tr><td rowspan='2'>1</td><td>2</td></tr></tbody></table></table-wrap></sec></body><back><ref-list><ref/>"
    "</ref-list></back><sub-article><body><p>r</p></body></sub-article></article>"
).encode()
_DOCUMENT = (
    "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='H'/></w:pPr><w:r><w:t>Plan</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl "
    "w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Zebulon</w:t><w:tab/></w:r><w:ins><w:r>"
    "<w:t>in</w:t></w:r></w:ins><w:del><w:r><w:delText>out</w:delText></w:r></w:del><w:r><w:rPr><w:vertAlign "
    "w:val='superscript'/></w:rPr><w:t>9</w:t></w:r><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE"
    "</w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar "
    "w:fldCharType='end'/></w:r><w:r><w:sym w:font='Symbol' w:char='F0B3'/><w:drawing><txbxContent><w:p><w:r><w:t>box</w:t>"
    "</w:r></w:p></txbxContent></w:drawing></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/><w:vMerge/></w:tcPr><w:p>"
    "<w:r><w:t>K</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>"
)
_STYLES = "<w:styles><w:style w:styleId='H'><w:name w:val='heading 1'/><w:basedOn w:val='H'/></w:style></w:styles>"
_NUMBERING = (
    "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='lowerRoman'/><w:lvlText w:val='%1.%9'/>"
    "</w:lvl></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>"
)
_RELATIONS = (
    "<Relationships><Relationship Id='s' Type='/styles' Target='styles.xml'/><Relationship Id='n' Type='/numbering' "
    "Target='numbering.xml'/></Relationships>"
)
DOCX_PARTS = {
    "word/document.xml": _DOCUMENT.encode(), "word/styles.xml": _STYLES.encode(), "word/numbering.xml": _NUMBERING.encode(),
    "word/_rels/document.xml.rels": _RELATIONS.encode(),
}  # fmt: skip


def docx(parts: dict[str, bytes] = DOCX_PARTS) -> bytes:
    """A package of some parts, stored as they are, so that a changed byte is one of theirs."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name), data)
    return made.getvalue()


GOOD = {"html": HTML, "rtf": RTF, "jats": JATS, "docx": docx()}
"""A good file by the name of its reader."""
