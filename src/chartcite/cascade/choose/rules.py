"""Choosing by rules: an option is chosen because a sentence bears it out; the order of the options decides nothing.

Facts first: a sentence that states the value or dose asked for bears out the option with that amount and contradicts
those with another. Then the check of a claim, the option with the words asked for. Of several options borne out the one
with the better ground is chosen, for the latest or the first that of the newest or oldest statement; equals are told
apart by the cross-encoder or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from chartcite.cascade.choose.stated import (
    Amount,
    agreement,
    amounts,
    changes_of,
    drug_of,
    is_taken,
    names,
    option_amounts,
)
from chartcite.cascade.choose.stem import claims, harmless, said_of
from chartcite.cascade.choose.tied import action_word, actions, asks_of_a_day, asks_what_is_taken, is_of, lacks, persons
from chartcite.cascade.choose.when import When
from chartcite.cascade.statements import NOTHING, Wanted, stated_on
from chartcite.core.answer import Evidence, VerdictWord
from chartcite.core.choice import ChoiceReason, How, Option, OptionSort

MARGIN = 1.0
"""Of two options equally borne out, so much more (a logit of the cross-encoder) tells the better one."""
SHARE = 0.5
NEAR = 5
"""An option's words alone count in documents of so many of the best sentences."""
LIKELY = -6.0
"""A logit of the cross-encoder below which a sentence far from the evidence bears nothing out."""
MOST_CHECKED = 24
"""Sentences of the question's own evidence that every option is held against."""


class Found(NamedTuple):
    """What the check says of a claim against one sentence; `is_whole` if no word of it was left unaccounted for."""

    verdict: VerdictWord
    vetoes: frozenset[str]
    is_whole: bool = True


Check = Callable[[str, Evidence], Found]
Ground = Literal["stated", "claim", "named", "near", "far"]
_GROUNDS: tuple[Ground, ...] = ("stated", "claim", "named", "near", "far")


@dataclass(frozen=True, slots=True)
class Bearing:
    """A sentence that bears an option out, or speaks against it.

    Attributes:
        ground: `stated` by a fact; as a `claim` with at least half of the words asked for; the option's words where
            the drug or test asked of is `named` as well; `near`, in a document of the best evidence; or `far` from it.
        place: of the sentence among the evidence, the most useful first.
    """

    ground: Ground
    place: int
    evidence: Evidence
    statement: str

    @property
    def rank(self) -> tuple[int, int]:
        """Better grounds first, then better evidence."""
        return _GROUNDS.index(self.ground), self.place


@dataclass(slots=True)
class Held:
    """One option held against the evidence: best bearings first.

    `elsewhere` are sentences that state its amount of another time than the question asks of. `is_unclear` where a
    sentence may state its amount in a way that cannot be compared. `is_spoken_of`, of an option that none of them
    holds: whether the record speaks of the thing asked of at all; of one that it cannot be told, whether it gives a
    number of it.
    """

    option: Option
    statement: str
    borne: list[Bearing] = field(default_factory=list)
    against: list[Bearing] = field(default_factory=list)
    elsewhere: list[Bearing] = field(default_factory=list)
    is_spoken_of: bool = False
    is_unclear: bool = False

    @property
    def verdict(self) -> VerdictWord:
        """Supported if anything bears it out, contradicted if something speaks against it."""
        return "supported" if self.borne else "contradicted" if self.against else "unsupported"

    @property
    def why(self) -> str:
        """The verdict in words, none of them of the record."""
        if self.borne:
            stated = self.borne[0].ground == "stated"
            return "a sentence states this amount" if stated else "a sentence bears it out"
        if self.against:
            stated = self.against[0].ground == "stated"
            return "a sentence states another amount" if stated else "a sentence speaks against it"
        if self.elsewhere:
            return "stated of another time"
        return "no sentence bears it out" if self.statement else ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options are held against.

    Attributes:
        stem: the question less what stands there for its options.
        focus: its words that an answer cannot do without.
        when: of what time it asks.
    """

    stem: str
    focus: tuple[str, ...]
    want: Wanted
    when: When
    is_negated: bool


class Told(NamedTuple):
    """A sentence with its place among the evidence and what it states of the thing asked of, and of which day."""

    place: int
    evidence: Evidence
    amounts: tuple[Amount, ...]
    day: str


class Decision(NamedTuple):
    """A letter with how it was found, or a reason."""

    letter: str | None
    how: How | None
    reason: ChoiceReason | None


def hold(
    asked: Asked,
    options: Sequence[Option],
    evidence: Sequence[Evidence],
    more: Sequence[Sequence[Evidence]],
    check: Check,
) -> list[Held]:
    """Hold every option against the question's evidence, and against what was found for it alone.

    Args:
        asked: what they are held against.
        options: in any order.
        evidence: of the question, the most useful first.
        more: for each option, further sentences that were found by its own words.
        check: a claim against one sentence.
    """
    evidence = evidence[:MOST_CHECKED]
    base = [_told(asked, place, sentence) for place, sentence in enumerate(evidence)]
    own = [[_told(asked, n, e) for n, e in enumerate(found, start=len(evidence))] for found in more]
    days = asked.when.days([told.day for told in (*base, *(t for found in own for t in found)) if told.amounts])
    return [_hold(asked, option, base, found, days, check) for option, found in zip(options, own, strict=True)]


def _told(asked: Asked, place: int, evidence: Evidence) -> Told:
    stated = amounts(evidence.quote, asked.want) if asked.want else ()
    day = (stated_on(evidence.quote, evidence.sort_key[:10], asked.want) or evidence.sort_key[:10]) if stated else ""
    return Told(place, evidence, stated, day)


def _hold(
    asked: Asked, option: Option, base: Sequence[Told], own: Sequence[Told], days: AbstractSet[str], check: Check
) -> Held:
    if option.sort == "unknown":
        return Held(option, "", is_spoken_of=any(_is_unread(told, asked) for told in base))
    if option.sort in ("none", "all"):
        return Held(option, "", is_spoken_of=any(told.amounts or _is_of_it(told, asked) for told in base))
    held = Held(option, claims(option, asked.stem, asked.focus)[0])
    if option.sort in ("yes", "no", "maybe"):
        others = persons(asked.stem)
        _polar(held, [told.evidence for told in base if is_of(_whole(told.evidence), others)], check)
        return held
    said = option_amounts(option.text, asked.want) if asked.want else ()
    near = {told.evidence.key for told in base[:NEAR]}
    drug = drug_of(option.text) if not asked.want else NOTHING
    for told in (*base, *own):
        if not is_of(_whole(told.evidence), persons(asked.stem)):
            continue
        if drug and asks_what_is_taken(asked.stem) and is_taken(told.evidence.quote, drug):
            held.borne.append(Bearing("named", told.place, told.evidence, held.statement))
            continue
        if drug and (done := _done(held.option, told, asked, drug, check)):
            held.borne.append(done)
            continue
        if said and told.amounts:
            _stated(held, said, told, days, is_daily=asks_of_a_day(asked.stem))
        elif not said or told.place < len(base):
            _checked(held, told, asked, check, is_near=told.place < len(base) or told.evidence.key in near)
    for bearings in (held.borne, held.against, held.elsewhere):
        bearings.sort(key=lambda b: b.rank)
    return held


def _is_unread(told: Told, asked: Asked) -> bool:
    """Whether a sentence gives a number with the thing asked of, but no amount of it that is understood."""
    quote = told.evidence.quote
    return not told.amounts and any(c.isdigit() for c in quote) and bool(asked.want) and names(quote, asked.want)


def _whole(evidence: Evidence) -> str:
    return " ".join((*evidence.section, evidence.quote))


def _stated(held: Held, said: Sequence[Amount], told: Told, days: AbstractSet[str], *, is_daily: bool) -> None:
    agrees, bearing = (
        agreement(said, told.amounts, is_daily=is_daily),
        Bearing("stated", told.place, told.evidence, held.statement),
    )
    if told.day not in days:
        if agrees == "same":
            held.elsewhere.append(bearing)
    elif agrees == "same":
        held.borne.append(bearing)
    elif agrees == "other":
        held.against.append(bearing)
    else:
        held.is_unclear = True


def _is_of_it(told: Told, asked: Asked) -> bool:
    """Whether a sentence, with the headers above it, has enough of the words that an answer cannot do without."""
    shared = said_of(asked.focus, " ".join((*told.evidence.section, told.evidence.quote)))
    return bool(shared) and len(shared) >= SHARE * len(asked.focus)


def _is_tied(asked: Asked, option: Option, sentence: str, statement: str) -> bool:
    """Whether a claim of a sentence may be believed: it has the side and the action that are asked of.

    That it names a drug is never enough, where it is asked with which drug something was done (`_done`).
    """
    is_of_drug = bool(actions(asked.stem)) and bool(drug_of(option.text))
    return not is_of_drug and not lacks(asked.stem, sentence, statement)


def _done(option: Option, told: Told, asked: Asked, drug: Wanted, check: Check) -> Bearing | None:
    """Of `Which drug was stopped?`: the sentence stops this drug, and the check finds no denial of it."""
    if not changes_of(told.evidence.quote, drug) & actions(asked.stem):
        return None
    statement = f"{option.text.rstrip('.')} {action_word(asked.stem)}"
    is_said = check(statement, told.evidence).verdict == "supported"
    return Bearing("claim", told.place, told.evidence, statement) if is_said else None


def _checked(held: Held, told: Told, asked: Asked, check: Check, *, is_near: bool) -> None:
    """By the fullest claim that the sentence carries."""
    sentence = _whole(told.evidence)
    is_of_it = _is_of_it(told, asked)
    statements = claims(held.option, asked.stem, asked.focus, sentence)
    for n, statement in enumerate(statements):
        is_bare = n == len(statements) - 1 and n > 0
        ground = _ground(told, asked, is_of_it=is_of_it and not is_bare, is_near=is_near)
        found = check(statement, told.evidence)
        bearing = Bearing(ground, told.place, told.evidence, statement)
        is_harmless = found.is_whole and found.verdict == "contradicted" and found.vetoes <= harmless(asked.stem)
        if found.verdict == "supported" or is_harmless:
            if not _is_tied(asked, held.option, sentence, statement):
                continue
            held.borne.append(bearing)
            return
        if found.verdict == "contradicted" and n == 0:
            held.against.append(bearing)


def _ground(told: Told, asked: Asked, *, is_of_it: bool, is_near: bool) -> Ground:
    if is_of_it:
        return "claim"
    if asked.want and names(told.evidence.quote, asked.want):
        return "named"
    return "near" if is_near else "far"


def _polar(held: Held, evidence: Sequence[Evidence], check: Check) -> None:
    """Yes is borne out by what carries the question as a statement, no by what denies it, perhaps by what doubts it."""
    for place, sentence in enumerate(evidence):
        found = check(held.statement, sentence)
        bearing = Bearing("claim", place, sentence, held.statement)
        meant = _meant(found)
        if meant == held.option.sort:
            held.borne.append(bearing)
        elif meant:
            held.against.append(bearing)


def _meant(found: Found) -> str:
    if found.verdict == "supported":
        return "yes"
    if found.verdict == "contradicted" and found.vetoes == {"negation"}:
        return "no"
    return "maybe" if found.verdict == "contradicted" and found.vetoes == {"certainty"} else ""


def decide(asked: Asked, held: Sequence[Held], likeness: Callable[[Sequence[Bearing]], Sequence[float]]) -> Decision:
    """The option to choose.

    Args:
        asked: the question.
        held: the options as `hold` found them.
        likeness: how well sentences answer the question, a logit each; asked only to tell equals apart.
    """
    content = [h for h in held if h.option.sort not in ("none", "all", "unknown")]
    by_sort: dict[OptionSort, str] = {
        h.option.sort: h.option.letter for h in held if h.option.sort in ("none", "all", "unknown")
    }
    if asked.is_negated:
        return _odd_one_out(content, by_sort.get("none"), by_sort.get("unknown"))
    for one in content:
        one.borne = _likely(one.borne, likeness)
    borne = [h for h in content if h.borne]
    is_full = all(h.borne[0].ground in ("stated", "claim", "named") for h in borne)
    if "all" in by_sort and len(content) > 1 and len(borne) == len(content) and is_full:
        return Decision(by_sort["all"], "all_borne_out", None)
    if asked.when.is_event and any(b.ground == "stated" for h in borne for b in h.against[:1]):
        return Decision(None, None, "time_not_resolved")
    if not borne:
        return _nothing(content, next((h for h in held if h.option.sort == "unknown"), None))
    # One of all is chosen only if something speaks against another: that only one was found says little.
    is_open = "all" in by_sort and len(content) > 1 and not any(h.against for h in content if not h.borne)
    best = None if is_open else _best(borne, likeness)
    if best is None:
        return Decision(None, None, "several_borne_out")
    return Decision(best.option.letter, "stated" if best.borne[0].ground == "stated" else "borne_out", None)


def _nothing(content: Sequence[Held], unknown: Held | None) -> Decision:
    """No option is borne out.

    That none of them holds is never chosen for it: what was not found, or not understood, may still be so. That it
    cannot be told is no answer where the record states another amount, or one that is not understood.
    """
    is_stated = any(h.is_unclear or any(b.ground == "stated" for b in h.against) for h in content)
    letter = unknown.option.letter if unknown and not unknown.is_spoken_of and not is_stated else None
    return Decision(letter, "by_absence", None) if letter else Decision(None, None, "no_option_borne_out")


def _likely(borne: list[Bearing], likeness: Callable[[Sequence[Bearing]], Sequence[float]]) -> list[Bearing]:
    """Without sentences far from the evidence that do not answer the question, as the cross-encoder sees it."""
    if not borne or borne[0].ground != "far":
        return borne
    return [b for b, logit in zip(borne, likeness(borne), strict=True) if logit >= LIKELY]


def _best(borne: Sequence[Held], likeness: Callable[[Sequence[Bearing]], Sequence[float]]) -> Held | None:
    """The option with the best ground; None where two are equal."""
    ranked = sorted(borne, key=lambda h: (h.borne[0].rank, h.option.text))
    best = ranked[0].borne[0]
    equal = [h for h in ranked if h.borne[0].ground == best.ground]
    if len(equal) == 1:
        return equal[0]
    if len({h.borne[0].evidence.quote for h in equal}) < len(equal):
        return None  # one sentence bears out two of them
    logits = likeness([h.borne[0] for h in equal])
    order = sorted(range(len(equal)), key=lambda n: -logits[n])
    return equal[order[0]] if logits[order[0]] - logits[order[1]] >= MARGIN else None


def _odd_one_out(content: Sequence[Held], none: str | None, unknown: str | None) -> Decision:
    """The one that is denied; else the only one that nothing bears out."""
    denied = [h for h in content if h.verdict == "contradicted"]
    if len(denied) == 1:
        return Decision(denied[0].option.letter, "contradicted", None)
    left = [h for h in content if not h.borne]
    if len(left) == 1 and len(content) > 1:
        return Decision(left[0].option.letter, "by_exclusion", None)
    if not left and none:
        return Decision(none, "all_borne_out", None)
    if len(left) == len(content):
        return Decision(unknown, "by_absence", None) if unknown else Decision(None, None, "no_option_borne_out")
    return Decision(None, None, "several_borne_out")


def borne_out(asked: Asked, held: Sequence[Held], option: Option, sources: Sequence[Evidence]) -> How | None:
    """How an option that a model chose is borne out by the sources it names; None where it is not.

    That it cannot be told needs no source, and that no other option is borne out; that none holds, also that
    something speaks against each of them.
    """
    own = next(h for h in held if h.option == option)
    content = [h for h in held if h.option.sort not in ("none", "all", "unknown")]
    if option.sort in ("none", "unknown"):
        is_open = option.sort == "none" and not (own.is_spoken_of and all(h.against for h in content))
        is_open = is_open or any(h.borne or h.is_unclear for h in content) or asked.is_negated
        return None if is_open or (option.sort == "unknown" and own.is_spoken_of) else "by_absence"
    if option.sort == "all":
        return "all_borne_out" if all(h.borne for h in content) and not asked.is_negated else None
    named = {(e.key, e.start) for e in sources}
    if asked.is_negated:
        spoken = any((b.evidence.key, b.evidence.start) in named for b in own.against)
        return "contradicted" if spoken and not own.borne else None
    ground = next((b.ground for b in own.borne if (b.evidence.key, b.evidence.start) in named), None)
    return None if ground is None else "stated" if ground == "stated" else "borne_out"
