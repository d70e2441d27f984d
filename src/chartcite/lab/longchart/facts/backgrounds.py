"""What a person brings along: allergies, family, habits, past illnesses; and what two sources tell differently."""

from __future__ import annotations

from collections.abc import Callable

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Background, Conflict, Life
from chartcite.lab.longchart.facts.pharmacy import NewId
from chartcite.lab.longchart.lexicon import load

_HEREDITARY = (
    "breast_cancer",
    "prostate_cancer",
    "lung_cancer",
    "melanoma",
    "lymphoma",
    "leukemia",
    "ovarian_cancer",
    "pancreatic_cancer",
    "aortic_aneurysm",
    "parkinson",
    "alzheimer",
    "glaucoma",
    "lupus",
    "crohn",
    "bipolar",
    "multiple_sclerosis",
    "hemochromatosis",
    "graves",
    "celiac",
    "thyroid_cancer",
    "schizophrenia",
    "macular",
    "psoriasis",
)
_SEXED = {
    "mother": "F",
    "younger sister": "F",
    "maternal grandmother": "F",
    "paternal aunt": "F",
    "father": "M",
    "older brother": "M",
    "paternal uncle": "M",
    "son": "M",
    "a mãe": "F",
    "a irmã mais nova": "F",
    "a avó materna": "F",
    "o pai": "M",
    "o irmão mais velho": "M",
    "o tio paterno": "M",
}
_MALE_ONLY, _FEMALE_ONLY = {"prostate_cancer"}, {"breast_cancer", "ovarian_cancer"}
_MILD = (
    "shingles",
    "psoriasis",
    "migraine",
    "kidney_stones",
    "irritable_bowel",
    "fibromyalgia",
    "bells_palsy",
    "plantar",
    "eczema",
    "rosacea",
    "vitiligo",
    "lyme",
    "dengue",
    "malaria",
    "restless_legs",
    "scoliosis",
    "endometriosis",
    "polycystic_ovary",
    "preeclampsia",
    "meniere",
    "retinal_detachment",
    "trigeminal",
    "glaucoma",
    "hepatitis_b",
    "rheumatic_fever",
    "graves",
    "sickle_trait",
    "sleep_apnea",
    "mitral_prolapse",
)
_TREATED = ("breast_cancer", "prostate_cancer", "melanoma", "lymphoma", "thyroid_cancer")
REACTIONS = ("hives", "anaphylaxis", "rash", "throat_swelling", "stomach_upset", "wheeze")


def plant_backgrounds(life: Life, dice: Dice, new_id: NewId) -> None:
    """Add what was there before and beside the record."""
    pool, person = load("pool.toml"), life.person

    def add(topic: str, key: str, detail: str = "", other: str = "") -> None:
        life.backgrounds.append(Background(new_id("background"), topic, key, detail, other))

    first = life.begins.year
    reactions = dice.shuffled(REACTIONS)
    allergens = dice.shuffled([k for k in pool["allergen"] if k != "aspirin"])
    for number in range(dice.between(1, 3)):
        add("allergy", allergens[number], reactions[number], str(first - dice.between(2, 30)))
    add("tolerated", allergens[4], str(first - dice.between(1, 6)))
    _family(life, dice, add)
    own = [k for k in _MILD if pool["condition"][k].get("sex", person.sex) == person.sex]
    treated = dice.some(
        [k for k in _TREATED if pool["condition"][k].get("sex", person.sex) == person.sex], int(dice.chance(0.4))
    )
    for key in [*treated, *dice.some(own, 7 - len(treated))]:
        add("past_condition", key, str(first - dice.between(3, 28)))
    done = [
        k for k, r in pool["procedure"].items() if r.get("sex", person.sex) == person.sex and k not in _NEVER_LIGHTLY
    ]
    for key in dice.some(done, 5):
        add("past_procedure", key, str(first - dice.between(2, 25)))
    for key in dice.some(sorted(pool["drug"]), 5):
        add("past_drug", key, dice.pick(sorted(_VAGUE_HARMS)), str(first - dice.between(1, 9)))
    add(
        "smoking",
        dice.pick(["never", "former", "former", "current"]),
        str(dice.between(8, 45)),
        str(first - dice.between(3, 22)),
    )
    add("alcohol", dice.pick(["none", "rare", "weekly", "daily"]), str(dice.between(2, 12)))


_VAGUE_HARMS = (
    "nausea_drug",
    "rash_drug",
    "sleepy",
    "dizziness_drug",
    "headache_drug",
    "diarrhea",
    "dry_mouth",
    "cost",
)
_NEVER_LIGHTLY = {
    "transplant",
    "dialysis",
    "amputation",
    "bypass_surgery",
    "valve_replacement",
    "nephrectomy",
    "defibrillator",
}


def _family(life: Life, dice: Dice, add: Callable[[str, str, str, str], None]) -> None:
    relatives = dice.shuffled(load("people.toml")[life.person.lang]["relatives"])
    known = dice.shuffled([*_HEREDITARY, "coronary_disease", "diabetes2", "venous_thrombosis", "gout", "epilepsy"])
    used: set[str] = set()
    for relative in relatives[: dice.between(3, 5)]:
        sex = _SEXED[relative]
        barred = _MALE_ONLY if sex == "F" else _FEMALE_ONLY
        key = next(k for k in known if k not in barred and k not in used)
        used.add(key)
        low, high = (14, 34) if relative == "son" else (38, 77)
        low = 16 if key in ("epilepsy", "celiac", "bipolar", "schizophrenia", "lupus", "crohn") else low
        add("family", key, relative, str(dice.between(low, min(high, low + 36))))
    add("family_none", next(k for k in known if k not in used), "", "")


def plant_conflicts(life: Life, dice: Dice, new_id: NewId) -> None:
    """Let two sources tell some things differently."""
    person = life.person
    first = life.begins.year
    pool = load("pool.toml")
    used = {b.key for b in life.backgrounds}
    free = dice.shuffled([k for k in pool["allergen"] if k not in used and k != "aspirin"])
    reactions = dice.shuffled(REACTIONS)
    known = dice.shuffled([k for k in _HEREDITARY if k not in used])
    relatives = dice.shuffled(load("people.toml")[person.lang]["relatives"])
    women = [r for r in relatives if _SEXED[r] == "F"]
    done = dice.shuffled(
        [k for k, r in pool["procedure"].items() if r.get("sex", person.sex) == person.sex and k not in used]
    )
    done = [k for k in done if k not in _NEVER_LIGHTLY]
    year = first - dice.between(6, 24)
    sided = dice.pick(["cataract", "hernia_repair", "rotator_cuff", "carpal_tunnel"])
    kin = [r for r in (women if known[0] in _FEMALE_ONLY else relatives) if r != "son"]
    if known[0] in _MALE_ONLY:
        kin = [r for r in relatives if _SEXED[r] == "M" and r != "son"]
    told = [
        ("allergy_reaction", free[0], (reactions[0], reactions[1])),
        ("procedure_year", done[0], (str(year), str(year + dice.between(2, 5)))),
        ("relative", known[0], (kin[0], kin[1])),
    ]
    if all(p.key != sided for p in life.procedures):
        told.append(("past_side", sided, ("left", "right")))
    smoking = next(b for b in life.backgrounds if b.topic == "smoking")
    if smoking.key != "never":
        told.append(("pack_years", "smoking", (smoking.detail, str(int(smoking.detail) + dice.between(6, 20)))))
    for topic, key, versions in told:
        life.conflicts.append(Conflict(new_id("conflict"), topic, key, versions))
