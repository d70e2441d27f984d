"""Hospitals, clinics, pharmacies, employers and towns, by the words that go with them; countries and states stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.deid.mentions import Mention
from chartcite.deid.vocabulary import is_word

_CAP = r"(?:[A-ZÀ-Þ][\w'’]{0,30}(?:-[A-ZÀ-Þ][\w'’]{0,30}){0,3}|St\.|Mt\.|Ft\.|N\.|S\.)"
_NAME = rf"{_CAP}(?:[ ](?:(?:of|the|and|&|at|de|da|do|das|dos|e|del|la|[Ss]anta?|São)[ ])*{_CAP}){{0,4}}"
_KIND = (
    r"(?:Hospital(?:ist)?|Hosp\.?|Medical[ ]Cent(?:er|re)|Health[ ]Cent(?:er|re)|Cancer[ ]Cent(?:er|re)|"
    r"Cent(?:er|re)|Clinics?|Infirmary|"
    r"Sanatorium|Hospice|Nursing[ ](?:Home|Facility)|Rehab(?:ilitation)?(?:[ ]Cent(?:er|re))?|Surgery[ "
    r"]Cent(?:er|re)|Imaging|"
    r"Laborator(?:y|ies)|Labs?|Pharmacy|Drugs?|Drugstore|Healthcare|Health[ ]System|Health[ ]Plan|Insurance|"
    r"University|College|School|"
    r"General|Memorial|Regional|Medical[ ]Group|Associates|Ambulance|Assisted[ ]Living|Manor|Lodge|"
    r"Logistics|Industries|Steel|Motors|Company|Inc\.?|Corp(?:oration|\.)?|Ltd\.?|LLC|Foundation|Institute|"
    r"Church|Parish)"
)
_FACILITY = re.compile(
    rf"(?<![\w'’-])(?:(?:the|The)[ ])?(?P<n>{_NAME}(?:['’]s)?[ ](?:(?:Children|Women|Veterans|VA|Community|"
    rf"Memorial|General|Regional|University|"
    rf"County|District|Teaching|Medical|Reference|Family|Public|Private)(?:['’]s)?[ ])*{_KIND}"
    rf"(?:[ ](?:of|at|in|for)[ ]{_CAP}(?:[ ]{_CAP}){{0,2}}|[ ]{_KIND})*)(?![\w'’-])"
)
_OF = re.compile(
    rf"(?<!\w)(?P<n>(?:University|Hospital|Clinic|Institute|College|Church)[ ](?:of|for)[ ](?:the[ ])?{_NAME}|"
    rf"(?:St\.?|Saint|Mount|Mt\.?)[ ](?!Clair){_CAP}['’]s(?=[ ](?:ED|ER|on|in|for|ICU|hospital)\b))"
)
_CAPITALS = re.compile(
    r"(?<![\w'’-])(?P<n>[A-ZÀ-Þ]{2,}(?:[ ][A-ZÀ-Þ]{2,}){0,4}[ ](?:HOSPITAL|CLINIC|LABORATORY|LABORATORIES|"
    r"LABORATÓRIO|"
    r"MEDICAL[ ]CENT(?:ER|RE)|HEALTH[ ]CENT(?:ER|RE)|PHARMACY|INFIRMARY|UNIVERSITY|SANTA[ ]CASA))(?![\w'’-])"
)
_PT_CAP = r"(?:[A-ZÀ-Þ][\w'’]{0,30})"
_PORTUGUESE = re.compile(
    rf"(?<!\w)(?P<n>(?:Hospital|Hosp\.|Santa[ ]Casa|Cl[ií]nica|Maternidade|Policl[ií]nica|Laborat[óo]rio|"
    rf"Farm[áa]cia|Drogaria|Instituto|Casa[ ]de[ ]Sa[úu]de|"
    rf"Casa[ ]de[ ]Repouso|Padaria|Escola|Universidade|Faculdade|Conv[êe]nio|Unimed|Sa[úu]de)(?:[ ](?:Municipal|"
    rf"Estadual|Federal|Regional|Geral|Universit[áa]rio|"
    rf"Infantil|das?|dos?|de|[Ss]ão|[Ss]anta|e|do))*[ ]{_PT_CAP}(?:[ ](?:(?:das?|dos?|de|e)[ ])*{_PT_CAP}){{0,4}})"
)
_PT_UNIT = re.compile(
    rf"(?<!\w)(?:UBS|UPA|USF|PSF|ESF|CAPS|AMA|posto)[ ](?:d[aeo]s?[ ])?(?P<n>{_PT_CAP}(?:[ ](?:(?:das?|dos?|"
    rf"de)[ ])?{_PT_CAP}){{0,3}})"
)
_STATES = (
    r"(?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|"
    r"V[TA]|W[AVIY]|"
    r"Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    r"Illinois|Indiana|Iowa|"
    r"Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|"
    r"Nebraska|Nevada|"
    r"Ohio|Oklahoma|Oregon|Pennsylvania|Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming)"
)
_TOWN_STATE = re.compile(
    rf"(?<![\w.-])(?P<n>{_CAP}(?:[ ]{_CAP}){{0,2}}),[ ](?:(?!(?:MD|MA|PA|MS|ND)\b){_STATES}(?![\w-])|(?:MD|MA|"
    rf"PA|MS|ND)[ ]\d{{5}})"
)
_TOWN = re.compile(
    r"\b(?:(?:[Ll]iv(?:es?|ed|ing)|[Rr]esid(?:es?|ed|ing)|[Bb]orn(?:[ ][^.;\n]{2,24})?|[Gg]rew[ ]up|[Rr]aised|"
    r"[Ss]tationed|[Hh]ospitali[sz]ed|[Tt]reated|"
    r"[Ss]een|[Ss]urgery|[Rr]etired|[Ww]orks?|[Ww]orked|[Vv]acation|[Ss]tay(?:ed|ing)|sister,?|brother,?|"
    r"daughter,?|son,?|cousin,?|family)"
    r"[ ](?:in|near|outside|around)|(?:[Ee]migrated|[Mm]oved|[Rr]elocated|[Ii]mmigrated|[Cc]omes?|[Oo]riginally|"
    r"[Tt]ransferred|[Rr]eturned|[Tt]ravell?(?:ed|s|ing)?|"
    r"[Ff]lew|[Ff]lying|[Nn]ative|[Tt]rip|[Ss]ent|[Vv]isit(?:ed|ing)?)[ ](?:from|to|of)(?:[ ]\w+[ ](?:from|"
    r"to))?|[Nn]ative[ ]of|[Ff]rom"
    r"|[Nn]ascid[oa](?:[ ]e[ ]criad[oa])?[ ]em|[Nn]atural[ ]d[eo]|[Pp]rocedente[ ]d[eo]|[Rr]eside(?:nte)?[ ]em|"
    r"[Mm]ora(?:va)?[ ]em|[Vv]eio[ ]d[eo]|[Vv]iajou[ ]para)"
    rf"[ ](?P<n>{_CAP}(?:[ ](?:(?:do|da|de|dos|das)[ ])?{_CAP}){{0,2}})"
)
_EMPLOYER = re.compile(
    rf"\b(?:[Ee]mployer:|[Ww]ork(?:s|ed|ing)?[ ](?:at|for)(?:[ ]the)?|[Ee]mployed[ ](?:at|by)(?:[ ]the)?|"
    rf"[Rr]etired[ ]from(?:[ ]the)?|[Pp]harmacy:|[Tt]rabalh(?:a|ou|ava)[ ]n[ao])"
    rf"[ ](?P<n>{_NAME})"
)
_KNOWN = re.compile(
    r"(?<!\w)(?P<n>Johns[ ]Hopkins|Mayo[ ]Clinic|Cleveland[ ]Clinic|Mass(?:achusetts)?[ ]General|Cedars[- "
    r"]Sinai|Cedars[ ]of[ ]Lebanon|Mount[ ]Sinai|"
    r"Kaiser(?:[ ]Permanente)?|MD[ ]Anderson|Sloan[- ]Kettering|Beth[ ]Israel(?:[ ]Deaconess)?|InCor|INCA|"
    r"HCFMUSP|Unicamp|Fiocruz|Sírio[- ]Libanês)(?!\w)"
)
_NO_PLACE = re.compile(
    r"^(?:The|Her|His|This|Our|A|An|Patient|Dr|Mr|Mrs|Ms|ED|ER|ICU|OSH|Outside|Local|Home|Emergency|Nursing|"
    r"Heart|Home|Health)$"
)
_GENERIC = frozenset(
    [
        "general",
        "community",
        "memorial",
        "regional",
        "university",
        "county",
        "district",
        "teaching",
        "medical",
        "reference",
        "family",
        "public",
        "private",
        "children",
        "women",
        "veterans",
        "va",
        "hospital",
        "clinic",
        "center",
        "centre",
        "health",
        "pharmacy",
        "laboratory",
        "lab",
        "labs",
        "imaging",
        "nursing",
        "home",
        "school",
        "college",
        "outside",
        "local",
        "pain",
        "wound",
        "cardiology",
        "oncology",
        "surgery",
        "primary",
        "care",
        "urgent",
        "emergency",
        "diabetes",
        "eye",
        "dental",
        "heart",
        "failure",
        "foot",
        "fracture",
        "sleep",
        "memory",
        "stroke",
        "outpatient",
        "inpatient",
        "day",
        "acute",
        "intensive",
        "rehab",
        "rehabilitation",
        "cancer",
        "dialysis",
        "infusion",
        "vascular",
        "vein",
        "anticoagulation",
        "antenatal",
        "prenatal",
        "the",
        "of",
        "and",
        "for",
        "at",
        "in",
        "dr",
        "discharge",
        "retail",
        "mail",
        "order",
        "specialty",
        "central",
        "main",
        "chemistry",
        "hematology",
        "haematology",
        "microbiology",
        "blood",
        "bank",
        "electrolytes",
        "coumadin",
        "warfarin",
        "new",
        "medicare",
        "medicaid",
        "life",
        "travel",
        "house",
        "group",
        "ambulatory",
        "drug",
        "illicit",
        "street",
        "iv",
    ]
)
_COUNTRIES = frozenset(
    [
        "usa",
        "us",
        "u.s.",
        "america",
        "canada",
        "mexico",
        "brazil",
        "brasil",
        "portugal",
        "spain",
        "france",
        "germany",
        "italy",
        "england",
        "scotland",
        "ireland",
        "wales",
        "india",
        "china",
        "japan",
        "korea",
        "vietnam",
        "russia",
        "ukraine",
        "poland",
        "sweden",
        "norway",
        "denmark",
        "finland",
        "ghana",
        "nigeria",
        "kenya",
        "egypt",
        "ethiopia",
        "somalia",
        "syria",
        "iraq",
        "iran",
        "turkey",
        "greece",
        "cuba",
        "haiti",
        "jamaica",
        "colombia",
        "venezuela",
        "peru",
        "chile",
        "argentina",
        "bolivia",
        "ecuador",
        "australia",
        "africa",
        "europe",
        "asia",
        "home",
        "work",
        "bed",
        "er",
        "ed",
        "icu",
        "osh",
        "snf",
        "ohio",
        "texas",
        "california",
        "florida",
        "nevada",
        "oregon",
        "arizona",
        "michigan",
        "illinois",
        "georgia",
        "virginia",
        "iowa",
        "kansas",
    ]
)


def find_places(text: str) -> Iterator[Mention]:
    """Named facilities, firms and towns. What only says the kind of a place (`Heart Failure Clinic`) is none."""
    for pattern in (_FACILITY, _CAPITALS, _OF, _PORTUGUESE, _PT_UNIT, _EMPLOYER, _KNOWN):
        for found in pattern.finditer(text):
            start, end = found.span("n")
            if pattern not in (_PORTUGUESE, _PT_UNIT):
                start, end = _without_lead(text, start, end)
            if start < end and not _is_generic(text[start:end]):
                yield Mention(start, end, "place")
    for pattern in (_TOWN_STATE, _TOWN):
        for found in pattern.finditer(text):
            words = found["n"].lower().split()
            if not (set(words) & _COUNTRIES) and not all(is_word(w) for w in words):
                yield Mention(*found.span("n"), "place")


def _without_lead(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave a first word out that only begins the sentence (`The`, `From`)."""
    while start < end:
        word = re.match(r"\S+", text[start:end])
        if (
            word is None
            or not (_NO_PLACE.match(word.group()) or is_word(word.group().lower()))
            or word.end() == end - start
        ):
            return start, end
        if word.group().lower() in _GENERIC and not _NO_PLACE.match(word.group()):
            return start, end
        start += word.end() + 1
    return start, end


def _is_generic(name: str) -> bool:
    words = re.findall(r"[^\W\d_]+", name.lower())
    return all(word in _GENERIC or is_word(word) for word in words if word not in ("s", "de", "da", "do"))
