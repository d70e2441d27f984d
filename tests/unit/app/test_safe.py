import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.app.render.safe import one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5 mg\n\tnightly", "5 mg\n\tnightly"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x08\x00\x7f", "a\\x0db\\x08\\x00\\x7f"),
        ("dose \u202e5\u202c", "dose \\u202e5\\u202c"),
        ("a\u2066b\u2069\u200b\ufeff", "a\\u2066b\\u2069\\u200b\\ufeff"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("\ud800", "\\ud800"),
        ("[bold]µg[/bold] 中文 é\u00ad", "[bold]µg[/bold] 中文 é\u00ad"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_could_steer_a_terminal_is_spelt_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters(), max_size=40))
def test_nothing_unsafe_is_left(text: str) -> None:
    left = {unicodedata.category(c) for c in visible(text) if c not in "\n\t\u00ad\u200c\u200d"}
    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    line = one_line(text)
    assert "\n" not in line
    assert "\t" not in line
    assert one_line(line) == line
