"""Words of one family (`inject`, `injection`; `vagina`, `vaginal`): suffixes off, prefixes never touched."""

from __future__ import annotations

from functools import lru_cache

from chartcite.facts.lexicon import read_rows
from chartcite.facts.portuguese import root as portuguese_root
from chartcite.verification.concepts import DATA, loose_keys
from chartcite.verification.stems import stem

_SUFFIXES = (
    "ization", "isation", "ational", "ically", "ation", "ative", "ition", "itive", "ually", "ously", "fully", "ally",
    "ical", "ance", "ence", "ancy", "ency", "able", "ible", "ment", "ness", "ious", "eous", "ular", "ized", "ised",
    "tion", "sion", "ally", "ive", "ion", "ity", "ous", "ary", "ant", "ent", "ial", "ual", "ist", "ism", "age", "ful",
    "ize", "ise", "ate", "ly", "al", "ic", "er", "or", "ar", "ia", "us", "um", "y", "a", "e", "i",
)  # fmt: skip
_BY_LAST_LETTER = {letter: tuple(s for s in _SUFFIXES if s.endswith(letter)) for letter in {s[-1] for s in _SUFFIXES}}
_SHORTEST = 4
# Roots that two unrelated words share.
_FALSE = frozenset(
    ("posit", "relat", "gener", "organ", "activ", "sensit", "sens", "communic", "univers", "depart", "oper", "adher",
     "consult", "condit", "intern", "extern", "centr", "later", "medi", "anter", "poster", "super", "infer", "minor",
     "major", "prim", "second", "form", "init", "norm", "stat", "mod", "mot", "part", "import", "exact", "natur",
     "sever", "patient", "prescript", "medic", "clinic", "effect", "react", "tract", "contract", "press", "depress",
     "vent", "event", "prevent", "object", "subject", "direct", "correct", "reflex", "flex", "extens", "abduct",
     "adduct", "elev", "negat", "continu", "discontinu", "increas", "decreas", "appear", "disappear", "cons", "resid")
)  # fmt: skip


@lru_cache(maxsize=16384)
def family(word: str) -> frozenset[str]:
    """The root that a folded word shares with its derivations; empty when it has none that is safe."""
    if len(word) < 5 or not word.isalpha():
        return frozenset()
    root = stem(word)
    shared = portuguese_root(root)
    own = frozenset((f"~~{shared}",)) if shared else frozenset[str]()
    for _ in range(2):
        endings = _BY_LAST_LETTER.get(root[-1:], ())
        ending = next((s for s in endings if root.endswith(s) and len(root) - len(s) >= _SHORTEST), None)
        if ending is None:
            break
        root = root[: -len(ending)]
    root = root.rstrip("e")
    return own | {f"~{root}"} if len(root) >= _SHORTEST and root not in _FALSE else own


@lru_cache(maxsize=1)
def _parts() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Greek and Latin beginnings and endings of words, with what they say in plain words."""
    starts: dict[str, tuple[str, ...]] = {}
    ends: dict[str, tuple[str, ...]] = {}
    for place, forms, names in read_rows(DATA, "word_parts.tsv"):
        table = starts if place == "start" else ends
        table.update((form, tuple(names.split("|"))) for form in forms.split("|"))
    return starts, ends


@lru_cache(maxsize=8192)
def entailed_keys(word: str) -> frozenset[str]:
    """What the parts of a learned word say: a nephrectomy is the removal of a kidney, and surgery."""
    starts, ends = _parts()
    word = word.removesuffix("s")
    for at in range(3, len(word) - 2):
        names = ends.get(word[at:])
        begun = _starts_with(word[:at], starts) if names else ()
        if names and begun:
            return frozenset[str]().union(*(loose_keys(name) for name in names + begun))
    return frozenset()


def _starts_with(text: str, starts: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What a beginning says; it may be made of two (`gastroduoden`)."""
    for form in (text, text.rstrip("aeio")):
        if form in starts:
            return starts[form]
    for at in range(3, len(text) - 2):
        first, second = text[:at].rstrip("o"), text[at:].rstrip("o")
        if first in starts and second in starts:
            return starts[first] + starts[second]
    return ()
