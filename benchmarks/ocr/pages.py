# ruff: noqa: E501
"""Invented pages with known text: notes, laboratory tables and prescriptions, in English and Portuguese.

Nothing here is from a real record; numbers are drawn by seed. A page is its lines; a line with three spaces is a row of a
table. `drawn` writes them as PDF and renders that, `worn` does to the image what copiers, scanners and fax machines do.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pypdfium2
from fpdf import FPDF
from numpy.typing import NDArray
from PIL import Image, ImageFilter

FONTS = ("Helvetica", "Times", "Courier")
WEAR = ("clean", "noise", "skew", "jpeg40", "fax", "photocopy")
_MARGIN_MM, _LINE_MM, _CELL_MM = 18.0, 5.6, 44.0


@dataclass(frozen=True, slots=True)
class Page:
    """Its name, language and lines."""

    name: str
    lang: str
    lines: tuple[str, ...]


def pages(seed: int, each: int = 1) -> Iterator[Page]:
    """`each` pages of every kind."""
    for n in range(each):
        for kind, make in _KINDS.items():
            draw = random.Random(f"{seed} {n} {kind}")
            yield Page(f"{kind}-{n}", "pt" if kind.endswith("pt") else "en", tuple(make(draw)))


def _number(draw: random.Random, low: float, high: float, digits: int) -> str:
    return f"{draw.uniform(low, high):.{digits}f}"


def _date(draw: random.Random) -> str:
    return f"20{draw.randint(14, 29)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"


def _note_en(draw: random.Random) -> list[str]:
    r = draw
    return [
        "DISCHARGE SUMMARY",
        f"Admitted {_date(r)}, discharged {_date(r)}",
        "",
        "History of Present Illness:",
        f"This {r.randint(30, 90)} year old presented with shortness of breath for {r.randint(2, 9)} days. She denies chest",
        "pain, has no fever and no cough, and did not take her furosemide. There is no history of stroke.",
        f"Blood pressure was {r.randint(95, 190)}/{r.randint(50, 110)} mmHg, heart rate {r.randint(48, 130)}, temperature "
        f"{_number(r, 36, 39.5, 1)} C, oxygen",
        f"saturation {r.randint(85, 99)} % on {r.randint(1, 6)} L/min. Weight {_number(r, 48, 120, 1)} kg.",
        "",
        "Hospital Course:",
        f"Furosemide {r.choice((20, 40, 80))} mg IV twice daily was started and net output was {_number(r, 0.8, 3.9, 1)} L.",
        f"Potassium fell to {_number(r, 2.4, 3.4, 1)} mmol/L and was replaced with {r.choice((20, 40, 60))} mEq. Creatinine rose",
        f"from {_number(r, 0.6, 1.1, 2)} to {_number(r, 1.2, 2.9, 2)} mg/dL. Ejection fraction {r.randint(15, 65)}-{r.randint(66, 70)} %. Troponin <0.01 ng/mL.",
        f"BNP {r.randint(200, 9000)} pg/mL. INR {_number(r, 1, 4.5, 1)}. No evidence of pulmonary embolism. Not anticoagulated.",
        "",
        "Allergies: no known drug allergies",
        "",
        "Discharge Medications:",
        f"1. Metoprolol succinate {_number(r, 12.5, 12.5, 1)} mg PO daily",
        f"2. Lisinopril {r.choice((2.5, 5, 10, 20))} mg PO daily, hold if SBP <{r.choice((90, 95, 100))}",
        f"3. Warfarin {r.choice((1, 2, 2.5, 3, 5, 7.5))} mg PO at night, INR goal 2.0-3.0",
        f"4. Insulin glargine {r.randint(8, 46)} units SC at bedtime",
        f"5. Levothyroxine {r.choice((25, 50, 75, 88, 112, 137))} mcg PO daily",
        "6. Aspirin was stopped; do not restart without cardiology.",
        f"Follow-up in {r.randint(1, 4)} weeks. She was not given contrast.",
    ]


def _labs_en(draw: random.Random) -> list[str]:
    r = draw
    tests = (
        ("Sodium", 120, 150, 0, "mmol/L", "135-145"), ("Potassium", 2.5, 6.5, 1, "mmol/L", "3.5-5.1"),
        ("Creatinine", 0.4, 6, 2, "mg/dL", "0.60-1.20"), ("Urea nitrogen", 5, 90, 0, "mg/dL", "7-20"),
        ("Glucose", 50, 400, 0, "mg/dL", "70-99"), ("Calcium", 7, 12, 1, "mg/dL", "8.5-10.5"),
        ("Hemoglobin", 6, 17, 1, "g/dL", "12.0-16.0"), ("Platelets", 20, 600, 0, "10^9/L", "150-400"),
        ("White cells", 1, 30, 1, "10^9/L", "4.0-11.0"), ("Lactate", 0.5, 8, 1, "mmol/L", "0.5-2.0"),
        ("TSH", 0.01, 12, 2, "mIU/L", "0.40-4.50"), ("HbA1c", 5, 12, 1, "%", "4.0-5.6"),
        ("Ferritin", 5, 900, 0, "ng/mL", "15-150"), ("Vitamin B12", 90, 900, 0, "pg/mL", "200-900"),
        ("C-reactive protein", 0.2, 250, 1, "mg/L", "<5.0"), ("Alkaline phosphatase", 30, 400, 0, "U/L", "40-129"),
        ("Bilirubin total", 0.1, 9, 1, "mg/dL", "0.1-1.2"), ("Albumin", 1.5, 5, 1, "g/dL", "3.5-5.0"),
    )  # fmt: skip
    rows = [
        f"{name}   {_number(r, low, high, digits)}   {unit}   {usual}" for name, low, high, digits, unit, usual in tests
    ]
    return [
        "LABORATORY REPORT", f"Collected {_date(r)} at {r.randint(0, 23):02}:{r.randint(0, 59):02}", "",
        "Test   Result   Unit   Reference", *rows, "", "Troponin I   <0.01   ng/mL   <0.04",
        "Comment: sample not haemolysed. No previous result for comparison.",
    ]  # fmt: skip


def _letter_en(draw: random.Random) -> list[str]:
    r = draw
    return [
        f"Dear Doctor, I reviewed this patient in clinic on {_date(r)}. He has type 2 diabetes and stage 3b chronic",
        f"kidney disease with an eGFR of {r.randint(18, 59)} mL/min and an albumin to creatinine ratio of {_number(r, 2, 90, 1)} mg/mmol.",
        f"His HbA1c was {_number(r, 5.5, 11, 1)} %, down from {_number(r, 8, 12, 1)} % six months ago. He has never smoked and does not",
        f"drink alcohol. There was no oedema. Lungs were clear. Blood pressure {r.randint(110, 180)}/{r.randint(60, 100)}.",
        "",
        f"I stopped metformin {r.choice((500, 850, 1000))} mg and began empagliflozin {r.choice((10, 25))} mg once daily. Please do not give",
        f"ibuprofen. Ramipril stays at {r.choice((1.25, 2.5, 5, 10))} mg. Vitamin D {r.choice((400, 800, 1000))} IU daily. Amlodipine was increased",
        f"from 5 mg to 10 mg. Potassium was {_number(r, 3.2, 5.9, 1)} mmol/L, haemoglobin {_number(r, 8, 14, 1)} g/dL and ferritin",
        f"{r.randint(9, 400)} ng/mL. He cannot tolerate statins. Without treatment the risk is {r.randint(8, 40)} % in {r.randint(2, 10)} years.",
        f"The left kidney measures {_number(r, 7, 12, 1)} x {_number(r, 3, 6, 1)} cm, the right {_number(r, 7, 12, 1)} cm; no hydronephrosis is seen.",
        f"Urate {r.randint(210, 640)} umol/L. Review in {r.randint(2, 6)} months with repeat bloods.",
    ]


def _note_pt(draw: random.Random) -> list[str]:
    r = draw
    return [
        "RESUMO DE ALTA",
        f"Internação em {_date(r)}",
        "",
        "História da doença atual:",
        f"Paciente de {r.randint(30, 90)} anos, com hipertensão e insuficiência cardíaca, internada por dispneia há {r.randint(2, 9)} dias.",
        "Nega dor torácica, não teve febre e está sem edema. Não há história de acidente vascular.",
        f"Pressão arterial {r.randint(95, 190)}/{r.randint(50, 110)} mmHg, frequência cardíaca {r.randint(48, 130)} bpm, temperatura {_number(r, 36, 39, 1).replace('.', ',')} °C.",
        f"Saturação de oxigênio {r.randint(85, 99)} %. Peso {_number(r, 48, 120, 1).replace('.', ',')} kg. Fração de ejeção {r.randint(20, 65)} %.",
        "",
        "Evolução:",
        f"Iniciada furosemida {r.choice((20, 40, 80))} mg EV de 12/12 h. Potássio {_number(r, 2.5, 5.5, 1).replace('.', ',')} mEq/L, creatinina {_number(r, 0.6, 3, 2).replace('.', ',')} mg/dL.",
        f"Hemoglobina {_number(r, 7, 15, 1).replace('.', ',')} g/dL. Sem evidência de trombose. Não foi anticoagulada.",
        "",
        "Medicações na alta:",
        f"1. Losartana {r.choice((25, 50, 100))} mg, 1 comprimido por via oral, duas vezes ao dia",
        f"2. Carvedilol {r.choice(('3,125', '6,25', '12,5', '25'))} mg de 12 em 12 horas",
        f"3. Insulina NPH {r.randint(6, 40)} unidades pela manhã",
        f"4. Levotiroxina {r.choice((25, 50, 75, 88, 112))} mcg em jejum",
        "Alergia a dipirona. Não usar anti-inflamatórios.",
        f"Retorno em {r.randint(1, 6)} semanas.",
    ]


def _labs_pt(draw: random.Random) -> list[str]:
    r = draw
    tests = (
        ("Sódio", 120, 150, 0, "mEq/L", "135-145"), ("Potássio", 2.5, 6.5, 1, "mEq/L", "3,5-5,1"),
        ("Creatinina", 0.4, 6, 2, "mg/dL", "0,60-1,20"), ("Ureia", 10, 190, 0, "mg/dL", "15-40"),
        ("Glicose", 50, 400, 0, "mg/dL", "70-99"), ("Cálcio", 7, 12, 1, "mg/dL", "8,5-10,5"),
        ("Hemoglobina", 6, 17, 1, "g/dL", "12,0-16,0"), ("Plaquetas", 20, 600, 0, "mil/mm3", "150-400"),
        ("Proteína C reativa", 0.2, 250, 1, "mg/L", "<5,0"), ("Fosfatase alcalina", 30, 400, 0, "U/L", "40-129"),
    )  # fmt: skip
    rows = [
        f"{name}   {_number(r, low, high, digits).replace('.', ',')}   {unit}   {usual}"
        for name, low, high, digits, unit, usual in tests
    ]
    return ["EXAMES LABORATORIAIS", f"Coleta em {_date(r)}", "", "Exame   Resultado   Unidade   Referência", *rows,
            "", "Observação: amostra sem hemólise. Não há resultado anterior."]  # fmt: skip


_KINDS = {"note_en": _note_en, "labs_en": _labs_en, "letter_en": _letter_en, "note_pt": _note_pt, "labs_pt": _labs_pt}


def drawn(page: Page, font: str, dpi: int, size_pt: float = 10.5) -> NDArray[np.uint8]:
    """The page as a grey image, uint8 [height, width]."""
    pdf = FPDF(format="A4")
    pdf.add_page()
    pdf.set_font(font, size=size_pt if font != "Courier" else size_pt - 1.5)
    for n, line in enumerate(page.lines):
        for cell, text in enumerate(line.split("   ")):
            pdf.text(_MARGIN_MM + cell * _CELL_MM, 24 + n * _LINE_MM, text)
    bitmap = pypdfium2.PdfDocument(bytes(pdf.output()))[0].render(scale=dpi / 72, grayscale=True)
    image = np.asarray(bitmap.to_numpy(), dtype=np.uint8)
    return image.reshape(image.shape[:2])


def worn(image: NDArray[np.uint8], how: str, seed: int) -> NDArray[np.uint8]:
    """The image after one of `WEAR`."""
    draw = np.random.default_rng([seed, WEAR.index(how)])
    picture = Image.fromarray(image)
    if how == "noise":
        picture = picture.filter(ImageFilter.GaussianBlur(0.6))
        return np.clip(np.asarray(picture) * 0.9 + draw.normal(8, 18, image.shape), 0, 255).astype(np.uint8)
    if how == "skew":
        angle = float(draw.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]))
        return np.asarray(picture.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255), dtype=np.uint8)
    if how == "jpeg40":
        kept = io.BytesIO()
        picture.save(kept, "JPEG", quality=40)
        return np.asarray(Image.open(kept).convert("L"), dtype=np.uint8)
    if how == "fax":  # one bit, with specks
        dark = (image < 150) ^ (draw.random(image.shape) < 0.002)
        return np.where(dark, 0, 255).astype(np.uint8)
    if how == "photocopy":  # thickened, uneven light, a little askew
        thick = picture.filter(ImageFilter.MinFilter(3)).rotate(0.7, Image.Resampling.BICUBIC, fillcolor=255)
        light = np.linspace(0.75, 1.0, image.shape[1])[None, :]
        return np.clip(np.asarray(thick) * light + draw.normal(0, 6, image.shape), 0, 255).astype(np.uint8)
    return image
