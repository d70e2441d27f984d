"""Where the scope of an assertion cue ends. Pure positions: knows marks and a few words, not what a cue means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import Token

ScopePolarity = Literal["affirmed", "negated", "neutral", "doubtful"]


class CueLike(Protocol):
    """What scopes need to know of a cue."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def direction(self) -> str: ...  # noqa: D102
    @property
    def first(self) -> int: ...  # noqa: D102
    @property
    def last(self) -> int: ...  # noqa: D102
    @property
    def words(self) -> str: ...  # noqa: D102


_HARD = frozenset((".", ";", "!", "(", ")"))
_JOINS = frozenset(("and", "or", "nor", "e", "ou", "nem", ",", "/"))
# A place, a test or a time inside a negation is not itself denied.
_PLACES = word_set(
    "on in at during by for over under from to per into upon after before since when while until via despite "
    "within following past beyond throughout between no na nos nas ao"
)
# Words that one does not put into a list of denied things: after a comma or "and" they begin a new statement.
_STATES = word_set(
    "clear normal normoactive stable intact soft regular unremarkable positive present improved improving alert "
    "oriented unchanged well comfortable afebrile nontender equal symmetric supple patent negative noted"
)
_VERB_ENDS = word_set(
    "has have had is was are were reports reported endorses endorsed admits complains complained presents "
    "presented notes states shows showed remains refere apresenta"
)
_PATIENT = word_set("patient pt patient's pt's patients himself herself paciente")
_OPENERS = word_set("after because when that while before who which since until he she they")
_ADVERBS = word_set("currently now presently yet actively still longer being known to be")
_EMPTY = word_set("that he she they it any the a an patient pt of having")
# Adjectives of time reach to the end of their phrase only; `history of` reaches over its whole list.
_SHORT = word_set("prior previous previously old remote former formerly past prévio previo hx declined refused refuses")


def forward_scope(
    tokens: Sequence[Token], cue: CueLike, later: Sequence[CueLike], is_doubled: bool
) -> Iterator[tuple[int, ScopePolarity]]:
    """Yield `(token, polarity)` for what a cue governs to its right.

    Args:
        tokens: the whole sentence.
        cue: a cue that points forward.
        later: the cues after it, in order.
        is_doubled: another negation stands beside it.
    """
    stop = _stop(tokens, cue, later)
    mode: ScopePolarity = "doubtful" if is_doubled else "negated"
    has_places = cue.kind in ("negation", "possible", "historical")
    local: ScopePolarity = mode
    # "Abutting but not encasing the vein": the object is that of both verbs.
    is_shared = cue.first > 0 and tokens[cue.first - 1].text == "but" and _is_verb(tokens, cue.last)
    for first, last, joined in _segments(tokens, cue.last, stop):
        stays = joined and local == "neutral" and tokens[first - 1].text in ("or", "and", "e", "ou")
        if joined:
            state = _restart(tokens, cue, first, last, stop)
            if state == "end":
                return
            if state == "doubtful":
                mode = "doubtful"
        # "No reaction to celecoxib or furosemide": the list goes on inside the place.
        local = "neutral" if stays and mode == "negated" else mode
        for i in range(first, last):
            word = tokens[i].text
            if (
                has_places
                and word.partition(" ")[0] in _PLACES
                and local == "negated"
                and any(tokens[n].text not in _ADVERBS for n in range(cue.last, i))
                and not (word == "to" and tokens[i - 1].text in _INTENTS)
            ):
                local = "neutral"
            elif cue.kind == "negation" and local == "negated" and i > cue.last and tokens[i - 1].text in _TROUBLE:
                # "No difficulty voiding", "without trouble": what is done without it is not denied.
                local = "neutral"
            elif cue.kind == "negation" and word in ("with", "com") and tokens[i - 1].text not in _HAD_WITH:
                local = "doubtful"
            yield i, local
            if is_shared and i == cue.last and local == "negated":
                local = mode = "neutral"


def _stop(tokens: Sequence[Token], cue: CueLike, later: Sequence[CueLike]) -> int:
    """The first token that can no longer be in the scope."""
    stop = len(tokens) if cue.words not in ("non", "ex") else min(cue.last + 1, len(tokens))
    is_verbal = cue.kind == "historical" and cue.last < stop and _is_tried(tokens[cue.last].text)
    is_whose = cue.kind == "family" and cue.first > 0 and tokens[cue.first - 1].text == "whose"
    for i in range(cue.last, stop):
        word = tokens[i].text
        is_short = cue.words in _SHORT and not is_verbal and word in (",", "and", "e")
        is_patient = cue.kind == "family" and word in _PATIENT and i > cue.last and not _is_excepted(tokens, i)
        if is_verbal and word in ("(", ")"):
            continue
        # "Whose mother has gout, has no fever": the relative's clause ends with its comma.
        if is_whose and word == ",":
            stop = i
            break
        # "CT without contrast: nodule"; "Denies: fever" goes on.
        is_headed = word == ":" and cue.kind == "negation" and i > cue.last
        if word in _HARD or is_short or is_patient or is_headed:
            stop = i
            break
    for other in later:
        if other.first >= stop:
            break
        if _ends(tokens, cue, other):
            # "Neg troponin, ECG without changes": what stands before the next denial belongs to that.
            has_subject = other.words in _VERB_ENDS or other.kind == "negation" == cue.kind
            if other.kind == "family" and tokens[other.first - 1].text in ("maternal", "paternal", "her", "his", "the"):
                return other.first - 1
            return _clause_start(tokens, cue, other.first) if has_subject else other.first
    return stop


def _is_excepted(tokens: Sequence[Token], at: int) -> bool:
    """`Her mother, but not she herself, has gout`: what is said aside of the patient."""
    return "not" in {t.text for t in tokens[max(0, at - 3) : at]}


def _is_verb(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and len(tokens[at].text) > 5 and tokens[at].text.endswith(("ing", "ed"))


def _is_tried(word: str) -> bool:
    """`Previously tried A (rash) and B (nausea)`: before a verb the past reaches over its whole list."""
    return (len(word) > 4 and word.endswith("ed")) or word in ("on", "took", "taking", "given", "tried", "had")


def _clause_start(tokens: Sequence[Token], cue: CueLike, verb: int) -> int:
    """`No signs of infection, the hardware is intact`: the verb's subject is out of the scope too."""
    for i in range(verb - 1, cue.last, -1):
        if tokens[i].text in ("or", "nor", "ou", "nem"):
            return verb
        if tokens[i].text in (",", "and", "e"):
            return i
    return verb


_TURNS = frozenset(
    ("but", "however", "although", "though", "whereas", "while", "whilst", "mas", "porém", "contudo", "yet",
     "patient himself", "patient herself", "because", "because of", "therefore", "so", "then", "is on", "are on")
)  # fmt: skip


def _ends(tokens: Sequence[Token], cue: CueLike, other: CueLike) -> bool:
    if other.kind == "end" and cue.kind == "family" and other.words not in _TURNS:
        return False
    if other.kind == "end":
        if cue.kind == "family" and _is_of_relative(tokens, cue, other):
            return False
        if other.words in _VERB_ENDS:
            return _ends_at_verb(tokens, cue, other)
        return cue.kind != "hypothetical" or other.words in ("but", "however", "although", "mas")
    if cue.kind == "negation" and other.kind in ("negation", "affirm"):
        return True
    return cue.kind == "family" == other.kind and other.direction == "pre"


def _ends_at_verb(tokens: Sequence[Token], cue: CueLike, verb: CueLike) -> bool:
    # "Neither ovary is abnormal" denies the predicate too.
    if cue.kind in ("family", "hypothetical") or cue.words in ("neither", "neither of", "none of", "nor"):
        return False
    between = [t.text for t in tokens[cue.last : verb.first]]
    # "No household contact has symptoms": the first verb belongs to what is denied.
    is_subject = cue.words == "no" and cue.first == 0 and _JOINS.isdisjoint(between)
    if is_subject and _VERB_ENDS.isdisjoint(between) and 0 < len(between) <= _SUBJECT_WORDS:
        return False
    return any(text not in _EMPTY for text in between)


# "No plans to harm herself" denies the harm, "no reaction to eggs" not the eggs.
_INTENTS = word_set(
    "plan plans intent intention intentions desire desires wish wishes urge urges attempt attempts need want wants "
    "reason indication able ability willing refusal threat threats"
)
_TROUBLE = word_set("trouble difficulty difficulties")
_SUBJECT_WORDS = 4
_HAD_WITH = word_set(
    "diagnosed associated consistent compatible treated infected affected troubled bothered afflicted complicated"
)


_HE = word_set(
    "father brother brothers son sons grandfather uncle nephew husband dad papa boyfriend grandson stepfather bro"
)
_SHE = word_set("mother sister sisters daughter grandmother aunt niece wife mom mum mama girlfriend granddaughter sis")


def _is_of_relative(tokens: Sequence[Token], cue: CueLike, other: CueLike) -> bool:
    """`Husband supportive, he is on X` and `her mother, but not she herself, has X` go on with the relative."""
    if other.words == "but":
        ahead = [t.text for t in tokens[other.last : other.last + 3] if t.text != "the"]
        return len(ahead) > 1 and ahead[0] == "not" and ahead[1] in _HIMSELF
    pronoun = tokens[other.first - 1].text if other.first else ""
    words = set(cue.words.split())
    return (pronoun == "he" and bool(words & _HE)) or (pronoun == "she" and bool(words & _SHE))


_HIMSELF = word_set("he she patient pt himself herself")


def _segments(tokens: Sequence[Token], first: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Runs between commas and conjunctions: `(first, last, whether something was joined on)`."""
    start, joined = first, False
    for i in range(first, stop):
        if tokens[i].text in _JOINS:
            if i > start:
                yield start, i, joined
                joined = True
            start = i + 1
    if stop > start:
        yield start, stop, joined


def _restart(tokens: Sequence[Token], cue: CueLike, first: int, last: int, stop: int) -> str:
    """Whether a joined run goes on with the scope (""), ends it ("end") or leaves it open ("doubtful")."""
    words = [t.text for t in tokens[first:last]]
    if cue.kind in ("family", "hypothetical"):
        return ""
    if any(word in _STATES for word in words):
        return "end"
    later_or = any(t.text in ("or", "nor", "ou", "nem") for t in tokens[first - 1 : stop])
    if cue.kind in ("negation", "possible") and not later_or and _states_something(words):
        return "end"
    has_verb = any(len(word) > 4 and word.endswith("ed") for word in words)
    if cue.kind == "possible":
        joined_by_or = tokens[first - 1].text in ("or", "ou", "/")
        return "end" if has_verb else ("" if joined_by_or else "doubtful")
    if cue.kind == "historical":
        return "end" if has_verb or "now" in words else ""
    return "doubtful" if has_verb and not later_or else ""


def _states_something(words: Sequence[str]) -> bool:
    """Whether a joined run does not go on with the list but tells something: `small tear`, `insight fair`."""
    is_told = len(words) > 1 and len(words[-1]) > 4 and words[-1].endswith("ed") and words[-1] not in _EVIDENTIAL
    has_amount = any(not word.isprintable() for word in words)
    return is_told or has_amount or words[0] in _SIZES or (len(words) > 1 and words[-1] in _CONCLUSIONS)


# What one does not deny of a list's next item, but tells of it.
_SIZES = word_set(
    "small large tiny huge mild moderate severe marked minimal trace extensive diffuse multiple several few some "
    "numerous chronic stable known status residual likely possible probable good poor right-sided left-sided both "
    "bilateral old healed healing"
)
_CONCLUSIONS = word_set(
    "fair limited good poor flat full dry moist warm cool pink firm reactive adequate palpable open closed low "
    "high wnl nl benign linear logical appropriate euthymic depressed anxious strong weak brisk sluggish midline "
    "mild moderate severe well ok okay daily bid tid qid prn clean healed healing round brown yellow quieter better "
    "worse smaller larger lower higher less calmer stronger weaker brighter normoactive"
)
_EVIDENTIAL = word_set(
    "noted reported observed identified detected documented appreciated demonstrated elicited endorsed visualized "
    "visualised needed required involved performed"
)


def back_scope(tokens: Sequence[Token], first: int, earlier: Sequence[CueLike], whole_list: bool = False) -> range:
    """The tokens that a cue governs to its left: back to the nearest boundary.

    Args:
        tokens: the whole sentence.
        first: where the cue (or the colon before it) stands.
        earlier: the cues before it.
        whole_list: go over commas too, as an answer after a colon does.
    """
    start = first
    ends = (c.last for c in earlier if c.kind == "negation" or (c.kind == "end" and c.words not in _VERB_ENDS))
    floor = max(ends, default=0)
    while start > floor:
        word = tokens[start - 1].text
        if word in _HARD or word == ":" or (word == "," and not whole_list) or word in _OPENERS:
            break
        if word in ("and", "e") and _is_statement(tokens, floor, start - 1):
            break
        start -= 1
    return range(start, first)


def _is_statement(tokens: Sequence[Token], floor: int, end: int) -> bool:
    """Whether what stands before a conjunction has a verb of its own: `[the stain was positive] and`."""
    for i in range(end - 1, floor - 1, -1):
        if tokens[i].text in _HARD or tokens[i].text == ",":
            return False
        if tokens[i].text in _VERB_ENDS:
            return True
    return False
