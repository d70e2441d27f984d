"""From a seed to a folder: `claims.jsonl` and `manifest.json`. Same arguments, same bytes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits.kinds import TRUE_KINDS, WRONG_KINDS
from chartcite.lab.planted_edits.lexicon import SPLITS
from chartcite.lab.planted_edits.maker import draft, finish
from chartcite.lab.planted_edits.model import Item, Lang, Split

DEFAULT_SEED = 4
FORMAT = "chartcite.planted_edits/1"
VERSION = "1"
LANGUAGES: tuple[Lang, ...] = ("en", "pt")
_TRIES = 4000  # draws for one item before the request is given up


@dataclass(frozen=True, slots=True)
class Sizes:
    """Items of every kind in each split, by language."""

    wrong_en: int = 200
    wrong_pt: int = 100
    true_en: int = 120
    true_pt: int = 50

    def of(self, kind: str, lang: Lang) -> int:
        """How many items of a kind."""
        table = {("en", True): self.wrong_en, ("pt", True): self.wrong_pt, ("en", False): self.true_en}
        return table.get((lang, kind in WRONG_KINDS), self.true_pt)


def items(seed: int, sizes: Sizes | None = None, langs: Sequence[Lang] = LANGUAGES) -> Iterator[Item]:
    """All items, by split, language and kind. No claim is made twice as a right one, nor twice as a wrong one."""
    sizes = sizes or Sizes()
    for split in SPLITS:
        for lang in langs:
            seen: set[tuple[bool, str]] = set()
            for kind in (*WRONG_KINDS, *TRUE_KINDS):
                for number in range(sizes.of(kind, lang)):
                    yield _item(seed, split, lang, kind, number, seen)


def _item(seed: int, split: Split, lang: Lang, kind: str, number: int, seen: set[tuple[bool, str]]) -> Item:
    for attempt in range(_TRIES):
        name = f"{seed}/{split}/{lang}/{kind}/{number}/{attempt}"
        made = draft(kind, lang, split, Dice(name), name)
        if made is None or made.claim in {said.text for told in made.told for said in told.sentences}:
            continue
        key = (kind in WRONG_KINDS, made.claim)
        if key in seen:
            continue
        seen.add(key)
        label = f"{lang}-{split}-{kind}-{number + 1:04}"
        return finish(made, kind, lang, split, Dice(name, "note"), f"{name}/note", label)
    raise ValueError(f"no new claim of the kind {kind} ({lang}, {split}): ask for fewer")


def generate(
    seed: int = DEFAULT_SEED, out: Path | str = "planted_edits", sizes: Sizes | None = None,
    langs: Sequence[Lang] = LANGUAGES,
) -> dict[str, Any]:  # fmt: skip
    """Write a data set and return its manifest.

    Args:
        seed: every byte depends on it and on the sizes only.
        out: a folder that is empty or does not exist.
        sizes: items of every kind.
        langs: languages to write.

    Raises:
        ValueError: a folder that holds something, or more items than the word lists can make.
    """
    folder, sizes = Path(out), sizes or Sizes()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError("the output folder is not empty")
    made = list(items(seed, sizes, langs))
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(item.row(), ensure_ascii=False) + "\n" for item in made)
    (folder / "claims.jsonl").write_text(lines, "utf-8", newline="\n")
    content = _manifest(seed, sizes, langs, made, lines)
    (folder / "manifest.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return content


def _manifest(seed: int, sizes: Sizes, langs: Sequence[Lang], made: Sequence[Item], lines: str) -> dict[str, Any]:
    kinds: dict[str, dict[str, int]] = {}
    for item in made:
        row = kinds.setdefault(item.kind, {f"{s}_{lang}": 0 for s in SPLITS for lang in langs})
        row[f"{item.split}_{item.language}"] += 1
    return {
        "format": FORMAT,
        "version": VERSION,
        "seed": seed,
        "sizes": asdict(sizes),
        "counts": {
            "claims": len(made),
            "supported": sum(item.supported for item in made),
            "wrong": sum(not item.supported for item in made),
            "citing_two_or_more": sum(len(item.citations) > 1 for item in made),
            "families": _families(made),
        },
        "kinds": kinds,
        "sha256": {"claims.jsonl": hashlib.sha256(lines.encode("utf-8")).hexdigest()},
    }


def _families(made: Sequence[Item]) -> Mapping[str, int]:
    """Template families in use, by split and language, source and claim families together."""
    found = {(item.split, item.language, part) for item in made for part in item.family.replace(">", "+").split("+")}
    return dict(sorted(Counter(f"{split}_{lang}" for split, lang, _ in found).items()))
