"""The folder itself: so many files of every kind, and those that only a file system can make."""

from __future__ import annotations

import os
import random
from pathlib import Path

from mixed import clinical, texts
from mixed.expected import Expected, read, refused
from mixed.texts import Maker, encoded

KINDS: tuple[tuple[int, Maker], ...] = (
    (24, encoded("utf-8", " Chá às 5 h, 40 µg.")),
    (8, encoded("latin-1", " 40 µg of levothyroxine, naïve.")),
    (5, encoded("utf-16", " Ω 40 µg.")),
    (5, encoded("cp1252", " The “usual” dose – 40 µg.")),
    (6, encoded("utf-8", "", "md")),
    (4, texts.table), (3, texts.broken_table), (3, texts.omop), (2, texts.mimic), (4, texts.lines),
    (2, texts.broken_lines), (2, texts.twice), (4, texts.odd_name), (2, texts.misplaced), (3, texts.worthless),
    (5, clinical.fhir), (2, clinical.broken_fhir), (3, clinical.ndjson), (5, clinical.ccda), (5, clinical.hl7),
    (2, clinical.cut_short), (8, clinical.pdf), (1, clinical.locked), (1, clinical.broken_pdf), (2, clinical.archive),
    (2, clinical.packed), (2, clinical.image), (3, clinical.rtf), (3, clinical.html), (3, clinical.docx),
    (2, clinical.jats),
)  # fmt: skip
"""How often each kind comes in a round."""


def make_files(folder: Path, count: int, rng: random.Random) -> dict[str, Expected]:
    """Write about `count` files (those there already are left); what must come of each, by its name in the ledger."""
    found = special(folder, rng)
    kinds = [maker for share, maker in KINDS for _ in range(share)]
    n = 0
    while len(found) < count:
        for name, data, right in kinds[n % len(kinds)](n, rng):
            path = folder / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            found[name] = right
        n += 1
    return found


def special(folder: Path, rng: random.Random) -> dict[str, Expected]:
    """Links, a pipe, a name that is no text, hidden files, a file that nobody may read."""
    home = folder / "p00"
    home.mkdir(parents=True, exist_ok=True)
    text = texts.note(0, rng)
    for name in (b"plain.txt", b"bytes-\xff\xfe.txt", b".hidden.txt", b"forbidden.txt"):
        Path(os.fsdecode(os.fsencode(home) + b"/" + name)).write_bytes(text.encode())
    (home / "forbidden.txt").chmod(0)
    for link, target in (("link.txt", "plain.txt"), ("dangling.txt", "nowhere.txt")):
        if not (home / link).is_symlink():
            (home / link).symlink_to(target)
    if not (home / "pipe.txt").exists():
        os.mkfifo(home / "pipe.txt")
    may_read = os.access(home / "forbidden.txt", os.R_OK)  # root may
    return {
        # One file under two names is read once, under the first in the order of names.
        "p00/link.txt": read("text", text, "p00"), "p00/plain.txt": Expected(""),
        "p00/bytes-\\xff\\xfe.txt": read("text", text, "p00"), "p00/.hidden.txt": Expected(""),
        "p00/forbidden.txt": read("text", text, "p00") if may_read else refused("UnreadableSource"),
        "p00/dangling.txt": refused("UnreadableSource"), "p00/pipe.txt": refused("UnreadableSource"),
    }  # fmt: skip
