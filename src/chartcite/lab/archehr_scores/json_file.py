"""A JSON list of cases, whether a submission or a key: read, with what is wrong named by case and field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chartcite.lab.errors import BadTable, DuplicateCase, WrongType

_SAFE = re.compile(r"[\w.:-]{1,40}", re.ASCII)
_SHOWN = 8


def read_cases(path: Path, *fields: str) -> dict[str, dict[str, Any]]:
    """The objects of a list by their `case_id`, each with all the fields named.

    Raises:
        BadTable: the file cannot be read or is not JSON.
        WrongType: not a list of objects, a `case_id` that is no string, a field missing.
        DuplicateCase: a case comes twice.
    """
    try:
        rows = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadTable(f"{path.name} cannot be read ({error.strerror}).", "Check the path.") from None
    except (ValueError, RecursionError):
        raise BadTable(f"{path.name} is not JSON in UTF-8.", "A list of objects with a case_id.") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise WrongType(f"{path.name}: not a list of objects.", "docs/lab.md shows the form.")
    found: dict[str, dict[str, Any]] = {}
    for n, row in enumerate(rows, start=1):
        case = row.get("case_id")
        if not isinstance(case, str):
            raise WrongType(f"{path.name}, object {n}: case_id is no string.", 'Write "1", not 1.')
        if missing := [name for name in fields if name not in row]:
            raise WrongType(f"{path.name}, case {shown([case])}: there is no {missing[0]}.", "Add the field.")
        if case in found:
            raise DuplicateCase(f"{path.name}: case {shown([case])} comes twice.", "One object a case.")
        found[case] = row
    return found


def strings(value: Any, where: str, what: str) -> tuple[str, ...]:
    """A list of strings.

    Raises:
        WrongType: it is none.
    """
    if not isinstance(value, list):
        raise WrongType(f"{where}: {what} is no list.", f"A list of {what}s as strings.")
    if not all(isinstance(item, str) for item in value):
        raise WrongType(f"{where}: a {what} is no string.", 'Write "1", not 1.')
    return tuple(value)


def shown(ids: Iterable[str]) -> str:
    """Ids for a message: sorted, only those that cannot be anything else, and not too many."""
    names = sorted(set(ids), key=lambda name: (len(name), name))
    safe = [name if _SAFE.fullmatch(name) else "(an id of other characters)" for name in names[:_SHOWN]]
    return ", ".join(dict.fromkeys(safe)) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
