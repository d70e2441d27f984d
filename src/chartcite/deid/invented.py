"""Invented words that stand in for names and places; made of syllables, so that there are as many as are needed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, Literal

Pool = Literal["woman", "man", "surname", "place"]
_FIRST: Final = [
    "Al",
    "Bre",
    "Cor",
    "Del",
    "El",
    "Fen",
    "Gal",
    "Hel",
    "Il",
    "Jor",
    "Kel",
    "Lor",
    "Mir",
    "Nel",
    "Or",
    "Per",
    "Ral",
    "Ser",
    "Tal",
    "Ul",
    "Ver",
    "Wen",
    "Yor",
    "Zel",
]
_LAST: Final = [
    "Alder",
    "Brack",
    "Cald",
    "Dun",
    "Esk",
    "Farn",
    "Garr",
    "Hask",
    "Irl",
    "Kest",
    "Lang",
    "Marr",
    "Nort",
    "Ors",
    "Penr",
    "Quarl",
    "Rav",
    "Skel",
    "Thax",
    "Ulv",
    "Varn",
    "Wenn",
    "Yarl",
    "Zand",
]
_STARTS: Final[dict[Pool, list[str]]] = {
    "woman": _FIRST, "man": _FIRST, "surname": _LAST,
    "place": [
        "Amber", "Brin", "Crof", "Dray", "Elver", "Fox", "Glen", "Heath", "Isle", "Juni", "Kirk", "Lark", "Mead",
        "North", "Oak", "Pine", "Quern", "Rush", "Stan", "Thorn", "Usk", "Vale", "Wick", "Yew",
    ],
}  # fmt: skip
_ENDS: Final[dict[Pool, list[str]]] = {
    "woman": ["vina", "dessa", "linda", "marva", "norah", "thea", "wynne", "sette", "rissa", "lotte"],
    "man": ["bert", "dric", "mund", "ton", "wick", "lan", "gar", "vin", "sten", "rod"],
    "surname": ["wick", "ley", "more", "stead", "combe", "holt", "gate", "sby", "worth", "mond"],
    "place": ["mere", "fordham", "hollow", "bury", "dale", "thorpe", "minster", "brook", "combeford", "rigg"],
}  # fmt: skip

_MOST_MIDDLES: Final = 6
"""Syllables in between: with them there are some thousand million words of each pool."""


def candidates(pool: Pool, key: bytes) -> Iterator[str]:
    """Words of a pool in the order that belongs to a key: those of two syllables, then longer ones without end."""
    starts, ends = _STARTS[pool], _ENDS[pool]
    round_ = 0
    while True:
        digest = hashlib.sha256(key + round_.to_bytes(4, "big")).digest()
        number = int.from_bytes(digest[:8], "big")
        number, start = divmod(number, len(starts))
        number, end = divmod(number, len(ends))
        middle = ""
        for _ in range(min(max(round_ - 1, 0) // 40, _MOST_MIDDLES)):
            number, part = divmod(number, len(starts))
            middle += starts[part].lower()
        yield f"{starts[start]}{middle}{ends[end]}"
        round_ += 1
