"""Inflection only: plural, -ed, -ing. No derivation, since `hyper-` and `hypo-` neighbours must never fall together."""

from __future__ import annotations

import re
from functools import lru_cache

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.portuguese import base

_KEEP = word_set(
    "this his was has is as gas pus yes bed red fed led shed sled during thing bring spring string king wing ring "
    "sting diabetes rabies herpes series species feces scabies lens pancreas uterus sinus virus nexus always less "
    "bleed exceed proceed succeed need seed feed speed weed breed indeed evening morning nothing something anything "
    "everything being"
)


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    """Forms that no ending gives away (`fell`, `calves`), by their base form."""
    return {form: row[0] for row in read_rows("chartcite.verification.data", "irregular.tsv") for form in row[1:]}


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The stem of a folded word; a word with a digit stays as it is.

    >>> [stem(w) for w in ("fevers", "stopped", "biopsies", "treating", "dose", "doses", "diagnosis", "t4n2m0")]
    ['fever', 'stop', 'biopsy', 'treat', 'dose', 'dose', 'diagnosis', 't4n2m0']
    """
    word = word.removesuffix("'s").removesuffix("s'") if "'" in word else word
    word = _irregular().get(word, word)
    if len(word) < 4 or word in _KEEP or (not word.isalpha() and any(map(str.isdigit, word))):
        return word
    form = base(word)
    if form != word:
        return form
    word = _plural(word)
    if word in _KEEP:
        return word
    for suffix in ("ied", "ed", "ing"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            root = word[: -len(suffix)]
            if not any(vowel in root for vowel in "aeiouy"):
                break
            return root + "y" if suffix == "ied" else _undouble(root)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _plural(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


_LOST_E = re.compile(r"[^aeiouy][aeiouy][^aeiouywx]")


def _undouble(root: str) -> str:
    if _LOST_E.fullmatch(root):
        # A short verb without an -e would have doubled its consonant: `moved` comes from `move`.
        return root + "e"
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        return root[:-1]
    return root[:-1] if root.endswith("e") else root
