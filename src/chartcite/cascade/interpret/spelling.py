"""Misspelt words of a question, read as words that the partition has. What was read otherwise is said in the answer.

A word is left alone if the partition or a word list has it, if it is short, holds a digit or is a name. Where a wrong
reading could turn the sense it is left as well: another drug, another beginning (`hyper-`, `hypo-`), a word that ends
like a disease or an operation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chartcite.cascade.interpret.cues import Cues
from chartcite.cascade.interpret.medical import is_disease_site_or_drug, is_listed
from chartcite.cascade.interpret.vocabulary import Vocabulary
from chartcite.facts.drugs import generic_name
from chartcite.facts.tokens import fold

LEAST_CHARS = 6
TWO_EDITS_CHARS = 8
SURE_CHARS = (8, 12)
"""Letters from which one edit, two edits are allowed towards a word that is in no list."""

MOST_LOOKED_UP = 40
"""Words of one question that are looked for among the partition's; the rest of a very long text stays as it is."""
_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?:['’]s)?(?![\w'’])")
_TITLE = re.compile(r"\b(?:mr|mrs|ms|miss|dr|dra|sr|sra|prof)\.? $", re.IGNORECASE)
_OPPOSED = (
    ("hyper", "hypo"), ("intra", "inter"), ("pre", "post"), ("ante", "post"), ("macro", "micro"), ("ab", "ad"),
    ("anti", "ante"), ("anti", "auto"), ("endo", "exo"), ("bi", "tri"), ("mono", "poly"), ("in", "un"), ("pro", "per"),
    ("supra", "infra"), ("super", "supra"), ("iso", "aniso"), ("re", "de"),
)  # fmt: skip
# A word with the ending of a disease, symptom or operation is a word in its own right: ureteritis is no urethritis.
_OWN_RIGHT = re.compile(
    r"(?:ectomy|ostomy|otomy|plasty|pexy|desis|tripsy|centesis|scopy|graphy|gram|pnea|pnoea|phagia|phasia|rrhea|rrhage"
    r"|lysis|stasis|malacia|megaly|itis|osis|oses|emia|uria|pathy|penia|philia|cytosis|algia|plegia|paresis|oma"
    r"|ectomia|ostomia|otomia|plastia|ite|ose|patia)s?$"
)
_DRUG_ENDING = re.compile(
    r"(olol|pril|sartan|statin|mab|nib|cillin|mycin|azole|azine|idine|zepam|ine|ene|ane|one|ide|ate|ase)s?$"
)
_CLOSE_ENDINGS = frozenset({"", "ine", "ene", "one", "ide", "ane", "ate"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A word as written, and as it was read."""

    written: str
    read: str


def respell(text: str, vocabulary: Vocabulary, cues: Cues, most_edits: int = 2) -> tuple[str, tuple[Reading, ...]]:
    """The text with its misspelt words replaced, and what was replaced, each word once, in the text's order."""
    found: dict[str, Reading] = {}
    names = [match.span("name") for match in cues.named.finditer(text)]
    left = MOST_LOOKED_UP

    def corrected(match: re.Match[str]) -> str:
        nonlocal left
        written, key, at = match[0], fold(match[0]), match.start()
        if key not in found:
            is_name = any(start <= at < end for start, end in names) or _TITLE.search(text[max(at - 8, 0) : at])
            unsure = left > 0 and not is_name and _is_unsure(key, vocabulary, cues)
            left -= unsure
            found[key] = Reading(written, _reading(written, vocabulary, most_edits) if unsure else written)
        return _cased(found[key].read, written)

    new = _WORD.sub(corrected, text)
    return new, tuple(r for r in found.values() if fold(r.read) != fold(r.written))


def _is_unsure(folded: str, vocabulary: Vocabulary, cues: Cues) -> bool:
    """Whether nothing knows a word that is long enough to be judged."""
    if len(folded) < LEAST_CHARS or folded in cues.generic or folded in cues.everyday or cues.intent.match(folded):
        return False
    return not is_listed(folded) and not vocabulary.has(folded)


def _reading(written: str, vocabulary: Vocabulary, most_edits: int) -> str:
    near = [pair for pair in vocabulary.nearest(fold(written), LEAST_CHARS, TWO_EDITS_CHARS) if pair[0] <= most_edits]
    if not near:
        return written
    edits, best = near[0]
    rivals = [word for distance, word in near if distance == edits]
    return best if _may_stand_for(fold(written), best, edits, rivals) else written


def _may_stand_for(written: str, read: str, edits: int, rivals: list[str]) -> bool:
    target = fold(read)
    least = SURE_CHARS[edits - 1] if not is_disease_site_or_drug(target) else 0
    if _only_inflected(written, target) or len(written) < least:
        return False  # an unlisted word that is no misspelling is more likely than a misspelt everyday word
    drugs = {generic_name(word) for word in rivals} - {None}
    if drugs and (edits > 1 or len(drugs) > 1 or len(rivals) > 1):
        return False  # which drug was meant must be beyond doubt
    return not _turns(written, target)


def _only_inflected(one: str, other: str) -> bool:
    """Whether two words differ in their last letter or what follows it: `patience` and `patient`."""
    return one[: min(len(one), len(other)) - 1] == other[: min(len(one), len(other)) - 1]


def _turns(written: str, read: str) -> bool:
    """Whether two words differ by a part that changes what they mean."""
    for one, other in _OPPOSED:
        for a, b in ((one, other), (other, one)):
            if written.startswith(a) and read.startswith(b) and not written.startswith(b) and not read.startswith(a):
                return True
    if _OWN_RIGHT.search(written):
        return True
    endings = [match[1] if (match := _DRUG_ENDING.search(word)) else "" for word in (written, read)]
    return bool(endings[0]) and endings[0] != endings[1] and not set(endings) <= _CLOSE_ENDINGS


def _cased(read: str, written: str) -> str:
    if read == written or fold(read) == fold(written):
        return written
    if written.isupper() and len(written) > 1:
        return read.upper()
    return read[:1].upper() + read[1:] if written[:1].isupper() else read
