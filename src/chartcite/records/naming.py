"""Names of diagnoses and procedures as records write them: what is one, and which wordings mean the same.

Words that make a diagnosis or a procedure are known by their head or ending (`-itis`, `-ectomy`, `disease`, `repair`);
which abbreviations and synonyms are one, by the lists of the facts room. A name that those do not have is its own.
"""

from __future__ import annotations

import re
from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold

_DISEASE = re.compile(
    r"(?:\w{2,}(?:itis|osis|oses|emia|aemia|omas?|opathy|opathies|uria|plegia|paresis|algia|ism|phrenia|ectasis|iasis|"
    r"sclerosis|megaly|rrhea|penia|trophy|philia|ite|ose|opatia|emia|isquemia|ismo|algia|patia|patias|iase)\b|"
    r"\b(?:disease|disorder|syndrome|failure|insufficiency|cancer|carcinoma|tumou?r|leuk\w+|infection|infarction|stroke|"
    r"fibrillation|flutter|hypertension|diabetes|asthma|copd|gout|ulcers?|fractures?|stenosis|embolism|pneumonia|sepsis|"
    r"urosepsis|angina|obesity|depression|anxiety|dementia|epilepsy|seizures?|migraines?|reflux|hernia|thrombosis|"
    r"aneurysm|eczema|psoriasis|cataracts?|glaucoma|apn[eo]ea|pain|injury|bleeding|hemorrhage|haemorrhage|edema|"
    r"retention|cyst|polyps?|regurgitation|prolapse|block|tear|shingles|hiv|aids|measles|mumps|malaria|lupus|"
    r"doen[çc]a|dist[úu]rbio|transtorno|s[íi]ndrome|insufici[êe]ncia|c[âa]ncer|tumor|infec[çc][ãa]o|infarto|avc|acidente|"
    r"fibrila[çc][ãa]o|hipertens[ãa]o|has|dm2?|dpoc|asma|gota|[úu]lcera|fratura|estenose|embolia|pneumonia|sepse|angina|"
    r"obesidade|depress[ãa]o|ansiedade|dem[êe]ncia|epilepsia|enxaqueca|refluxo|h[ée]rnia|trombose|aneurisma|psor[íi]ase|"
    r"catarata|glaucoma|apneia|dor|les[ãa]o|sangramento|hemorragia|edema|cisto|p[óo]lipo)\b)",
    re.IGNORECASE,
)
_PROCEDURE = re.compile(
    r"(?:\w{2,}(?:ectomy|ectomies|plasty|plasties|scopy|scopies|otomy|ostomy|pexy|centesis|graphy|desis|rrhaphy|ectomia|"
    r"plastia|scopia|otomia|ostomia|pexia|centese|grafia|dese|rrafia|rafia)\b|"
    r"\b(?:surgery|operation|repair|replacement|bypass|cabg|biops(?:y|ies)|injections?|stent\w*|ablation|"
    r"catheteri[sz]ation|cath|implant\w*|extraction|graft\w*|transplant\w*|amputation|fusion|resection|excision|release|"
    r"reduction|fixation|drainage|cardioversion|pacemaker|debridement|section|c-section|cesarean|lithotripsy|turp|"
    r"dialysis|tap|puncture|pci|egd|ercp|tips|cirurgia|opera[çc][ãa]o|bi[óo]psia|infiltra[çc][ãa]o|ressec[çc][ãa]o|"
    r"revasculariza[çc][ãa]o|cateterismo|implante|extra[çc][ãa]o|corre[çc][ãa]o|transplante|amputa[çc][ãa]o|artrodese|"
    r"cesariana|cesárea|enxerto|drenagem|cardiovers[ãa]o|marca-?passo|pun[çc][ãa]o|facectomia|descompress[ãa]o)\b)",
    re.IGNORECASE,
)
_SIDES = {
    "left": "left", "right": "right", "bilateral": "bilateral", "esquerda": "left", "esquerdo": "left",
    "direita": "right", "direito": "right", "bilaterais": "bilateral", "lt": "left", "rt": "right",
}  # fmt: skip
_SIDE = re.compile(rf"\b(?:(?:[àa]|do lado|lado|on the)\s+)?({'|'.join(_SIDES)})\b", re.IGNORECASE)
_LISTS = ("abbreviations.tsv", "abbreviations_cased.tsv", "synonyms.tsv")


def is_disease(words: str) -> bool:
    """Whether some words have one that makes them a diagnosis, or are one by the lists."""
    return bool(_DISEASE.search(words))


def is_procedure(words: str) -> bool:
    """Whether some words have one that makes them a procedure."""
    return bool(_PROCEDURE.search(words))


def side_of(words: str) -> tuple[str, str]:
    """The side that some words name, and the words without it.

    >>> side_of("left total knee arthroplasty")
    ('left', 'total knee arthroplasty')
    """
    found = _SIDE.search(words)
    if found is None:
        return "", words
    rest = " ".join((words[: found.start()] + " " + words[found.end() :]).split())
    return (_SIDES[found[1].lower()], rest) if rest else ("", words)


def is_listed_name(words: str) -> bool:
    """Whether some words are an abbreviation or synonym of the lists that stands for a diagnosis: `HTN`, `FA`."""
    return is_disease(canonical(words)) or is_disease(" ".join(_group_of(words)))


@lru_cache(maxsize=8192)
def canonical(name: str) -> str:
    """One name for all wordings of a thing, as far as the lists know them; else the words themselves, folded.

    >>> canonical("HTN") == canonical("Hypertension") == canonical("high blood pressure")
    True
    """
    return min(_group_of(name), default=_plain(name))


def _group_of(name: str) -> frozenset[str]:
    words = " ".join(name.replace("-", " ").split())
    groups = _groups()
    return groups.get(words) or groups.get(_plain(name)) or frozenset()


def _plain(name: str) -> str:
    return fold(" ".join(name.replace("-", " ").split()))


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    """By spelling, all that means the same: groups of the lists that share a spelling of more than four letters."""
    members: dict[str, set[str]] = {}
    of_short: dict[str, list[set[str]]] = {}
    for file in _LISTS:
        for group in read_rows(FACTS, file):
            longer = {_plain(entry) for entry in group if not _is_short(entry)}
            whole = set(longer).union(*(members.get(entry, set()) for entry in longer))
            for entry in whole:
                members[entry] = whole
            for entry in (e for e in group if _is_short(e)):
                of_short.setdefault(entry, []).append(longer)
    table = {entry: frozenset(whole) for entry, whole in members.items()}
    for entry, groups in of_short.items():
        found = {frozenset(members.get(min(longer), ())) if longer else frozenset() for longer in groups}
        if len(found) == 1:  # an abbreviation of two things is none
            table[entry] = next(iter(found))
    return table


def _is_short(entry: str) -> bool:
    """An abbreviation, which counts as it is written only."""
    return len(entry) <= 4 or entry.isupper()
