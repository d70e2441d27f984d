"""HTML files: what can be seen is read, in the right characters; what cannot is left out and counted."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.documents import Document
from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.html import READER, decode_html
from chartcite.readers.html_text import html_to_text, read_page


def read(path: Path, data: bytes) -> tuple[Document, list[str]]:
    path.write_bytes(data)
    items = list(READER.read(path, path.name, "", ReadOptions()))
    (document,) = (item.document for item in items if isinstance(item, Found))
    return document, [str(item.error) for item in items if isinstance(item, Problem)]


PAGE = """<!DOCTYPE html><html lang="pt-BR"><head><title>Alta &amp; plano</title><meta charset="utf-8">
<meta name="author" content="Dra. Ana"><base href="http://example.org/"><style>.gone {display: none}</style></head>
<body><h1>Plano</h1><p>Troponina &lt;0.01 ng/mL, p < 0.05</p><p class="gone">nada</p><s>AAS</s>
<table><thead><tr><th>Exame</th><th>Valor</th><th>Unidade</th></tr></thead>
<tr><td>K</td><td>5,8</td><td>mmol/L</td></tr></table><iframe src="x">no</iframe></body></html>"""


def test_a_page(tmp_path: Path) -> None:
    document, problems = read(tmp_path / "2031-03-02_letter.html", PAGE.encode())
    assert document.text == (
        "# Plano\n\nTroponina <0.01 ng/mL, p < 0.05\n\nExame: K | Valor: 5,8 | Unidade: mmol/L"
    )  # fmt: skip
    assert (document.title, document.author, document.lang) == ("Alta & plano", "Dra. Ana", "pt-BR")
    assert (str(document.time), document.note_type) == ("2031-03-02", "Letter")
    assert [document.text[slice(*unit)] for unit in document.units] == ["Exame: K | Valor: 5,8 | Unidade: mmol/L"]
    assert problems == [
        "characters that a reader of the page cannot see, left out: 4",
        "characters that are struck out, left out: 3",
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<div hidden>no</div>a<span aria-hidden=true>no</span>", "a"),
        ("<p style='font-size:0'>no<p style='font-size:0.9em'>yes<p style='font-size:0px'>no", "yes"),
        ("<p style='color:#FFF'>no</p><font color=white>no</font>yes", "yes"),
        ("<div style='background:#003'><p style='color:white'>yes</p></div>", "yes"),
        ("<p style='background-color:white;color:white'>no</p>yes", "yes"),
        ("<p style='position:absolute;left:-9999px'>no</p>yes", "yes"),
        ("<p style='opacity: 0'>no</p><p style='opacity:0.9'>yes</p>", "yes"),
        ("<style>@media print{.a{display:none}}#b{display:none}</style><p class=a>yes</p><p id=b>no</p>", "yes"),
        ("<style>p.x{visibility:hidden} .y .z{display:none}</style><p class='w x'>no</p><p class=z>yes</p>", "yes"),
        ("<ul><li hidden>no</ul>yes", "yes"),
        ("<ul><li hidden>no<ul><li>no</ul></li><li>yes</ul>", "- yes"),
        ("<table><tr hidden><td>no<table><tr><td>no</table></table>yes", "yes"),
        ("<table><tr><td hidden>no<td>yes<td>too</table>", "yes | too"),
        ("<p hidden>no<div>yes</div>", "yes"),
        ("<del>no</del><ins>yes</ins> <span style='text-decoration: line-through'>no</span>", "yes"),
        ("<select><option>no<option selected>yes<option>no</select>", "yes"),
        ("<input type=checkbox checked> yes <input type=radio> no <input value='5 mg'><input type=hidden value=z>",
         "☒ yes ☐ no 5 mg"),
        ("<textarea>a <b</textarea>", "a <b"),
        ("<template>no</template><noscript>no</noscript><svg><text>no</text></svg>yes", "yes"),
    ],
)  # fmt: skip
def test_hidden_words_are_left_out(source: str, text: str) -> None:
    assert html_to_text(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h2>Labs</h2><p>K 5</p><h3>Urine</h3>x", "## Labs\n\nK 5\n\n### Urine\n\nx"),
        ("<ol><li>a<ol start=4><li>b</ol><li>c</ol>", "1. a\n\n  4. b\n\n2. c"),
        ("WBC 10<sup>9</sup>/L, 2 m<sup>2</sup>, CO<sub>2</sub>, 4.5<sup>12</sup> mg",
         "WBC 10^9/L, 2 m2, CO2, 4.5 [12] mg"),
        ("<table><tr><td>a<p>b</td><td>c</td></tr></table>", "a; b | c"),
        ("<table><tr><td><h2>Plan</h2><p>x</td><td>y</td></tr></table>z", "## Plan\n\nx\ny\n\nz"),
        ("<table><tr><td><table><tr><td>K<td>5</table><td>b</table>", "K | 5\nb"),
        ("<table><tr><th>A<th>B<th>C<tr><td>a<td colspan=2>b<tr><td rowspan=2>r<td>1<td>2<tr><td>3<td>4</table>",
         "A: a | B: b\nA: r | B: 1 | C: 2\nA: r | B: 3 | C: 4"),
        ("<table><thead><tr><th rowspan=2>T<th colspan=2>Drug<th colspan=2>Placebo<tr><th>n<th>%<th>n<th>%</thead>"
         "<tr><td>K<td>1<td>2<td>3<td>4</table>", "T: K | Drug, n: 1 | Drug, %: 2 | Placebo, n: 3 | Placebo, %: 4"),
        ("<table><tr><td>only</td></tr><tr><td>layout</td></tr></table>", "only\nlayout"),
        ("a<td>b</td></table>c</tr>", "a\nb\nc"),
        ("in&shy;sulin&#173; 5", "insulin 5"),
    ],
)  # fmt: skip
def test_layout(source: str, text: str) -> None:
    assert html_to_text(source) == text


@pytest.mark.parametrize(
    ("data", "text", "charset"),
    [
        (b"<meta charset=windows-1252><p>40 \xb5g", "40 µg", "windows-1252"),
        (b"<meta http-equiv=a content='text/html; charset=iso-8859-1'>5 \x96 6 \xb5g", "5 – 6 µg", "windows-1252"),
        (b"<meta charset=iso-8859-1>40 \xc2\xb5g", "40 µg", "utf-8"),
        (b"\xef\xbb\xbf<meta charset=iso-8859-1>40 \xc2\xb5g", "40 µg", "utf-8"),
        (b"<meta charset=utf-8>40 \xb5g", "40 µg", "windows-1252"),
        (b"<meta charset=nonsense>40 \xb5g", "40 µg", "windows-1252"),
        (b"<?xml version='1.0' encoding='windows-1251'?><p>\xcd\xe5\xf2", "Нет", "cp1251"),
        ("\ufeff<p>40 µg".encode("utf-16-le"), "40 µg", "utf-16-le"),
    ],
    ids=["1252", "latin-1 is 1252", "wrong label", "bom", "not utf-8", "no such", "xml", "utf-16"],
)
def test_character_sets(data: bytes, text: str, charset: str) -> None:
    source, found = decode_html(data)
    assert html_to_text(source) == text
    assert found.name == charset


def test_a_page_without_anything_to_see_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="nothing on the page"):
        read(tmp_path / "a.html", b"<html><body><p hidden>x</p><script>y</script></body></html>")


@pytest.mark.parametrize(
    "piece",
    ["<table><tr><td>a", "<tr hidden>", "<ul><li>", "<sup>1", "<select><option>", "<td colspan=99 rowspan=9>a",
     "<h1>", "<style>.a{", "background:", "<a b=c ", "<p hidden>x", "<pre>\n", "<textarea>", "&#"],
)  # fmt: skip
def test_any_number_of_anything_ends(piece: str) -> None:
    start = time.perf_counter()
    with suppress(ReadError):
        read_page("<table>" + piece * 5_000)
    assert time.perf_counter() - start < 60


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]) | st.just(" "), min_size=1)


def comes_back(said: str) -> None:
    bare = " ".join(said.replace("\xad", "").split(" ")).strip(" ")
    bare = " ".join(bare.split())
    if not bare:
        return
    written = said.replace("&", "&amp;").replace("<", "&lt;")
    assert html_to_text(f"<div><p>{written}</p></div>") == bare
    assert html_to_text(f"<table><tr><td>{written}<td>b<td>c</table>") == f"{bare} | b | c"


@settings(deadline=None, max_examples=200)
@given(WORDS)
def test_any_words_come_back(said: str) -> None:
    comes_back(said)


@pytest.mark.soak
@settings(deadline=None, max_examples=2000)
@given(WORDS)
def test_any_words_come_back_at_length(said: str) -> None:
    comes_back(said)
