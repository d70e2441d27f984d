from __future__ import annotations

import math

import pytest

from chartcite.cascade.score.grades import Calibration, Grades, load_grades
from chartcite.cascade.score.rules import CROSS_ENCODED, Scored, score, shown
from chartcite.cascade.selection import Pool, select
from chartcite.cascade.standing import is_correction, is_family
from chartcite.cascade.write.rules import write
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.documents import Document, Provenance, Sentence
from chartcite.core.scope import Scope
from chartcite.retrieval.candidates import Candidate


class Shelf:
    """Documents by number, named after it."""

    def document(self, key: int) -> Document:
        return Document(doc_id=f"d{key}", text="", source=Provenance(f"d{key}", "", "text"))


def candidate(text: str, *, document: int = 1, time: str = "", coverage: float = 1.0, section: str = "") -> Candidate:
    unit = Sentence(1, 0, len(text), section=(section,) if section else ())
    order = int("".join(c for c in time[:10] if c.isdigit()).ljust(8, "0"))
    return Candidate(
        text, section, unit, document, 0, len(text), time, hit_rank=1, date=time[:10], order=order, coverage=coverage
    )


def scored(text: str, relevance: int, probability: float, **place: object) -> Scored:
    points = 38.2 + 3.64 * math.log(probability / (1 - probability))
    return Scored(candidate(text, **place), relevance, probability, 0.0, points)  # type: ignore[arg-type]


def chosen(asked: Interpretation, pool: list[Scored], *missing: str) -> tuple[list[str], list[str]]:
    fallbacks: list[str] = []
    words = {"warfarin", "cancer", "creatinine"}
    found = select(asked, Pool(pool, missing, words.__contains__), Shelf(), fallbacks.append)  # type: ignore[arg-type]
    return [e.quote for e in found], fallbacks


FACT = Interpretation("why was warfarin lowered", focus=("warfarin", "lowered"))
LATEST = Interpretation("latest warfarin dose", "latest", ("warfarin",), wants_number=True)


def test_strict_evidence_needs_no_fallback() -> None:
    quotes, fallbacks = chosen(FACT, [scored("A.", 5, 0.6), scored("B.", 4, 0.3), scored("C.", 3, 0.1)])
    assert (quotes, fallbacks) == (["A.", "B."], [])


def test_lenient_evidence_is_named() -> None:
    quotes, fallbacks = chosen(FACT, [scored("C.", 3, 0.1), scored("D.", 2, 0.03)])
    assert (quotes, fallbacks) == (["C."], ["lenient_evidence"])


def test_the_first_three_are_the_last_rung() -> None:
    pool = [scored(f"{i}.", 2, 0.04 - i / 1000, coverage=0.5) for i in range(5)]
    quotes, fallbacks = chosen(FACT, pool)
    assert (quotes, fallbacks) == (["0.", "1.", "2."], ["first_three_sentences"])


@pytest.mark.parametrize(
    ("probability", "coverage", "missing"), [(0.001, 0.5, ()), (0.02, 0.2, ()), (0.02, 0.5, ("gout",))]
)
def test_too_little_is_no_evidence(probability: float, coverage: float, missing: tuple[str, ...]) -> None:
    assert chosen(FACT, [scored("A.", 1, probability, coverage=coverage)], *missing) == ([], [])


def test_strict_evidence_answers_though_a_word_is_unknown() -> None:
    assert chosen(FACT, [scored("A.", 4, 0.3)], "reduced")[0] == ["A."]


def test_nothing_is_selected_from_nothing() -> None:
    assert chosen(FACT, []) == ([], [])


def test_the_latest_value_comes_first_and_needs_a_number() -> None:
    pool = [
        scored("Warfarin 5 mg.", 5, 0.9, time="2020"),
        scored("Warfarin 2.5 mg.", 4, 0.4, time="2023"),
        scored("Warfarin discussed.", 4, 0.5, time="2024"),
    ]
    assert chosen(LATEST, pool)[0][0] == "Warfarin 2.5 mg."
    first = Interpretation("first warfarin dose", "first", ("warfarin",), wants_number=True)
    assert chosen(first, pool)[0][0] == "Warfarin 5 mg."


def test_the_period_named_is_preferred() -> None:
    asked = Interpretation("creatinine", period="2021-09", focus=("creatinine",))
    pool = [scored("Creatinine 1.1.", 5, 0.9, time="2020-01-01"), scored("Creatinine 1.9.", 4, 0.3, time="2021-09-07")]
    assert chosen(asked, pool)[0] == ["Creatinine 1.9."]
    elsewhere = Interpretation("creatinine", period="2019", focus=("creatinine",))
    quotes, fallbacks = chosen(elsewhere, pool)
    assert quotes[0] == "Creatinine 1.1."
    assert fallbacks == ["outside_the_period"]
    weak = [scored("Creatinine 1.1.", 3, 0.1, time="2020-01-01")]
    assert chosen(elsewhere, weak) == ([], [])
    said = [scored("In 2019 the creatinine was 1.0.", 3, 0.1, time="2020-01-01")]
    assert chosen(elsewhere, said)[0] == ["In 2019 the creatinine was 1.0."]


def test_a_relatives_disease_is_not_the_patients() -> None:
    asked = Interpretation("does the patient have colon cancer", "absence", ("colon", "cancer"))
    mother = scored("Mother had colon cancer.", 5, 0.9)
    own = scored("No evidence of colon cancer.", 3, 0.1)
    assert chosen(asked, [mother, own])[0] == ["No evidence of colon cancer."]
    assert chosen(asked, [mother]) == (["Mother had colon cancer."], ["only_relatives_history"])
    family = Interpretation("family history of colon cancer", focus=("colon", "cancer"))
    assert chosen(family, [mother, own])[0][0] == "Mother had colon cancer."


def test_a_correction_is_shown_beside_what_it_corrects() -> None:
    wrong = scored("Creatinine 168 mg/dL.", 5, 0.9, time="2021-09-07")
    put_right = scored("Corrected: creatinine 168 µmol/L.", 2, 0.03, time="2021-09-08", document=2)
    earlier = scored("Corrected: creatinine 90 µmol/L.", 2, 0.03, time="2019-01-01", document=3)
    quotes, fallbacks = chosen(Interpretation("creatinine", focus=("creatinine",)), [wrong, put_right, earlier])
    assert quotes == ["Creatinine 168 mg/dL.", "Corrected: creatinine 168 µmol/L."]
    assert fallbacks == []


@pytest.mark.parametrize("kind", ["fact", "latest", "absence"])
@pytest.mark.parametrize("relevance", [2, 5])
def test_a_correction_reaches_the_answer_once_however_weak_it_is(kind: str, relevance: int) -> None:
    asked = Interpretation("creatinine", kind, focus=("creatinine",))  # type: ignore[arg-type]
    pool = [
        scored("Creatinine 168 mg/dL.", 5, 0.9, time="2021-09-07"),
        scored("Corrected: creatinine 168 µmol/L.", relevance, 0.03, time="2021-09-08", document=2),
    ]
    told: list[str] = []
    found = select(asked, Pool(pool, (), {"creatinine"}.__contains__), Shelf(), lambda *_: None)  # type: ignore[arg-type]
    drafts = write(asked, found, 75, "time", lambda name, _: told.append(name))
    assert [d.text for d in drafts] == ["Creatinine 168 mg/dL.", "Corrected: creatinine 168 µmol/L."][-len(drafts) :]
    assert drafts[-1].text.startswith("Corrected")
    assert len({d.text for d in drafts}) == len(drafts)
    assert "correction_found" in told or kind == "latest"


def test_a_newer_lenient_value_is_not_lost_to_an_older_strict_one() -> None:
    pool = [scored("Warfarin 5 mg.", 4, 0.3, time="2019"), scored("Warfarin 2.5 mg.", 3, 0.1, time="2023")]
    quotes, fallbacks = chosen(LATEST, pool)
    assert quotes[0] == "Warfarin 2.5 mg."
    assert fallbacks == ["lenient_evidence"]


@pytest.mark.parametrize(
    ("text", "section", "family"),
    [
        ("Mother died of breast cancer at 61.", "", True),
        ("Breast cancer.", "Family history", True),
        ("Breast cancer resected in 2011.", "Past medical history", False),
        ("Daughter reports that the cancer has come back.", "", False),
    ],
)
def test_whose_cancer(text: str, section: str, family: bool) -> None:
    assert is_family(candidate(text, section=section), {"breast", "cancer"}.__contains__) is family


@pytest.mark.parametrize(
    ("text", "correction"),
    [
        ("The potassium was reported in error.", True),
        ("Addendum, corrected result: 4.1 mmol/L.", True),
        ("Dose should have read 2.5 mg.", True),
        ("Vision corrected with glasses? No.", True),  # in doubt it is shown
        ("Potassium 4.1 mmol/L.", False),
    ],
)
def test_corrections(text: str, correction: bool) -> None:
    assert is_correction(candidate(text)) is correction


def evidence(quote: str, probability: float = 0.5, time: str = "") -> Evidence:
    return Evidence(1, "d1", 1, 0, len(quote), quote, time, 5, probability, "strict")


def test_the_answer_keeps_to_its_words_and_to_time() -> None:
    told: list[tuple[str, int]] = []
    tell = lambda name, count: told.append((name, count))  # noqa: E731
    items = [
        evidence("Later one has six words here.", time="2022"),
        evidence("Earlier five words are here.", time="2020"),
    ]
    drafts = write(FACT, items, 11, "time", tell)
    assert [d.text for d in drafts] == ["Earlier five words are here.", "Later one has six words here."]
    assert [d.text for d in write(FACT, items, 10, "time", tell)] == ["Later one has six words here."]
    assert write(FACT, items, 11, "rank", tell)[0].text.startswith("Later")
    assert told == [("left_out_for_word_limit", 1)]


def test_a_sentence_over_the_limit_is_cut_and_said_to_be() -> None:
    told: list[tuple[str, int]] = []
    tell = lambda name, count: told.append((name, count))  # noqa: E731
    drafts = write(FACT, [evidence(" ".join(["word"] * 100) + ".")], 75, "time", tell)
    assert len(drafts[0].text.split()) == 75
    assert told == [("cut_to_word_limit", 1)]


def test_far_weaker_evidence_is_not_shown() -> None:
    drafts = write(FACT, [evidence("Strong.", 0.8), evidence("Weak.", 0.3)], 75, "rank", lambda *_: None)
    assert [d.text for d in drafts] == ["Strong."]


RECORD = Scope.patient("p")


class Reader:
    """A cross-encoder that likes long texts."""

    name = fingerprint = "fake"

    def score(self, query: str, texts: list[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def test_what_the_cross_encoder_never_saw_is_capped_at_three() -> None:
    steep = Calibration((0.0, 1.0, 0.0), (0.1, 0.2, 0.3, 0.5))
    grades = Grades((1.0, 0.0, 0.0, 0.0), (9.0, 0.0, 1.0), steep, steep)
    many = [candidate(f"sentence number {i}", coverage=1 - i / 100) for i in range(CROSS_ENCODED + 6)]
    graded, unseen = score("q", many, Reader(), grades, RECORD)  # type: ignore[arg-type]
    assert unseen == 6
    assert len(graded) == CROSS_ENCODED + 6
    assert sorted(s.relevance for s in graded if s.logit is None) == [3] * 6
    assert all(s.relevance == 5 for s in graded if s.logit is not None)


def test_a_record_and_a_collection_are_calibrated_apart() -> None:
    grades = Grades(
        (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0),
        Calibration((0.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.4)), Calibration((-9.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.4)),
    )  # fmt: skip
    pool = [candidate("a"), candidate("bb")]
    asked, _ = score("q", pool, Reader(), grades, RECORD)  # type: ignore[arg-type]
    found, _ = score("q", pool, Reader(), grades, Scope.collection("c"))  # type: ignore[arg-type]
    assert [s.relevance for s in asked] == [5, 5]
    assert [s.relevance for s in found] == [1, 1]
    assert [s.candidate.text for s in asked] == [s.candidate.text for s in found] == ["bb", "a"]


def test_committed_grades_are_monotone() -> None:
    grades = load_grades()
    for calibration in (grades.record, grades.collection):
        assert list(calibration.cuts) == sorted(calibration.cuts)
        assert calibration.weights[1] > 0
        grade_of = [calibration.grade(p) for p in (0.0, *calibration.cuts)]
        assert grade_of == [1, 2, 3, 4, 5]
        assert calibration.probability(30.0, 30.0) > calibration.probability(20.0, 30.0)
    assert grades.within(2.0, 2.0) > grades.within(-8.0, 2.0)


def test_the_cross_encoder_reads_the_header_too() -> None:
    assert shown(candidate("5 mg\n nightly", section="Warfarin")) == "Warfarin: 5 mg nightly"
    assert shown(candidate("Allergies: latex", section="Allergies")) == "Allergies: latex"
