"""The invented patient of a note: how sentences refer to him or her."""

from __future__ import annotations

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits.lexicon import rows_of
from chartcite.lab.planted_edits.model import Form, Lang, Split, Value

_ENGLISH = {"f": ("she", "her", "her", "woman", "Ms."), "m": ("he", "his", "him", "man", "Mr.")}
_PORTUGUESE = {"f": ("ela", "dela", "Sra."), "m": ("ele", "dele", "Sr.")}


def persona(lang: Lang, split: Split, dice: Dice) -> dict[str, Value]:
    """The slots that every template may use: `pt`, and in English `he`, `his`, `him`, `sex`; `ele`, `dele`."""
    gender = dice.pick(("f", "m"))
    name = dice.pick(rows_of(lang, "patients", split))["name"]
    if lang == "en":
        he, his, him, sex, title = _ENGLISH[gender]
        words = {"he": he, "his": his, "him": him, "sex": sex}
        forms = {"usual": Form("the patient"), "abbr": Form("pt"), "name": Form(f"{title} {name}")}
    else:
        ele, dele, title = _PORTUGUESE[gender]
        words = {"ele": ele, "dele": dele}
        forms = {key: Form(text, gender) for key, text in (("usual", "paciente"), ("name", f"{title} {name}"))}
    return {
        "pt": Value("persona", name, forms),
        **{key: Value("persona", key, {"usual": Form(text, gender)}) for key, text in words.items()},
    }
