"""Makes `readers/data/letter_pairs.txt`: how often a letter follows another in English and Portuguese words.

    python scripts/letter_pairs.py

Counted in the package's own word lists and demonstration records. 27 rows (a to z, and the end or beginning of a word)
of 27 numbers: tenths of bits of surprise, add-one smoothed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "chartcite"
SOURCES = (
    "demo/**/*.md",
    "demo/**/*.txt",
    "demo/**/*.jsonl",
    "text/data/*.txt",
    "facts/data/*.tsv",
    "app/words/pt/*.toml",
)
SYMBOLS = "abcdefghijklmnopqrstuvwxyz "


def main() -> None:
    """Count and write."""
    pairs: Counter[tuple[str, str]] = Counter()
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            plain = unicodedata.normalize("NFKD", path.read_text("utf-8")).encode("ascii", "ignore").decode()
            for word in re.findall(r"[A-Za-z]{3,}", plain):
                letters = f" {word.lower()} "
                pairs.update(pairwise(letters))
    rows = []
    for one in SYMBOLS:
        total = sum(pairs[one, other] + 1 for other in SYMBOLS)
        rows.append(" ".join(str(round(-10 * math.log2((pairs[one, other] + 1) / total))) for other in SYMBOLS))
    (PACKAGE / "readers" / "data" / "letter_pairs.txt").write_text("\n".join(rows) + "\n", "ascii")


if __name__ == "__main__":
    main()
