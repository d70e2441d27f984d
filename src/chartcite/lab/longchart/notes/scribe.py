"""Says facts: from a fact to a sentence with its marks, in one author's voice. Knows no note style."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import (
    Background,
    Conflict,
    Dose,
    DoseEvent,
    Encounter,
    Finding,
    Life,
    Problem,
    Procedure,
    Reason,
    Result,
)
from chartcite.lab.longchart.lexicon import drug_names, load, name, names
from chartcite.lab.longchart.notes.grammar import Phrasebook, join
from chartcite.lab.longchart.notes.paper import Aspect, Mark, Sent
from chartcite.lab.longchart.notes.voice import Voice, clock, words


class Scribe:
    """One author at one moment."""

    def __init__(self, life: Life, book: Phrasebook, voice: Voice, at: datetime, dice: Dice) -> None:
        self.life, self.book, self.voice, self.at, self.dice = life, book, voice, at, dice
        self.lang = life.person.lang
        self._weight = next((r.home for r in reversed(life.of("weight")) if r.at <= at), 80.0)
        self._slots = self._persona()

    def _persona(self) -> dict[str, str]:
        person, female = self.life.person, self.life.person.sex == "F"
        first, last = person.name.split(" ", 1)
        if self.lang == "pt":
            title = "Sra." if female else "Sr."
            grammar = {"o": "a" if female else "o", "O": "A" if female else "O", "ele": "ela" if female else "ele",
                       "Ele": "Ela" if female else "Ele", "man": "mulher" if female else "homem"}  # fmt: skip
            patient = [f"{grammar['O']} paciente", "Paciente", f"{title} {last}"]
        else:
            title = "Mrs." if female else "Mr."
            grammar = {
                "He": "She" if female else "He",
                "he": "she" if female else "he",
                "him": "her" if female else "him",
                "his": "her" if female else "his",
                "hers": "hers" if female else "his",
                "himself": "herself" if female else "himself",
                "His": "Her" if female else "His",
                "man": "woman" if female else "man",
            }
            patient = ["The patient", "Patient", f"{title} {last}"]
        shown = self.dice.pick(patient)
        if last in shown and self.voice.mask:
            shown = f"{title} {self.voice.masked('patient', last)}"
        age = person.age(self.at.date())
        return {
            **grammar,
            "Pt": shown,
            "pt": shown[0].lower() + shown[1:] if shown[:2] in ("Th", "Pa") else shown,
            "age": str(age),
            "age2": str(age - 15),
            "title": f"{title} {last}",
            "first": first,
            "last": last,
            "clock": clock(self.at, self.lang),
        }

    # -- phrases ----------------------------------------------------------------------------------------------------

    def say(self, key: str, marks: Sequence[Mark] = (), **slots: str) -> Sent:
        """A sentence of a phrase family. Numbers that mean nothing (`{n1}`, `{hr}`) are drawn."""
        phrase = self.book.choose(key)
        filled = {**self._slots, **self._numbers(), **slots}
        text = join(self.voice.spell(self.book.fill(phrase, filled), self.dice))
        return Sent(text, tuple(marks), phrase.family)

    def several(self, key: str, count: int) -> list[Sent]:
        """Up to `count` different sentences of one key, without facts."""
        found: dict[str, Sent] = {}
        for _ in range(count):
            sent = self.say(key)
            found.setdefault(sent.family, sent)
        return list(found.values())

    def phrase(self, key: str, **slots: str) -> str:
        """Words to stand inside a sentence."""
        pieces = self.book.fill(self.book.choose(key), {**self._slots, **slots})
        return "".join(p.text for p in pieces).strip()

    def _numbers(self) -> dict[str, str]:
        d = self.dice
        systolic, sugar = d.between(118, 146), d.between(88, 132)
        temperature = f"{d.uniform(36.2, 37.9):.1f}"
        times = [self.at - timedelta(minutes=d.between(low, high)) for low, high in ((300, 440), (130, 290), (20, 120))]
        last = self._weight
        taken, lost = d.between(28, 58) * 40, d.between(26, 64) * 40
        return {
            "n1": str(systolic),
            "n2": str(systolic + d.between(8, 22)),
            "n3": str(d.between(64, 76)),
            "n4": str(d.between(78, 90)),
            "g1": str(sugar),
            "g2": str(sugar + d.between(18, 60)),
            "low": str(d.between(56, 68)),
            "high": str(d.between(214, 290)),
            "w1": f"{last - 0.6:.0f}",
            "w2": f"{last + 1.1:.0f}",
            "pf": str(d.between(24, 46) * 10),
            "hr": str(d.between(58, 104)),
            "rr": str(d.between(14, 24)),
            "spo2": str(d.between(91, 99)),
            "temp": self.voice.number(temperature),
            "h1": str(d.between(58, 108)),
            "f1": str(d.between(14, 24)),
            "s1": str(d.between(90, 99)),
            "q1": str(d.between(0, 6)),
            "c1": self.voice.number(f"{d.uniform(36.1, 37.9):.1f}"),
            "i1": str(taken),
            "i2": str(lost),
            "i3": f"{taken - lost:+d}",
            "due": self._due(),
            **{f"t{i}": f"{t:%H%M}" for i, t in enumerate(times, start=1)},
        }

    def _due(self) -> str:
        """When a drug of this shift is given: near one of the usual times."""
        hours = (22, 0, 5) if self.at.hour < 8 else (8, 9, 12) if self.at.hour < 16 else (17, 18, 20)
        return f"{self.dice.pick(hours):02d}{self.dice.between(0, 28):02d}"

    # -- pieces -----------------------------------------------------------------------------------------------------

    def day(self, on: date | datetime) -> str:
        """A date in the author's style."""
        return self.voice.day(on.date() if isinstance(on, datetime) else on)

    def drug(self, key: str, brand: float = 0.14) -> str:
        """Generic name, now and then a brand."""
        known = drug_names(key, self.lang)
        brands = load("drugs.toml").get(key, {}).get("brands", [])
        return self.dice.pick(brands) if brands and self.dice.chance(brand) and self.lang == "en" else known[0]

    def amount(self, dose: Dose) -> str:
        """Amount with unit."""
        return f"{self.voice.number(dose.amount)} {words(self.lang).get('units', {}).get(dose.unit, dose.unit)}"

    def freq(self, dose: Dose) -> str:
        """One of the ways to write how often."""
        return str(self.dice.pick(words(self.lang)["freq"][dose.freq]))

    def strength(self, dose: Dose) -> str:
        """Amount and frequency."""
        return f"{self.amount(dose)} {self.freq(dose)}"

    def value(self, result: Result, shown: str = "") -> str:
        """Value with unit."""
        unit = words(self.lang).get("units", {}).get(result.unit, result.unit)
        return f"{self.voice.number(shown or result.shown)}{'' if unit == '%' else ' '}{unit}".strip()

    def analyte(self, key: str) -> str:
        """The full name or a short one."""
        known = names("analyte", key, self.lang)
        return known[0] if self.dice.chance(0.55) else self.dice.pick(known)

    def condition(self, problem: Problem) -> str:
        """One of the names of a diagnosis; a ruled-out one has one name."""
        if problem.kind == "excluded":
            return name("excluded", problem.key, self.lang)
        known = names("condition", problem.key, self.lang)
        return known[0] if self.dice.chance(0.6) else self.dice.pick(known)

    def procedure(self, procedure: Procedure, sided: bool = True) -> str:
        """Its name, with the side if there is one."""
        known = names("procedure", procedure.key, self.lang)
        word = known[0] if self.dice.chance(0.65) else self.dice.pick(known)
        return self.sided(word, procedure.side) if sided else word

    def sided(self, word: str, side: str) -> str:
        """`left knee replacement`; in Portuguese the side follows."""
        if not side:
            return word
        return f"{side} {word}" if self.lang == "en" else f"{word} {words('pt')['side'][side]}"

    def cause(self, stay: Encounter) -> str:
        """What a stay was for."""
        word = name("cause", stay.cause, self.lang)
        return self.sided(word, stay.side)

    def doctor(self, last: str) -> str:
        """`Dr. Hoang`, or its mask."""
        shown = self.voice.masked("doctor", last)
        return f"{'Dr.' if self.lang == 'en' else 'Dr(a).'} {shown}"

    def reaction(self, key: str) -> str:
        """A reaction in words."""
        return str(words(self.lang)["reaction"][key][0])

    def harm(self, key: str) -> str:
        """A harm in words."""
        row = load("harms.toml")[key]
        return str(row.get("en_m", row["en"]) if self.lang == "en" and self.life.person.sex == "M" else row[self.lang])

    def reason(self, why: Reason) -> str:
        """A reason as a noun phrase."""
        if why.kind == "harm":
            return self.harm(why.key)
        if why.result is not None:
            key: str = "recovered_value" if why.kind == "recovered" else why.kind
            return self.phrase(f"reason_{key}", analyte=self.analyte(why.result.analyte), value=self.value(why.result))
        table = {
            "replaces": ("drug", "other"),
            "surgery": ("procedure", "procedure"),
            "recovered": ("procedure", "procedure"),
            "acute": ("cause", "cause"),
            "course": ("cause", "cause"),
        }
        kind, slot = table.get(why.kind, ("condition", "condition"))
        if not why.key:
            return self.phrase("reason_route" if why.kind == "route" else "reason_recovered")
        key = "recovered_procedure" if why.kind == "recovered" else why.kind
        return self.phrase(f"reason_{key}", **{slot: name(kind, why.key, self.lang)})

    # -- facts ------------------------------------------------------------------------------------------------------

    def event(self, event: DoseEvent, past: bool = False) -> Sent:
        """A decision about a drug, on the day or told later."""
        action: str = event.action
        if event.action == "change" and event.before and event.after:
            action = "up" if event.after.step > event.before.step else "down"
        marks = [Mark(event.fact_id, "event")]
        if event.after:
            marks.append(Mark(event.after.fact_id, "dose"))
        if event.before and event.action in ("change", "stop", "hold"):
            marks.append(Mark(event.before.fact_id, "old_dose"))
        if event.reason.result and event.reason.kind in ("high", "low", "recovered"):
            marks.append(reason_mark(event, event.reason.result))
        dose = event.after or event.before or Dose("", event.drug, "", "", "qd", "oral", event.at.date())
        return self.say(
            f"{action}_past" if past else action,
            marks,
            drug=self.drug(event.drug),
            amount=self.amount(dose),
            freq=self.freq(dose),
            old=self.strength(event.before) if event.before else "",
            reason=self.reason(event.reason),
            day=self.day(event.at),
        )

    def on_drug(self, dose: Dose, key: str = "on_drug") -> Sent:
        """That a dose is taken."""
        return self.say(
            key,
            [Mark(dose.fact_id, "dose")],
            drug=self.drug(dose.drug),
            amount=self.amount(dose),
            freq=self.freq(dose),
            route=self.dice.pick(words(self.lang)["route"][dose.route]),
            form="tab" if dose.route == "oral" and dose.unit in ("mg", "mcg") else "",
        )

    def decoy(self, key: str, drug: str, step: int) -> Sent:
        """A dose that is not the patient's: supposed, or somebody else's."""
        amount, freq = load("drugs.toml")[drug]["steps"][step].split()
        dose = Dose("", drug, amount, load("drugs.toml")[drug]["unit"], freq, "oral", self.at.date())
        relative = self.dice.pick(words(self.lang)["household"])
        return self.say(
            key,
            [Mark(f"drug:{drug}", "decoy")],
            drug=self.drug(drug, 0.0),
            amount=self.amount(dose),
            freq=self.freq(dose),
            relative=relative,
        )

    def result(self, result: Result, key: str = "value_today") -> Sent:
        """A measured value."""
        special = {"bp": "bp_today", "weight": "weight_today", "phq9": "phq_today"}.get(result.analyte)
        key = special if special and key == "value_today" else key
        return self.say(
            key, [Mark(result.fact_id, "value")], analyte=self.analyte(result.analyte), value=self.value(result),
            day=self.day(result.at),
        )  # fmt: skip

    def results_pair(self, old: Result, new: Result) -> Sent:
        """A value beside an earlier one."""
        key = "weight_pair" if new.analyte == "weight" else "value_pair"
        return self.say(
            key, [Mark(new.fact_id, "value"), Mark(old.fact_id, "value")], analyte=self.analyte(new.analyte),
            value=self.value(new), old=self.value(old), oldday=self.day(old.at),
        )  # fmt: skip

    def goal(self, analyte: str, target: str, key: str = "goal") -> Sent:
        """A target or an alarm limit: no measurement."""
        return self.say(
            key, [Mark(f"analyte:{analyte}", "decoy")], analyte=self.analyte(analyte), target=self.voice.number(target)
        )

    def finding(self, finding: Finding, key: str = "") -> Sent:
        """A symptom, present or denied."""
        known = names("symptom", finding.symptom, self.lang)
        word = known[0] if self.dice.chance(0.7) else self.dice.pick(known)
        return self.say(
            key or ("symptom_yes" if finding.present else "symptom_no"),
            [Mark(finding.fact_id, "finding")],
            symptom=word,
        )

    def denied_two(self, first: Finding, second: Finding) -> Sent:
        """Two symptoms denied in one breath."""
        return self.say(
            "symptom_no_two",
            [Mark(first.fact_id, "finding"), Mark(second.fact_id, "finding")],
            symptom=names("symptom", first.symptom, self.lang)[0],
            symptom2=names("symptom", second.symptom, self.lang)[0],
        )

    def problem(self, problem: Problem) -> Sent:
        """A diagnosis: found today, known, or ruled out."""
        if problem.status == "ruled_out":
            row = load("causes.toml")["excluded"][problem.key]
            by = row["by_pt"] if self.lang == "pt" else row["by"]
            return self.say("ruled_out", [Mark(problem.fact_id, "ruled_out")], condition=self.condition(problem), by=by)
        key = (
            "problem_known" if problem.year_only else "problem_new" if problem.on == self.at.date() else "problem_since"
        )
        return self.say(
            key, [Mark(problem.fact_id, "problem")], condition=self.condition(problem), year=str(problem.on.year),
            day=self.day(problem.on),
        )  # fmt: skip

    def procedure_past(self, procedure: Procedure) -> Sent:
        """That something was done on a day."""
        marks: tuple[Aspect, ...] = ("done", "side") if procedure.side else ("done",)
        return self.say(
            "procedure_past", [Mark(procedure.fact_id, a) for a in marks], procedure=self.procedure(procedure),
            day=self.day(procedure.at),
        )  # fmt: skip

    def stay_past(self, stay: Encounter) -> Sent:
        """That there was a stay, from when to when and why."""
        fact = stay_id(self.life, stay)
        return self.say(
            "stay_past", [Mark(fact, "dates"), Mark(fact, "cause")], day=self.day(stay.at), until=self.day(stay.until),
            cause=self.cause(stay),
        )  # fmt: skip

    def background(self, fact: Background, key: str = "") -> Sent:
        """An allergy, relative, habit or past event."""
        lang = self.lang
        slots = {"year": fact.other or fact.detail}
        match fact.topic:
            case "allergy":
                slots |= {"allergen": name("allergen", fact.key, lang), "reaction": self.reaction(fact.detail)}
            case "tolerated":
                slots |= {"allergen": name("allergen", fact.key, lang), "year": fact.detail}
            case "family" | "family_none":
                slots |= {"condition": self.any_condition(fact.key), "relative": fact.detail, "age": fact.other}
            case "past_condition":
                slots |= {"condition": name("pool_condition", fact.key, lang), "year": fact.detail}
            case "past_procedure":
                slots |= {"procedure": name("pool_procedure", fact.key, lang), "year": fact.detail}
            case "past_drug":
                slots |= {"drug": name("pool_drug", fact.key, lang), "harm": self.harm(fact.detail), "year": fact.other}
            case "smoking":
                slots |= {"packs": fact.detail, "year": fact.other}
            case "alcohol":
                slots |= {"drinks": fact.detail}
        kind = f"{fact.topic}_{fact.key}" if fact.topic in ("smoking", "alcohol") else fact.topic
        return self.say(key or kind, [Mark(fact.fact_id, "background")], **slots)

    def any_condition(self, key: str) -> str:
        """The usual name of a condition of either list."""
        return (
            name("condition", key, self.lang)
            if key in load("conditions.toml")
            else name("pool_condition", key, self.lang)
        )

    def conflict(self, conflict: Conflict, version: int) -> Sent:
        """One version of what is told differently elsewhere."""
        told, lang = conflict.told[version], self.lang
        slots: dict[str, str] = {}
        match conflict.topic:
            case "allergy_reaction":
                slots = {"allergen": name("allergen", conflict.key, lang), "reaction": self.reaction(told)}
            case "procedure_year":
                slots = {"procedure": name("pool_procedure", conflict.key, lang), "year": told}
            case "relative":
                slots = {"condition": self.any_condition(conflict.key), "relative": told}
            case "past_side":
                side = told if lang == "en" else words("pt")["side"][told]
                slots = {"procedure": name("procedure", conflict.key, lang), "side": side}
            case "pack_years":
                slots = {"packs": told}
        aspect: Aspect = "version1" if version else "version0"
        return self.say(f"conflict_{conflict.topic}", [Mark(conflict.fact_id, aspect)], **slots)


def reason_mark(event: DoseEvent, result: Result) -> Mark:
    """A value given as a reason is dated by its sentence only if it was drawn on the day of the decision."""
    return Mark(result.fact_id, "value" if event.at.date() == result.at.date() else "reason_value")


def stay_id(life: Life, stay: Encounter) -> str:
    """The fact id of a stay."""
    return f"{life.person.patient_id}:stay:{stay.key}"
