"""RTF's fonts and character sets: which code page a byte is of."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_BY_CHARSET = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
r"""`\fcharset`, as in the RTF specification 1.9.1, page 19."""
_BY_NAME = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}


@dataclass(slots=True)
class Font:
    """A font of the table; `codec` is empty where the document's own set holds."""

    name: str = ""
    codec: str = ""


def codec_of_charset(number: int) -> str:
    r"""The codec of `\fcharset`; empty for the default and for symbols."""
    return _BY_CHARSET.get(number, "")


def codec_of_page(number: int) -> str:
    r"""The codec of `\ansicpg` or `\cpg`; empty where there is none."""
    if number == 65001:
        return "utf-8"
    name = {10000: "mac_roman", 936: "gbk", 950: "big5", 1361: "johab"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def codec_of_word(word: str) -> str:
    r"""The codec of `\ansi`, `\mac`, `\pc`, `\pca`; empty for other words."""
    return _BY_NAME.get(word, "")


def decoded(data: bytes, codec: str) -> tuple[str, int]:
    """The characters of some bytes, and how many of the bytes are none."""
    try:
        return data.decode(codec), 0
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
        if codec == "cp1252":  # a byte that it leaves open is what Latin-1 says
            text = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in data)
        return text, text.count("\ufffd")
