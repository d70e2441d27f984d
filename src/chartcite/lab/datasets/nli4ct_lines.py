"""NLI4CT as retrieval: a statement is the question, the lines of its trial's section are what is searched.

A section that a statement names is a partition of its own (as a patient's record is), each of its lines an item,
`NCT00066573/Results/4`, counted from 0. A statement about two trials is two questions, one in each. Relevant are the
gold lines. The items' group is `dev` where a dev statement names
their section, else `train`. See `nli4ct` for the files and the licence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.dataset import Dataset, Expected, field
from chartcite.lab.datasets.nli4ct import DATASET as NLI4CT
from chartcite.lab.datasets.nli4ct import SECTIONS, statements_of, trials_of

_SPLITS = ("train", "dev")
_SIDES = ("Primary", "Secondary")


class Nli4ctLines(Dataset):
    """Corpus (lines by section) and cases (statement by trial)."""

    card = replace(
        NLI4CT.card,
        name="nli4ct_lines",
        expected=(
            Expected(
                "cases",
                2365,
                "5bc844fc-e852-4270-bfaf-36ea9eface3d/Primary",
                "bd073d05-3ba2-4898-9d86-a51951a7ad1f/Secondary",
                "train",
            ),
            Expected(
                "cases",
                260,
                "1adc970c-d433-44d0-aa09-d3834986f7a2/Primary",
                "985bc5a0-bc21-447f-92f1-150e23ede3f5/Primary",
                "dev",
            ),
        ),
        note="The section is given: it is a choice among its lines, often a dozen, and many of them are relevant.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The lines of the sections that statements name; blank ones are left out, their numbers too."""
        split_of = {case.patient_id: case.split for case in self.cases(folder)}
        for trial, row in trials_of(folder, self.card.name):
            for section in SECTIONS:
                place = f"{trial}/{section}"
                if place in split_of:
                    for n, line in enumerate(field(row, section, self.card.name)):
                        if line.strip():
                            yield CorpusItem(f"{place}/{n}", line, patient_id=place, group=split_of[place])

    def cases(self, folder: Path) -> Iterator[Case]:
        """Each statement, once for each of its trials."""
        for split in _SPLITS:
            for statement, row in statements_of(folder, split, self.card.name):
                section = field(row, "Section_id", self.card.name)
                for side in _SIDES:
                    trial = row.get(f"{side}_id")
                    if trial:
                        place = f"{trial}/{section}"
                        gold = row.get(f"{side}_evidence_index") or ()
                        yield Case(
                            f"{statement}/{side}", field(row, "Statement", self.card.name), split,
                            relevant=tuple(Relevant(f"{place}/{n}") for n in dict.fromkeys(gold)),
                            group=section, patient_id=place, cluster=statement,
                        )  # fmt: skip


DATASET = Nli4ctLines()
