"""What is done with a drug: started, stopped, held, resumed, increased, decreased, continued, switched to another.

A verb governs the drugs behind it (`started aspirin and atorvastatin`) or, in the passive and at the end of its clause,
those before it (`lisinopril was held`). Whether it was denied (`did not start`) is the assertion rules' to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from chartcite.core.documents import Span
from chartcite.facts.amounts import is_bare, is_dose
from chartcite.facts.doses import Dose
from chartcite.facts.drug_mentions import Drug
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.line import Line, hard_stops, next_stop, previous_stop, quantities_between
from chartcite.facts.phrases import Named, Phrases, listed
from chartcite.facts.quantities import Quantity

ChangeKind = Literal["start", "stop", "hold", "resume", "increase", "decrease", "continue", "change", "switch"]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing done with one drug.

    Attributes:
        kind: what is done.
        cue: the words that say so.
        drug: to which drug; in a switch, the one that is left.
        to_drug: in a switch, the one that is taken instead.
        from_dose: amount before, where it is said.
        to_dose: amount after, where it is said.
    """

    kind: ChangeKind
    cue: Span
    drug: Drug
    to_drug: Drug | None = None
    from_dose: Quantity | None = None
    to_dose: Quantity | None = None


_MOST_DRUGS = 12
_MOST_WORDS = 6


def find_changes(line: Line, drugs: Sequence[Drug], doses: Sequence[Dose]) -> tuple[Change, ...]:
    """The changes of a sentence, in the order of their verbs, each bound to one drug."""
    if not drugs:
        return ()
    cues = [Named(match.span, match.values[0]) for match in _phrases().find(line.text, line.tokens)]
    cues = [cue for cue in cues if not any(d.span.start <= cue.span.start < d.span.end for d in drugs)]
    stops = hard_stops(line.text)
    out: list[Change] = []
    taken: set[Span] = set()
    for n, cue in enumerate(cues):
        left = max(previous_stop(stops, cue.span.start), cues[n - 1].span.end if n else 0)
        right = min(
            next_stop(stops, cue.span.end, len(line.text)),
            cues[n + 1].span.start if n + 1 < len(cues) else len(line.text),
        )
        before = [d for d in drugs if left <= d.span.start and d.span.end <= cue.span.start and d.span not in taken]
        after = [d for d in drugs if cue.span.end <= d.span.start and d.span.end <= right]
        earlier = [d for d in drugs if d.span.end <= cue.span.start]
        found = list(_bind(line, cue, before, after, earlier))
        taken |= {change.drug.span for change in found}
        out += found
    return tuple(_with_doses(line, change, doses) for change in out)


@lru_cache(maxsize=1)
def _phrases() -> Phrases[str]:
    rows = read_rows(FACTS, "drug_changes.tsv")
    assert {row[0] for row in rows} <= set(get_args(ChangeKind))  # noqa: S101
    return Phrases((spelling, row[0]) for spelling, row in listed(rows, 1))


_PASSIVE = re.compile(
    r"(?:\b(?:was|were|is|are|been|be|being|foi|foram|ser|sido|será|got)\s+(?:\w+ly\s+)?|[,:(–-]\s*)$",
    re.IGNORECASE,
)
# What may follow a verb that has its drug before it: no object.
_SENT = re.compile(
    r"\s*(?:$|[.,;:)(\d]|->|→|\b(?:from|to|by|due|because|in|at|for|after|since|until|given|and|then|today|yesterday|"
    r"overnight|dose|dosing|instead|as|with|while|when|if|but|this|last|or|pending|temporarily|back|further|slowly|gradually|"
    r"de|para|por|em|devido|e|hoje|ontem|até|na|no)\b"
    # "Was stopped on 2020-02-15"; but "was started on aspirin".
    r"|on\s+(?:\d|(?:the\s+)?(?:day|morning|evening|night|admission|arrival|discharge|hospital\s+day|hd|pod)\b"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d))",
    re.IGNORECASE,
)


def _bind(
    line: Line, cue: Named, before: Sequence[Drug], after: Sequence[Drug], earlier: Sequence[Drug]
) -> Iterator[Change]:
    near_before = [d for d in before if _distance(line, d.span.end, cue.span.start) <= _MOST_WORDS]
    near_after = [d for d in after if _is_near(line, cue, d.span.start)]
    kind: ChangeKind = cue.name  # type: ignore[assignment]
    if kind in ("switch", "change"):
        pair = _pair(line, cue, earlier, after)
        if pair is not None:
            yield Change("switch", cue.span, pair[0], pair[1])
            return
        if kind == "switch" and near_after:
            is_left = re.match(r"\s+(?:from|de|off)\b", line.text[cue.span.end :], re.IGNORECASE)
            yield Change("stop" if is_left else "start", cue.span, near_after[0])
            return
    if _looks_back(line, cue, near_before, near_after):
        yield from (Change(kind, cue.span, drug) for drug in _run_before(line, before, cue))
        return
    if near_after:
        yield from (Change(kind, cue.span, drug) for drug in _run_after(line, after, cue))


# Words that may stand between a verb and its drug without being what the verb is about: not `reduce the risk of`.
_OBJECTLESS = word_set(
    "on with the a an his her their home dose doses dosage dosing of taking using use usage to oral iv po low high "
    "new trial course empiric broad spectrum treatment therapy prophylactic maintenance back both all current same "
    "outpatient inpatient scheduled long short term acting patient pt him them you your my our up down off from "
    "intravenous infusion drip loading daily nightly twice once bid tid additional another one more patient's this "
    "that these any medication medications drug drugs and including as needed prn only o os uso de do da com seu sua "
    "em via tratamento mg mcg g units unidades in by at for at-home regimen agent agents either extended release "
    "total weekly inhaled topical"
)
_FREE_WORDS = 1


def _is_near(line: Line, cue: Named, end: int) -> bool:
    """Whether a verb reaches a drug behind it: not in `increased sensitivity to insulin`."""
    if _distance(line, cue.span.end, end) > _MOST_WORDS:
        return False
    between = re.sub(r"\([^)]*\)", "", line.text[cue.span.end : end])
    unknown = sum(word.casefold() not in _OBJECTLESS for word in re.findall(r"[^\W\d_]+", between))
    return unknown <= (_FREE_WORDS if cue.name in ("start", "hold", "resume", "continue") else 0)


def _distance(line: Line, start: int, end: int) -> int:
    between = line.text[start : min(end, start + 400)]
    outside = re.sub(r"\([^)]*\)", "", between)
    return len(re.findall(r"[^\W\d_]{2,}", outside))


def _looks_back(line: Line, cue: Named, before: Sequence[Drug], after: Sequence[Drug]) -> bool:
    if not before or not _SENT.match(line.text, cue.span.end):
        return False
    is_passive = _PASSIVE.search(line.text, max(0, cue.span.start - 40), cue.span.start) is not None
    return is_passive or not after


_ARROW = re.compile(r"\b(?:to|with|by|for|por|para)\b|->|→|=>", re.IGNORECASE)
_FOR_A = re.compile(r"\b(?:in\s+place\s+of|instead\s+of|for)\b", re.IGNORECASE)


_REPLACES = ("replac", "substitu")


def _pair(line: Line, cue: Named, before: Sequence[Drug], after: Sequence[Drug]) -> tuple[Drug, Drug] | None:
    """Old and new drug of a switch: `from A to B`, `A to B`, `A was switched to B`."""
    if len(after) >= 2 and _ARROW.search(line.text, after[0].span.end, after[1].span.start):
        is_turned = (
            cue.name == "switch"
            and "substit" in line.text[cue.span.start : cue.span.end].casefold()
            and _FOR_A.search(line.text, after[0].span.end, after[1].span.start)
        )
        return (after[1], after[0]) if is_turned else (after[0], after[1])
    if not before or not after or _distance(line, cue.span.end, after[0].span.start) > _MOST_WORDS:
        return None
    if _ARROW.search(line.text, cue.span.end, after[0].span.start):
        is_from = re.search(r"\bfrom\b|\bde\b", line.text[cue.span.end : after[0].span.start])
        return None if is_from else (before[-1], after[0])
    # "Nexium to replace her omeprazole": the old one stands behind.
    is_replaced = line.text[slice(*cue.span)].casefold().startswith(_REPLACES)
    return (after[0], before[-1]) if is_replaced and after[0] != before[-1] else None


def _run_before(line: Line, before: Sequence[Drug], cue: Named) -> Iterator[Drug]:
    """The list of drugs that ends at a verb, in order."""
    run: list[Drug] = []
    at = cue.span.start
    for drug in reversed(before[-_MOST_DRUGS:]):
        if run and not _is_list(line, drug.span.end, at):
            break
        run.append(drug)
        at = drug.span.start
    yield from reversed(run)


def _run_after(line: Line, after: Sequence[Drug], cue: Named) -> Iterator[Drug]:
    """The list of drugs that begins at a verb."""
    at = cue.span.end
    for n, drug in enumerate(after[:_MOST_DRUGS]):
        if n and not _is_list(line, at, drug.span.start):
            return
        yield drug
        at = drug.span.end


_LIST = re.compile(
    r"[\s,/+&()]*(?:\b(?:and|or|both|as\s+well\s+as|plus|e|ou)\b[\s,]*)?(?:(?:his|her|home|the|o|a|iv|oral|po)\s+)*",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"\b(?:po|iv|vo|ev|sc|im|sl|daily|bid|tid|qid|qhs|qd|prn|mg|mcg|g|units?|tablets?|q\d+h|dia|ao|twice|once|three|times|day|a|at|bedtime|by|mouth|of|xl|xr|er|sr|oral)\b|[\d.%/-]",
    re.IGNORECASE,
)


def _is_list(line: Line, start: int, end: int) -> bool:
    """Whether nothing but doses, commas and conjunctions lies between two drugs."""
    return end - start < 120 and _LIST.fullmatch(_PLAIN.sub("", line.text[start:end])) is not None


_FROM = re.compile(r"\b(?:from|de)\s*$", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|para|at|até)|->|→|=>)\s*(?:a\s+dose\s+of\s+)?$", re.IGNORECASE)


def _with_doses(line: Line, change: Change, doses: Sequence[Dose]) -> Change:
    """Add the amounts before and after."""
    own = [dose for dose in doses if dose.drug.span == change.drug.span]
    if change.kind == "switch":
        new = [d for d in doses if change.to_drug is not None and d.drug.span == change.to_drug.span]
        return _replaced(change, own[0].strength if own else None, new[0].strength if new else None)
    if change.kind in ("increase", "decrease", "change"):
        old, now = _ends(line, change)
        if own and own[0].earlier is not None and old is None:
            old, now = own[0].earlier, own[0].strength
        return _replaced(change, old, now)
    given = own[0].strength if own else None
    if change.kind in ("stop", "hold"):
        return _replaced(change, given, None)
    return _replaced(change, None, given)


def _replaced(change: Change, old: Quantity | None, now: Quantity | None) -> Change:
    return Change(change.kind, change.cue, change.drug, change.to_drug, old, now)


def _ends(line: Line, change: Change) -> tuple[Quantity | None, Quantity | None]:
    """The amounts that `from` and `to` lead up to, in the 120 characters behind verb and drug."""
    start = min(change.cue.start, change.drug.span.start)
    end = next_stop(hard_stops(line.text), max(change.cue.end, change.drug.span.end), len(line.text))
    old = now = None
    for quantity in quantities_between(line, start, min(end, max(change.cue.end, change.drug.span.end) + 120)):
        if not (is_dose(quantity) or is_bare(quantity)):
            continue
        if old is None and _FROM.search(line.text, 0, quantity.span.start):
            old = quantity
        elif now is None and _TO.search(line.text, 0, quantity.span.start):
            now = quantity
    if old is None and now is not None:
        first = [q for q in quantities_between(line, change.drug.span.end, now.span.start) if is_dose(q) or is_bare(q)]
        old = first[-1] if first else None
    return old, now
