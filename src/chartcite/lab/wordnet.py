"""Synonyms from WordNet's own files (Princeton, version 3.0 as in Debian's `wordnet-base`); none are shipped.

Miller, *WordNet: A Lexical Database for English*, CACM 38(11), 1995. Read are `index.*`, `data.*` and the exception
lists; inflected forms are led back as WordNet's `morphy` does. A synonym is a single word that shares a synset.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from chartcite.lab.errors import MissingData

DEBIAN = Path("/usr/share/wordnet")
NEEDS = "needs WordNet's files in /usr/share/wordnet (Debian: apt install wordnet-base)"
_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
_FILES = [f"{kind}.{part}" for part in _ENDINGS for kind in ("index", "data")]


class WordNet:
    """The files of one folder, held in memory (21 MB); answers are remembered.

    Raises:
        MissingData: the folder lacks one of the files.
    """

    def __init__(self, folder: Path = DEBIAN) -> None:
        if not is_there(folder):
            raise MissingData(f"There is no WordNet in {folder}.", "apt install wordnet-base, or name its folder.")
        self._index = {part: _index(folder / f"index.{part}") for part in _ENDINGS}
        self._data = {part: (folder / f"data.{part}").read_bytes() for part in _ENDINGS}
        self._irregular = {part: _exceptions(folder / f"{part}.exc") for part in _ENDINGS}
        self._senses: dict[str, frozenset[tuple[str, int]]] = {}

    def senses(self, word: str) -> frozenset[tuple[str, int]]:
        """The synsets of a word and its base forms, by part of speech and place."""
        if word not in self._senses:
            found = {
                (part, place) for part in _ENDINGS for b in self._bases(word, part) for place in self._index[part][b]
            }
            self._senses[word] = frozenset(found)
        return self._senses[word]

    def synonyms(self, word: str) -> frozenset[str]:
        """The single words of these synsets, as they are written there; maybe none."""
        members = (self._members(part, place) for part, place in self.senses(word))
        return frozenset(other for some in members for other in some if "_" not in other)

    def _bases(self, word: str, part: str) -> list[str]:
        """The word itself and its irregular base forms, else by endings, again and again until some are known."""
        index = self._index[part]
        irregular = self._irregular[part].get(word)
        forms = irregular if irregular is not None else _shortened([word], part)
        known = [form for form in dict.fromkeys([word, *forms]) if form in index]
        while not known and irregular is None and forms:
            forms = _shortened(forms, part)
            known = [form for form in dict.fromkeys(forms) if form in index]
        return known

    def _members(self, part: str, offset: int) -> list[str]:
        """The words of a synset: a count in hexadecimal, then each word with a number; adjectives may bear a marker."""
        data = self._data[part]
        fields = data[offset : data.index(b"\n", offset)].decode("ascii").split(" ")
        return [fields[4 + 2 * i].partition("(")[0] for i in range(int(fields[3], 16))]


def is_there(folder: Path = DEBIAN) -> bool:
    """Whether a folder holds WordNet."""
    return all((folder / name).is_file() for name in _FILES)


@lru_cache(maxsize=2)
def wordnet(folder: Path = DEBIAN) -> WordNet:
    """WordNet, read once."""
    return WordNet(folder)


def _shortened(forms: list[str], part: str) -> list[str]:
    return [form.removesuffix(old) + new for form in forms for old, new in _ENDINGS[part] if form.endswith(old)]


def _index(path: Path) -> dict[str, tuple[int, ...]]:
    """From lemma to places in the data file. The licence at the head of the file is indented."""
    found = {}
    for line in path.read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            found[fields[0]] = tuple(map(int, fields[-int(fields[2]) :]))
    return found


def _exceptions(path: Path) -> dict[str, list[str]]:
    """From an irregular form to its base forms; without the file, none."""
    lines = path.read_text("ascii").splitlines() if path.is_file() else []
    return {form: bases for form, *bases in map(str.split, lines) if bases}
