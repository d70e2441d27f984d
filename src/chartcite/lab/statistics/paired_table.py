"""The paired table `query_id,system_a,system_b`: one line a question, one column a system, right or wrong in words.

Levels are matched by value, never by the order in which they appear; spaces and letter case do not make a level.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.csv_safe import TableRow, read_table
from chartcite.lab.errors import BadTable
from chartcite.lab.statistics.ratings import label

# Known words for right and wrong, in the order in which a pair is looked for.
_RIGHT = frozenset(
    {"1", "true", "t", "yes", "y", "right", "correct", "pass", "passed", "p", "hit", "sim", "s", "certo"}
)
_WRONG = frozenset(
    {"0", "false", "f", "no", "n", "wrong", "incorrect", "fail", "failed", "miss", "não", "nao", "errado"}
)


@dataclass(frozen=True, slots=True)
class PairedTable:
    """Two systems on the same questions.

    Attributes:
        pairs: (first right, second right) by question id.
        right, wrong: the levels as read (trimmed, in lower case); `wrong` is empty where every answer is right.
        missing_a, missing_b: blank cells; they count as wrong.
    """

    system_a: str
    system_b: str
    pairs: dict[str, tuple[bool, bool]]
    right: str
    wrong: str
    missing_a: int
    missing_b: int


def read_paired(path: Path, *, right: str = "") -> PairedTable:
    """Read a paired table.

    Args:
        path: CSV with exactly three columns: the question's id, then one for each system.
        right: the level that means right; needed only where the words do not say so themselves.

    Raises:
        BadTable: other columns, a repeated or empty id, more than two levels, no line, or levels that do not say
            which is right.
    """
    rows = list(read_table(path, ["query_id"]))
    if not rows:
        raise BadTable(f"{path.name}: there is no question in it.", "query_id,system_a,system_b")
    systems = [name for name in rows[0].cells if name != "query_id"]
    if len(systems) != 2:
        raise BadTable(f"{path.name}, line 1: {len(systems)} systems instead of two.", "query_id,system_a,system_b")
    answers = _by_id(path, rows, systems)
    levels = sorted({level for pair in answers.values() for level in pair} - {""})
    yes = _right_level(path, levels, label(right))
    return PairedTable(
        systems[0], systems[1], {q: (a == yes, z == yes) for q, (a, z) in answers.items()}, yes,
        next((x for x in levels if x != yes), ""), *(sum(not pair[i] for pair in answers.values()) for i in (0, 1)),
    )  # fmt: skip


def _by_id(path: Path, rows: list[TableRow], systems: list[str]) -> dict[str, tuple[str, str]]:
    answers: dict[str, tuple[str, str]] = {}
    for row in rows:
        query = row.cells["query_id"].strip()
        if not query or query in answers:
            raise BadTable(f"{path.name}, line {row.line}: the query_id is empty or repeated.", "One line a question.")
        answers[query] = (label(row.cells[systems[0]]), label(row.cells[systems[1]]))
    return answers


def _right_level(path: Path, levels: list[str], asked: str) -> str:
    if len(levels) > 2:
        raise BadTable(f"{path.name}: {len(levels)} different answers instead of two.", "1 for right, 0 for wrong.")
    if asked:
        if levels and asked not in levels and len(levels) == 2:
            raise BadTable(f"{path.name}: the level that means right does not occur.", "Check its spelling.")
        return asked
    known = [level for level in levels if level in _RIGHT]
    if len(known) == 1:
        return known[0]
    if not known and all(level in _WRONG for level in levels):
        return "1"  # nothing was right, whatever the word would have been
    raise BadTable(f"{path.name}: which answer means right?", "Use 1 and 0, or say which level is right.")
