"""Which side `ruled out` denies: what follows when a test or a person does it, what precedes in the passive."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.cue_senses import COPULAS
from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import Token

_WHO = word_set("pt patient the she he they her his a and paciente o that")
RULED_OUT = (("ruled", "out"), ("r/o'd",), ("disproved",), ("disproven",), ("refuted",), ("excluded",))
_TESTS = word_set(
    "ct cta cth ctpa mri mra mrv mrcp cxr kub xr xray x-ray ray rays film films radiograph radiographs ultrasound "
    "us usg doppler dopplers duplex echo echocardiogram tte tee ekg ecg eeg scan scans imaging study studies "
    "workup work-up up evaluation investigation investigations biopsy biopsies pathology histology cytology "
    "angiogram angiography venogram venography scintigraphy colonoscopy endoscopy egd ercp bronchoscopy cath "
    "catheterization test tests testing lab labs serology serologies troponin troponins enzymes dimer culture "
    "cultures pcr swab lp puncture tap aspirate exam examination assessment laparoscopy laparotomy vq v/q pet "
    "series serial team we they i physician doctor md surgeon cardiology neurology radiology psychiatry surgery "
    "rheumatology genetics consult consultant consultants exame exames tomografia angiotomografia angiotc "
    "tc rm rnm ressonancia angiorressonancia ultrassom ultrassonografia ecodoppler ecocardiograma eco "
    "ecografia biopsia rx radiografia cintilografia endoscopia colonoscopia broncoscopia cateterismo "
    "cineangiocoronariografia angiografia puncao liquor cultura culturas hemocultura hemoculturas sorologia "
    "sorologias troponina troponinas enzimas eletrocardiograma eletroencefalograma investigacao avaliacao "
    "propedeutica rastreio equipe medico cirurgiao laudo"
)
_BY = word_set("by on via after")
_HAVE = word_set("has have had having")
_NO_OBJECT = word_set(
    "by on with at in for of to from via per using after before during following given based since until when while "
    "if and or but as because due then so now today yesterday overnight twice again x2 x3 this last "
    "earlier already there here also secondary"
)


def direction_of_ruling_out(tokens: Sequence[Token], ahead: range, last: int) -> str:
    """`Doppler ruled out DVT` denies what follows, `DVT ruled out by Doppler` what precedes; "" leaves it to the list.

    `MI ruled out troponins flat`: nobody is known to do the ruling, so that both sides count as denied.

    Args:
        tokens: the whole sentence.
        ahead: the tokens before the verb that it could deny.
        last: the first token behind the verb.
    """
    words = [tokens[i].text for i in ahead]
    before = next((word for word in reversed(words) if not word.endswith("ly")), "")
    subject = set(words) - _WHO - COPULAS - _HAVE
    after = tokens[last] if last < len(tokens) else None
    if after is None or after.is_mark or after.text in _NO_OBJECT or after.text.endswith("ly"):
        return "post" if subject and after is not None and after.text in _BY else ""
    if before in COPULAS:
        # "Foi descartado TEP" puts the verb first.
        return "" if subject else "pre"
    return "pre" if before in _HAVE or not subject or subject & _TESTS else "sides"
