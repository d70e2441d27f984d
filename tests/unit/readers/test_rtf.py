"""RTF: what a reader of the page sees comes back, and nothing else does."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.errors import CorruptSource, EmptySource, ReadError
from chartcite.readers import rtf_text
from chartcite.readers.rtf import read_rtf

FONTS = (
    r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset204 Arial CYR{\*\falt x};}{\f3\fcharset128 M;}"
    r"{\f4\fnil Wingdings;}}{\colortbl;\red255\green255\blue255;}{\stylesheet{\s1 heading 2;}{\s2\outlinelevel0 Kopf;}}"
)
ROW = r"\trowd\cellx1000\cellx2000\cellx3000\pard\intbl "


def rtf(body: str, head: str = "") -> bytes:
    return f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{FONTS}{head} {body}}}".encode("latin-1")


def text(body: str, head: str = "") -> str:
    return read_rtf(rtf(body, head)).text.rstrip("\n")


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (r"caf\'e9 40\'a0\'b5g", "café 40\xa0µg"),
        (r"caf\u233?s", "cafés"),
        (r"{\uc2 a\u8805 >=b}c", "a≥bc"),
        (r"{\uc0 a\u8805b}c", "a≥bc"),
        (r"\u8805 \'3d 3", "≥ 3"),
        (r"\u-10179 ?\u-8704 ?", "😀"),
        (r"K {\f1\'b3} 5, {\f1 m}g, {\f1\u-3917 ?}", "K ≥ 5, μg, ≥"),
        (r"{\f4\'fe} yes {\f4\'a8} no", "☑ yes ☐ no"),
        (r"{\f2\'cd\'e5\'f2} {\f3\'93\'fa\'96\'7b}", "Нет 日本"),
        (r"a\endash b \ldblquote c\rdblquote  5\~mg\_x\-y \{z\}", "a–b “c” 5 mg-xy {z}"),
        (r"5 mg\par 6 mg\line 7 mg\tab 8", "5 mg\n6 mg\n7 mg\t8"),
        ("one \\\ntwo\\\nthree", "one\ntwo\nthree"),
        (r"{\deleted stop }take {\revised 5 }mg", "take 5 mg"),
        (r"a{\v b}c{\v d\v0 e}f", "acef"),
        (r"a{\cf1 b}c{\fs2 d}e{\strike f}g", "aceg"),
        (r"{\*\unknown no{no}}{\pict\bin3 }}}0a}{\*\annotation no}{\xe no}yes", "yes"),
        (r"{\object{\*\objdata 01}{\result no}}yes", "yes"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt here}} now", "here now"),
        (r"{\field{\*\fldinst SYMBOL 163 \\f "
         r'"Symbol"}{\fldrslt }}5', "≤5"),
        (r"{\field{\*\fldinst{\*\formfield{\fftype1\ffres1\ffdefres0}}}{\fldrslt}}yes", "☒yes"),
        (r"{\field{\*\fldinst{\*\formfield{\fftype1\ffres25\ffdefres0}}}{\fldrslt}}no", "☐no"),
        (r"10{\super 9}/L m{\super 2} 4.5{\super 12} CO{\sub 2} {\up6 x}y", "10^9/L m2 4.5 [12] CO2 xy"),
        (r"{\upr{e}{\*\ud{\u233?}}}", "é"),
        (r"\pard\s1 Plan\par\pard Rest.\par\pard\s2 X\par\pard\outlinelevel2 Y\par", "## Plan\nRest.\n\n# X\n\n### Y"),
        (r"{\listtext 2.\tab}two\par{\pntext\f1\'b7\tab}dot\par{\listtext o\tab}o\par", "2. two\n- dot\n- o"),
        (r"a{\super\chftn}{\footnote{\super\chftn}b} c\par", "a [1] c\n[1] b"),
        (r"{\header\pard H\par}{\headerf H\par}{\footer F\par}body\par", "H\nbody\nF"),
        (r"{\shp{\*\shpinst{\sp{\sn p}{\sv q}}{\shptxt box\par}}{\shprslt box}}a\par b", "a\nbox\nb"),
    ],
)  # fmt: skip
def test_what_is_seen(body: str, seen: str) -> None:
    assert text(body).replace("\n\n", "\n") == seen.replace("\n\n", "\n")


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (ROW + r"a\cell b\cell c\cell\row\pard d", "a | b | c\nd"),
        (ROW + r"\b T\cell V\cell U\cell\row" + ROW + r"\b0 K\cell 5\cell mg\cell\row", "T: K | V: 5 | U: mg"),
        (r"\trowd\trhdr\cellx1\cellx99\cellx999\intbl T\cell V\cell U\cell\row" + ROW + r"K\cell 5\cell mg\cell\row",
         "T: K | V: 5 | U: mg"),
        (ROW + r"a\par b\cell \cell c\cell\row", "a; b |  | c"),
        (r"\trowd\cellx5000\pard\intbl a\par b\cell\row\pard c", "a\nb\nc"),
        (r"\trowd\trhdr\cellx1000\cellx2000\cellx3000\intbl A\cell B\cell C\cell\row"
         r"\trowd\cellx1000\cellx3000\intbl d\cell e\cell\row", "A: d | B: e"),
        (r"\trowd\clvmgf\cellx1000\cellx2000\intbl x\cell 1\cell\row\trowd\clvmrg\cellx1000\cellx2000\intbl\cell 2\cell"
         r"\row", "x | 1\nx | 2"),
        (r"\trowd\cellx1000\cellx2000\pard\intbl a\par\pard\intbl\itap2 n\nestcell m\nestcell{\*\nesttableprops\trowd"
         r"\cellx1\cellx2\nestrow}{\nonesttables no}\pard\intbl z\cell b\cell\row\pard end", "a\nn | m\nz\nb\nend"),
    ],
    ids=["cells", "bold head", "stated head", "in a cell", "layout", "spans", "down", "nested"],
)  # fmt: skip
def test_tables(body: str, seen: str) -> None:
    assert text(body).replace("\n\n", "\n") == seen.replace("\n\n", "\n")


def test_rows_are_units() -> None:
    made = read_rtf(rtf(ROW + r"K\cell 5.8\cell mmol/L\cell\row\pard text"))
    assert [made.text[slice(*unit)] for unit in made.units] == ["K | 5.8 | mmol/L"]


def test_white_letters_on_a_coloured_ground_are_seen() -> None:
    assert text(r"{\highlight1\cf1 a}{\cb4 b}") == "ab"


def test_what_is_left_out_is_counted() -> None:
    made = read_rtf(
        rtf(r"a{\v two words}{\strike x}{\deleted y}{\pict 00}{\*\annotation z}{\f4\'21}{\object{\result r}}")
    )
    assert sorted(str(problem) for problem in made.problems) == [
        "characters that a reader of the page cannot see, left out: 8",
        "characters that a tracked change deleted, left out: 1",
        "characters that are struck out, left out: 1",
        "comments in the margin, left out: 1",
        "embedded objects, charts and files, left out: 1",
        "pictures, left out: 1",
        "signs that no font or code page explains, shown as a mark: 1",
    ]


def test_what_the_file_says_of_itself() -> None:
    made = read_rtf(rtf("x", r"{\info{\title A \'e9}{\author B}{\creatim\yr2031\mo3\dy2}{\*\company no}}"))
    assert (made.title, made.author, made.created, made.text) == ("A é", "B", "2031-03-02", "x\n")


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (b"not rtf", CorruptSource, "is not RTF"),
        (b"{\\rtf1}", EmptySource, "no text"),
        (b"{\\rtf1{\\v hidden}}", EmptySource, "no text"),
        (b"{\\rtf1", CorruptSource, "cut short"),
    ],
    ids=["other", "empty", "hidden", "cut"],
)
def test_refused(data: bytes, error: type[ReadError], says: str) -> None:
    with pytest.raises(error, match=says):
        read_rtf(data)


@pytest.mark.parametrize(
    ("data", "says"), [(b"{\\rtf1 a{b", "cut short"), (b"{\\rtf1 a}}b", "behind the end")], ids=["cut", "closed"]
)
def test_braces_that_do_not_match_are_told(data: bytes, says: str) -> None:
    made = read_rtf(data)
    assert made.text.startswith("a")
    assert says in str(made.problems[0])


@pytest.mark.parametrize(
    "piece",
    ["{", "{}", "\\b ", "\\u8805?", "\\'", "\\cell", "\\itap9\\intbl a\\nestcell", "{\\field", "\\trowd\\cellx9",
     "{\\footnote", "\\", "{\\*\\x"],
)  # fmt: skip
def test_any_number_of_anything_ends(piece: str) -> None:
    start = time.perf_counter()
    with suppress(ReadError):
        read_rtf(b"{\\rtf1 x" + piece.encode() * 20_000)
    assert time.perf_counter() - start < 60


def test_groups_without_end_are_refused_and_deep_ones_read(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = read_rtf(b"{\\rtf1" + b"{" * 100_000 + b"x" + b"}" * 100_000 + b"}")
    assert deep.text == "x\n"
    monkeypatch.setattr(rtf_text, "_DEEPEST", 1_000)
    with pytest.raises(ReadError, match="nested more than"):
        read_rtf(b"{\\rtf1" + b"{" * 1_010)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\x85"), min_size=1)


def written(said: str) -> str:
    """The words as RTF: by code page, by Unicode number, or as they are."""
    out = []
    for c in said:
        code = ord(c)
        if c in "\\{}":
            out.append("\\" + c)
        elif code < 128:
            out.append(c)
        elif code < 0x10000:
            out.append(f"\\u{code if code < 0x8000 else code - 0x10000}?")
        else:
            high, low = divmod(code - 0x10000, 0x400)
            out.append(f"\\u{high + 0xD800 - 0x10000}?\\u{low + 0xDC00 - 0x10000}?")
    return "".join(out)


def comes_back(said: str) -> None:
    bare = said.strip(" \t")
    if not bare.strip():
        return
    assert text(written(said)) == bare
    in_cell = text(ROW + rf"{written(said)}\cell b\cell c\cell\row")
    assert in_cell == f"{bare.strip()} | b | c"


@settings(deadline=None, max_examples=200)
@given(WORDS)
def test_any_words_come_back(said: str) -> None:
    comes_back(said)


@pytest.mark.soak
@settings(deadline=None, max_examples=2000)
@given(WORDS)
def test_any_words_come_back_at_length(said: str) -> None:
    comes_back(said)
