from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.readers.html_text import html_to_text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>CRP &lt;5</p><ul><li>Walks 200 m</li><li>Eats well</li></ul>", "CRP <5\n\n- Walks 200 m\n- Eats well"),
        ("a &amp;lt; b &amp;amp;", "a &lt; b &amp;"),
        ("40&nbsp;&micro;g &#8805; 38 &eacute;", "40 µg ≥ 38 é"),
        ("K <LOQ, CRP <5 and >3", "K <LOQ, CRP <5 and >3"),
        ("<table><tr><th>Test</th><th>Value</th></tr><tr><td>K</td><td></td><td>5.1</td></tr></table>",
         "Test | Value\nTest: K | 5.1"),
        ("one<br>two<br/>three<div>four</div>five", "one\ntwo\nthree\nfour\nfive"),
        ("<li><p>one</p><p>more</p></li><li>two</li>", "- one\n\nmore\n\n- two"),
        ("bold<b>er</b> <i>x</i>", "bolder x"),
        ("<pre>a  b\n c</pre>d   e\n f", "a  b\n c\n\nd e f"),
        ("<html><head><title>T</title><style>p{}</style><body>x", "x"),
        ("a<script>if (a < b) '</p>'</script>b<!-- c <p> -->d", "abd"),
        ("a<div style='color:red; display : none'>no<div>no</div>no</div>b", "ab"),
        ("a<span hidden>no</span><input hidden>b<p hidden>no<p>yes", "ab\n\nyes"),
        ('<img alt="a > b">x<a href="y">z</a>', "xz"),
        ("<w:p>x</w:p><o:p></o:p>", "x"),
        ("N&#8203;o allergy, 5\u200b0&#xFEFF; mg, am\u2060ox&shy;icillin", "No allergy, 50 mg, amoxicillin"),
        ("<datalist><option value=a>no</datalist>K 5.8", "K 5.8"),
        ("<select><optgroup><option>no</optgroup></select>K 5.8", "K 5.8"),
        ("<style>.a{text-decoration:line-through}.b{color:#fff}.c{font-size:1px}.d{color:#ffe}</style>"
         "<b class=a>no</b><b class=b>no</b><b class=c>no</b><b class=d>yes</b>", "yes"),
        ("<style>.b{color:white;background:#333}</style><b class=b>yes</b>", "yes"),
        ("<table><tr><th>HBV<th>HCV<th>HIV<tr><td>neg<td>neg<td>neg<tr><td colspan=3>Rest</table>",
         "HBV: neg | HCV: neg | HIV: neg\nRest"),
        ("<!DOCTYPE html><?xml x?><body>x</body>", "x"),
        ("", ""),
        ("  \n ", ""),
    ],
)  # fmt: skip
def test_what_a_reader_of_the_page_sees(source: str, text: str) -> None:
    assert html_to_text(source) == text


@given(st.text(st.sampled_from("<>&;/'\"=! -ap\x00\x02\n") | st.characters(exclude_categories=["Cs"])))
def test_anything_is_text(source: str) -> None:
    text = html_to_text(source)
    assert not set(text) & set("\x02\x03\x04\x05\x06")


@pytest.mark.parametrize(
    "piece", ['<a "', "<a '<b \"", "<!--", "<", "<div hidden>", "<script>", "&", "<p>", "<td>", " \t", "<pre>"]
)
def test_time_is_linear(piece: str) -> None:
    start = time.perf_counter()
    html_to_text(piece * 20_000)
    assert time.perf_counter() - start < 2
