"""RTF's control words, as far as they bear on what is read: the characters they stand for, the groups they open."""

from __future__ import annotations

import re

TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<symbol>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\"
)
"""Any byte begins one of these."""

CHARACTERS = {
    "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "zwj": "", "zwnj": "", "zwbo": "", "zwnbo": "",
    "ltrmark": "", "rtlmark": "",
}  # fmt: skip
SYMBOLS = {"~": " ", "_": "-", "-": "", "\\": "\\", "{": "{", "}": "}", "\t": "\t"}

SKIPPED = frozenset((
    "pict", "objdata", "nonshppict", "shprslt", "filetbl", "listtable", "listoverridetable", "revtbl",
    "rsidtbl", "generator", "private", "template", "passwordhash", "themedata", "colorschememapping", "datastore",
    "latentstyles", "xe", "tc", "tcn", "rxe", "txe", "nonesttables", "pgptbl", "xmlnstbl", "userprops", "background",
    "bkmkstart", "bkmkend", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "mmathPr",
    "fchars", "lchars",
))  # fmt: skip
"""Groups without text of the page. Any group marked `\\*` whose word is not known is one, too."""
KINDS = {
    "fonttbl": "fonts", "colortbl": "colors", "stylesheet": "styles", "info": "info", "fldinst": "field", "upr": "upr",
    "shpinst": "shape", "do": "shape", "nesttableprops": "props", "annotation": "comment", "object": "object",
}  # fmt: skip
STREAMS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footer"),
    "footnote": "note",
}
INSIDE = {
    ("upr", "ud"): "text", ("field", "formfield"): "form", ("info", "title"): "title", ("info", "author"): "author",
    ("info", "creatim"): "created",
}  # fmt: skip
"""Groups that mean something inside another kind of group only."""
BOXES = frozenset(("shptxt", "dptxbxtext"))
"""Text boxes: inside a shape, whose other words are none of the page's."""
PARAGRAPH_ENDS = frozenset(("par", "sect", "page", "column", "softpage"))
GROUND = re.compile(rb"\\(?:highlight|cb|chcbpat|cbpat|clcbpat|clshdng|shading|chshdng)[1-9]")
"""A coloured ground anywhere: then white letters may be seen."""
