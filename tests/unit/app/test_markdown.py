"""Markdown of an answer: numbered sources, working links, and no foreign text that becomes markup."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from chartcite.app.render.markdown import escaped, markdown
from chartcite.core.answer import Answer, AnswerSentence, Citation, Searched
from chartcite.core.documents import Bibliography
from chartcite.core.scope import Scope


def citation(doc_id: str, start: int, quote: str, found: Bibliography, page: int | None = None) -> Citation:
    return Citation(doc_id, 1, start, start + 5, quote, "A *bold* trial", "", None, page, "ab", bibliography=found)


PAPER = Bibliography(("Aalto R",), "2019", "10.5555/a(1)<x>", "99")
SENTENCES = (
    AnswerSentence("# It <b>fell</b>.", (citation("a.pdf", 1, "- It [fell](http://x).", PAPER, 3),), "supported", True),
    AnswerSentence("Yes.", (citation("a.pdf", 9, "Yes.", PAPER),), "supported", True),
    AnswerSentence("No.", (citation("b.txt", 1, "No.", Bibliography(url="https://example.org/")),), "supported", True),
)


def answer(**fields: object) -> Answer:
    searched = Searched(2, 9, None, None, ("fell",), undated=2)
    base = {
        "question": "Did it fall?", "query": "fall", "scope": Scope.collection("c"), "kind": "fact",
        "sentences": SENTENCES, "evidence": (), "searched": searched, "reason": None, "fallbacks": (), "config": "x",
        "partition_seq": 1,
    }  # fmt: skip
    return Answer(**{**base, **fields})  # type: ignore[arg-type]


def test_sources_are_numbered_and_linked() -> None:
    text = markdown(answer())
    assert "\\# It \\<b\\>fell\\</b\\>. [1]" in text
    assert (
        "1. Aalto R. A \\*bold\\* trial. 2019. doi:[10.5555/a(1)\\<x\\>](https://doi.org/10.5555/a%281%29%3Cx%3E)."
        in text
    )
    assert "PMID [99](https://pubmed.ncbi.nlm.nih.gov/99/). Page 3. `a.pdf`" in text
    assert "   > \\- It \\[fell\\](http://x)." in text
    assert "2. As \\[1\\]." in text
    assert "<https://example.org/>" in text


def test_both_sides_of_a_conflict() -> None:
    row = {"sentence": 1, "quote": "It rose.", "title": "B", "authors": ["Osei K"], "year": "2021", "why": "opposite"}
    text = markdown(answer(conflicts=(row,)))
    assert "## May disagree\n\nopposite:\n\n- Aalto R 2019: " in text
    assert "\n- Osei K 2021: It rose." in text


def test_what_a_reader_must_know_is_said() -> None:
    text = markdown(answer(fallbacks=({"name": "lenient_evidence", "count": 1}, {"name": "read_whole_record"})))
    assert "**No sentence answers this for certain; these are probably relevant.**" in text
    assert "all of it was read" not in text


def test_an_abstention_says_why() -> None:
    text = markdown(answer(sentences=(), reason="weak_evidence"))
    assert "No answer." in text
    assert "## Sources" not in text


@given(st.text(max_size=80))
def test_nothing_foreign_is_markup(text: str) -> None:
    line = escaped(text)
    assert "\n" not in line
    bare = re.sub(r"\\.", "", line)
    assert not re.search(r"[`*_\[\]<>#|~!&$]", bare)
    assert not re.match(r"[-+=]|\d+[.)]", line)
