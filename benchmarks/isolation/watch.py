"""Whose is it: everything that an output names or quotes is looked up in the notes of the patient who was asked."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any


class Watch:
    """One store's notes by patient, and what gives another patient away.

    Args:
        texts: by patient, the text of each document by its doc_id.
        marks: by patient, strings in lower case that only its notes have.
    """

    def __init__(self, texts: Mapping[str, Mapping[str, str]], marks: Mapping[str, tuple[str, ...]]) -> None:
        self._texts = texts
        self._others = {
            patient: re.compile("|".join(re.escape(m) for p, own in marks.items() if p != patient for m in own))
            for patient in marks
        }

    def foreign(self, patient: str, output: Any, asked: str = "") -> Counter[str]:
        """What in an output is not this patient's; `spans` counts what was looked up.

        A mark that the question itself names is not counted as text: every result repeats its question.
        """
        found: Counter[str] = Counter(outputs=1)
        own = self._texts[patient]
        for part in _objects(output):
            if "doc_id" in part:
                found += _looked_up(part, own)
        written = json.dumps(output, ensure_ascii=False, default=str).lower()
        said = asked.lower()
        found["marks of another"] += len({m for m in self._others[patient].findall(written) if m not in said})
        return found


def leaks(found: Mapping[str, int]) -> int:
    """All that should be none."""
    return sum(count for name, count in found.items() if name not in ("outputs", "spans"))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for one in value.values():
            yield from _objects(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _objects(one)


def _looked_up(part: Mapping[str, Any], own: Mapping[str, str]) -> Counter[str]:
    doc_id = part["doc_id"]
    if doc_id is None:
        return Counter()
    if doc_id not in own:
        return Counter({"documents of another": 1})
    if part.get("start") is None:
        return Counter()
    text, quote = own[doc_id][part["start"] : part["end"]], part.get("quote", part.get("text"))
    return Counter({"spans": 1, "quotes that differ": int(not text or (quote is not None and quote != text))})
