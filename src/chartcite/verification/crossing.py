"""Two statements that have exchanged their parts: `fundus firm, lochia moderate` is not `fundus moderate, lochia firm`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from chartcite.verification.analysis import Analysed
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto


def crossed_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when two segments of the claim have each taken a part of the other's statement."""
    by_segment: dict[int, list[tuple[Matched, int]]] = {}
    for item in matched:
        homes = {hit.segment for hit in item.hits}
        if len(homes) == 1:
            by_segment.setdefault(claim.layout.segments[item.word.at], []).append((item, homes.pop()))
    for first, second in combinations(sorted(by_segment), 2):
        here, there = by_segment[first], by_segment[second]
        for x, x_home in here:
            for a, a_home in here:
                if x_home >= a_home:
                    continue
                homes = {home for _, home in there}
                if not {x_home, a_home} <= homes:
                    continue
                y = next(item for item, home in there if home == a_home)
                if y.word.keys & x.word.keys or y.word.keys & a.word.keys:
                    continue
                return [word_veto("binding", a.word, a.hits[0], evidence, "two statements have exchanged their parts")]
    return []
