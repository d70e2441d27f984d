"""What stands beside a person's name in a note: titles, labels, relations, degrees, signatures, header lines."""

from __future__ import annotations

import re
from typing import Final

from chartcite.deid.name_reader import INITIALS, WORD

_LEFT = r"(?<![\w.'’-])"
TITLE: Final = re.compile(
    rf"{_LEFT}(?:(?i:drs?|dra|mrs?|ms|mx|miss|doctor|prof|professora?|sra?|srta|sor|enf|téc|dona|"
    rf"doña)\b(?:\([ao]\))?\.?"
    rf"|(?:Sister|Rev(?:erend)?|Rabbi|Judge|Capt|Sgt|Deacon|Frei|Doutora?)\b\.?)"
    rf"(?:[ ]?(?:and|&|e)[ ](?:Mrs|Ms|Dr|Sra)\b\.?)?(?:[ ](?:Dr|Enf|Prof|med)\b\.?)?[ ]{{0,2}}(?=[A-ZÀ-Þ]|"
    rf"(?:(?:van|von|der|den|de|da|do|dos|del|di|la|el|al|ter|ten)[ ])+[A-Z])"
)
_RELATION: Final = (
    r"(?:wife|husband|sons?|daughters?|mother|father|brothers?|sisters?|partner|spouse|niece|nephew|aunt|uncle|"
    r"cousin|grandson|granddaughter|"
    r"grandmother|grandfather|grandma|grandpa|stepmother|stepfather|stepson|stepdaughter|friend|neighbou?r|"
    r"caregiver|caretaker|carer|guardian|roommate|girlfriend|boyfriend|"
    r"fianc[ée]e?|mom|mum|dad|twin|child(?:ren)?|boys?|girls?|kids|next[ ]of[ ]kin|proxy|"
    r"espos[oa]|marido|mulher|filh[oa]s?|mãe|pai|irmãos?|irmãs?|net[oa]s?|sobrinh[oa]|cuidador[a]?|nora|genro|"
    r"av[óô]|ti[oa]|prim[oa]|vizinh[oa]|companheir[oa]|namorad[oa]|sogr[oa])"
)
RELATION: Final = re.compile(
    rf"\b(?i:{_RELATION})(?:-in-law)?(?:['’]s[ ]name)?(?:[ ](?:is|named|called|chamad[oa]))?[ ]?(?:[,(:–-][ "
    rf"]?)?(?={WORD})"
)
RELATION_AFTER: Final = re.compile(
    rf"(?P<n>{WORD}(?:[ ]{WORD}){{0,2}})(?:,[ ]|[ ]\()(?:(?:the[ ]patient['’]s|her|his|their|a|an|the|su?a|o|"
    rf"seu)[ ])?(?i:(?:younger|older|adult|eldest|maternal|paternal)[ ])?{_RELATION}\b"
)
_PEOPLE: Final = (
    r"nurse|midwife|pastor|father|padre|imam|captain|officer|seu|irmã|surgeon|physician|therapist|psychologist|"
    r"psychiatrist|social[ ]worker|case[ ]manager|interpreter|translator|pharmacist|chaplain|"
    r"cardiologist|neurologist|nephrologist|urologist|oncologist|pathologist|radiologist|podiatrist|"
    r"dermatologist|endocrinologist|"
    r"gastroenterologist|pulmonologist|hematologist|haematologist|rheumatologist|an(?:a)?esthesiologist|"
    r"anaesthetist|hospitalist|internist|pediatrician|paediatrician|dentist|"
    r"optometrist|ophthalmologist|dietitian|dietician|nutritionist|paramedic|midwives|obstetrician|"
    r"gyn(?:a)?ecologist|OB|PCP|GP|attending|resident|intern|fellow|"
    r"enfermeir[oa]|médic[oa]|nutricionista|fisioterapeuta|psicólog[oa]|assistente[ ]social|cardiologista|"
    r"cirurgi[ãa]o?|fonoaudiólog[oa]|técnic[oa]|anestesista|residente|plantonista"
)
PROFESSION: Final = re.compile(
    rf"\b(?i:{_PEOPLE})(?:[ ](?:is|was|named|de[ ]plantão))?[ ]?(?:[,:(][ ]?)?(?={WORD}|{INITIALS})"
)
LABEL: Final = re.compile(
    r"(?:^|(?<=[\s|;(]))(?i:patient(?:[ ]name)?|pt|name|full[ ]name|nome(?:[ ](?:do|da)[ ]paciente)?|paciente|"
    r"re|regarding|attending(?:[ ]physician)?|pcp|gp|provider|author|"
    r"(?:electronically[ ])?signed(?:[ ]by)?|assinado(?:[ ]por)?|dictated(?:[ ]by)?|transcribed(?:[ ]by)?|"
    r"reviewed(?:[ ]by)?|prepared(?:[ ]by)?|entered[ ]by|seen[ ]by|performed[ ]by|read[ ]by|reported[ ]by|"
    r"interpreted[ ]by|"
    r"verified[ ]by|cosigned[ ]by|referred[ ]by|referring(?:[ ](?:physician|provider|md))?|requested[ ]by|"
    r"ordered[ ]by|ordering(?:[ ](?:physician|provider|md))?|surgeon|first[ ]assistant|assistant|operator|"
    r"an(?:a)?esthesia(?:[ ]by)?|anesthesiologist|"
    r"hospitalist|nurse|midwife|radiologist|pathologist|consultant|physician|cc|c/c|(?:emergency[ ])?contact|"
    r"next[ ]of[ ]kin|nok|guardian|informant|hcp|poa|agent|interpreter|prescriber|recorded[ ]by|"
    r"respons[áa]vel|médic[oa](?:[ ](?:assistente|solicitante|respons[áa]vel))?|solicitante|enfermeir[oa]|"
    r"cirurgi[ãa]o|anestesista|auxiliar|acompanhante|mãe|pai|contato|ao|à)"
    r"(?:[ ]?:|[ ]?-(?=[ ])|(?<=[ ]by)|(?<=[ ]por))[ \t]*(?=[A-ZÀ-Þ])",
    re.MULTILINE,
)
DEGREE: Final = re.compile(
    r"(?P<sep>,?[ ]{1,2})(?:M\.?D|D\.O|DO|R\.?N|N\.?P|F\.?N\.?P|APRN|ARNP|PA-?C|PA|Ph\.?D|Pharm\.?D|PharmD|LPN|"
    r"LVN|BSN|MSN|CRNA|CNM|CNS|MSW|LCSW|LICSW|PT|DPT|OT|OTR|RD|SLP|"
    r"DPM|DDS|DMD|FACC|FACS|FACP|FRCP|FRCS|MRCP|MBBS|MBChB|MB|BM|CRM|COREN|CRF|EMT(?:-P)?|M\.A|MA|MS|III?|Jr|"
    r"Sr)\b\.?(?![\w-])"
)
NAME_BEFORE: Final = re.compile(
    rf"(?:(?:{INITIALS}|[A-Z](?=[ ]))[ ]?)*{WORD}(?:[ ](?:(?:{INITIALS}|[A-Z](?=[ ]))[ ]?)*(?:(?:van|von|der|"
    rf"den|de|da|dos|del|di|la|el|al)[ ])*{WORD}){{0,3}}(?:,[ ](?:{INITIALS}|{WORD}))?$"
)
SALUTATION: Final = re.compile(
    r"(?:^|\n)[ \t]*(?:Dear|Prezad[oa]|Car[oa]|Hi|Hello|Ilm[oa]\.?|Exm[oa]\.?)[ ](?=[A-ZÀ-Þ])|"
    r"\b(?:Sincerely(?:[ ]yours)?|Yours[ ](?:sincerely|truly|faithfully)|(?:Kind|Best|Warm)?[ ]?[Rr]egards|"
    r"Atenciosamente|Cordialmente|Respectfully|Thank[ ]you|Obrigad[oa]),?[ ]*\n?[ ]*(?=[A-ZÀ-Þ])"
)
SLASHED: Final = re.compile(r"(?:^|\n|[ ]{2})[ \t]{0,9}(?:/{1,2}|--{1,9}|—)[ ]?(?=[A-ZÀ-Þ])")
TITLED_BRACKET: Final = re.compile(
    rf"{_LEFT}(?i:drs?|dra|mrs?|ms|miss|doctor|prof|nurse|sra?|srta)\b\.?[ ]?(?:<|\[\*\*)[ ]?(?=[A-ZÀ-Þ])"
)
BRACKETED: Final = re.compile(rf"(?:<|\[\*\*)[ ]?(?P<n>{WORD}(?:[ ]{WORD}){{0,3}})[ ]?(?:>|\*\*\])")
CALLED: Final = re.compile(
    rf"\b(?:(?:prefers|likes|asks|wishes)[ ]to[ ]be[ ]called|goes[ ]by|known[ ]as|nicknamed|named|identif(?:y|"
    rf"ies|ied)[ ]as|chamad[oa]|conhecid[oa][ ]como|wristband[ ]?\(?|band[ ]says|chart[ ]says|name[ ]is|"
    rf"(?:[Dd]/[Ww]|[Dd]iscussed[ ]with|[Ss](?:poke|peaking)[ ](?:with|to)|[Aa]sk[ ]for|[Rr]ecado[ ]com|"
    rf"[Dd]iscutido[ ]com|[Cc]onsent(?:ed)?[ ](?:obtained[ ])?(?:from|by)))[ ]?(?={WORD}|{INITIALS})"
)
WEAK: Final = re.compile(
    rf"\b(?i:by|with|from|per|to|for|and|w/|call(?:ed)?|spoke[ ]with|said|told|asked|interviewed|informed|"
    rf"notified|contact|por|pel[oa]|com|para|d[aeo]|agradeço|d/w)[ ](?={WORD})"
)
SPEAKS: Final = re.compile(
    r"[ ](?:complains?|complained|reports?|reported|denies|denied|states|stated|says|said|is|was|has|had|will|"
    r"feels?|felt|called|calls|presents|presented|wants|asks|asked|thinks|remains|tolerated|helps?|lives|takes|"
    r"refere|nega|relata|informa|evolui|apresenta|dormiu)\b|,[ ](?:her|his|the|who|an?|age[d]?)\b"
)
HEADER_LINE: Final = re.compile(
    rf"^[ \t]*(?P<n>{WORD},[ ](?:{WORD}|{INITIALS}|[A-Z])(?:[ ](?:{WORD}|{INITIALS}|[A-Z]\b)){{0,2}})(?=[ "
    rf"]{{2,}}|\t|[ ]*\||[ ]*[-–(]|,?[ ]+\d{{1,3}}[ ]?(?:[MF]\b|y)|,?[ ]*(?:DOB|born|MRN)|[ ]*$)"
    rf"|^[ \t]*(?P<n2>(?:{INITIALS}[ ]?)?{WORD}(?:[ ](?:{INITIALS}[ ]?|{WORD})){{0,3}})(?=,?[ ]+\(?(?:born\b|"
    rf"DOB|MRN|d\.o\.b|nasc|aged?[ ]\d|\d{{1,3}}[ -]?(?:[MF]\b|y\b|y/?o\b|years?\b|anos\b|yo[MF]?\b))|,[ "
    rf"]\d{{1,3}}[ ]*(?:$|,))",
    re.MULTILINE,
)
IS_OF_AGE: Final = re.compile(
    rf"(?P<n>{WORD}(?:[ ]{WORD}){{0,3}})(?=[ ](?:is|was)[ ]an?[ ](?:\w+[ ]){{0,2}}?\d{{1,3}}[ -]?(?:year|yr|"
    rf"week|month|day|y\.?o)|,[ ](?:an?[ ])?(?:aged?[ ]\d|\d{{1,3}}[ -]?(?:years?|yr|anos|y\.?o\b|y/o)))"
)
AFTER_EPONYM: Final = re.compile(
    r"(?:['’]s)?(?:[ -](?:and|or|&)?[ ]?[A-Z][\w'’-]{0,30})?[ -](?:disease|syndrome|sign|test|score|scale|criteria|"
    r"index|equation|formula|tube|catheter|cannula|procedure|operation|fracture|lymphoma|"
    r"sarcoma|tumou?r|palsy|paralysis|stain|maneuver|manoeuvre|classification|grade|grading|stage|staging|"
    r"phenomenon|thyroiditis|o?esophagus|tear|drain|clamp|line|pouch|position|reflex|block|stricture|"
    r"hernia|cysts?|nodes?|ring|body|bodies|cells?|factor|contracture|ulcer|chorea|dementia|ataxia|aphasia|"
    r"encephalopathy|purpura|granulomatosis|nephritis|monitor|loop|pump|bag|forceps|retractor|scissors|"
    r"suture|staple|graft|shunt|valve|stent|wire|screw|plate|rod|nail|splint|cast|dressing|bandage|collar|boot|"
    r"walker|nebulizer|inhaler|protocol|regimen|diet|program|method|technique|rules?|tests?|signs?|anemia|"
    r"lesion|spots?|lines|nails|node|hematoma|abscess|gland|duct|triangle|point|canal|ligament|muscle|membrane|"
    r"virus|bacillus|filter|score:|negative|positive|absent|present|stable|intact|steady|excluded|negativo|"
    r"positivo|ausente|phenomena|myocarditis|otr?opia|angle|line|level|units?|biplane|respirations?|breathing|"
    r"pulse)\b",
)
BEFORE_EPONYM: Final = re.compile(
    r"\b(?:doença|síndrome|sinal|escala|teste|manobra|mal|tumor|linfoma|sarcoma|esôfago|índice|critérios?|"
    r"classificação|tireoidite|sonda|fratura|paralisia|score|grade|stage|escore|cateter|hérnia|fenômeno|reação|"
    r"cirurgia|prova)[ ](?:de[ ]|do[ ]|da[ ])?(?:[\w-]+[ ]de[ ])?$",
    re.IGNORECASE,
)
