from __future__ import annotations

import pytest

from chartcite.facts.assertions import read_assertions
from chartcite.facts.tokens import expand, tokenise

# sentence, then word=status: a(ffirmed) n(egated) ~(neutral) d(oubtful) p(ossible) h(istorical) f(amily) y(pothetical)
CASES = [
    ("Pt denies fever, chills, or cough but has chest pain.", "fever=n chills=n cough=n chest=a pain=a"),
    ("No evidence of pneumonia on CXR.", "pneumonia=n cxr=~"),
    ("Blood Transfusion: No.", "blood=n transfusion=n"),
    ("Stroke: none.", "stroke=n"),
    ("The patient is negative for TIA.", "tia=n"),
    ("Father had colon cancer.", "colon=f cancer=f"),
    ("Wife reports the patient fell.", "fell=a"),
    ("Rule out pulmonary embolism.", "pulmonary=p embolism=p"),
    ("PE was ruled out by CT.", "pe=n"),
    ("Not only nausea but also vomiting.", "nausea=a vomiting=a"),
    ("No change in known heart failure.", "change=n heart=a failure=a"),
    ("Cannot exclude small pleural effusion.", "effusion=p"),
    ("Old myocardial infarction, no acute ischemia.", "infarction=h ischemia=n"),
    ("Rash resolved.", "rash=a"),
    ("No further seizures since 2019.", "seizures=n"),
    ("History of HTN, DM and COPD, admitted with cough.", "htn=h copd=h cough=a"),
    ("He denies that he has chest pain.", "chest=n pain=n"),
    ("No fever, chills and lungs clear.", "fever=n chills=n lungs=a"),
    ("Return if fever develops.", "fever=y"),
    ("not without pain", "pain=a"),
    ("Afebrile, chest pain.", "fever=n chest=a"),
    ("non-tender abdomen", "tender=n abdomen=a"),
    ("Denies fever; cough present.", "fever=n cough=a"),
    ("No symptoms except cough.", "symptoms=n cough=a"),
    ("Colon cancer in her father.", "colon=f cancer=f"),
    ("HIV negative, hepatitis positive.", "hiv=n hepatitis=a"),
    ("Ultrasound not performed.", "ultrasound=n performed=n"),
    ("The aorta is not dilated.", "aorta=~ dilated=n"),
    ("Neg lactate, EEG without spikes.", "lactate=n eeg=a spikes=n"),
    ("No rash, large bruise on thigh.", "rash=n bruise=a thigh=a"),
    ("No pain, affect flat, gait steady.", "pain=n affect=a"),
    ("Relapse free since May.", "relapse=n"),
    ("Free air under the diaphragm.", "air=a"),
    ("The uncle's stroke was fatal.", "stroke=f"),
    ("The mother was shown how to bathe the baby.", "mother=a bathe=a"),
    ("Sister reports she has shingles; patient herself is well.", "shingles=f well=a"),
    ("Lives with aunt, who has gout.", "gout=f"),
    ("May shower tomorrow.", "shower=y"),
    ("May represent scar.", "scar=p"),
    ("He could lift the arm.", "lift=a arm=a"),
    ("Two falls in the past month.", "falls=a month=a"),
    ("Cyst versus abscess.", "cyst=p abscess=p"),
    ("Endoscopy booked for June.", "endoscopy=y"),
    ("She never had malaria.", "malaria=h"),
    ("There is no epilepsy in the family.", "epilepsy=f"),
    ("Nega febre, mas refere tosse.", "febre=n tosse=a"),
    ("Sem sinais de infecção.", "infeccao=n"),
]
LETTERS = {"affirmed": "a", "negated": "n", "neutral": "~", "doubtful": "d"}


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_status(text: str, expected: str) -> None:
    tokens = expand(tokenise(text))
    statuses = dict(zip((t.text for t in tokens), read_assertions(tokens).statuses, strict=True))
    for pair in expected.split():
        word, letter = pair.split("=")
        status = statuses[word]
        flags = {"p": status.is_possible, "h": status.is_historical, "f": status.is_family, "y": status.is_hypothetical}
        shown = next((flag for flag, is_set in flags.items() if is_set), LETTERS[status.polarity])
        assert shown == letter, word
