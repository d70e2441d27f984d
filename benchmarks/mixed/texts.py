"""Invented notes, each another, and the plain formats that carry them: text, tables, lines of JSON."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable

from mixed.expected import Expected, read, refused

File = tuple[str, bytes, Expected]
"""Name below the folder, content, what must come of it."""
Maker = Callable[[int, random.Random], list[File]]


def note(n: int, rng: random.Random, more: str = "") -> str:
    """Three sentences; `n` makes them unlike all others."""
    drug = rng.choice(("Warfarin", "Metformin", "Lisinopril", "Furosemide"))
    potassium = rng.randrange(30, 60) / 10
    dose = f"{drug} {rng.randrange(1, 80)} mg daily, no rash."
    return f"Visit {n} of the year. {dose}{more} Potassium {potassium} mmol/L.\n"


def patient(n: int) -> str:
    return f"p{n % 40:02d}"


def encoded(codec: str, more: str, suffix: str = "txt") -> Maker:
    """A text file in an encoding, with characters that tell it."""

    def make(n: int, rng: random.Random) -> list[File]:
        text = note(n, rng, more)
        if codec.startswith("utf-16"):
            return [
                (
                    f"{patient(n)}/note-{n}.{suffix}",
                    b"\xff\xfe" + text.encode("utf-16-le"),
                    read("text", text, patient(n)),
                )
            ]
        return [(f"{patient(n)}/note-{n}.{suffix}", text.encode(codec), read("text", text, patient(n)))]

    return make


def table(n: int, rng: random.Random, broken: int = 0, empty: int = 0) -> list[File]:
    """Four rows that name their patients, and some that cannot be used."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(["doc_id", "patient_id", "time", "note_type", "text"])
    texts = [note(n * 10 + k, rng).strip() for k in range(4)]
    rows.writerows([f"c{n}-{k}", f"own{n % 9}", f"2031-03-0{k + 1}", "Progress note", t] for k, t in enumerate(texts))
    rows.writerows([[f"x{n}-{k}", "own"] for k in range(broken)])
    rows.writerows([[f"e{n}-{k}", "own", "", "", ""] for k in range(empty)])
    right = Expected(
        "partial" if broken else "read", {"csv": 4}, {f"own{n % 9}": 4}, sum(map(len, texts)), broken, empty
    )
    return [(f"tables/table-{n}.csv", out.getvalue().encode(), right)]


def broken_table(n: int, rng: random.Random) -> list[File]:
    return table(n, rng, broken=2, empty=1)


def omop(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng).strip()
    head = "NOTE_ID\tPERSON_ID\tNOTE_DATE\tNOTE_DATETIME\tNOTE_TYPE_CONCEPT_ID\tNOTE_TEXT\n"
    line = f"{n}\tomop{n % 7}\t2031-03-02\t2031-03-02 00:00:00\t44814637\t{text}\n"
    return [(f"tables/NOTE-{n}.tsv", (head + line).encode(), read("omop", text, f"omop{n % 7}"))]


def mimic(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng).strip()
    head = "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n"
    line = f'm{n},mimic{n % 5},1,DS,1,2180-05-07,,"{text}"\n'
    return [(f"tables/discharge-{n}.csv", (head + line).encode(), read("mimic", text, f"mimic{n % 5}"))]


def lines(n: int, rng: random.Random, broken: int = 0) -> list[File]:
    texts = [note(n * 10 + k, rng) for k in range(3)]
    rows = [json.dumps({"doc_id": f"j{n}-{k}", "patient_id": f"own{n % 9}", "text": t}) for k, t in enumerate(texts)]
    rows[1:1] = ['{"doc_id": "x", "text"'] * broken
    right = Expected("partial" if broken else "read", {"jsonl": 3}, {f"own{n % 9}": 3}, sum(map(len, texts)), broken)
    return [(f"tables/notes-{n}.jsonl", "\n".join(rows).encode(), right)]


def broken_lines(n: int, rng: random.Random) -> list[File]:
    return lines(n, rng, broken=1)


def twice(n: int, rng: random.Random) -> list[File]:
    """The same content under two names of one patient, and in another patient's folder under the same name."""
    text = note(n, rng)
    return [
        (f"{who}/{name}-{n}.txt", text.encode(), read("text", text, who))
        for who, name in ((patient(n), "first"), (patient(n), "second"), (patient(n + 1), "first"))
    ]


NAMES = (
    "\N{PAGE FACING UP} nota é {n}.txt", "two\nlines {n}.txt", "x" * 200 + "{n}.txt", "-rf {n}.txt", " leading {n}.txt",
    "--patient={n}.txt", "100%s #{n}.txt", "it's \"{n}\".txt", "back\\slash {n}.txt", "e\u0301 {n}.txt",
    "{n}", "{n}.TXT", "[red]{n}.txt", "\x1b[31m{n}.txt", "a:b {n}.txt", "{n}.unheard",
)  # fmt: skip


def odd_name(n: int, rng: random.Random) -> list[File]:
    text = note(n, rng)
    name = NAMES[n % len(NAMES)].replace("{n}", str(n))
    return [(f"{patient(n)}/{name}", text.encode(), read("text", text, patient(n)))]


def misplaced(n: int, rng: random.Random) -> list[File]:
    """Not directly in a patient's folder, so nobody says whose it is."""
    text = note(n, rng).encode()
    where = f"loose-{n}.txt" if n % 2 else f"{patient(n)}/deeper/note-{n}.txt"
    return [(where, text, Expected("failed", chars=0, failed=1, kinds=("NoPatient",)))]


def worthless(n: int, rng: random.Random) -> list[File]:
    data, kind = (
        (b"", "EmptySource"), (b" \n\t\n", "EmptySource"), (rng.randbytes(3000), "UnsupportedFormat"),
        (b'{"a": [1, 2', "CorruptSource"), (b"\x7fELF" + bytes(200), "UnsupportedFormat"),
    )[n % 5]  # fmt: skip
    suffix = ("txt", "txt", "bin", "json", "exe")[n % 5]
    return [(f"{patient(n)}/odd-{n}.{suffix}", data, refused(kind))]
