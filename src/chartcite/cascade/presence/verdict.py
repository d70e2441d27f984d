"""One answer from all that a record says of a thing: the latest word counts, and what cannot be both is a conflict.

Denied on one day and there on another is a history, not a conflict. An allergy, and what `never` or `no history of`
speaks of, is of all time; of one day asked for, two words of that day conflict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartcite.cascade.presence.mentions import Mention
from chartcite.core.presence import About, PresenceStatus, Said

MOST_SHOWN = 3
_WHOLE_DAY = 10
By = Mapping[str, Sequence[Mention]]


def grouped(found: Sequence[Mention]) -> dict[str, list[Mention]]:
    """The mentions by their sense, each in the order of the record."""
    table: dict[str, list[Mention]] = {}
    for one in found:
        table.setdefault(one.status, []).append(one)
    return table


def status_of(by: By, about: About, period: str, *, is_now: bool = False) -> PresenceStatus:
    """What a record says of a thing; `is_now`: of a drug, whether it is taken and not whether it was."""
    if is_now and by.get("present") and (ended := _ended(by)) and _place(ended[-1]) > max(map(_place, by["present"])):
        return "historical"
    there, no = [*by.get("present", ()), *by.get("historical", ())], by.get("denied", ())
    if there and _disagree(there, no, about, period):
        return "conflicting"
    if there:
        return "present" if by.get("present") else "historical"
    rest: PresenceStatus = next((name for name in _REST if by.get(name)), "not_mentioned")
    return _suspected(by) or rest


_REST: tuple[PresenceStatus, ...] = (
    "denied", "possible", "family", "family_denied", "planned", "unclear", "other_sense"
)  # fmt: skip


def _suspected(by: By) -> PresenceStatus | None:
    """Suspected last of all, or suspected and then denied; None where nobody suspected it."""
    suspected, out, no = by.get("possible", ()), by.get("ruled_out", ()), by.get("denied", ())
    if suspected and _last(suspected) > max(_last(no), _last(out)):
        return "possible"
    return "ruled_out" if out or (no and suspected) else None


def _disagree(there: Sequence[Mention], no: Sequence[Mention], about: About, period: str) -> bool:
    if about == "allergy" or len(period) == _WHOLE_DAY:
        return bool(no)
    first = min((m.sort_key for m in there), default="")
    return any(m.sense.is_lasting and m.sort_key > first for m in no)


def _ended(by: By) -> list[Mention]:
    """What says that a drug is taken no longer, in the order of the record."""
    return sorted([*by.get("historical", ()), *by.get("denied", ())], key=_place)


def _place(one: Mention) -> tuple[str, int, int]:
    return one.sort_key, one.order, one.start


def _last(found: Sequence[Mention]) -> str:
    return max((m.sort_key for m in found), default="")


def shown(by: By, status: PresenceStatus, about: About, *, is_now: bool = False) -> list[Mention]:
    """The sentences that show it, the latest word first: few, each saying something that the others do not."""
    chosen = _shown(by, status, about)
    newest = [max(by["present"], key=_place)] if is_now and status == "present" else []
    return [*newest, *(m for m in chosen if m not in newest)][:MOST_SHOWN]


def _shown(by: By, status: PresenceStatus, about: About) -> list[Mention]:
    there = [*by.get("present", ())] or [*by.get("historical", ())]
    no = [*by.get("denied", ()), *by.get("ruled_out", ())]
    if status == "conflicting":
        lasting = [m for m in no if m.sense.is_lasting] or no
        return [*_ends(there)[:1], *_ends(lasting)[:1]]
    if status == "historical" and by.get("present"):
        return [_ended(by)[-1], *_ends(there)[:1]]
    if status in ("present", "historical"):
        ended = by.get("historical", ()) if about == "drug" and by.get("present") else ()
        later = [m for m in (*no, *ended) if m.sort_key > _last(there)]
        kin = by.get("family", ()) if about == "own_or_family" else ()
        return [*_ends(there), *_ends(later)[:1], *_ends(kin)[:1]][:MOST_SHOWN]
    if status == "ruled_out":
        return [*_ends(no)[:1], *_ends(by.get("possible", ()))[:1]]
    if status in ("not_mentioned", "other_sense") and about == "allergy":
        return []
    return _ends(by.get(status, ()))


def plainest(found: Sequence[Mention]) -> Mention:
    """The latest of those that state it most plainly, on one line where there is such a one."""
    whole = [m for m in found if "\n" not in m.quote]
    return _ends(whole or found)[0]


def _ends(found: Sequence[Mention]) -> list[Mention]:
    """The latest and the first of those that state it most plainly; the thing itself before a kind of it."""
    own = [m for m in found if not m.is_kind] or list(found)
    if not own:
        return []
    most = max(m.weight for m in own)
    own = [m for m in own if m.weight == most]
    ordered = sorted(own, key=lambda m: (m.sort_key, m.order, -m.start))
    last, first = ordered[-1], ordered[0]
    return [last] if _folded(first) == _folded(last) else [last, first]


def _folded(one: Mention) -> str:
    return " ".join(one.quote.split()).casefold()


def counted(by: By) -> dict[str, Said]:
    """How often and when each is said."""
    table = {}
    for name in sorted(by):
        days = sorted(m.day for m in by[name] if m.day)
        table[name] = Said(len(by[name]), days[0] if days else None, days[-1] if days else None)
    return table
