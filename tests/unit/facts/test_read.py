from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chartcite.core.documents import Span
from chartcite.facts.doses import Dose
from chartcite.facts.read import SentenceFacts, read_facts


def _read(text: str) -> SentenceFacts:
    return read_facts(text, 0, len(text))


def _dose(text: str, dose: Dose) -> str:
    """`furosemide 40 mg,IV,2 a day`: every part that is said, as written."""
    parts: list[Any] = [dose.earlier, dose.strength, dose.volume, dose.count, dose.form, dose.route]
    parts += [dose.frequency, dose.time, dose.duration]
    spans = [part.span for part in parts if part is not None]
    spans += [span for span in (dose.prn, dose.indication) if span is not None]
    return f"{dose.drug.name}: " + ", ".join(text[slice(*span)] for span in spans)


DOSES = [
    ("Metformin 500 mg PO BID, lisinopril 10 mg daily, and Lasix 40.",
     "metformin: 500 mg, PO, BID | lisinopril: 10 mg, daily | furosemide: 40"),
    ("Started on 40 mg of furosemide IV twice daily for 3 days.", "furosemide: 40 mg, IV, twice daily, 3 days"),
    ("2 tablets of Percocet 5-325 mg q6h prn pain", "oxycodone-acetaminophen: 5-325 mg, 2, tablets, q6h, prn, pain"),
    ("amlodipine/benazepril 5/20 mg daily", "amlodipine-benazepril: 5/20 mg, daily"),
    ("IV ceftriaxone 1 g q24h and azithromycin 500 mg daily x5 days",
     "ceftriaxone: 1 g, IV, q24h | azithromycin: 500 mg, daily, x5 days"),
    ("Lantus 10 units in the morning and 15 units at bedtime",
     "insulin glargine: 10 units, in the morning | insulin glargine: 15 units, at bedtime"),
    ("lisinopril 10 mg metoprolol 25 mg warfarin 5 mg", "lisinopril: 10 mg | metoprolol: 25 mg | warfarin: 5 mg"),
    ("10 mg lisinopril, 25 mg metoprolol, 5 mg of warfarin", "lisinopril: 10 mg | metoprolol: 25 mg | warfarin: 5 mg"),
    ("He takes aspirin and 40 mg of atorvastatin.", "atorvastatin: 40 mg"),
    ("Losartana 50 mg VO 12/12h e metformina 850 mg 1 comprimido ao dia",
     "losartan: 50 mg, VO, 12/12h | metformin: 850 mg, 1, comprimido, ao dia"),
    ("Nitroglycerin 0.4 mg SL prn chest pain", "nitroglycerin: 0.4 mg, SL, prn, chest pain"),
    ("Tylenol 650 mg orally as needed for headache, and her glucose was 180 mg/dL.",
     "acetaminophen: 650 mg, orally, as needed, headache"),
    ("Enoxaparin 40 mg SC daily for DVT prophylaxis", "enoxaparin: 40 mg, SC, daily, DVT prophylaxis"),
    ("Norepinephrine 0.1 mcg/kg/min", "norepinephrine: 0.1 mcg/kg/min"),
    ("higher dose Mavik", ""),
    ("Potassium 5.9 on lisinopril 20 mg", "lisinopril: 20 mg"),
    ("potassium chloride 20 mEq daily", "potassium chloride: 20 mEq, daily"),
    ("Iron 325 mg daily for anemia, ferritin 12.", "iron supplement: 325 mg, daily, anemia"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DOSES)
def test_doses_belong_to_their_drug(text: str, expected: str) -> None:
    assert " | ".join(_dose(text, dose) for dose in _read(text).doses) == expected


CHANGES = [
    ("Metoprolol was increased from 25 mg to 50 mg BID.", "increase metoprolol 25 mg>50 mg"),
    ("Furosemide 40 mg IV BID was changed to torsemide 20 mg PO daily.", "switch furosemide/torsemide 40 mg>20 mg"),
    ("Switched from lisinopril to losartan 50 mg.", "switch lisinopril/losartan >50 mg"),
    ("Replace atenolol with carvedilol.", "switch atenolol/carvedilol >"),
    ("Started aspirin 81 mg, atorvastatin 80 mg.", "start aspirin >81 mg | start atorvastatin >80 mg"),
    ("Held lisinopril and started amlodipine.", "hold lisinopril > | start amlodipine >"),
    ("Lisinopril was held and amlodipine was started.", "hold lisinopril > | start amlodipine >"),
    ("stop metformin, continue glipizide, resume warfarin",
     "stop metformin > | continue glipizide > | resume warfarin >"),
    ("d/c vancomycin, start cefazolin 2 g", "stop vancomycin > | start cefazolin >2 g"),
    ("Lisinopril 20 mg was discontinued due to cough.", "stop lisinopril 20 mg>"),
    ("Metformina suspensa e iniciada insulina NPH 10 UI.", "stop metformin > | start insulin NPH >10 UI"),
    ("Aumentado furosemida de 20 mg para 40 mg.", "increase furosemide 20 mg>40 mg"),
    ("Coreg was uptitrated 12.5 -> 25 mg bid.", "increase carvedilol 12.5>25 mg"),
    ("Started on heparin and transitioned to apixaban 5 mg.", "start heparin > | switch heparin/apixaban >5 mg"),
    ("There was an increase in creatinine.", ""),
    ("Warfarin was stopped on 2020-02-15.", "stop warfarin >"),
    ("Warfarin was discontinued on February 15, 2020.", "stop warfarin >"),
    ("Lisinopril was held on admission.", "hold lisinopril >"),
    ("Metoprolol was resumed on Monday.", "resume metoprolol >"),
    ("After warfarin the patient was started on apixaban.", "start apixaban >"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CHANGES)
def test_changes_of_drugs(text: str, expected: str) -> None:
    out = []
    for c in _read(text).changes:
        old, new = ("" if q is None else text[slice(*q.span)] for q in (c.from_dose, c.to_dose))
        out.append(f"{c.kind} {c.drug.name}{'/' + c.to_drug.name if c.to_drug else ''} {old}>{new}")
    assert " | ".join(out) == expected


VALUES = [
    ("K 5.9, Cr 2.4 (baseline 1.1), BUN 48",
     "potassium: result 5.9 | creatinine: result 2.4, baseline 1.1 | blood urea nitrogen: result 48"),
    ("Sodium | 128 | mmol/L | 136-145 | L", "sodium: result 128 [low], reference 136-145"),
    ("Sodium | 138 | mmol/L | 136-145", "sodium: result 138, reference 136-145"),
    ("creatinine rose from 1.1 to 2.4", "creatinine: previous 1.1, result 2.4"),
    ("creatinine rose from 1.1 to 2.4, then fell to 1.3", "creatinine: previous 1.1, previous 2.4, result 1.3"),
    ("Creatinine 2.4 mg/dL, up from 1.1 mg/dL", "creatinine: result 2.4 mg/dL, previous 1.1 mg/dL"),
    ("CK-MB <2 ng/mL (ref <5)", "CK-MB: result <2 ng/mL, reference <5"),
    ("Ferritin >1000 ng/mL. CRP<5.", "ferritin: result >1000 ng/mL | C-reactive protein: result <5"),
    ("HDL goal 40-60", "HDL cholesterol: goal 40-60"),
    ("Plt 40 -> 90 after 1u platelets.", "platelets: previous 40, result 90"),
    ("Trop 0.9=>0.2.", "troponin: previous 0.9, result 0.2"),
    ("GFR <45 and >20.", "eGFR: result <45, result >20"),
    ("HbA1c was 8.2%, goal <7%.", "HbA1c: result 8.2%, goal <7%"),
    ("WBC 12.3 (H), Na 128 L", "white blood cells: result 12.3 [high] | sodium: result 128 L [low]"),
    ("Na 132 K 3.4 Cl 98", "sodium: result 132 | potassium: result 3.4 | chloride: result 98"),
    ("serum P rose (P = 0.03), PO4 unchanged (p<0.05)", ""),
    ("AST/ALT 45/60", "AST: result 45 | ALT: result 60"),
    ("BP 142/88, HR 88, T 98.6 F, SpO2 95% on RA",
     "blood pressure: result 142/88 | heart rate: result 88 | temperature: result 98.6 F | "
     "oxygen saturation: result 95%"),
    ("7/10 pain", "pain score: result 7/10"),
    ("97% on room air", "oxygen saturation: result 97%"),
    ("PA 140x90 mmHg, FC 80 bpm", "blood pressure: result 140x90 mmHg | heart rate: result 80 bpm"),
    ("Glicemia de jejum 126 mg/dL (VR: 70-99)", "fasting glucose: result 126 mg/dL, reference 70-99"),
    ("vancomycin trough 18", "vancomycin trough: result 18"),
    ("Hct 38%, Ht 170 cm", "hematocrit: result 38% | height: result 170 cm"),
    ("History of anemia, creatinine, and 3 falls", ""),
    ("potassium 20 mEq daily", ""),
    ("T4N2M0 tumor, type 2 diabetes, 3 days of pain", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_values_belong_to_what_was_measured(text: str, expected: str) -> None:
    out = []
    for one in _read(text).measurements:
        said = [f"{v.role} {text[slice(*v.quantity.span)]}{f' [{v.flag}]' if v.flag else ''}" for v in one.values]
        out.append(f"{one.name}: {', '.join(said)}")
    assert " | ".join(out) == expected


def test_a_cell_gives_the_unit_and_a_bracket_the_date() -> None:
    (sodium,) = _read("Sodium | 138 | mmol/L | 136-145").measurements
    assert sodium.values[0].unit == "mmol/L"
    (creatinine,) = _read("Cr 1.1 (3/1), 1.4 (3/14), 2.0 (3/16)").measurements
    assert [(float(v.quantity.low), v.when is not None) for v in creatinine.values] == [
        (1.1, True), (1.4, True), (2.0, True),
    ]  # fmt: skip


SITES = [
    ("fracture of the left distal radius", "left distal radius: left"),
    ("RLE swelling", "RLE: right"),
    ("Dor no joelho direito", "joelho direito: right"),
    ("right lower lobe pneumonia", "right lower lobe: right"),
    ("left hip is stable, knee is not", "left hip: left | knee: "),
    ("heart rate 88", ""),
]


@pytest.mark.parametrize(("text", "expected"), SITES)
def test_sites_with_their_side(text: str, expected: str) -> None:
    assert " | ".join(f"{text[slice(*s.span)]}: {s.side or ''}" for s in _read(text).sites) == expected


DIRECTIONS = [
    ("Right knee pain worsened after a fall", "Right knee pain: worse"),
    ("Worsening dyspnea", "dyspnea: worse"),
    ("Dor no joelho piorou", "Dor no joelho: worse"),
    ("an increase in creatinine", "creatinine: up"),
    ("Hgb 7.1 -> 9.4", "Hgb: up"),
    ("Lactate 1.9 from 4.2", "Lactate: down"),
    ("Metoprolol was increased", ""),
    ("Her blood pressure seems to be better today", "blood pressure: better"),
]


@pytest.mark.parametrize(("text", "expected"), DIRECTIONS)
def test_directions(text: str, expected: str) -> None:
    found = [f"{text[slice(*d.of)] if d.of else ''}: {d.name}" for d in _read(text).directions]
    assert " | ".join(found) == expected


ORDER = [
    ("After surgery, he developed fever due to pneumonia.",
     "he developed fever/after/surgery | he developed fever/due to/pneumonia"),
    ("AKI secondary to dehydration; pain since the fall", "AKI/due to/dehydration | pain/since/fall"),
    ("Smoked until 2010", "Smoked/until/2010"),
    ("admitted from 3/1/2020 to 3/5/2020", "3/1/2020/from-to/3/5/2020"),
    ("Edema após queda", "Edema/after/queda"),
    ("Hemorragia levou a choque", "Hemorragia/led to/choque"),
    ("She is followed by Dr. Kumar.", ""),
    ("Synthroid 88 mcg before breakfast", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ORDER)
def test_order(text: str, expected: str) -> None:
    said = [
        f"{text[slice(*o.first)] if o.first else ''}/{o.relation}/{text[slice(*o.second)]}" for o in _read(text).order
    ]
    assert " | ".join(said) == expected


STANDINGS = [
    (
        "She denies dizziness, vertigo, or syncope but has ear pain.",
        "dizziness: absent | vertigo: absent | syncope: absent",
    ),
    ("Dialysis: No.", "Dialysis: absent"),
    ("The wound is negative for MRSA.", "MRSA: absent"),
    ("Her aunt had gastric cancer.", "aunt: family | gastric cancer: family"),
    ("Rule out appendicitis.", "appendicitis: possible"),
    ("Not only cough but also wheezing.", ""),
    ("Cannot exclude small renal mass.", "small renal mass: possible"),
    ("Hives resolved.", "Hives: historical"),
    ("No further bleeding since Monday.", "further bleeding: absent+historical"),
    ("Dor no joelho direito após queda.", ""),
]


@pytest.mark.parametrize(("text", "expected"), STANDINGS)
def test_standings(text: str, expected: str) -> None:
    found = _read(text).standings
    assert " | ".join(f"{text[slice(*s.span)]}: {'+'.join(s.names)}" for s in found) == expected


def spans_in(value: Any) -> Iterator[Span]:
    """Every span of a fact, however deep."""
    if isinstance(value, Span):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from spans_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from spans_in(getattr(value, name))


def test_spans_are_those_of_the_whole_text() -> None:
    head, text = "Plan: \n", "Increase Lasix 20 mg PO to 40 mg PO BID for edema of the left leg after K 3.1 -> 4.0."
    alone, inside = _read(text), read_facts(head + text, len(head), len(head + text))
    words = [text[slice(*span)] for span in spans_in(alone)]
    assert words
    assert [(head + text)[slice(*span)] for span in spans_in(inside)] == words


@pytest.mark.parametrize("text", ["", " ", "\0" * 50, "😀" * 50, "مرحبا 5 mg", "a" * 30_000, "1" * 30_000, "((((" * 500,
                                  "K 5.9, " * 2_000, "from 5 to 6 " * 1_000, "aspirin 5 mg, " * 1_500])  # fmt: skip
def test_hostile_text_is_read(text: str) -> None:
    found = _read(text)
    assert all(0 <= span.start <= span.end <= len(text) for span in spans_in(found))
