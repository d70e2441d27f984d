"""A reason as a typed answer with the words by which it is recognised."""

from __future__ import annotations

from typing import Any

from chartcite.lab.longchart.facts.model import Reason
from chartcite.lab.longchart.lexicon import Lang, drug_names, load, names
from chartcite.lab.longchart.questions.model import Case
from chartcite.lab.longchart.questions.wording import localised


def reason_answer(case: Case, why: Reason) -> dict[str, Any]:
    """`accept`: any of these words in an answer names the reason."""
    lang: Lang = case.life.person.lang
    accept: list[str] = []
    if why.result is not None and why.kind in ("high", "low"):
        shown = localised(why.result.value, lang)
        text = f"{names('analyte', why.key, lang)[0]} {shown}"
        accept = [shown, localised(why.result.shown, lang), *names("analyte", why.key, lang)]
    elif why.kind == "harm":
        row = load("harms.toml")[why.key]
        text = str(row.get("en_m", row["en"]) if lang == "en" and case.life.person.sex == "M" else row[lang])
        accept = list(row["keys"])
    elif why.kind == "replaces":
        accept = drug_names(why.key, lang)
        text = accept[0]
    elif why.kind == "surgery":
        accept = names("procedure", why.key, lang)
        text = accept[0]
    elif why.kind in ("acute", "course"):
        accept = names("cause", why.key, lang)
        text = accept[0]
    else:
        accept = names("condition", why.key, lang)
        text = accept[0]
    return {"type": "reason", "reason": why.kind, "text": text, "accept": list(dict.fromkeys(accept))}
