"""What a sentence asserts about each of its words: affirmed, negated, possible, past, hypothetical, the family's.

ConText's idea (Harkema et al. 2009: cues, directions, ends of scope) with our own cues (`data/assertion_cues.tsv`) and
two more answers than yes and no: `neutral` (a place or a test inside a negation, `no pneumonia on CXR`) and `doubtful`
(the rules cannot tell), which a checker treats as a mismatch with everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.scopes import back_scope, forward_scope
from chartcite.facts.tokens import Token, fold

Polarity = Literal["affirmed", "negated", "neutral", "doubtful"]
CueKind = Literal["negation", "possible", "historical", "family", "hypothetical", "end", "doubtful", "affirm"]


@dataclass(frozen=True, slots=True)
class Status:
    """How a word is asserted."""

    polarity: Polarity = "affirmed"
    is_possible: bool = False
    is_historical: bool = False
    is_family: bool = False
    is_hypothetical: bool = False


PLAIN = Status()


class Cue(NamedTuple):
    """A cue: tokens `[first, last)`; `speaks` when its own words still say something (`father`, `resolved`)."""

    kind: CueKind
    direction: str
    first: int
    last: int
    speaks: bool
    words: str


@dataclass(frozen=True, slots=True)
class Assertions:
    """Cues of a sentence, the tokens that each one governs, and one status for each token."""

    cues: tuple[Cue, ...]
    scopes: tuple[tuple[int, ...], ...]
    statuses: tuple[Status, ...]


class _Row(NamedTuple):
    """One line of the list of cues."""

    words: tuple[str, ...]
    kind: CueKind
    direction: str
    speaks: bool


class _Cues(NamedTuple):
    """The rows by all their words; by first word the lengths that occur, longest first."""

    rows: dict[tuple[str, ...], list[_Row]]
    lengths: dict[str, tuple[int, ...]]


@lru_cache(maxsize=1)
def _cue_table() -> _Cues:
    rows: dict[tuple[str, ...], list[_Row]] = {}
    for kind, direction, words, *flag in read_rows(FACTS, "assertion_cues.tsv"):
        parts = tuple(fold(word) for word in words.replace("-", " ").split()) if "(" not in words else (words,)
        rows.setdefault(parts, []).append(_Row(parts, kind, direction, bool(flag)))  # type: ignore[arg-type]
    lengths: dict[str, set[int]] = {}
    for parts in rows:
        lengths.setdefault(parts[0], set()).add(len(parts))
    return _Cues(rows, {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()})


def read_assertions(tokens: Sequence[Token]) -> Assertions:
    """Find the cues of one sentence and what they govern. Quantities should have been taken out of `tokens`."""
    cues = tuple(_find_cues(tokens))
    statuses = [PLAIN] * len(tokens)
    scopes = tuple(_apply(cue, n, cues, tokens, statuses) for n, cue in enumerate(cues))
    return Assertions(cues, scopes, tuple(statuses))


def _find_cues(tokens: Sequence[Token]) -> list[Cue]:
    texts = tuple(token.text for token in tokens)
    cues: list[Cue] = []
    i = 0
    while i < len(tokens):
        rows = _rows_at(texts, i)
        length = len(rows[0].words) if rows else 1
        if rows and _counts(tokens, i, i + length, rows[0].kind):
            cues.append(_settle(tokens, i, length, rows, cues))
        i += length
    return _cancelled(cues, tokens)


_ABSENCES = frozenset(("free of", "free from", "without", "lacking", "lacks", "lack", "devoid of", "clear of"))
_DENIERS = frozenset(("neither", "neither of", "none of", "no"))


def _cancelled(cues: list[Cue], tokens: Sequence[Token]) -> list[Cue]:
    """`Neither elbow is free of plaques`, `is not free of` say that there are plaques: the two deny each other."""
    out = list(cues)
    for n, second in enumerate(out):
        if second.words not in _ABSENCES or second.first == 0:
            continue
        first = next((i for i in range(n - 1, -1, -1) if out[i].kind != "end"), None)
        if first is None or out[first].kind != "negation" or out[first].direction not in ("pre", "around"):
            continue
        between = [t.text for t in tokens[out[first].last : second.first]]
        is_direct = out[first].words.split()[-1] in _NOTS and all(word in _BETWEEN for word in between)
        is_subject = out[first].words in _DENIERS and bool(between) and between[-1] in _WAS | _BETWEEN
        if (is_direct or is_subject) and _APART.isdisjoint(between):
            for i in (first, n):
                out[i] = out[i]._replace(kind="affirm", speaks=False)
    return out


_BETWEEN = word_set("been be entirely completely fully totally is was gone go leave left remained remain yet")


def _rows_at(texts: tuple[str, ...], at: int) -> list[_Row]:
    """The rows of the longest cue that starts at a token."""
    table, word = _cue_table(), texts[at]
    for length in table.lengths.get(word, ()):
        found = table.rows.get(texts[at : at + length])
        if found:
            return found
    # "The father's aneurysm": a relative's word counts in the genitive too.
    relatives = table.rows.get((word[:-2],), []) if word.endswith("'s") else []
    return [row for row in relatives if row.kind == "family"]


def _counts(tokens: Sequence[Token], at: int, last: int, kind: CueKind) -> bool:
    token = tokens[at]
    if token.text == "?":
        # "?PE" and "? PE" at the start ask, and so does "PE?" that ends a line.
        follows = at + 1 < len(tokens)
        return (at > 0 and _closes_question(tokens, at)) or (follows and (at == 0 or tokens[at + 1].start == token.end))
    after = tokens[last].text if last < len(tokens) else ""
    if kind == "family":
        # "On his mother's side" only says which grandmother is meant.
        return after != "side" and _is_experiencer(tokens, at)
    if _is_other_sense(tokens, at, after):
        return False
    ends_in_past = tokens[last - 1].text in ("past", "previous", "prior")
    if kind == "historical" and ends_in_past and (after in _PERIODS or not after.isprintable()):
        return False  # "in the past 24 h" reaches to the present
    if token.text == "free" and last == at + 1:
        return _is_suffix(tokens, at)
    return token.text != "could" or _doubts(tokens, at, last, after)


def _doubts(tokens: Sequence[Token], at: int, last: int, after: str) -> bool:
    """`Could move the feet` and `could be felt` tell what was possible, `could be pneumonia` what is thought."""
    if "be" in (after, tokens[last - 1].text):
        behind = tokens[last + (after == "be") : last + 4]
        return next((t.text for t in behind if not t.text.endswith("ly")), "") not in _FELT
    return last > at + 1 or after in _EPISTEMIC


_AMOUNT = "\x00"
_FELT = word_set(
    "felt seen heard palpated moved straightened extended flexed passed removed inserted weaned extubated reduced "
    "lifted raised bent performed placed reached aroused roused woken discharged transferred elicited"
)
_COMPARES = word_set(
    "last prior previous prev yesterday baseline admission initial hourly daily weekly normal usual old today preop "
    "before"
)
_BETTER = word_set("improved worse better bigger smaller larger increased decreased higher lower more less up down")
_SIDES = word_set("r l right left rt lt the on")
# "Net negative", "coagulase-negative": a part of the name.
_NAMED_NEGATIVE = word_set("net gram coagulase rh rhesus double triple o a b ab d weekly fluid")


def _is_other_sense(tokens: Sequence[Token], at: int, after: str) -> bool:
    """Words that read like a cue and are none here: `infusion no. 24`, `88 kg vs 92 kg`, `since May`, `3 h old`."""
    word, before = tokens[at].text, tokens[at - 1].text if at else ""
    if word in ("vs", "versus"):
        return _compares(tokens, at)
    if word == "no" and after == ".":
        return at + 2 < len(tokens) and tokens[at + 2].text == _AMOUNT
    if word == "may":
        return before in _BEFORE_MONTHS and (not after or tokens[at + 1].is_mark or after in ("and", _AMOUNT))
    if word in ("due", "is"):
        # "Is due to hepatitis", but "is due to start".
        own = at + (word == "is")
        return own < len(tokens) and tokens[own].text == "due" and after == "to"
    return before in _NO_CUE_AFTER.get(word, ())


def _compares(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1].text if at else ""
    ahead = next((t.text for t in tokens[at + 1 :] if t.text not in _SIDES | {"."}), "")
    is_better = not _BETTER.isdisjoint(t.text for t in tokens[max(0, at - 2) : at])
    return _AMOUNT in (before, ahead) or ahead in _COMPARES or is_better


_BEFORE_MONTHS = word_set("since in of last until from by early late mid this next through")
_WAS = word_set("is was are were be been being")
# "Was used to remove it", "had to be converted", "margins free", "given for prophylaxis".
_NO_CUE_AFTER = {
    "negative": _NAMED_NEGATIVE,
    "neg": _NAMED_NEGATIVE,
    "used": _WAS,
    "to": word_set("had"),
    "old": frozenset((_AMOUNT,)),
    "free": word_set("margins margin edges"),
    "prophylaxis": word_set("for as dvt vte"),
}


def _closes_question(tokens: Sequence[Token], at: int) -> bool:
    is_hung_on = tokens[at - 1].end == tokens[at].start
    return is_hung_on and all(token.text in (".", ")") for token in tokens[at + 1 :])


_PERIODS = word_set(
    "day days night nights week weeks month months year years hour hours minute minutes h hr hrs decade two three "
    "four five six seven eight nine ten few several couple"
)
_EPISTEMIC = word_set(
    "be have represent reflect indicate suggest mean relate explain cause account correspond signify also not "
    "still conceivably potentially possibly well"
)
_FREE_THINGS = word_set("air fluid gas water text flap t4 t3 thyroxine testosterone light kappa lambda psa of from")
_NOT_FREED = word_set(
    "is are was were be been being now the a an with and or for to of from currently remains remained"
)


def _is_suffix(tokens: Sequence[Token], at: int) -> bool:
    """`Seizure free` denies seizures; `free air` and `is free of` are other things."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[at - 1] if at else None
    return before is not None and not before.is_mark and before.text not in _NOT_FREED and after not in _FREE_THINGS


_INFORMS = word_set(
    "reports reported states stated says said notes noted called denies brought feels thinks witnessed found saw "
    "confirms confirmed describes described calls calling phoned phones asks asked told advised concerned worried "
    "took brings gave gives helps lives seen sees hears heard taught "
    "present bedside informed instructed updated counselled counseled educated "
    "consented shown taught reminded aware agrees agreed requests requested wishes wants notices noticed observed "
    "mentions mentioned recalls recalled accompanied accompanies interprets interpreted hcp proxy poa guardian "
    "nok healthcare surrogate caregiver carer interpreter informant provides provided insists understands holds"
)
_BE = word_set("is was are were has have been being also at will to")
_OF_WHOM = word_set(
    "his her the their a my our one patient's pt's patients' maternal paternal late older younger elder eldest "
    "oldest youngest identical twin half full only own"
)


def _is_experiencer(tokens: Sequence[Token], at: int) -> bool:
    """A relative who tells, is told or accompanies is not the one who has the finding."""
    before = _head(tokens, at)
    after = [t.text for t in tokens[at + 1 : at + 6]]
    if after[:1] == [","]:
        after = after[1:]
        if after[:1] not in (["who"], ["whose"]):
            after = []
    if after[:1] in (["who"], ["whose"]):
        return True
    if before in ("by", "with", "from", "per", "to", "via"):
        return False
    if before in _TAUGHT or _is_count_of_children(tokens, at):
        return False
    verb = next((word for word in after if word not in _BE), "")
    is_passive = bool(after) and (after[0] in ("is", "was", "were", "are") or after[:2] == ["has", "been"])
    if verb in (_INFORMS - _OF_FINDINGS if is_passive else _INFORMS):
        return verb in _TELLS and _is_contrasted(tokens, at)
    return True


_TAUGHT = word_set("taught told informed called advised instructed educated counseled counselled updated reassured")
_OFFSPRING = word_set("children kids sons daughters siblings brothers sisters")


def _is_count_of_children(tokens: Sequence[Token], at: int) -> bool:
    """`Married, 3 children, works as a welder`: nothing is said of the children; `twin A` is the patient."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else "."
    if tokens[at].text == "twin":
        return after in ("a", "b") or after == _AMOUNT
    return tokens[at].text in _OFFSPRING and tokens[at - 1].text == _AMOUNT and at > 0 and after in ",.;)"


_OF_FINDINGS = word_set("reported stated said noted found described confirmed observed noticed mentioned")
_TELLS = word_set("reports reported states stated says said")


def _is_contrasted(tokens: Sequence[Token], at: int) -> bool:
    """`Wife reports she has the flu; patient himself tested negative`: the wife speaks of herself."""
    texts = [t.text for t in tokens[at + 1 :]]
    return bool({"she", "he"} & set(texts[1:3])) and bool({"himself", "herself"} & set(texts))


def _head(tokens: Sequence[Token], at: int) -> str:
    """The word before a relative and what describes him."""
    i = at - 1
    while i > 0 and tokens[i].text in _OF_WHOM:
        i -= 1
    return tokens[i].text if i >= 0 else ""


_WHO = word_set("pt patient the she he they her his mother father parents family a and paciente o")


def _settle(
    tokens: Sequence[Token],
    at: int,
    length: int,
    rows: list[_Row],
    earlier: Sequence[Cue],
) -> Cue:
    """Choose the direction of a cue that can have two."""
    words, kind, direction, speaks = rows[0]
    directions = {row[2] for row in rows} if len(rows) > 1 else {direction}
    if words in (("negative",), ("neg",)):
        direction = _of_a_result(tokens, at)
    elif directions > {"pre"} or direction == "both":
        before = (tokens[i].text for i in back_scope(tokens, at, earlier))
        # "Pt refused ceftriaxone": who refuses is not what is refused.
        direction = "post" if any(word not in _WHO for word in before) else "pre"
    last = at + length
    ends = words not in (("negative",), ("neg",)) and (last == len(tokens) or tokens[last].text in (".", ";", ",", ")"))
    if kind == "negation" and direction == "pre" and ends and at:
        # `Blood transfusion: No` and `his sister is not` deny what stands before.
        direction = "answer" if tokens[at - 1].text in (":", "?", "-", "–") else "post"
    if kind == "family" and _follows_in(tokens, at):
        direction = "post"
    if kind == "negation" and direction == "pre" and words[-1] in _NOTS and _existence(tokens, last):
        direction = "around"
    if words == ("?",) and at and _closes_question(tokens, at):
        direction = "post"
    if words in (("versus",), ("vs",)):
        direction = "sides"
    if words == ("may", "be") and last < len(tokens) and tokens[last].text in _LET:
        kind = "hypothetical"
    if words == ("may",) and last < len(tokens) and tokens[last].text in _PERMITTED:
        kind = "hypothetical"
    return Cue(kind, direction, at, last, speaks, " ".join(words))


_NOTS = word_set(
    "not never isn't wasn't aren't weren't hasn't haven't hadn't doesn't don't didn't won't currently yet been "
    "actually longer"
)
_EXIST = word_set(
    "seen running ongoing found given done used needed required noted detected identified present observed "
    "visualized visualised demonstrated appreciated performed obtained sent drawn taken administered indicated "
    "placed collected occurred occur happened happen recurred recur exist warranted necessary evident apparent heard "
    "felt "
    "elicited documented recorded reported available made ordered prescribed attempted carried received existent"
)
_FILLERS = word_set("been be being was were is are yet ever actually currently otherwise clearly definitely")
_AFTER_EXIST = word_set(
    "in on at by for during since with after before because until when while as to under over from and or but per "
    "within"
)
_PERMITTED = word_set(
    "remove take stop start resume restart continue return go be shower bathe swim drive eat drink bear walk use "
    "work exercise lift play travel fly wean advance discharge discontinue transfer ambulate wear sleep sit stand "
    "leave repeat increase decrease titrate crush substitute refill weightbear wbat put"
)


_LET = word_set(
    "wbat nwb weight discharged removed given started restarted resumed stopped extubated transferred used "
    "repeated up advanced weaned treated seen continued increased reduced held taken"
)


def _existence(tokens: Sequence[Token], at: int) -> int:
    """The end of a predicate that says only that something is there or done, else 0: `not [seen] on CT`.

    Its denial denies the subject, as `no` before it does; `not dilated` leaves the subject where it is.
    """
    while at < len(tokens) and tokens[at].text in _FILLERS:
        at += 1
    if at >= len(tokens) or tokens[at].text not in _EXIST:
        return 0
    is_closed = at + 1 == len(tokens) or tokens[at + 1].is_mark or tokens[at + 1].text in _AFTER_EXIST
    return at + 1 if is_closed else 0


_OPENS = word_set(", ; : . ( by with had has have a an the and but showed shows via on repeat recent")


def _of_a_result(tokens: Sequence[Token], at: int) -> str:
    """`Negative troponin` points forward, `troponin negative` back."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.text in _RESULTS:
        return "pre"
    follows = after is not None and not after.is_mark and after.text not in ("x2", "x3", "and", "on")
    return "pre" if follows and (at == 0 or tokens[at - 1].text in _OPENS) else "post"


# "From first negative culture": the adjective of what follows.
_RESULTS = word_set(
    "culture cultures test tests result results screen screening stain biopsy biopsies margin margins node nodes exam "
    "study studies titer titre pcr swab swabs smear smears imaging pressure balance drop findings"
)


def _follows_in(tokens: Sequence[Token], at: int) -> bool:
    return at > 1 and _head(tokens, at) == "in"


def _apply(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token], statuses: list[Status]) -> tuple[int, ...]:
    if cue.kind == "end":
        return ()
    if cue.kind == "affirm":
        # In "no increase in pain" the increase is denied, the pain is not.
        own = tuple(range(cue.first, cue.last)) if cue.speaks else ()
        for i in own:
            statuses[i] = replace(statuses[i], polarity="negated")
        return own
    scope = _scope(cue, n, cues, tokens)
    if cue.kind == "negation" and cue.direction == "pre" and not _NOTS.isdisjoint(cue.words.split()):
        # "The canal is not narrowed" denies the narrowing; that there is a canal it neither says nor denies.
        for i in back_scope(tokens, cue.first, cues[:n]):
            statuses[i] = _with(statuses[i], cue.kind, "neutral")
    if cue.speaks and cue.kind in ("family", "historical"):
        scope += [(i, "negated") for i in range(cue.first, cue.last)]
    for i, polarity in scope:
        statuses[i] = _with(statuses[i], cue.kind, polarity)
        if cue.kind == "negation" and _EVER & set(cue.words.split()):
            statuses[i] = replace(statuses[i], is_historical=True)
    return tuple(i for i, _ in scope)


_EVER = word_set("history hx h/o never prior previous previously past")


def _scope(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> list[tuple[int, Polarity]]:
    if cue.direction == "pre":
        return list(forward_scope(tokens, cue, cues[n + 1 :], _doubles(cue, n, cues, tokens)))
    if cue.direction == "word":
        return [(cue.first - 1, "negated")]
    if cue.direction == "around":
        subject = back_scope(tokens, cue.first, cues[:n])
        if not subject and cue.first and tokens[cue.first - 1].text in ("but", "and", ",", "mas", "e"):
            # "Considered but never given": the verb has the subject of the one before.
            comma = 1 if cue.first > 1 and tokens[cue.first - 2].text == "," else 0
            subject = back_scope(tokens, cue.first - 1 - comma, ())
        end = _existence(tokens, cue.last)
        denied: list[tuple[int, Polarity]] = [(i, "negated") for i in (*subject, *range(cue.last, end))]
        return denied + [(i, "neutral") for i in range(end, _phrase_end(tokens, end))]
    if cue.direction == "sides":
        ahead = forward_scope(tokens, cue, cues[n + 1 :], False)
        return [(i, "negated") for i in back_scope(tokens, cue.first, cues[:n])] + list(ahead)
    is_answer = cue.direction == "answer"
    # "Fever, chills and cough were denied": the plural verb has the whole list for its subject.
    before = tokens[cue.first - 1].text if cue.first else ""
    whole_list = is_answer or cue.words.startswith("were ") or before == "were"
    # "HER2 1+ (negative)": an answer in brackets is that of what stands before them.
    in_brackets = before == "(" and cue.last < len(tokens) and tokens[cue.last].text == ")"
    scope = back_scope(tokens, cue.first - (is_answer or in_brackets), cues[:n], whole_list)
    if cue.words in ("negative", "neg"):
        scope = _predicate(tokens, scope)
    found: list[tuple[int, Polarity]] = list(_denied_before(tokens, scope, cue.kind == "negation"))
    if (
        cue.kind == "negation"
        and cue.last < len(tokens)
        and tokens[cue.last].text in _AFTER_EXIST - {"and", "or", "but"}
    ):
        found += [(i, "neutral") for i in range(cue.last, _phrase_end(tokens, cue.last))]
    return found


def _denied_before(tokens: Sequence[Token], scope: range, has_places: bool) -> Iterator[tuple[int, Polarity]]:
    """Of `blood in the stool` denied is the blood, not the stool."""
    is_place = False
    for i in scope:
        is_place = has_places and (is_place or (tokens[i].text in ("in", "on", "at", "within") and i > scope.start))
        yield i, "neutral" if is_place else "negated"


def _phrase_end(tokens: Sequence[Token], at: int) -> int:
    """The end of the place or test behind a predicate: `not seen [on the scan]`."""
    while at < len(tokens) and not tokens[at].is_mark and tokens[at].text not in ("and", "but", "or", "which", "who"):
        at += 1
    return at


def _predicate(tokens: Sequence[Token], scope: range) -> range:
    """`The tumour is HER2 negative` denies HER2, not the tumour."""
    for i in range(scope.stop - 2, scope.start - 1, -1):
        if tokens[i].text in _SUBJECT_ENDS:
            return range(i + 1, scope.stop)
    return scope


# "Source patient HIV neg" denies HIV, not the patient.
_SUBJECT_ENDS = word_set("is was are were being patient pt she he")


def _doubles(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> bool:
    """Whether another negation stands right beside this one: what the two say together is not for a rule to guess."""
    if cue.kind != "negation":
        return False
    return any(
        _touch(tokens, *sorted((cue, other), key=lambda c: c.first))
        for other in (*cues[max(n - 1, 0) : n], *cues[n + 1 : n + 2])
    )


_APART = word_set(", ; : . ( ) and or e ou")


def _touch(tokens: Sequence[Token], first: Cue, second: Cue) -> bool:
    between = {t.text for t in tokens[first.last : second.first]}
    is_pair = first.kind == second.kind and "pre" == first.direction == second.direction
    return is_pair and second.first - first.last <= 1 and not between & _APART and second.words != "nor"


def _with(status: Status, kind: CueKind, polarity: Polarity) -> Status:
    if kind == "doubtful" or polarity == "doubtful":
        return replace(status, polarity="doubtful")
    if polarity == "neutral":
        return replace(status, polarity="neutral") if status.polarity == "affirmed" else status
    if kind == "negation":
        return replace(status, polarity=polarity if status.polarity in ("affirmed", "neutral") else status.polarity)
    return _FLAGS[kind](status)


_FLAGS: dict[str, Callable[[Status], Status]] = {
    "possible": lambda status: replace(status, is_possible=True),
    "historical": lambda status: replace(status, is_historical=True),
    "family": lambda status: replace(status, is_family=True),
    "hypothetical": lambda status: replace(status, is_hypothetical=True),
}
