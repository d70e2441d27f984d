from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.errors import CorruptSource, UnsupportedFormat
from chartcite.readers.decoding import decode, find_charset

ANY_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"), min_size=1)
# Western clinical prose: words in which accented letters stand alone or in pairs, and symbols between words.
WORDS = st.sampled_from(
    ["febre", "coração", "não", "há", "naïve", "Müller", "Ñuño", "São", "mañana", "avô", "café", "the"]
)
SYMBOLS = st.sampled_from(["40 µg", "38,5 °C", "± 2", "½ dose", "§ 3", "«normal»", "5 £", "ª", "1º dia", "²", "x"])
PROSE = st.lists(WORDS | SYMBOLS, min_size=1, max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("Plain words.", "ascii", "utf-8"),
        ("Temp ≥ 38 °C, β-blocker", "utf-8", "utf-8"),
        ("Temp ≥ 38 °C", "utf-8-sig", "utf-8"),
        ("40 µg", "latin-1", "windows-1252"),
        ("40 µg “as needed” – €5", "cp1252", "windows-1252"),
        ("coração, não há dor\r\n", "latin-1", "windows-1252"),
        ("Temp ≥ 38", "utf-16", "utf-16-le"),
        ("Temp ≥ 38", "utf-32", "utf-32-le"),
        ("Dose 40 µg twice a day", "utf-16-le", "utf-16-le"),
        ("Dose 40 µg twice a day", "utf-16-be", "utf-16-be"),
        ("Пациент жалуется на боль в груди, одышку и слабость.", "cp1251", "cp1251"),
        ("Пациент жалуется на боль в груди, одышку и слабость.", "koi8-r", "koi8-r"),
        ("患者は胸痛を訴えている。血圧は正常。", "shift_jis", "shift-jis"),
    ],
)
def test_the_set_is_found_and_the_text_comes_back(text: str, codec: str, name: str) -> None:
    found, charset = decode(text.encode(codec))
    assert (found, charset.name) == (text, name)


@given(ANY_TEXT, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_unicode_comes_back(text: str, codec: str) -> None:
    assert decode(text.encode(codec))[0] == text


@given(PROSE, st.sampled_from(["latin-1", "cp1252"]))
def test_western_text_comes_back(text: str, codec: str) -> None:
    assert decode(text.encode(codec))[0] == text


@given(st.text(st.characters(max_codepoint=255, exclude_categories=["Cc"]), min_size=1))
def test_latin_1_comes_back_when_it_is_declared(text: str) -> None:
    assert decode(text.encode("latin-1"), "latin-1")[0] == text


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_no_byte_is_dropped_or_replaced(data: bytes) -> None:
    try:
        text, charset = decode(data)
    except UnsupportedFormat:
        return  # binary
    if charset.name == "utf-8+windows-1252":
        assert all(b < 128 or not text.isascii() for b in data)
        return
    again = text.encode(charset.codec)
    assert data.endswith(again)
    assert len(data) - len(again) in {0, 2, 3, 4}  # nothing, or a byte-order mark


def test_utf8_cut_inside_a_character_keeps_its_other_characters() -> None:
    text, charset = decode("coração e pressão é".encode()[:-1])
    assert text == "coração e pressão Ã"
    assert charset.name == "utf-8+windows-1252"


def test_utf8_with_one_foreign_byte() -> None:
    assert decode("coração µ ".encode() + b"40 \xb5g")[0] == "coração µ 40 µg"


@pytest.mark.parametrize("data", [b"MZ\x90\x00\x03", b"a\0b", bytes(range(32)) * 4])
def test_binary_data_are_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="binary"):
        decode(data)


def test_a_wrong_declaration_is_named() -> None:
    with pytest.raises(CorruptSource, match="first wrong byte at 3"):
        decode(b"40 \xb5g", "utf-8")
    for label in ("klingon", "zip", "rot13", "idna", "\0"):
        with pytest.raises(UnsupportedFormat, match="no such character set"):
            decode(b"x", label)


def test_a_late_high_byte_is_seen_across_pieces() -> None:
    pieces = [b"plain " * 1000, b"still plain ", b"40 \xb5g"]
    assert find_charset(pieces).name == "windows-1252"
    two = "ã".encode()
    assert find_charset([b"x" + two[:1], two[1:]]).name == "utf-8"
