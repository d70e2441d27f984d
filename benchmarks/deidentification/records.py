"""Whole records with the places of what identifies, computed from what their makers know, not from our rules.

longchart: names, hospitals and record numbers of the generator's own people; dates by the generator's own forms. Demo:
the names, places and numbers that a reader listed; dates by the same forms and a few more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import chartcite.demo
from chartcite.lab.longchart.generate import records
from chartcite.lab.longchart.lexicon import load
from deidentification.items import Gold, Item

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|"
    r"janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
)
_DATE = re.compile(
    rf"(?<![\d./-])(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?/\d\d?/(?:\d{{4}}|\d\d)|\d\d\.\d\d\.(?:19|20)\d\d)(?![\d/])"
    rf"|(?<!\w){_MONTH}\.? \d\d?,? (?:19|20)\d\d(?!\d)|(?<!\d)\d\d? (?:de )?{_MONTH}\.?,? (?:de )?(?:19|20)\d\d(?!\d)"
    rf"|(?<!\w){_MONTH} (?:de |of )?(?:19|20)\d\d(?!\d)|(?<![\d./-])(?:19|20)\d\d-\d\d(?![\d-])|"
    rf"(?<![\d./-])\d\d/(?:19|20)\d\d(?!\d)"
    r"|(?<=\bin )(?:19|20)\d\d(?!\d)|(?<=\bsince )(?:19|20)\d\d(?!\d)|(?<=\bem )(?:19|20)\d\d(?!\d)|(?<=\bdesde "
    r")(?:19|20)\d\d(?!\d)|(?<=\()(?:19|20)\d\d(?=[),])"
)
# Perhaps a date without a year, perhaps not (a year, a time of day, a value): counted neither way.
_UNSURE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\w){_MONTH}\.? \d\d?(?!\d)|(?<!\d)\d\d? (?:de )?{_MONTH}(?!\w)|"
    rf"(?<![\d./-])\d\d?/\d\d?(?![\d/])"
    rf"|(?<![\d./-])\d\d?/\d{{4}}(?!\d)|(?<!\w){_MONTH}(?:\.? |,? )"
)
_DEMO = {
    "demo-anna-lindqvist": (
        "Anna Lindqvist|LINDQVIST ANNA|Lindqvist, Anna|A. Lindqvist|Lindqvist|Anna|Maj Ekholm|M. Ekholm|"
        "Ekholm M|Ekholm|L. Forsman|A. Bergqvist|P. Hallgren|Hallgren|N. Yilmaz|E. Lund|Karin Solberg"
    ),
    "demo-maria-castello": (
        "Maria Castello|CASTELLO, MARIA|Castello, Maria|Castello|Maria|Priya Rao|P. Rao|Rao|"
        "Julian Okonjo|Okonjo|Ines Falkenrath|Falkenrath|S. Whitcombe|H. Abernethy|T. Boyle|L. Brandt|"
        "Mbeki"
    ),
    "demo-marta-castelli": (
        "Marta Castelli|CASTELLI, MARTA|CASTELLI, Marta|Castelli, Marta|Castelli M|Castelli|Marta|"
        "Falkenrath|Achterberg|Castello|E. Lund|G. Achterberg|K. Nyström|H. Dubois|J. Petrosyan|"
        "R. Silveira|Lucia|Ines Falkenrath"
    ),
    "demo-tomasz-wierzba": (
        "Tomasz Wierzba|WIERZBA, TOMASZ|Wierzba, Tomasz|T. Wierzba|Wierzba|V. Thornbury|Thornbury|"
        "D. Pretorius|B. Oyelaran|R. Aguirre-Stone|C. Imrie|Lucinda Farrow|Odile Kramer"
    ),
    "demo-walter-osei": (
        "Walter Osei|OSEI, Walter|Osei, Walter|Osei, W.|Osei|Walter|Renske Vos|Vos|Pemberton|Abena|Lorne|"
        "Whelan|S. Marchetti|T. Nakagawa|K. Adeyemi-Holt|M. Ellery|B. Castellanos"
    ),
}  # fmt: skip
_DEMO_OTHER = {
    "id": ("830719", "R21-55104"),
    "place": ("NORTHGATE CLINICAL LABORATORY", "Riverside Reference Laboratory"),
}


@dataclass(frozen=True, slots=True)
class Record:
    """One patient's texts, what names the patient in the store, and the texts with their gold."""

    patient_id: str
    items: tuple[Item, ...]


def demo() -> list[Record]:
    """The bundled records' text notes."""
    folder = Path(chartcite.demo.__file__).parent / "records"
    found = []
    for patient, names in _DEMO.items():
        wanted = [("name", name) for name in names.split("|")]
        wanted += [(kind, text) for kind, texts in _DEMO_OTHER.items() for text in texts]
        texts = [path.read_text("utf-8") for path in sorted((folder / patient).glob("*.txt"))]
        found.append(Record(patient, _items(patient, "en", "dev", texts, wanted)))
    return found


def longchart(split: str, seed: int = 20, scale: float = 0.25) -> list[Record]:
    """Generated records of one split; every date and name of theirs is the generator's."""
    found = []
    for life, notes in records(20, seed, scale=scale):
        person = life.person
        if split not in (person.split, "all"):
            continue
        people = load("people.toml")[person.lang]
        number = str(int(person.born.strftime("%y%j")) * 37 % 899999 + 100000)
        wanted = [("name", part) for part in (person.name, *person.name.split()) if part[0].isupper()]
        wanted += [("place", person.hospital), ("id", number), ("id", person.patient_id)]
        wanted += [
            ("name", nurse.removesuffix(" RN").removesuffix(" LPN").removeprefix("Téc. ").removeprefix("Enf. "))
            for nurse in people["nurses"]
        ]
        wanted += [("name", doctor) for doctor in people["doctors"]]
        items = _items(person.patient_id, person.lang, person.split, [note.text for note in notes], wanted)
        found.append(Record(person.patient_id, items))
    return found


def _items(
    group: str, lang: str, split: str, texts: Iterable[str], wanted: Sequence[tuple[str, str]]
) -> tuple[Item, ...]:
    longest = sorted(set(wanted), key=lambda w: (-len(w[1]), w))
    return tuple(
        Item(group, lang, split, text, _gold(text, longest), tuple(m.span() for m in _UNSURE.finditer(text)))
        for text in texts
    )


def _gold(text: str, wanted: Sequence[tuple[str, str]]) -> tuple[Gold, ...]:
    taken = bytearray(len(text))
    found = []
    for match in _DATE.finditer(text):
        found.append(Gold(*match.span(), "date"))
        taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    for kind, name in wanted:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                found.append(Gold(*match.span(), kind))
    return tuple(sorted(found, key=lambda g: g.start))
