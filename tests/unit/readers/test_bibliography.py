"""Bibliographic fields: what has the form of one is kept, the rest is left out with a problem, nothing is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.core.documents import Bibliography, Document, Provenance
from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Problem
from chartcite.readers.bibliography import as_doi, as_pmid, as_url, as_year, read_bibliography, split_authors
from chartcite.readers.detect import read_source
from chartcite.readers.front_matter import read_head
from chartcite.readers.references import Reference, matched, read_references, with_reference

if TYPE_CHECKING:
    from tests.conftest import MakeNote

BLOCK = """---
title: "Fluids: a trial"
authors:
  - Aalto R
  - Virtanen, Kaisa
date: 2019-03-02
doi: https://doi.org/10.5555/Fluids.2019.7
---

# Fluids

Mortality fell.
"""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"authors": ["Aalto R", " Osei  K "], "year": 2019}, Bibliography(("Aalto R", "Osei K"), "2019")),
        ({"authors": [{"name": "Ana Souza"}]}, Bibliography(("Ana Souza",))),
        ({"authors": "Aalto R, Osei K, & Lindholm AB"}, Bibliography(("Aalto R", "Osei K", "Lindholm AB"))),
        ({"authors": "Osei, Kwame"}, Bibliography(("Osei, Kwame",))),
        ({"year": "2019-03-02", "doi": "DOI: 10.5555/a.b(1)"}, Bibliography((), "2019", "10.5555/a.b(1)")),
        ({"pmid": 123.0, "url": "https://example.org/x"}, Bibliography(pmid="123", url="https://example.org/x")),
        ({"year": None, "doi": "", "authors": ""}, Bibliography()),
    ],
)
def test_well_formed_fields_are_kept(fields: dict[str, object], expected: Bibliography) -> None:
    assert read_bibliography(fields) == (expected, [])


@pytest.mark.parametrize(
    "fields",
    [
        {"doi": "10.55/x"}, {"doi": "doi.org/10.5555/ab"}, {"doi": "see 10.5555/ab"}, {"doi": "10.5555/a b"},
        {"pmid": "PMC12345"}, {"pmid": "0123"}, {"pmid": True}, {"year": "1066"}, {"year": "2019?"}, {"year": [2019]},
        {"url": "javascript:alert(1)"}, {"url": "https://a b"}, {"url": "ftp://example.org"},
        {"authors": 7}, {"authors": ["Aalto", 3]},
    ],
)  # fmt: skip
def test_what_has_not_the_form_is_left_out_with_a_problem_without_content(fields: dict[str, object]) -> None:
    found, problems = read_bibliography(fields)
    assert found == Bibliography()
    assert len(problems) == 1
    (value,) = fields.values()
    assert str(value) not in str(problems[0])


@given(st.text(max_size=60))
def test_whatever_is_taken_has_the_form(text: str) -> None:
    assert as_doi(text) == "" or as_doi(as_doi(text)) == as_doi(text) != ""
    assert as_pmid(text) == "" or (as_pmid(text).isascii() and as_pmid(text).isdigit())
    assert as_year(text) in ("", text.strip()[:4])
    assert as_url(text) in ("", text)
    assert all(name == name.strip() and name for name in split_authors(text))


def test_a_block_of_bibliographic_keys_is_metadata_and_no_evidence() -> None:
    head = read_head(BLOCK)
    assert head.bibliography == Bibliography(("Aalto R", "Virtanen, Kaisa"), "2019", "10.5555/Fluids.2019.7")
    assert (head.title, head.date, head.problems) == ("Fluids: a trial", "2019-03-02", ())
    (span,) = head.hidden
    assert BLOCK[span.start : span.end].startswith("---")
    assert BLOCK[span.start : span.end].endswith("\n---")
    assert BLOCK[head.end :].strip().startswith("# Fluids")


@pytest.mark.parametrize(
    "text",
    [
        "---\nAllergies: penicillin\nyear: 2019\n---\nWarfarin 5 mg.",  # a finding between two rules
        "---\nNo allergies.\n---\nWarfarin 5 mg.",
        "---\nyear: 2019\nWarfarin 5 mg nightly.\n",  # never closed
        "---\nyear: 2019\nyear: 2020\n---\nx",
        "Seen today.\n---\nyear: 2019\n---\n",
        "--- \n---\n",
    ],
)
def test_nothing_else_is_hidden(text: str) -> None:
    head = read_head(text)
    assert head.hidden == ()
    assert head.end == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n\n**Authors:** Aalto R; Osei K\nDOI: 10.5555/a\nPMID: 99\n\nText.", ("10.5555/a", "99")),
        ("T\nTrials 2019. https://doi.org/10.5555/a.1\n", ("10.5555/a.1", "")),
        ("T\nSee doi:10.5555/a and doi:10.5555/b.\n", ("", "")),
        ("T\n" + "line\n" * 12 + "DOI: 10.5555/a\n", ("", "")),
        ("PMID: none\nDOI: pending\n", ("", "")),
    ],
)
def test_labelled_lines_of_the_head(text: str, expected: tuple[str, str]) -> None:
    found = read_head(text)
    assert (found.bibliography.doi, found.bibliography.pmid) == expected
    assert found.hidden == ()


def test_a_markdown_file_with_a_block(tmp_path: Path) -> None:
    path = tmp_path / "fluids.md"
    path.write_text(BLOCK.replace("10.5555/", "ten/"), "utf-8")
    found, problem = list(read_source(path, "fluids.md"))
    assert isinstance(found, Found)
    assert isinstance(problem, Problem)
    assert problem.skipped
    assert found.document.title == "Fluids: a trial"
    assert str(found.document.time) == "2019-03-02"
    assert found.document.bibliography.doi == ""
    assert found.document.text.startswith("---\n")


def test_fields_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": "a", "text": "x", "authors": ["Aalto R"], "year": 2019, "doi": "no"}\n', "utf-8")
    found, problem = list(read_source(path, "a.jsonl"))
    assert isinstance(found, Found)
    assert found.document.bibliography == Bibliography(("Aalto R",), "2019")
    assert isinstance(problem, Problem)
    assert problem.skipped


def document(name: str, **fields: str) -> Found:
    own = Bibliography(year="2001", doi="10.5555/own")
    return Found(Document(doc_id=name, text="x", source=Provenance(name, "", ""), title="own", bibliography=own), None)


def test_a_table_of_references(tmp_path: Path) -> None:
    path = tmp_path / "refs.csv"
    path.write_text("\ufeffFile;Title;Year;PMID\nsub/a.pdf;New;2019;12\nb.pdf;;;\n", "utf-8")
    stated = read_references(path)
    assert stated["sub/a.pdf"] == Reference("New", Bibliography(year="2019", pmid="12"))
    names = ["sub/a.pdf", "x/b.pdf", "c.pdf"]
    used = matched(stated, names)
    assert list(used) == ["sub/a.pdf", "x/b.pdf"]
    assert matched(stated, ["x/b.pdf", "y/b.pdf"]) == {}  # two of that name: nobody knows which is meant
    found, other = with_reference(iter([document("sub/a.pdf"), document("else")]), "sub/a.pdf", used["sub/a.pdf"])
    assert isinstance(found, Found)
    assert found.document.title == "New"
    assert found.document.bibliography == Bibliography(year="2019", doi="10.5555/own", pmid="12")
    assert isinstance(other, Found)
    assert other.document.title == "own"


@pytest.mark.parametrize(
    "table",
    ["title,year\nx,2019\n", "file,year,Year\na.pdf,2019,2020\n", "file\na\na\n", "file,year\n,2019\n", ""],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, table: str) -> None:
    path = tmp_path / "refs.csv"
    path.write_text(table, "utf-8")
    with pytest.raises(ReadError):
        read_references(path)


@pytest.mark.parametrize("cell", ["year\na.txt,19", "doi\na.txt,10", "year\na.txt,soon"])
def test_a_cell_that_is_not_what_its_column_says_is_left_out_with_a_line(
    tmp_path: Path, cell: str, make_note: MakeNote
) -> None:
    path = tmp_path / "refs.csv"
    path.write_text(f"file,title,{cell.replace('a.txt', 'a.txt,A title')}\n", "utf-8")
    found = matched(read_references(path), ["a.txt"])
    document, problem = with_reference(iter([Found(make_note("a.txt", "Some text."), "")]), "a.txt", found["a.txt"])
    assert isinstance(document, Found)
    assert document.document.title == "A title"
    assert document.document.bibliography == Bibliography()
    assert isinstance(problem, Problem)
    assert problem.skipped
    assert cell.rsplit(",", maxsplit=1)[-1] not in str(problem.error)
