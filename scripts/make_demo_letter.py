"""Write the two-page PDF letter of the bundled demo records.

The letter is fictional. Two runs give the same bytes: reportlab's `invariant` mode fixes date and file id, and only the
standard Times fonts are used. reportlab is needed for this script alone and is no dependency of chartcite.

    python scripts/make_demo_letter.py [TARGET.pdf]
"""

from __future__ import annotations

import sys
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph, Spacer

RECORDS = Path(__file__).resolve().parents[1] / "src" / "chartcite" / "demo" / "records"
TARGET = RECORDS / "demo-maria-castello" / "2021-06-14_cardiology-letter.pdf"

# One string a paragraph; "# " opens a heading, "- " a list item, "" a gap, PAGE a new page.
PAGE = "\f"
LETTER = [
    "Priya Rao, MD",
    "Harbor Street Primary Care",
    "",
    "14 June 2021",
    "",
    "# Re: Maria Castello, born 12 March 1948",
    "Dear Dr. Rao,",
    "Thank you for asking me to see Mrs. Castello before her left knee replacement. I had last met her in person in "
    "2019. She is now 73 and came with her husband.",
    "# Diagnoses",
    "- Persistent atrial fibrillation, first seen in February 2017",
    "- Heart failure with preserved ejection fraction, admission in January 2019",
    "- Hypertension; type 2 diabetes",
    "- Osteoarthritis of the left knee, awaiting arthroplasty",
    "# Current medication",
    "- Warfarin 4.5 mg every evening",
    "- Metoprolol succinate 100 mg daily",
    "- Furosemide 20 mg every morning",
    "- Lisinopril 20 mg daily",
    "- Metformin 1000 mg b.i.d.",
    "- Atorvastatin 20 mg at bedtime",
    "Allergy: penicillin (hives).",
    "# History",
    "The knee allows her about 200 meters. Over the spring she has become slower on the stairs for another reason: she "
    "has to stop for breath on the second landing. Her ankles leave sock marks by evening, and her weight has crept "
    "from 76.5 to 79 kg. She sleeps on one pillow. She denies chest pain, syncope and palpitations at rest. Her "
    "husband reports loud snoring and a nap after every meal.",
    "There has been no bleeding on warfarin. The INR has been between 2.1 and 2.9 at every check this year. She has "
    "had no falls.",
    "# Examination",
    "Blood pressure 134/76 mmHg, pulse 84/min and irregular, weight 79.2 kg. The jugular venous pressure is raised to "
    "4 cm. The lungs are clear. There is mild pitting edema at both ankles. I heard no murmur.",
    PAGE,
    "# Investigations of 14 June 2021",
    "ECG: atrial fibrillation, 82/min, narrow QRS, no Q waves.",
    "Echocardiogram: left ventricular ejection fraction 55 %, no regional wall motion abnormality.",
    "The left atrium is enlarged (volume index 41 mL/m2), and the estimated RVSP is 38 mmHg.",
    "There is mild mitral regurgitation and no aortic stenosis.",
    "Laboratory: creatinine 1.0 mg/dL, potassium 4.3 mmol/L, hemoglobin 12.7 g/dL.",
    "NT-proBNP 980 pg/mL.",
    "# Opinion and recommendations",
    "1. Congestion, mild. Furosemide is raised from 20 mg to 40 mg every morning.",
    "The reason is the weight gain of 2.5 kg with edema; the low pressures of 2019 have not come back. Please check "
    "creatinine and potassium in ten days.",
    "2. Knee replacement. From the cardiac side she may go ahead.",
    "Her risk is acceptable, and no stress test is required.",
    "3. Warfarin around surgery. Please stop warfarin five days before the operation.",
    "Bridging with heparin is not needed.",
    "She has never had a stroke or embolism, her CHA2DS2-VASc score is 5, and the bleeding risk of bridging is the "
    "greater one. The usual dose can be resumed on the evening of surgery if the wound is dry.",
    "4. Snoring and daytime sleepiness, STOP-Bang score 5. A home sleep test has been ordered.",
    "5. Penicillin. Hives fifty years ago rarely mean a lasting allergy. Formal testing "
    "would be sensible, but need not delay the operation.",
    "6. Rate control is adequate. Metoprolol succinate stays at 100 mg daily.",
    "I have not arranged a routine return visit and shall be glad to see her at any time.",
    "With kind regards,",
    "",
    "Julian Okonjo, MD",
    "Consultant Cardiologist, Northgate Heart Clinic",
    "",
    "Fictional letter for demonstration.",
]

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=14.5, spaceAfter=4)
HEADING = ParagraphStyle("heading", parent=BODY, fontName="Times-Bold", spaceBefore=6, keepWithNext=1)
ITEM = ParagraphStyle("item", parent=BODY, leftIndent=12, bulletIndent=2, spaceAfter=1)


def flowables(lines: list[str]) -> list[Flowable]:
    """Turn the marked-up lines of a letter into reportlab flowables."""
    out: list[Flowable] = []
    for line in lines:
        if line == PAGE:
            out.append(PageBreak())
        elif not line:
            out.append(Spacer(1, 8))
        elif line.startswith("# "):
            out.append(Paragraph(line[2:], HEADING))
        elif line.startswith("- "):
            out.append(Paragraph(line[2:], ITEM, bulletText="•"))
        else:
            out.append(Paragraph(line, BODY))
    return out


def furniture(canvas: Canvas, doc: BaseDocTemplate) -> None:
    """Draw letterhead and page number of one page."""
    canvas.saveState()
    canvas.setFont("Times-Bold", 13)
    canvas.drawString(25 * mm, 277 * mm, "Northgate Heart Clinic")
    canvas.setFont("Times-Roman", 9)
    canvas.drawString(25 * mm, 272 * mm, "12 Lantern Quay, Northgate (a fictional address)")
    canvas.drawString(25 * mm, 14 * mm, "Maria Castello, DOB 12 March 1948")
    canvas.drawRightString(185 * mm, 14 * mm, f"Page {doc.page} of 2")
    canvas.restoreState()


def write(target: Path) -> None:
    """Write the letter to `target`, byte for byte the same each time."""
    doc = BaseDocTemplate(
        str(target),
        pagesize=A4,
        invariant=1,
        title="Cardiology letter, Maria Castello, 14 June 2021",
        author="Julian Okonjo, MD (fictional)",
        subject="chartcite demo record",
    )
    frame = Frame(25 * mm, 20 * mm, 160 * mm, 247 * mm, leftPadding=0, rightPadding=0)
    doc.addPageTemplates(PageTemplate(frames=[frame], onPage=furniture))
    doc.build(flowables(LETTER))


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path)
    print(path)
