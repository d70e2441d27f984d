"""Whether an audit trail is whole: every line as it was written, in its place, none missing."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, Literal

from chartcite.store.audit import Anchor, AuditTrail

FaultKind = Literal["changed", "missing", "cut", "other_trail"]


@dataclass(frozen=True, slots=True)
class AuditFault:
    """What is wrong, at which line.

    `changed`: the line, its time, its number or its hash is not what was written there (also of a line that was moved
    or written twice). `missing`: numbers are left out before it. `cut`: lines that the anchor bears out are not there.
    `other_trail`: the anchor is that of another trail, or of one that was begun anew.
    """

    kind: FaultKind
    n: int


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """What a check found. `anchored`: the number up to which an anchor bears the trail out; None without one."""

    lines: int
    first: int
    last: int
    anchored: int | None
    faults: tuple[AuditFault, ...]

    def to_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "whole": not self.faults, "lines": self.lines, "first": self.first, "last": self.last,
            "anchored": self.anchored, "faults": [{"kind": f.kind, "line": f.n} for f in self.faults],
        }  # fmt: skip


def check(trail: AuditTrail, *anchors: Anchor) -> AuditCheck:
    """Recompute every hash of a trail, and compare its end with anchors."""
    faults: list[AuditFault] = []
    with trail.reading() as cursor:
        first, before = cursor.execute("SELECT first, before FROM trail").fetchone()
        rows = cursor.execute("SELECT n, line, mac FROM lines ORDER BY n").fetchall()
    start, expected, last_mac = int(first), int(first), bytes(before)
    known = {start - 1: last_mac}
    for n, line, mac in rows:
        if n != expected:
            faults.append(AuditFault("missing", int(n)))
        elif not hmac.compare_digest(trail.keys.of_line(last_mac, n, line), bytes(mac)):
            faults.append(AuditFault("changed", int(n)))
        expected, last_mac = int(n) + 1, bytes(mac)
        known[int(n)] = last_mac
    for anchor in anchors:
        if anchor.trail != trail.trail:
            faults.append(AuditFault("other_trail", anchor.n))
        elif anchor.n >= expected:
            faults.append(AuditFault("cut", expected))
        elif anchor.n >= start - 1 and known.get(anchor.n, b"").hex() != anchor.mac:
            faults.append(AuditFault("changed", anchor.n))
    anchored = max((a.n for a in anchors if a.trail == trail.trail), default=None)
    return AuditCheck(len(rows), start, expected - 1, anchored, tuple(dict.fromkeys(faults)))
