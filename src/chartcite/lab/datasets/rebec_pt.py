"""ReBEC: Brazilian clinical trials, the same record in Portuguese and in English (Neves, 2017).

A corpus item is one trial's Portuguese body (conditions and intervention, criteria, outcomes) without its titles.
Cases, by `group`: `title` asks with the Portuguese public title, `title_en` with the English one, `outcome` with the
primary outcome, which is then to be found among the criteria: its items are `ID/criteria`. Each has one relevant item.
The published BioC XML is not read; the shared JSONL is made from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

BODY = ("freetext", "inclusion_criteria", "exclusion_criteria", "primary_outcome", "secondary_outcome")
CRITERIA = ("inclusion_criteria", "exclusion_criteria")


class RebecPt(Dataset):
    """Two corpora told apart by `group` (`body`, `criteria`), three kinds of question."""

    card = Card(
        "rebec_pt",
        "no licence stated; texts from the Brazilian Clinical Trials Registry (public)",
        "github biomedical-translation-corpora/rebec",
        "Neves, WMT 2017, A Parallel Collection of Clinical Trials in Portuguese and English",
        lang="pt",
        expected=(
            Expected("corpus", 2370, "RBR-22bpsb/body", "RBR-222wkf/criteria"),
            Expected("cases", 3555, "RBR-22bpsb/title", "RBR-222wkf/outcome"),
        ),
        note="Search questions of group `outcome` in the items of group `criteria`, the others in `body`.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """Each trial's body, and its criteria alone."""
        for trial, row in _rows(folder):
            for group, names in (("body", BODY), ("criteria", CRITERIA)):
                yield CorpusItem(f"{trial}/{group}", _text(row, "pt-br", names), lang="pt", group=group)

    def cases(self, folder: Path) -> Iterator[Case]:
        """Three questions a trial, in the trial's order."""
        for trial, row in _rows(folder):
            asked = (
                ("title", "pt-br", "public_title", "body"),
                ("title_en", "en", "public_title", "body"),
                ("outcome", "pt-br", "primary_outcome", "criteria"),
            )
            for group, lang, name, where in asked:
                relevant = (Relevant(f"{trial}/{where}"),)
                yield Case(
                    f"{trial}/{group}", _text(row, lang, (name,)), row.get("split") or "", relevant=relevant,
                    group=group, lang=lang[:2], cluster=trial,
                )  # fmt: skip


def _rows(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in read_objects(wanted("rebec_pt", folder, "trials.jsonl")):
        yield field(row, "_id", "rebec_pt"), row


def _text(row: dict[str, Any], lang: str, names: tuple[str, ...]) -> str:
    sections = field(row, "sections", "rebec_pt").get(lang) or {}
    return "\n".join(part for name in names for part in sections.get(name) or ())


DATASET = RebecPt()
