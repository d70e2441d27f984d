"""Questions over time: which they are. A question that is narrower than it looks is left to the ranking."""

from __future__ import annotations

import pytest

from chartcite.cascade.over_time.question import over_time

TODAY = "2022-01-01"
D1, D2 = "2020-01-02", "2020-03-04"
ASKED: dict[str, tuple[str, str, tuple[str, ...], str, tuple[tuple[str, ...], ...]]] = {
    "What is the latest creatinine?": ("value", "latest", (), "", ()),
    "Give the most recent Hb with its date.": ("value", "latest", (), "", ()),
    "What was the first recorded HDL cholesterol?": ("value", "first", (), "", ()),
    f"As of {D1}, what was the most recent ferritin?": ("value", "latest", (D1,), "", ()),
    f"On {D1}, which LDL cholesterol was the latest one known?": ("value", "latest", (D1,), "", ()),
    "What was the latest potassium in 2019?": ("value", "latest", (), "2019", ()),
    "What was the latest potassium in May 2019?": ("value", "latest", (), "2019-05", ()),
    f"What was the creatinine on {D1}?": ("value", "on", (D1,), "", ()),
    "Hi, can you tell me my latest INR please?": ("value", "latest", (), "", ()),
    "Please tell me my latest INR.": ("value", "latest", (), "", ()),
    "What was the last creatinine before the start of metformin?": (
        "value", "before", (), "", (("the start of metformin",),),
    ),
    "Just before the colectomy, how high was the hemoglobin?": ("value", "before", (), "", (("the colectomy",),)),
    "Before the colectomy what was the hemoglobin?": ("value", "before", (), "", (("the colectomy",),)),
    "Which INR was the next one after the end of warfarin?": ("value", "after", (), "", (("the end of warfarin",),)),
    "Once the start of apixaban was over, how high was the creatinine?": (
        "value", "after", (), "", (("the start of apixaban",),),
    ),
    f"What was the first creatinine after {D1}?": ("value", "after", (D1,), "", ()),
    "Qual foi o último potássio antes da cirurgia?": ("value", "before", (), "", (("cirurgia",),)),
    "Qual foi o último valor de potássio?": ("value", "latest", (), "", ()),
    "Qual era a creatinina em 02/01/2020?": ("value", "on", (D1,), "", ()),
    f"How much did the ALT change between {D1} and {D2}?": ("change", "", (D1, D2), "", ()),
    f"Between {D1} and {D2}, did the glucose rise, fall or stay the same?": ("trend", "", (D1, D2), "", ()),
    f"Describe how the BUN developed from {D1} until {D2}.": ("trend", "", (D1, D2), "", ()),
    "What was the lowest hemoglobin?": ("extreme", "", (), "", ()),
    "What was her peak troponin in 2020?": ("extreme", "", (), "2020", ()),
    "How high has the TSH been so far?": ("extreme", "", (), "", ()),
    "How low did the platelets get?": ("extreme", "", (), "", ()),
    f"What was the nadir of her hemoglobin between {D1} and {D2}?": ("extreme", "", (D1, D2), "", ()),
    "Qual foi a hemoglobina mais baixa?": ("extreme", "", (), "", ()),
    "Qual o valor máximo de potássio?": ("extreme", "", (), "", ()),
    "Qual o pico de creatinina em 2020?": ("extreme", "", (), "2020", ()),
    "How did the creatinine develop over time?": ("trend", "", (), "", ()),
    "How has the creatinine changed since 2020-01-02?": ("trend", "", (D1,), "", ()),
    "How did the weight change in 2019?": ("trend", "", (), "2019", ()),
    "How many times in 2013 was the ALT above the reference range (7-40 U/L)?": ("beyond", "", (), "2013", ()),
    "On how many days in 2013 was the ALT above 40 U/L?": ("beyond", "", (), "2013", ()),
    "Em quantos dias de 2010 o potássio ficou acima de 5,0 mEq/L?": ("beyond", "", (), "2010", ()),
    f"For how many days was apixaban withheld starting {D1}?": ("hold", "", (D1,), "", ()),
    "How many hospital admissions are there in the record?": ("stays", "", (), "", ()),
    "Quantas internações há no prontuário?": ("stays", "", (), "", ()),
    "How many times did the patient have a colonoscopy?": ("procedures", "", (), "", (("colonoscopy",),)),
    "Por quanto tempo a varfarina foi suspensa?": ("hold", "", (), "", ()),
    "Quanto tempo a varfarina ficou suspensa?": ("hold", "", (), "", ()),
    "Por quanto tempo a paciente usou varfarina?": ("course", "", (), "", ()),
    "Quais são os medicamentos atuais?": ("medicines", "", (), "", ()),
    "How often was warfarin held?": ("holds", "", (), "", ()),
    f"How long was the course of cefazolin that began on {D1}?": ("course", "", (D1,), "", ()),
    "How long did the patient take amlodipine before it was stopped?": ("course", "", (), "", ()),
    f"How long was warfarin on hold after {D1}?": ("hold", "", (D1,), "", ()),
    f"The patient was admitted on {D1}; how many days until discharge?": ("stay", "", (D1,), "", ()),
    "How long was the hospital stay for pneumonia?": ("stay", "", (), "", (("stay for pneumonia",),)),
    "Which came first: the colectomy or the start of metoprolol?": (
        "order", "", (), "", (("the colectomy", "the start of metoprolol"),),
    ),
    "Put these in order of time: the end of warfarin; the start of apixaban.": (
        "order", "", (), "", (("the end of warfarin", "the start of apixaban"),),
    ),
    "O que veio primeiro: início de levetiracetam ou início de atorvastatina?": (
        "order", "", (), "", (("início de levetiracetam", "início de atorvastatina"),),
    ),
    "Between the colectomy and the start of metoprolol, which was first?": (
        "order", "", (), "", (("the colectomy", "the start of metoprolol"),),
    ),
    "Had the colectomy already happened before the start of metoprolol?": (
        "order", "", (), "", (("the colectomy", "the start of metoprolol"),),
    ),
    "A colectomia veio antes do início de metoprolol?": (
        "order", "", (), "", (("colectomia", "início de metoprolol"),),
    ),
    "Was the colectomy before or after the start of metoprolol?": (
        "order", "", (), "", (("the colectomy", "the start of metoprolol"),),
    ),
    f"Which medications was the patient taking on {D1}?": ("medicines", "", (D1,), "", ()),
    "What is on her current medication list?": ("medicines", "", (), "", ()),
    "Quais medicamentos ela usa atualmente?": ("medicines", "", (), "", ()),
    f"The drug regimen as it stood on {D1}?": ("medicines", "", (D1,), "", ()),
    f"What dose of metformin was the patient taking on {D1}?": ("dose", "on", (D1,), "", ()),
    "What dose of metformin was the patient taking at the time of the colectomy?": (
        "dose", "on", (), "", (("the colectomy",),),
    ),
    "At what dose was apixaban last taken?": ("dose", "latest", (), "", ()),
    "What is the current apixaban dose?": ("dose", "now", (), "", ()),
    "When was lisinopril first started, and at what dose?": ("dose", "first", (), "", ()),
    f"How was the atorvastatin dose changed on {D1}?": ("dose_change", "", (D1,), "", ()),
}  # fmt: skip
"""Question: kind, which of them, days, period, events; an empty kind: it is none."""
NOT_ASKED = (
    "What is the creatinine?",
    "Why was the latest creatinine so high?",
    "What is the target for the latest INR?",
    "Was the latest potassium normal?",
    "What was her husband's latest HbA1c?",
    "What was the latest urine creatinine?",
    "What was the latest creatinine in the ascites?",
    "What was done about the latest potassium?",
    "Was her potassium ever above 6?",
    "What was the creatinine in 2019?",
    "What was the baseline creatinine before the operation?",
    "What was the highest creatinine after the start of metformin?",
    "What was the highest creatinine during the admission?",
    "What is the highest potassium that is still normal?",
    "What was the lowest and the highest potassium?",
    "What was the husband's highest glucose?",
    "Which dose gave the lowest glucose?",
    "What was the latest creatinine after the start of metformin?",
    "What was the first creatinine before the start of metformin?",
    "What was the creatinine since 2020-01-02?",
    "What was the creatinine before the operation and after the stay?",
    "Why were her medications changed?",
    "Which medicines is she allergic to?",
    "Which drugs are taken for blood pressure?",
    "Which drugs were given on 2020-01-02?",
    "What medications was she taking before the operation?",
    "What medications was she taking in January 2020?",
    "What medications is her husband taking?",
    "What medications is she no longer taking?",
    "Which medications should she avoid taking?",
    "How often does she take her medications?",
    "Why was the atorvastatin dose changed on 2020-01-02?",
    "Por que a dose de furosemida foi aumentada em 2 de novembro de 2009?",
    "How many times was the dose of lisinopril changed?",
    "How often does she need to take lisinopril?",
    "How many times did she fall?",
    "How long did the inguinal hernia repair take?",
    "How long should she take cefazolin?",
    "How long after the operation was warfarin on hold?",
    "How many days of cefazolin are left?",
    "Is there any record of a colonoscopy?",
    "Which side was operated on first?",
    "Who ordered the latest TSH?",
    "Where was the latest TSH measured?",
    "What was the lower value of TSH between 2019-01-10 and 2020-03-04?",
    "List her blood pressure meds as of 2019-01-10.",
    "Which drugs were stopped at the time of the colectomy?",
    "What was it on 2019-01-10?",
    "What drugs was she given on 2019-01-10?",
    "How has the TSH been over the past year?",
    "What was the TSH since the colectomy?",
    "How long ago was she in hospital?",
    "Há quanto tempo foi internada?",
    "How long was she in the ICU?",
    "How long was she in hospital after the colectomy?",
    "How long was it between her hospital stays?",
    "How long was her mother in hospital?",
    "How long will he be in hospital?",
    "How many nights did she not sleep?",
    "On how many days was the TSH no more than 4.5 mIU/L?",
    "On how many days was the TSH at least 4.5 mIU/L?",
    "Em quantos dias o TSH não ficou acima de 4,5 mIU/L?",
    "Quem pediu o último TSH?",
    "Qual a média de TSH entre 10/01/2019 e 04/03/2020?",
    "Que remédios ela toma para pressão?",
    "Quais remédios foram suspensos em 10/01/2019?",
    "What is the maximum dose of metoprolol she is on now?",
    "How many days passed between the colectomy and discharge?",
)


@pytest.mark.parametrize("query", ASKED)
def test_questions_for_the_timeline(query: str) -> None:
    kind, at, days, period, events = ASKED[query]
    found = over_time(query, TODAY)
    if not kind:
        assert found is None
        return
    assert found is not None
    assert (found.kind, found.at, found.days, found.period) == (kind, at, days, period)
    assert found.events == events


@pytest.mark.parametrize("query", NOT_ASKED)
def test_questions_for_the_ranking(query: str) -> None:
    assert over_time(query, TODAY) is None


@pytest.mark.parametrize("word", ["husband's", "mother", "target", "goal", "urine", "ascites", "wanted"])
@pytest.mark.parametrize("query", [q for q, row in ASKED.items() if row[0] and not row[4] and "the " in q])
def test_one_narrowing_word_more_leaves_a_question_to_the_ranking(query: str, word: str) -> None:
    assert over_time(query.replace("the ", f"the {word} ", 1), TODAY) is None


@pytest.mark.parametrize(
    ("question", "kind", "at"),
    [
        ("When metoprolol was first prescribed, what was the dose?", "dose", "first"),
        ("What was the dose of metoprolol at the outset?", "dose", "first"),
        ("What were the old and the new dose of metoprolol on 2019-01-10?", "dose_change", ""),
        ("What was the last TSH on or before 2019-01-10?", "value", "latest"),
        ("Ignoring everything written after 2019-01-10, what is the latest TSH?", "value", "latest"),
        ("How many colectomies has the patient had?", "procedures", ""),
        ("Qual foi a duração da suspensão do metoprolol?", "hold", ""),
    ],
    ids=["start", "outset", "both doses", "on or before", "ignoring later", "operations", "suspensao"],
)
def test_more_wordings_of_kinds_that_are_computed(question: str, kind: str, at: str) -> None:
    found = over_time(question, "2022-01-01")
    assert found is not None
    assert (found.kind, found.at) == (kind, at)


@pytest.mark.parametrize(
    "question",
    [
        "How many children has the patient had?", "How many colectomies has she had since 2019-01-10?",
        "When warfarin was started, what was the dose of metoprolol before any change of lisinopril?",
    ],
    ids=["no operation", "since a day", "three drugs"],
)  # fmt: skip
def test_what_only_looks_like_them_is_left(question: str) -> None:
    assert over_time(question, "2022-01-01") is None


def test_a_very_long_sentence_is_no_question_over_time() -> None:
    asked = "What was the latest creatinine?"
    assert over_time(asked, "2020-01-01") is not None
    assert over_time(" " * 1_000 + asked, "2020-01-01") is None
