"""Other forms of questions already made: multiple choice with a way out, and messages as patients write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chartcite.lab.longchart.lexicon import Lang, drug_names, load, names, units_of
from chartcite.lab.longchart.notes.voice import words
from chartcite.lab.longchart.questions.model import Case, Question
from chartcite.lab.longchart.questions.wording import localised

_CHOICES, _STORIES = 12, 10


def make(case: Case, made: Sequence[Question]) -> Iterator[Question | None]:
    """Both forms."""
    yield from _choices(case, made)
    yield from _stories(case, made)


def _choices(case: Case, made: Sequence[Question]) -> Iterator[Question | None]:
    able = [
        q
        for q in made
        if _short(q)
        and q.kind
        in ("latest", "first", "value_at", "value_before", "value_after", "reason", "single_fact", "cross_note")
    ]
    for question in case.dice.some(able, _CHOICES):
        wrong = _wrong_options(case, question)
        if len(wrong) < 3:
            continue
        yield _choice(case, question, wrong[:3])
    absent = [q for q in made if q.kind == "absent" and q.about in ("drug", "test")]
    left = 5
    for question in case.dice.shuffled(absent):
        made_up = _unanswerable(case, question) if left else None
        left -= made_up is not None
        yield made_up


def _short(question: Question) -> str:
    """The answer as an option shows it."""
    answer = question.answer
    match answer.get("type"):
        case "value":
            return localised(
                f"{answer['value']}{'' if answer['unit'] == '%' else ' '}{answer['unit']}".strip(), question.lang
            )
        case "dose":
            return localised(
                f"{answer['amount']} {answer['unit']} {_freq(str(answer['frequency']), question.lang)}", question.lang
            )
        case "text" | "reason":
            return str(answer["text"])
    return ""


def _freq(code: str, lang: str) -> str:
    return str(words("pt" if lang == "pt" else "en")["freq"][code][0])


def _wrong_options(case: Case, question: Question) -> list[str]:
    """Other values of the same record first, then made-up neighbours."""
    right, kind = _short(question), question.answer["type"]
    pool: list[str] = []
    if kind == "value":
        number, digits = (
            float(question.answer["number"]),
            len(str(question.answer["value"]).split("/")[0].partition(".")[2]),
        )
        unit = str(question.answer["unit"])
        same = [r for a in load("analytes.toml") for r in case.life.of(a) if r.fact_id in question.facts]
        if same:
            pool = [localised(r.value, question.lang) for r in case.life.of(same[0].analyte) if r.unit == unit]
        if "/" not in str(question.answer["value"]):
            pool += [
                localised(f"{number * f:.{digits}f}{'' if unit == '%' else ' '}{unit}".strip(), question.lang)
                for f in (0.8, 1.2, 1.5, 0.6)
            ]
    elif kind == "dose":
        drug = next((d.drug for d in case.life.doses if d.fact_id in question.facts), "")
        event = next((e.drug for e in case.life.events if e.fact_id in question.facts), "")
        unit = str(question.answer["unit"])
        steps = load("drugs.toml").get(drug or event, {}).get("steps", [])
        pool = [localised(f"{s.split()[0]} {unit} {_freq(s.split()[1], question.lang)}", question.lang) for s in steps]
    elif kind == "reason":
        rows = load("harms.toml")
        pool = [str(rows[k][question.lang]) for k in case.dice.some(sorted(rows), 6)]
    elif question.about in ("allergy", "family", "social"):
        pool = _texts(case, question)
    return [o for o in case.dice.shuffled(list(dict.fromkeys(pool))) if o != right]


def _texts(case: Case, question: Question) -> list[str]:
    lang = case.life.person.lang
    if question.about == "allergy":
        return [str(v[0]) for v in words(lang)["reaction"].values()]
    if question.about == "social":
        return list(load("people.toml")[lang]["jobs"])
    return [str(n) for n in (31, 36, 44, 52, 58, 63, 71)]


def _choice(case: Case, question: Question, wrong: list[str]) -> Question:
    right = _short(question)
    options = case.dice.shuffled([right, *wrong])
    leaving = str(words(case.life.person.lang)["cannot"])
    options.append(leaving)
    answer = {"type": "choice", "option": options.index(right), "text": right, "of": dict(question.answer)}
    return replace(
        question, kind="multiple_choice", answer=answer, options=tuple(options), family=f"choice/{question.family}"
    )


def _unanswerable(case: Case, question: Question) -> Question | None:
    """The value or dose of something the record does not hold, with options that look like any other."""
    lang = case.life.person.lang
    key = "q_latest_dose" if question.about == "drug" else "q_latest_value"
    slot = "drug" if question.about == "drug" else "analyte"
    pool = _made_up(question)
    if len(pool) < 4:
        return None
    family, text = case.phrase(key, **{slot: question.concept})
    options = [*case.dice.some(pool, 4), str(words(lang)["cannot"])]
    answer = {"type": "choice", "option": 4, "text": options[4], "of": {"type": "status", "status": "absent"}}
    return replace(
        question, kind="multiple_choice", family=f"choice/{family}", text=text, answer=answer, options=tuple(options)
    )


def _made_up(question: Question) -> list[str]:
    """Doses of the drug's own ladder, or values of the analyte around its mean; none for what has neither."""
    lang: Lang = "pt" if question.lang == "pt" else "en"
    if question.about == "drug":
        row = next((r for k, r in load("drugs.toml").items() if drug_names(k, lang)[0] == question.concept), None)
        steps = [s.split() for s in row["steps"]] if row else []
        shown = [f"{amount} {row['unit']} {_freq(freq, lang)}" for amount, freq in steps] if row else []
        return [localised(s, lang) for s in shown]
    key = next((k for k in load("analytes.toml") if names("analyte", k, lang)[0] == question.concept), "")
    if not key:
        return []
    base, unit = load("analytes.toml")[key]["base"], units_of(key, lang)[0]
    mean = float(base[0] if isinstance(base, list) else base)
    values = [
        f"{unit.show(mean * f)}{'' if unit.unit == '%' else ' '}{unit.unit}".strip()
        for f in (0.6, 0.8, 1.0, 1.3, 1.7, 2.2)
    ]
    return list(dict.fromkeys(localised(v, lang) for v in values))


def _stories(case: Case, made: Sequence[Question]) -> Iterator[Question | None]:
    """The question inside a message with things that do not matter."""
    able = [
        q
        for q in made
        if q.kind in ("reason", "latest", "single_fact", "value_at", "duration")
        and q.about in ("dose", "value", "stay", "allergy")
    ]
    for question in case.dice.some(able, _STORIES):
        before, opening = case.phrase("story_open")
        _, middle = case.phrase("story_middle")
        _, after = case.phrase("story_close")
        core = _in_first_person(question.text) if case.life.person.lang == "en" else question.text
        text = f"{opening} {middle} {core} {after}".strip()
        yield replace(question, kind="narrative", text=text, family=f"{before}/{question.family}")


def _in_first_person(text: str) -> str:
    """As the patient would ask.

    >>> _in_first_person("Why was the patient taken off warfarin?")
    'Why was I taken off warfarin?'
    """
    for old, new in (
        ("Was the patient's", "Was my"),
        ("was the patient", "was I"),
        ("Is the patient", "Am I"),
        ("did the patient", "did I"),
        ("Did the patient", "Did I"),
        ("is the patient", "am I"),
        ("the patient's", "my"),
        ("The patient's", "My"),
        ("has the patient", "have I"),
        ("the patient was", "I was"),
        ("the patient is", "I am"),
        ("the patient", "I"),
    ):
        text = text.replace(old, new)
    return text
