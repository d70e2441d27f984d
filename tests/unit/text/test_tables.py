"""Which line is the head of a row, and which cell stands under which."""

from __future__ import annotations

import pytest

from chartcite.text.columns import under
from chartcite.text.sentences import split_sentences
from chartcite.text.tables import head_spans


def paired(head: str, row: str) -> list[tuple[str, str]] | None:
    found = under(head, row)
    return None if found is None else [(head[slice(*p.head)], row[slice(*p.cell)]) for p in found.cells]


ROWS = {
    "blanks": ("      3/1   3/2", "Na    138   141", [("3/1", "138"), ("3/2", "141")]),
    "as many cells, not below each other": ("         3/1   3/2", "Na  138   141", [("3/1", "138"), ("3/2", "141")]),
    "a gap": ("      3/1   3/2", "Na          141", [("3/2", "141")]),
    "a head of the first column": ("Test  3/1   3/2", "Na    138   141", [("3/1", "138"), ("3/2", "141")]),
    "one more cell instead of the first": ("      3/1   3/2   3/3", "Na          141   143   x", None),
    "between two columns": ("      3/1   3/2   3/3", "Na       138", None),
    "bars": ("| Test | 3/1 | 3/2 |", "| Na | | 141 |", [("3/2", "141")]),
    "bars inside only": ("Date | Na", "3/1 | 138", [("Na", "138")]),
    "tabs": ("Test\t3/1\t3/2", "Na\t\t141", [("3/2", "141")]),
    "tabs for room": ("\t\t3/1\t3/2", "Na\t\t138\t\t141", [("3/1", "138"), ("3/2", "141")]),
    "heads that touch": (
        "Test    Result  Flag Units    Reference",
        "Mg         1.6  L    mg/dL    1.7-2.4",
        [("Result", "1.6"), ("Flag", "L"), ("Units", "mg/dL"), ("Reference", "1.7-2.4")],
    ),
    "heads that touch, one empty": (
        "Test    Result  Flag Units    Reference",
        "Ca         9.6       mg/dL    8.5-10",
        [("Result", "9.6"), ("Units", "mg/dL"), ("Reference", "8.5-10")],
    ),
    "bars below none": ("Test  3/1", "| Na | 138 |", None),
}


@pytest.mark.parametrize(("head", "row", "pairs"), ROWS.values(), ids=ROWS.keys())
def test_cells_under_their_heads(head: str, row: str, pairs: list[tuple[str, str]] | None) -> None:
    assert paired(head, row) == pairs


def headed(text: str) -> dict[str, str]:
    """Each row that has a head, with it; both without blanks."""
    units = split_sentences(text)
    spans = head_spans(text, units)
    by_number = {u.n: " ".join(text[u.start : u.end].split()) for u in units}
    return {by_number[n]: " ".join(text[slice(*span)].split()) for n, span in spans.items()}


PANEL = "        3/1    3/2\nNa      138    141\nK       4.1    3.8\n"
TEXTS = {
    "a panel": (PANEL, {"Na 138 141": "3/1 3/2", "K 4.1 3.8": "3/1 3/2"}),
    "a caption in it": (
        "        3/1    3/2\nCHEMISTRY\nNa      138    141\n",
        {"Na 138 141": "3/1 3/2"},
    ),
    "text ends it": (PANEL + "She is well today, and eats.\nCr      1.2    1.0\n", {"Na 138 141", "K 4.1 3.8"}),
    "a blank line and the same columns": (PANEL + "\nCr      1.2    1.0\n", {"Na 138 141", "K 4.1 3.8", "Cr 1.2 1.0"}),
    "a blank line and a section": (
        PANEL + "\nMEDICATIONS\nFurosemide      40 mg    80 mg\n",
        {"Na 138 141", "K 4.1 3.8"},
    ),
    "a second head": (
        PANEL + "\n        3/8    3/9\nNa      130    131\n",
        {"Na 138 141": "3/1 3/2", "K 4.1 3.8": "3/1 3/2", "Na 130 131": "3/8 3/9"},
    ),
    "words below are no head": (
        "Test      3/1     3/2\nColor     yellow  amber\npH        6.0     5.5\n",
        {"pH 6.0 5.5": "Test 3/1 3/2"},
    ),
    "no head": ("Na      138    141\nK       4.1    3.8\n", {}),
    "a rule between": (
        "| Test | 3/1 |\n|---|---|\n| Na | 138 |\n",
        {"| Na | 138 |": "| Test | 3/1 |"},
    ),
    "indented rows": ("         3/1    3/2\n  Na     138    141\n", {"Na 138 141": "3/1 3/2"}),
    "values that look like dates": (
        "        3/1       3/2\nBP      142/90    138/84\n",
        {"BP 142/90 138/84": "3/1 3/2"},
    ),
    "windows line ends": (PANEL.replace("\n", "\r\n"), {"Na 138 141": "3/1 3/2", "K 4.1 3.8": "3/1 3/2"}),
}


@pytest.mark.parametrize(("text", "rows"), TEXTS.values(), ids=TEXTS.keys())
def test_heads_of_rows(text: str, rows: dict[str, str] | set[str]) -> None:
    found = headed(text)
    assert found == rows if isinstance(rows, dict) else set(found) == rows


def test_a_head_begins_at_the_column_of_its_row() -> None:
    text = "         3/1    3/2\n  Na     138    141\n"
    units = split_sentences(text)
    ((n, span),) = head_spans(text, units).items()
    row = next(u for u in units if u.n == n)
    assert text[slice(*span)].index("3/1") == text[row.start : row.end].index("138")
