"""Invented sentences of notes that state a value or what was done with a drug, in many styles and two languages."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from chartcite.verification.verdicts import Source


@dataclass(frozen=True, slots=True)
class Thing:
    """Something measured: its name in a claim, its names in notes, its unit and one in which it is not given."""

    name: str
    quoted: tuple[str, ...]
    unit: str
    wrong_unit: str
    low: float
    high: float
    decimals: int
    reference: str


THINGS = {
    "en": (
        Thing("creatinine", ("Cr", "Creatinine", "creatinine"), "mg/dL", "mmol/L", 0.6, 4.8, 1, "0.6-1.2"),
        Thing("potassium", ("K", "Potassium", "K+"), "mEq/L", "mg/dL", 3.0, 6.2, 1, "3.5-5.0"),
        Thing("hemoglobin", ("Hgb", "Hb", "Hemoglobin"), "g/dL", "mg/dL", 6.1, 16.5, 1, "12.0-16.0"),
        Thing("ALT", ("ALT", "SGPT"), "U/L", "mg/dL", 12, 310, 0, "7-40"),
        Thing("bicarbonate", ("HCO3", "Bicarbonate"), "mEq/L", "mg/dL", 14, 34, 0, "22-29"),
        Thing("weight", ("Wt", "Weight", "weight"), "kg", "lb", 48, 121, 1, ""),
    ),
    "pt": (
        Thing("creatinina", ("Cr", "Creatinina", "creatinina"), "mg/dL", "mmol/L", 0.6, 4.8, 1, "0,6-1,2"),
        Thing("potássio", ("K", "Potássio", "K+"), "mEq/L", "mg/dL", 3.0, 6.2, 1, "3,5-5,0"),
        Thing("hemoglobina", ("Hb", "Hemoglobina"), "g/dL", "mg/dL", 6.1, 16.5, 1, "12,0-16,0"),
        Thing("TGP", ("TGP", "ALT"), "U/L", "mg/dL", 12, 310, 0, "7-40"),
        Thing("ureia", ("Ureia", "Uréia"), "mg/dL", "mmol/L", 14, 180, 0, "15-45"),
    ),
}  # fmt: skip
DRUGS = {
    "en": ("metoprolol", "cefazolin", "apixaban", "furosemide", "gabapentin", "lisinopril", "prednisone"),
    "pt": ("metoprolol", "cefazolina", "apixabana", "furosemida", "gabapentina", "enalapril", "prednisona"),
}
DONE: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "start": ("Was started on {d} {a}.", "Start {d} {a}.", "{D} {a} started today.", "Began {d} {a} this morning."),
        "stop": ("{D} stopped today.", "Discontinued {d}.", "Stop {d}.", "{D} was discontinued."),
        "hold": ("{D} held for procedure.", "Hold {d}.", "{D} was held.", "Holding {d} given bleeding."),
        "resume": ("Resume {d} {a}.", "{D} {a} was resumed.", "Restarted {d}.", "{D} restarted today."),
    },
    "pt": {
        "start": ("Iniciado {d} {a}.", "Iniciada {d} {a}.", "{D} {a} iniciada hoje.", "Iniciar {d} {a}."),
        "stop": ("Suspenso {d}.", "{D} suspensa hoje.", "Suspender {d}.", "{D} interrompida."),
        "hold": ("{D} pausada.", "{D} pausado para procedimento."),
        "resume": ("Retomada {d} {a}.", "Reiniciado {d} {a}.", "{D} {a} reiniciada."),
    },
}
_VALUE = {
    "en": (
        "{q} {v} {u}.", "{q}: {v} {u}", "Labs: {x}, {q} {v} {u}, glucose 104.", "| {Q} | {v} | {u} | H | {ref} |",
        "{Q}          {v}  H  {u}   ({ref})", "{Q} ................ {v} {u} ({ref}) *H*", "{Q} came back at {v} {u}.",
        "{q} {v} {u} today.", "{q} was {v} {u} this morning; {x}.", "Remains on the ward, {q} {v} {u}, {x}.",
    ),
    "pt": (
        "{q} {v} {u}.", "{q}: {v} {u}", "Exames: {x}, {q} {v} {u}, glicose 104.", "| {Q} | {v} | {u} | A | {ref} |",
        "{Q}          {v}  {u}   (VR {ref})", "{Q} ................ {v} {u} (VR: {ref})", "{q} {v} {u} hoje.",
        "Segue internado, {q} {v} {u}, {x}.",
    ),
}  # fmt: skip
_DATED = {
    "en": ("{q} {v} {u} on {day}.", "Labs {day}: {q} {v} {u}", "On {day} the {n} was {v} {u}.", "{q} {v} {u} ({day})."),
    "pt": ("{q} {v} {u} em {day}.", "Exames de {day}: {q} {v} {u}", "{q} {v} {u} ({day})."),
}
_BESIDE = {
    "en": ("{q} {v} {u} today, up from {o} {u} on {day}.", "{q} {v} {u} (was {o} {u} on {day})."),
    "pt": ("{q} {v} {u} hoje, era {o} {u} em {day}.",),
}
_NOT_HIS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "relative": ("Her mother's {n} was {v} {u}.", "His brother had a {n} of {v} {u}."),
        "goal": ("Goal {n} {v} {u}.", "Target {n}: {v} {u}", "Keep {n} above {v} {u}."),
        "elsewhen": ("{q} last week was {v} {u}.", "{q} {v} {u} two weeks ago."),
        "condition": ("Call if {n} above {v} {u}.", "Hold dose until {n} is {v} {u}."),
        "difference": ("{q} down by {v} {u}.",),
    },
    "pt": {
        "relative": ("A {n} da mãe era {v} {u}.",),
        "goal": ("Meta de {n}: {v} {u}.", "Manter {n} acima de {v} {u}."),
        "elsewhen": ("{q} de {v} {u} há duas semanas atrás.",),
        "condition": ("Avisar se {n} acima de {v} {u}.",),
        "difference": ("{q} caiu em {v} {u}.",),
    },
}
_OTHERS = {
    "en": ("Na 139", "BP 132/78", "HR 88", "WBC 9.1", "Mg 1.8"),
    "pt": ("Na 139", "PA 132/78", "FC 88", "Mg 1,8"),
}
NOT_DONE = {
    "en": (
        "Consider stopping {d}.", "Her husband was started on {d}.", "{D} {a} daily.", "Did not start {d}.",
        "May hold {d} if bleeding.", "Discussed starting {d}.",
    ),
    "pt": ("Considerar suspender {d}.", "O marido iniciou {d}.", "Em uso de {d} {a}.", "Não iniciou {d}."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes in one language, by one random number generator."""

    lang: str
    chance: random.Random

    def day(self, day: date) -> str:
        """A day as a claim has it."""
        return day.isoformat() if self.lang == "en" else day.strftime("%d/%m/%Y")

    def note_day(self, day: date) -> str:
        """A day as a note may have it."""
        months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
        english = (day.isoformat(), f"{day.day} {months[day.month - 1]} {day.year}", day.strftime("%m/%d/%Y"))
        return self.chance.choice(english) if self.lang == "en" else day.strftime("%d/%m/%Y")

    def number(self, value: float, decimals: int) -> str:
        """A number as the language writes it."""
        text = f"{value:.{decimals}f}"
        return text.replace(".", ",") if self.lang == "pt" else text

    def value(self, thing: Thing, value: float, day: date, older: tuple[float, date] | None = None) -> Source:
        """A sentence that states a value of a day; with `older`, maybe one that tells that one too."""
        kind = self.chance.random()
        note = day
        if older is not None and kind < 0.3:
            text = self._filled(self.chance.choice(_BESIDE[self.lang]), thing, value, older[1], older[0])
        elif kind < 0.5:
            text = self._filled(self.chance.choice(_DATED[self.lang]), thing, value, day)
            note = day + timedelta(days=self.chance.randint(0, 9))
        else:
            text = self._filled(self.chance.choice(_VALUE[self.lang]), thing, value, day)
        return Source(f"s{self.chance.getrandbits(40)}", text, (), note.isoformat())

    def not_his(self, thing: Thing, value: float, day: date, sort: str) -> Source:
        """A sentence with the number that is no result of the patient's on that day."""
        text = self._filled(self.chance.choice(_NOT_HIS[self.lang][sort]), thing, value, day)
        return Source(f"s{self.chance.getrandbits(40)}", text, (), day.isoformat())

    def done(self, drug: str, action: str, day: date, amount: str) -> Source:
        """A sentence that says what was done with a drug on the day of its note."""
        return self.about(self.chance.choice(DONE[self.lang][action]), drug, day, amount)

    def about(self, form: str, drug: str, day: date, amount: str) -> Source:
        """A sentence about a drug, of a form with `{d}`, `{D}` and `{a}`."""
        text = form.format(d=drug, D=drug.capitalize(), a=amount)
        return Source(f"s{self.chance.getrandbits(40)}", text, (), day.isoformat())

    def _filled(self, form: str, thing: Thing, value: float, day: date, older: float = 0) -> str:
        name = self.chance.choice(thing.quoted)
        return form.format(
            q=name, Q=thing.name[0].upper() + thing.name[1:], n=thing.name, v=self.number(value, thing.decimals),
            o=self.number(older, thing.decimals), u=thing.unit, ref=thing.reference or "45-90",
            day=self.note_day(day), x=self.chance.choice(_OTHERS[self.lang]),
        )  # fmt: skip
