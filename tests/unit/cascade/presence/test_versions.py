"""Which questions ask for what does not change, and when a record has more than one version of it."""

from __future__ import annotations

import pytest

from chartcite.cascade.presence.mentions import Mention
from chartcite.cascade.presence.sense import Sense
from chartcite.cascade.presence.versions import read_version_question, versions
from chartcite.core.documents import Sentence
from chartcite.core.presence import About, PresenceStatus

ASKED: list[tuple[str, About, str]] = [
    ("On which side was the carpal tunnel release?", "side", "carpal tunnel release"),
    ("Which reaction to latex is on record?", "reaction", "latex"),
    ("Who in the family had melanoma?", "whose", "melanoma"),
    ("In which year did the patient have the cystoscopy?", "year", "cystoscopy"),
    ("How many pack-years has the patient smoked?", "amount", "pack-years"),
    ("Qual o lado de descompressão do túnel do carpo?", "side", "descompressão do túnel do carpo"),
]


@pytest.mark.parametrize(("question", "about", "thing"), ASKED, ids=[row[0] for row in ASKED])
def test_what_is_asked(question: str, about: About, thing: str) -> None:
    assert read_version_question(question) == (about, thing)


@pytest.mark.parametrize("question", ["What is the warfarin dose?", "Who is the surgeon?", "When was the operation?"])
def test_other_questions(question: str) -> None:
    assert read_version_question(question) is None


def mention(quote: str, status: PresenceStatus = "present", day: str = "2020-01-01") -> Mention:
    return Mention(1, Sentence(1, 0, len(quote)), 0, len(quote), quote, day, day, 0, Sense(status), False, 0)


SAID: list[tuple[About, list[str], list[str]]] = [
    ("side", ["Left carpal tunnel release.", "S/p right carpal tunnel release."], ["left", "right"]),
    ("side", ["Left carpal tunnel release.", "The left one was done first."], ["left"]),
    ("side", ["Left and right release.", "Left release.", "Right release."], []),
    ("reaction", ["Latex: hives.", "Latex: anaphylaxis."], ["anaphylaxis", "hives"]),
    ("reaction", ["Latex: hives.", "Latex: hives and wheezing."], ["hives"]),
    ("amount", ["22 pack-years.", "29 pack years"], ["22", "29"]),
    ("year", ["Cystoscopy in 1999.", "Cystoscopy in 2001."], ["1999", "2001"]),
]


@pytest.mark.parametrize(("about", "quotes", "values"), SAID, ids=[" / ".join(q) for _, q, _ in SAID])
def test_versions_are_values_that_no_sentence_has_together(about: About, quotes: list[str], values: list[str]) -> None:
    assert sorted(one.value for one in versions(map(mention, quotes), about)) == values


def test_a_relatives_and_a_denied_one_are_no_versions_of_the_patients_own() -> None:
    said = [mention("Left release."), mention("Right release.", "family"), mention("No right release.", "denied")]
    assert [one.value for one in versions(said, "side")] == ["left"]
