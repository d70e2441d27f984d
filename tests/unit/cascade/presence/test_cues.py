"""In what sense a sentence names a thing: whose it is, lists of negatives, answers to questions, signs."""

from __future__ import annotations

import pytest

from chartcite.cascade.presence.asked import read_question
from chartcite.cascade.presence.sense import sense_of
from chartcite.core.documents import Span

# What is told of the word in brackets, by sense; wordings of our own.
CASES = {
    "planned": [
        "Seek care for [vomiting].", "Seek immediate medical attention for [chest pain] or fever.",
        "Come back to the ED for any [shortness of breath].", "Return to the emergency department for [fever].",
        "Return if [fever] or rash develops.", "Strict return precautions for [syncope] given.",
        "Volte se tiver [febre].", "Procurar o pronto-socorro em caso de [dor torácica].",
    ],
    "denied": [
        "Pertinent negatives: [hemoptysis], syncope.", "Pertinent negatives include fever and [syncope].",
        "Denials: fever, [hemoptysis]", "(-) fever (-) [chills] (+) cough", "ROS: cough +, [hemoptysis] -",
        "ROS: [hemoptysis] -, cough +", "Asked about [hemoptysis], says no.", "no c/o fever or [hemoptysis]",
        "[Hemoptysis] was asked about and denied.", "Asked directly about [hemoptysis], he denied any.",
        "[Hemoptysis], fever, syncope: all negative.", "Ø [hemoptysis]", "Not troubled by [hemoptysis].",
        "[Hemoptysis] is not a complaint.", "[Hemoptysis].....no", "[Hemoptise] negada.",
        "[Hemoptise] e febre negadas.",
        "Hemoptise e [febre] negadas.", "[Hemoptise] foi negada pelo doente.", "[Hemoptise] não referida.",
        "[Hemoptise] não foi observada.", "Negando febre e [hemoptise].", "Perguntado sobre [hemoptise], nega.",
        "Perguntada sobre [hemoptise], respondeu que não.", "Sem [febre] nem calafrios.", "Sem febre nem [calafrios].",
        "Negativas pertinentes: febre, [hemoptise].", "Livre de [hemoptise].",
    ],
    "ruled_out": ["Afasta [hemoptise]."],
    "possible": ["TC não exclui [pneumonia]."],
    "present": [
        "(-) fever (+) [cough] (-) chills", "Cough without fever, [rash] present.", "Does not deny [hemoptysis].",
        "Discussed [gout] with mother at bedside.", "[Gout] (mother at bedside).", "[Gout] in the left toe.",
        "Culturas negativas, TC com [pneumonia].", "Asked about [gout], denies fever.", "[Gota] no pé direito.",
        "Mãe refere que o doente tem [epilepsia].", "Patient has [gout]; mother has epilepsy.",
        "Pertinent positives: [hemoptysis].", "Nobody else at home; patient has [gout].",
    ],
    "family": [
        "[Epilepsy] (mother)", "[Epilepsy]: father", "[Epilepsy] in a first-degree relative.",
        "[Gout] on father's side.",
        "[Gout] affected two paternal uncles.", "FH: no diabetes, mother has [gout]", "[Gota] no pai.",
        "[Epilepsia]: mãe.",
        "[Epilepsia] na irmã mais nova.", "[Epilepsia] materna.", "[Epilepsia] em dois tios paternos.",
        "[Gota] do lado materno.", "Antecedentes familiares: [gota].", "Há [epilepsia] na família.",
    ],
    "family_denied": [
        "No one in the family has had [gout].", "Nobody in her family has [epilepsy].", "Family: no [epilepsy].",
        "No relatives with [epilepsy].", "[Epilepsy] denied in all relatives.", "Sem história familiar de [gota].",
        "There is no known [epilepsy] among blood relatives.", "Ninguém na família com [gota].",
        "História familiar negativa para [epilepsia].", "Não há [epilepsia] na família.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("status", "marked"), [(status, text) for status, texts in CASES.items() for text in texts])
def test_sense(status: str, marked: str) -> None:
    first, last = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    assert sense_of(text, Span(first, last), (), "thing").status == status


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("Ele é diabético?", "diabetes"), ("É asmática?", "asma"), ("Padece de gota?", "gota"),
        ("Foi-lhe alguma vez diagnosticado glaucoma?", "glaucoma"), ("Ficou registado que tem gota?", "gota"),
        ("A hepatite C figura entre os problemas conhecidos?", "hepatite C"), ("Existe lúpus no historial?", "lúpus"),
        ("Há qualquer indicação de que a paciente tenha gota?", "gota"), ("Há notícia de psoríase?", "psoríase"),
        ("Há historial familiar de gota?", "gota"), ("Há casos de Alzheimer entre os parentes?", "Alzheimer"),
        ("Psoríase integra a lista de problemas?", "Psoríase"), ("Estaria gota registrada?", "gota"),
    ],
)  # fmt: skip
def test_portuguese_questions(question: str, thing: str) -> None:
    asked = read_question(question)
    assert asked is not None
    assert asked.thing == thing


@pytest.mark.parametrize(
    "question",
    [
        "Is there a vaccine against shingles?", "Is there a cure for gout?", "Is there an alternative to penicillin?",
        "Is there a link between asthma and eczema?", "Existe vacina contra o herpes zóster?", "Há cura para a gota?",
        "Nome do operador da biópsia?", "Tem dor e febre?",
    ],
)  # fmt: skip
def test_general_questions_are_none_of_presence(question: str) -> None:
    assert read_question(question) is None
