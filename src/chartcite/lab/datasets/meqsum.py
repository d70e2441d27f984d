"""MeQSum: consumer health questions and a person's short form of each (Ben Abacha and Demner-Fushman, ACL 2019).

922 of the 1,000 summaries have at most 15 words. The published file is an Excel sheet: save it as CSV (columns
`File`, `CHQ`, `Summary`) to use it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case
from chartcite.lab.datafiles import read_cells, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field


class Meqsum(Dataset):
    """Cases with narrative and summary, for the stage `interpret`."""

    card = Card(
        "meqsum",
        "see the README of its repository",
        "github abachaa/MeQSum",
        "Ben Abacha and Demner-Fushman, ACL 2019, On the Summarization of Consumer Health Questions",
        expected=(Expected("cases", 1000, "1-131188152.xml.txt", "1-131296355.xml.txt"),),
    )

    def cases(self, folder: Path) -> Iterator[Case]:
        """Each message; its summary is the reference."""
        path = wanted("meqsum", folder, "meqsum.jsonl", "MeQSum.csv")
        if path.suffix == ".csv":
            for cells in read_cells(path, ("File", "CHQ", "Summary")):
                yield Case(cells["File"], cells["CHQ"], "", cells["CHQ"], cells["Summary"])
            return
        for row in read_objects(path):
            message = field(row, "chq", "meqsum")
            yield Case(field(row, "_id", "meqsum"), message, "", message, field(row, "summary", "meqsum"))


DATASET = Meqsum()
