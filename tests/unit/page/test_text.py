"""Text in markup: read back as a browser reads it, it is the text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.app.page.language import chosen
from chartcite.app.page.login import own_path
from chartcite.app.page.paths import name_of
from chartcite.app.page.sources import window
from chartcite.app.page.text import exact
from chartcite.app.page.urls import place_url
from chartcite.core.documents import Document, Provenance, Span, text_sha256
from chartcite.core.scope import Scope

CHARS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(
    st.one_of(CHARS, st.sampled_from("\r\n\t <>&\"'\u200b\u200d\u202e\u2066\U0001f468\U0001f3fd\u0301")), max_size=300
)


class _Content(HTMLParser):
    """Text content; what a browser does to line ends before it parses is done by `of`."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""

    def handle_data(self, data: str) -> None:
        self.text += data

    @classmethod
    def of(cls, markup: str) -> str:
        parser = cls()
        parser.feed(re.sub(r"\r\n?", "\n", markup))
        parser.close()
        return parser.text


@given(TEXTS)
def test_the_content_is_the_text(text: str) -> None:
    assert _Content.of(f"<div>{exact(text)}</div>") == text


@pytest.mark.parametrize("char", ["\0", "\ud800"], ids=["nul", "half a pair"])
def test_what_html_cannot_hold_is_seen(char: str) -> None:
    shown = str(exact(f"a{char}b"))
    shown.encode("utf-8")
    assert _Content.of(shown) == "a\ufffdb"
    assert f"U+{ord(char):04X}" in shown


@given(TEXTS.filter(bool), st.data())
def test_a_window_joins_to_the_text_and_marks_the_span(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    hidden = (Span(start, min(start + 2, len(text))),)
    document = Document(doc_id="d", text=text, source=Provenance("d", text_sha256(text), "text"), hidden=hidden)
    shown = window(document, start, end, around=data.draw(st.integers(0, 400)))
    before, marked, after = ("".join(p.text for p in pieces) for pieces in (shown.before, shown.marked, shown.after))
    assert marked == text[start:end]
    assert before + marked + after == text[shown.start : shown.end]
    assert (shown.cut_before, shown.cut_after) == (shown.start, len(text) - shown.end)


def test_a_long_document_is_cut_around_the_span_without_reading_all_of_it() -> None:
    text = "Filler sentence here.\n" * 250_000
    document = Document(doc_id="d", text=text, source=Provenance("d", "0", "text"))
    shown = window(document, 3_000_000, 3_000_020)
    assert shown.end - shown.start < 6_000
    assert text[shown.start - 1] == text[shown.end - 1] == "\n"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=40))
def test_a_name_comes_back_from_its_path(name: str) -> None:
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415

    scope = Scope.patient(name.strip() or "x")
    part = place_url(scope, "timeline").split("/")[2]
    assert "/" not in part
    kept = unquote_to_bytes(part).decode().replace("%", "%25").replace("/", "%2F")
    assert name_of(kept) == scope.name


@pytest.mark.parametrize(
    ("query", "cookie", "header", "lang"),
    [
        ("pt", "en", "en", "pt"), (None, "pt", "en", "pt"), (None, None, "de, pt;q=0.1", "pt"),
        (None, None, "en;q=0, pt-PT", "pt"), (None, None, "pt;q=x", "en"), ("<b>", "", "", "en"),
        (None, None, None, "en"),
    ],
    ids=["query", "cookie", "header", "refused", "malformed", "unknown", "nothing"],
)  # fmt: skip
def test_the_language_is_chosen(query: str | None, cookie: str | None, header: str | None, lang: str) -> None:
    assert chosen(query, cookie, header) == lang


@pytest.mark.parametrize(
    "asked", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/\n/evil.example", "/\t/x", ""],
    ids=["slashes", "backslash", "scheme", "relative", "line", "tab", "empty"],
)  # fmt: skip
def test_a_login_goes_on_to_no_other_site(asked: str) -> None:
    assert own_path(asked) == "/"
