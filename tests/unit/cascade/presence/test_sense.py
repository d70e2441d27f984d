"""In what sense a sentence names a thing: scopes, headers, screening, relatives, Portuguese. All sentences invented."""

from __future__ import annotations

import pytest

from chartcite.cascade.presence.forms import forms_of
from chartcite.cascade.presence.sense import sense_of
from chartcite.cascade.presence.words import find
from chartcite.core.presence import About
from chartcite.text.analyser import Analyser

ANALYSERS = {lang: Analyser(lang) for lang in ("en", "pt")}
# Where two readings do no harm, both are named. "None": the sentence does not have the thing at all.
CASES: list[tuple[str, About, str, str, str]] = [
    ("en", "thing", "cancer", "No change in her cancer.", "present"),
    ("en", "thing", "pain", "Denies worsening of pain.", "unclear"),
    ("en", "thing", "MI", "Rule out MI.", "possible"),
    ("en", "thing", "MI", "MI was ruled out.", "denied/ruled_out"),
    ("en", "thing", "TIA", "Negative for TIA.", "denied"),
    ("en", "thing", "breast cancer", "Family history of breast cancer.", "family"),
    ("en", "thing", "breast cancer", "No family history of breast cancer.", "family_denied"),
    ("en", "thing", "colon cancer", "Screening for colon cancer.", "other_sense"),
    ("en", "thing", "influenza", "Vaccinated against influenza.", "other_sense"),
    ("en", "allergy", "penicillin", "Allergic to penicillin.", "present"),
    ("en", "allergy", "amoxicillin", "Tolerates amoxicillin.", "denied"),
    ("en", "drug", "amoxicillin", "Tolerates amoxicillin.", "present"),
    ("en", "drug", "penicillin", "Allergic to penicillin.", "other_sense"),
    ("en", "thing", "fever", "No fever, chills, nausea or vomiting.", "denied"),
    ("en", "thing", "vomiting", "No fever, chills, nausea or vomiting.", "denied"),
    ("en", "drug", "warfarin", "Warfarin was stopped in 2015.", "historical"),
    ("en", "drug", "warfarin", "She never took warfarin.", "denied"),
    ("en", "thing", "asthma", "Unlike his asthma, the eczema is well controlled.", "present"),
    ("en", "thing", "febre", "Nega febre e calafrios.", "denied"),
    ("en", "thing", "edema", "Sem edema ou dispneia.", "denied"),
    ("pt", "thing", "derrame pleural", "Ausência de derrame pleural.", "denied"),
    ("en", "thing", "IAM", "Afastado IAM.", "ruled_out"),
    ("pt", "thing", "hipertensão", "HAS há 10 anos.", "present"),
    ("en", "allergy", "latex", "Not allergic to latex.", "denied"),
    ("en", "procedure", "colonoscopy", "Scheduled for colonoscopy next month.", "planned"),
    ("en", "procedure", "colonoscopy", "Declined colonoscopy.", "planned"),
    ("en", "thing", "stroke", "Risk of stroke discussed.", "other_sense"),
    ("en", "thing", "fever", "If she develops fever, call us.", "planned"),
    ("en", "thing", "pneumonia", "Possible pneumonia.", "possible"),
    ("en", "thing", "lupus", "Suspected lupus.", "possible"),
    ("en", "thing", "diabetes", "Her mother had diabetes.", "family"),
    ("en", "thing", "diabetes", "Diabetes: no.", "denied"),
    ("en", "thing", "stroke", "Stroke: none", "denied"),
    ("en", "thing", "stroke", "History of stroke in 2004.", "historical"),
    ("en", "procedure", "appendectomy", "s/p appendectomy 1990", "present"),
    ("en", "thing", "rash", "Rash resolved.", "historical"),
    ("en", "thing", "fever", "Syncope and fever: both denied.", "denied"),
    ("en", "thing", "syncope", "Syncope and fever: both denied.", "denied"),
    ("en", "thing", "tinnitus", "Neither palpitations nor tinnitus.", "denied"),
    ("en", "thing", "chest pain", "Without chest pain.", "denied"),
    ("en", "thing", "hypertension", "No history of diabetes, but has hypertension.", "present"),
    ("en", "thing", "diabetes", "No history of diabetes, but has hypertension.", "denied"),
    ("en", "allergy", "doxycycline", "Received doxycycline in 2003 without problems.", "denied"),
    ("en", "drug", "metformin", "We considered starting metformin.", "planned/possible/present"),
    ("en", "drug", "metformin", "Metformin was recommended but she declined.", "planned"),
    ("pt", "thing", "linfoma", "Família sem linfoma.", "family_denied"),
    ("pt", "thing", "linfoma", "Sem casos de linfoma na família.", "family_denied"),
    ("pt", "thing", "diabetes", "Pai com diabetes.", "family"),
    ("en", "thing", "lúpus", "Investigar lúpus.", "possible"),
    ("pt", "drug", "varfarina", "Não usa varfarina.", "denied"),
    ("en", "drug", "insulina", "Nunca usou insulina.", "denied"),
    ("pt", "allergy", "dipirona", "Alergia a dipirona: nega.", "denied"),
    ("en", "thing", "depression", "PHQ-9 negative for depression.", "denied"),
    ("en", "thing", "melanoma", "No evidence of recurrence of the melanoma.", "historical"),
    ("en", "thing", "melanoma", "The melanoma has not recurred.", "historical"),
    ("en", "thing", "asthma", "Denies any history of asthma.", "denied"),
    ("en", "thing", "sarcoidosis", "Differential includes sarcoidosis.", "possible"),
    ("en", "thing", "stroke", "To prevent stroke, apixaban was started.", "other_sense/planned"),
    ("en", "thing", "multiple sclerosis", "Family history negative for multiple sclerosis.", "family_denied"),
    ("en", "thing", "seizures", "No further seizures since 2019.", "historical"),
    ("en", "procedure", "transfusion", "Blood Transfusion: No", "denied"),
    ("en", "thing", "vomiting", "Not only nausea but also vomiting.", "present"),
    ("en", "thing", "heart failure", "No change in known heart failure.", "present"),
    ("en", "thing", "pleural effusion", "Cannot exclude small pleural effusion.", "possible"),
    ("en", "thing", "myocardial infarction", "Old myocardial infarction, no acute ischemia.", "historical/present"),
    ("en", "thing", "colon cancer", "Father had colon cancer.", "family"),
    ("en", "thing", "chest pain", "Pt denies fever, chills, or cough but has chest pain.", "present"),
    ("en", "thing", "cough", "Pt denies fever, chills, or cough but has chest pain.", "denied"),
    ("en", "thing", "pneumonia", "No evidence of pneumonia on CXR.", "denied"),
    ("pt", "thing", "câncer de mama", "Câncer de mama em 2003.", "present"),
    ("pt", "thing", "câncer de mama", "Mãe com câncer de mama.", "family"),
    ("pt", "thing", "câncer", "Nega história de câncer.", "denied"),
    ("en", "thing", "tabagismo", "Nega tabagismo.", "denied"),
    ("en", "thing", "AVC", "Descartado AVC.", "ruled_out"),
    ("en", "thing", "DVT", "Doppler negative for DVT.", "denied"),
    ("en", "thing", "HIV", "HIV negative.", "denied"),
    ("en", "allergy", "latex", "Latex allergy: none.", "denied"),
    ("en", "allergy", "sulfa", "Sulfa causes hives.", "present"),
    ("en", "allergy", "codeine", "Codeine: nausea. Penicillin allergy: hives.", "other_sense"),
    ("en", "drug", "penicillin", "Completed a course of penicillin.", "present"),
    ("en", "drug", "aspirin", "Aspirin was held before surgery.", "present"),
    ("en", "drug", "statin", "Refused a statin.", "planned/denied"),
    ("en", "thing", "cancer of the thyroid", "Papillary thyroid carcinoma resected in 2011.", "present"),
    ("en", "thing", "chest pain", "Chest clear, pain controlled in the knee.", "None"),
    ("en", "thing", "headache", "CT head without contrast.", "None"),
    ("en", "thing", "flu", "Got a flu shot in October.", "None"),
    ("en", "thing", "depression", "ST depression in V4.", "None"),
    ("en", "thing", "creatine", "Creatinine 1.1.", "None"),
    ("en", "procedure", "dialysis", "No indication for dialysis.", "denied/planned"),
    ("en", "thing", "falls", "Patient is at risk for falls.", "other_sense"),
    ("en", "thing", "suicidal ideation", "He denies unintentional weight loss and suicidal ideation.", "denied"),
    ("en", "thing", "weight loss", "Reports unintentional weight loss.", "present"),
    ("en", "thing", "smoking", "Never smoker.", "denied"),
    ("en", "thing", "smoking", "Smokes 1 ppd.", "present"),
    ("en", "thing", "alcohol", "Drinks alcohol socially.", "present"),
    ("en", "thing", "alcohol", "Does not drink alcohol.", "denied"),
    ("en", "thing", "diabetes", "Unlike her mother she does not have diabetes.", "denied/family_denied"),
    ("en", "thing", "COVID", "COVID test negative.", "None/denied"),
    ("en", "thing", "hypertension", "Husband with hypertension.", "family"),
    ("en", "thing", "fever", "Mother reports fever since Monday.", "present"),
    ("en", "thing", "fever", "Return if fever occurs.", "planned"),
    ("pt", "thing", "tuberculosis", "Sem evidência de tuberculose.", "denied"),
    ("pt", "thing", "tuberculose", "Sem evidência de tuberculose.", "denied"),
    ("pt", "thing", "pneumonia", "Hipótese diagnóstica: pneumonia.", "possible"),
    ("en", "thing", "diabetes", "Nega DM, HAS.", "denied"),
    ("pt", "thing", "hipertensão", "Nega DM, HAS.", "denied"),
    ("pt", "thing", "dengue", "Sorologia não reagente para dengue.", "denied"),
]


@pytest.mark.parametrize(("lang", "about", "thing", "text", "wanted"), CASES, ids=[f"{c[2]}: {c[3]}" for c in CASES])
def test_sense(lang: str, about: About, thing: str, text: str, wanted: str) -> None:
    assert _sense(lang, about, thing, text) in wanted.split("/")


def _sense(lang: str, about: About, thing: str, text: str, section: tuple[str, ...] = ()) -> str:
    analyse = ANALYSERS[lang].terms
    found = find(forms_of(thing, analyse, is_test=about == "test"), text, analyse)
    return sense_of(text, found.span, section, about).status if found else "None"


MESSY: list[tuple[str, About, str, str, str]] = [
    ("en", "thing", "COPD", "COPD: N.", "denied"),
    ("en", "thing", "asthma", "Asthma: n | Gout: y", "denied"),
    ("en", "thing", "gout", "Asthma: n | Gout: y", "present"),
    ("en", "thing", "fever", "Constitutional: [ ] fever [ ] chills [x] fatigue", "unclear"),
    ("en", "thing", "chills", "Constitutional: [ ] fever [ ] chills [x] fatigue", "unclear"),
    ("en", "thing", "fatigue", "Constitutional: [ ] fever [ ] chills [x] fatigue", "present"),
    ("en", "thing", "chills", "ROS: fever [x] chills [ ]", "unclear"),
    ("en", "thing", "chills", "fever [x] chills [ ]", "unclear"),
    ("en", "thing", "fever", "fever [x] chills [ ]", "present"),
    ("pt", "thing", "febre", "( ) febre (x) tosse", "unclear"),
    ("pt", "thing", "tosse", "( ) febre (x) tosse", "present"),
    ("pt", "thing", "asma", "Asma: ( ) Sim (x) Não", "unclear"),
    ("en", "thing", "gout", "The gout entry was entered in error - wrong patient.", "denied"),
    ("pt", "thing", "gota", "O registro de gota foi erro de prontuário.", "denied"),
    ("en", "allergy", "latex", "Known allergies: latex?, peanuts.", "possible"),
    ("en", "allergy", "peanuts", "Known allergies: latex?, peanuts.", "present"),
    ("en", "allergy", "iodine", "Known allergies: latex?, iodine - pt unsure.", "possible"),
    ("en", "allergy", "latex", "Allergic to latex? No.", "denied"),
    ("en", "thing", "anemia", "Anemia likely due to CKD.", "present"),
    ("en", "thing", "anemia", "Mother had anemia likely due to CKD.", "family"),
    ("en", "thing", "anemia", "Anemia likely.", "possible"),
    ("pt", "thing", "anemia", "Anemia provável secundária à DRC.", "present"),
    ("en", "thing", "amyloidosis", "Unlikely to have amyloidosis.", "ruled_out"),
    ("en", "thing", "lung cancer", "He is afraid of lung cancer.", "possible"),
    ("pt", "thing", "câncer de pulmão", "Paciente refere medo de câncer de pulmão.", "possible"),
    ("en", "drug", "Jardiance", "Discussed starting Jardiance, she declined.", "planned"),
    ("en", "drug", "warfarin", "Warfarin avoided.", "planned"),
    ("en", "drug", "glipizide", "She declined metformin and was started on glipizide.", "present"),
    ("en", "drug", "hepatitis B vaccine", "Discussed hepatitis B vaccine, given today.", "present"),
    ("en", "drug", "flu vaccine", "Offered flu vaccine, not given.", "denied"),
    ("en", "procedure", "colonoscopy", "Colonoscopy ordered.", "planned"),
    ("pt", "procedure", "colonoscopia", "Encaminho p/ colonoscopia.", "planned"),
    ("pt", "procedure", "colonoscopia", "Colonoscopia solicitada, realizada ontem.", "present"),
    ("pt", "thing", "hepatite B", "Vacina de hepatite B aplicada.", "other_sense"),
    ("pt", "drug", "vacina de hepatite B", "Vacina de hepatite B aplicada.", "present"),
    ("pt", "thing", "HIV", "Anti-HIV | Não reagente |", "denied"),
    ("pt", "thing", "HIV", "Anti-HIV: reagente", "present"),
    ("pt", "thing", "asma", "Filha é asmática e usa salbutamol.", "family"),
    ("pt", "drug", "salbutamol", "Filha é asmática e usa salbutamol.", "family"),
    ("pt", "thing", "demência", "Mora com o esposo; esposo tinha demência.", "family"),
    ("pt", "thing", "asma", "Filho relata que a paciente tem asma.", "present"),
    ("en", "thing", "appendicitis", "Appendix normal.", "None"),
    ("pt", "thing", "apendicite", "Apêndice normal.", "None"),
    ("en", "thing", "diverticulitis", "Mild diverticulosis without diverticulitis.", "denied"),
    ("en", "thing", "arthritis", "Arthritic changes of both hands.", "present"),
    ("pt", "thing", "diarreia", "Dor em FID, s/ diarreia.", "denied"),
    ("en", "procedure", "cholecystectomy", "s/p cholecystectomy", "present"),
    ("en", "thing", "DVT", "DVT: LE dopplers negative.", "denied"),
    ("pt", "thing", "TVP", "TVP: doppler MMII negativo.", "denied"),
    ("pt", "thing", "COVID", "RT-PCR COVID negativo 2x.", "denied"),
    ("en", "thing", "breast cancer", "Breast cancer HER2 negative, ER positive.", "present"),
    ("en", "thing", "COVID-19", "COVID exposure at work.", "other_sense"),
    ("pt", "thing", "tuberculose", "Trabalhou em enfermaria de tuberculose.", "other_sense"),
    ("en", "allergy", "codeine", "Codeine -> itching; no latex allergy.", "present"),
    ("en", "allergy", "latex", "Codeine -> itching; no latex allergy.", "denied"),
    ("en", "allergy", "lisinopril", "Lisinopril 10 mg started -> angioedema, stopped.", "present"),
    ("en", "drug", "aspirin", "Stop ASA.", "historical"),
    ("en", "drug", "warfarin", "Did not stop warfarin.", "present"),
    ("en", "drug", "Shingrix", "Shingrix deferred.", "planned"),
    ("pt", "drug", "Ritalina", "Pergunta sobre Ritalina p/ si - não prescrita.", "denied"),
    ("pt", "drug", "prednisona", "Esposa c/ lúpus, em uso de prednisona.", "family"),
    ("pt", "thing", "asma", "Asma na infância.", "historical"),
    ("pt", "thing", "apendicite", "Indicação: afastar apendicite.", "possible"),
    ("en", "thing", "smoking", "Quit smoking in 2005.", "historical"),
]


@pytest.mark.parametrize(("lang", "about", "thing", "text", "wanted"), MESSY, ids=[f"{c[2]}: {c[3]}" for c in MESSY])
def test_sense_in_forms_corrections_and_short_hand(lang: str, about: About, thing: str, text: str, wanted: str) -> None:
    assert _sense(lang, about, thing, text) == wanted


SECTIONS: list[tuple[About, str, str, tuple[str, ...], str]] = [
    ("thing", "diabetes", "Diabetes at 40.", ("Family History",), "family"),
    ("thing", "diabetes", "No diabetes.", ("Family History",), "family_denied"),
    ("allergy", "penicillin", "Penicillin: rash.", ("Allergies",), "present"),
    ("allergy", "penicillin", "Penicillin 500 mg tid.", ("Medications",), "other_sense"),
    ("drug", "penicillin", "Penicillin: rash.", ("Allergies",), "other_sense"),
    ("test", "HbA1c", "Goal HbA1c below 7%.", (), "planned"),
    ("test", "HbA1c", "HbA1c 7.3 %.", (), "present"),
    ("test", "ferritin", "Ferritin ordered.", (), "planned"),
]


@pytest.mark.parametrize(("about", "thing", "text", "section", "wanted"), SECTIONS, ids=[c[2] for c in SECTIONS])
def test_sense_under_a_header_and_of_tests(
    about: About, thing: str, text: str, section: tuple[str, ...], wanted: str
) -> None:
    assert _sense("en", about, thing, text, section) == wanted


@pytest.mark.parametrize(
    ("text", "is_lasting"),
    [("Denies any history of asthma.", True), ("Never had asthma.", True), ("Denies asthma.", False)],
)
def test_what_is_denied_of_all_time(text: str, is_lasting: bool) -> None:
    analyse = ANALYSERS["en"].terms
    found = find(forms_of("asthma", analyse), text, analyse)
    assert found is not None
    assert sense_of(text, found.span, (), "thing").is_lasting is is_lasting
