"""What belongs to what: shared subjects, lists, headers, exchanged parts, order, cause and change."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source(str(n), text) for n, text in enumerate(cited.split(" || "))]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        # A subject, a date or a header belongs to all that follows.
        ("The CRP was 12 at 1800.", "CRP 88 at 0600, 40 at 1200, 12 at 1800."),
        (
            "Carvedilol was increased to 25 mg.",
            "Carvedilol was started at 6.25 mg in March and increased to 25 mg in July.",
        ),
        ("Bumetanide was on the list.", "List on admission included sertraline 50 mg, bumetanide 1 mg and zinc."),
        ("Furosemide was stopped.", "Furosemide and spironolactone stopped; potassium normal."),
        ("The cyst measures 3.1 x 2.2 cm.", "Cyst 3.1 x 2.2 cm, previously 4 x 3.5 cm."),
        ("The right kidney shows a cyst.", "R kidney: simple cyst. L kidney normal."),
        ("The left hip replacement was in 2012.", "L THA 2012."),
        ("The pressure in the left eye is 21.", "IOP 14 OD, 21 OS."),
        ("There is a fracture of the right humerus.", "Humerus fracture R, closed."),
        ("Vancomycin was given in the ED.", "Vancomycin 1 g IV and morphine 4 mg IV given in ED."),
        ("Aspirin was left unchanged.", "Aspirin unchanged."),
        # Active and passive, and an agent that the source does not name.
        ("The husband reported the fall.", "The fall was reported by the husband."),
        ("The nurse changed the dressing.", "Dressing changed."),
        # Order, told by dates, sentences or another word.
        ("After the fall, the hip was replaced.", "Fall on 2/3/2021. || Hip replaced on 2/9/2021."),
        ("Fever came before the rash.", "Rash developed after the fever."),
        ("Two weeks after the appendectomy, the wound is closed.", "2 wks s/p appendectomy, wound closed."),
        ("The cyst has been stable since 2019.", "Cyst, stable from 2019."),
        # Cause, told by brackets, "for" or another word.
        ("Codeine caused itching.", "Allergies: codeine (itching), latex (hives)."),
        ("Digoxin was held because of bradycardia.", "Digoxin held for bradycardia."),
        ("Lisinopril has caused a cough.", "Cough with lisinopril in the past."),
        # Change and comparison, told by two values.
        ("Hemoglobin has dropped to 7.9.", "Hgb 7.9 (was 9.8 in May)."),
        ("The creatinine rose from 1.1 to 2.4.", "Cr 2.4, baseline 1.1."),
        ("The larger polyp measured 9 mm.", "Two polyps, 6 mm and 9 mm."),
        ("The sodium rose from 128 to 133.", "Labs 5/2/24: Na 128. || Labs 5/4/24: Na 133."),
        # What came first or later, told by `s/p`, `post`, `preop`, `until` and `thru`, by arrows or by the outcome.
        ("The hemoglobin was 9.1 six weeks after colectomy.", "Hgb 9.1 six weeks post colectomy."),
        ("Vancomycin was given before the operation.", "Vancomycin 1 g preop."),
        ("Cephalexin is to be taken until 5/12.", "Cephalexin 500 mg BID thru 5/12."),
        ("The hemoglobin was 9.2 after one unit of red cells.", "1 u pRBC -> Hgb 9.2."),
        ("No bleeding was seen after the procedure.", "Liver biopsy at noon; no bleeding."),
        ("The cough cleared once lisinopril was stopped.", "The cough resolved after lisinopril was stopped."),
        ("Sinusitis was the reason for amoxicillin.", "Amoxicillin for sinusitis."),
        ("Simvastatin caused muscle pain.", "Adverse reactions: simvastatin - muscle pain."),
        ("Because of bleeding the warfarin was stopped.", "Warfarin stopped because of bleeding."),
        ("This was the first stroke.", "Left MCA stroke, no prior stroke."),
        # Counts, sides and eyes.
        ("Only four tablets are remaining.", "4 tablets left."),
        ("The right second toe is red.", "R 2nd toe red."),
        ("The right eye gets timolol at night.", "Timolol OD qHS."),
        ("Valsartan was held.", "Valsartan and furosemide were held and will be restarted."),
        # Two cited sentences carry one claim.
        ("The patient with a liver laceration received plasma.", "CT: liver laceration. || Received plasma 2 units."),
    ],
)
def test_true(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("The CRP was measured before appendectomy.", "CRP 12 two weeks post appendectomy."),
        ("The low platelets were caused by nausea.", "Platelets 60, irinotecan stopped in March for nausea."),
        ("The abscess enlarged.", "Abscess grew E. coli, resolved."),
        # Who did what, what replaced what, and whose finding it is.
        ("The wound was dressed by the patient.", "The wound was dressed by the nurse."),
        ("The patient gave the history.", "The wife, who gave the history, is a nurse."),
        ("Metoprolol was stopped by the cardiologist.", "She stopped metoprolol herself; cardiologist informed."),
        ("The aneurysm compresses the bronchus.", "The bronchus compresses the aneurysm."),
        ("Nausea was stopped by digoxin.", "Digoxin was stopped because of nausea."),
        ("Apixaban was replaced by warfarin.", "Warfarin stopped; switched to apixaban."),
        ("Apixaban is to be stopped.", "Apixaban 5 mg BID, stop ibuprofen."),
        ("Twin A is breech.", "Twin A cephalic, twin B breech."),
        ("The surgery was on 4 May.", "Seen 4 May 2023: doing well, surgery on 9 March."),
        ("Hepatitis led to the alcohol use.", "Hepatitis (alcohol)."),
        ("The rash with losartan was mild.", "Rash with captopril, mild -> on losartan."),
        ("Timolol is for the left eye.", "Timolol OD qHS."),
        ("The knee flare came after the toe flare.", "Gout flare of the toe. || Last flare was in May, knee."),
        ("The sling moved from the left to the right arm.", "Sling moved from the right to the left arm."),
        ("Aspirin and heparin were stopped.", "Aspirin continued, heparin was stopped."),
        ("Nausea and rash resolved.", "Nausea 5/10 today. || Rash resolved."),
        ("The left atrium is normal.", "The left atrium is dilated; right atrium normal."),
        ("The left ovary is absent.", "The right ovary is absent. The left ovary is normal."),
        ("The CRP was 40 at 1800.", "CRP 88 at 0600, 40 at 1200, 12 at 1800."),
        ("The stent is in the mid RCA.", "Stent placed in the mid LAD; RCA 30%."),
        ("Two 5-mm ports and one 12-mm port were used.", "Two 12-mm ports and one 5-mm port."),
        (
            "Ibuprofen is taken for six weeks and colchicine for two.",
            "Colchicine for six weeks; ibuprofen for two weeks.",
        ),
        ("The radius is sprained and the ankle is fractured.", "Radius fracture. || Ankle: sprain only."),
        (
            "She is independent in bathing and needs help with walking.",
            "Independent in walking, needs help with bathing.",
        ),
        ("The father has asthma.", "Father with gout, mother with asthma."),
        ("Anaphylaxis to ondansetron.", "Anaphylaxis to morphine in 2012; has received ondansetron since."),
        ("Latex caused itching.", "Allergies: codeine (itching), latex (hives)."),
        ("Itching caused codeine to be given.", "Allergies: codeine (itching), latex (hives)."),
        ("The patient went from oral to IV cefazolin.", "Switched from IV cefazolin to oral cephalexin."),
        ("Hip replacement was before the fall.", "Fall on 2/3/2021. || Hip replaced on 2/9/2021."),
        ("Apixaban is stopped after the biopsy.", "Biopsy scheduled 5/6. Stop apixaban 2 days before."),
        ("Hemoglobin has risen.", "Hgb 7.9 (was 9.8 in May)."),
        ("The lobe lesion has shrunk.", "Lower lobe lesion 19 mm, previously 14 mm."),
        ("The larger polyp measured 6 mm.", "Two polyps, 6 mm and 9 mm."),
        ("Weight is up 3 kg.", "Weight down 3 kg."),
        ("Prednisone caused the rash.", "The rash was treated with prednisone."),
        ("Lactate was 2 and then 6.", "Lactate 6 then 2."),
    ],
)
def test_wrong(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)
