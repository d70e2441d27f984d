"""Make the verifier's tables of the word lists beforehand: src/chartcite/verification/data/compiled.json.gz.

Usage: python scripts/compile_lists.py [--check]

To be run after each change of a list (facts/data, verification/data) or of the code that makes tables of them. A
process that finds the file stale builds the tables itself, which makes its first check slower and changes no outcome.
`--check` writes nothing and fails when the file is not what would be written.
"""

from __future__ import annotations

import argparse
import gzip
from collections import ChainMap
from pathlib import Path
from unittest.mock import patch

from chartcite.verification import compiled, concepts, exclusive, kinds, paraphrases

OUT = Path(__file__).parents[1] / "src/chartcite/verification/data" / compiled.FILE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    made = compile_lists()
    if not args.check:
        OUT.write_bytes(made)
        print(f"{OUT}: {len(made):,} bytes")
    elif not OUT.exists() or gzip.decompress(OUT.read_bytes()) != gzip.decompress(made):
        raise SystemExit(f"{OUT.name} is not made of the lists as they are: run python scripts/compile_lists.py")


def compile_lists() -> bytes:
    # What the file says at present must not get into what is made.
    with patch.object(compiled, "read_tables", lambda: None):
        made = (concepts.pack_concepts(), kinds.pack_kinds(), exclusive.pack_members(), paraphrases.pack_paraphrases())
    return compiled.write_tables(dict(ChainMap(*made)))


if __name__ == "__main__":
    main()
