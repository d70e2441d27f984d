"""NLI4CT: statements about breast cancer trials, with gold lines (Jullien et al., SemEval 2023 task 7).

A corpus item is one section of one trial, `NCT00066573/Results`; its sentences are the section's lines, which gold
positions count from 0. Read: the shared form (`train.jsonl.gz`, `trials.jsonl.gz`) and the published one
(`train.json` as one object by id, `CT json/NCT*.json`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim, CorpusItem, EvidenceSentence, Label
from chartcite.lab.datafiles import locate, read_object, read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field

SECTIONS = ("Intervention", "Eligibility", "Results", "Adverse Events")
_LABELS: dict[str, Label] = {"Entailment": "supported", "Contradiction": "contradicted"}


class Nli4ct(Dataset):
    """Corpus and claims; `group` is the section."""

    card = Card(
        "nli4ct",
        "no licence stated; trial texts from ClinicalTrials.gov (US public)",
        "github ai-systems/nli4ct",
        "Jullien et al., SemEval 2023, task 7",
        expected=(
            Expected("corpus", 3996, "NCT01997333/Intervention", "NCT01156987/Adverse Events"),
            Expected(
                "claims", 1700, "5bc844fc-e852-4270-bfaf-36ea9eface3d", "bd073d05-3ba2-4898-9d86-a51951a7ad1f", "train"
            ),
            Expected(
                "claims", 200, "1adc970c-d433-44d0-aa09-d3834986f7a2", "985bc5a0-bc21-447f-92f1-150e23ede3f5", "dev"
            ),
        ),
        note="Picking every line of the section already gives .622 micro F1 on dev.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """999 trials in four sections each."""
        for trial, row in trials_of(folder, self.card.name):
            for section in SECTIONS:
                lines = tuple(field(row, section, "nli4ct"))
                yield CorpusItem(f"{trial}/{section}", "\n".join(lines), trial, lines, group=section)

    def claims(self, folder: Path) -> Iterator[Claim]:
        """Statements; each trial's gold lines belong to the one alternative there is."""
        for split in ("train", "dev"):
            for claim, row in statements_of(folder, split, self.card.name):
                section = field(row, "Section_id", "nli4ct")
                trials = [
                    (row[f"{which}_id"], row.get(f"{which}_evidence_index") or ())
                    for which in ("Primary", "Secondary")
                    if row.get(f"{which}_id")
                ]
                items = tuple(f"{trial}/{section}" for trial, _ in trials)
                gold = tuple(EvidenceSentence(f"{t}/{section}", line) for t, lines in trials for line in lines)
                word = row.get("Label") or ""
                label = _LABELS.get(word)
                yield Claim(
                    claim, field(row, "Statement", "nli4ct"), split, label, word, items, gold,
                    group=section, cluster=items[0].split("/")[0] if items else "",
                )  # fmt: skip


def trials_of(folder: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each trial's id and sections; `name` is the data set's, for the message where the files are absent."""
    folders = [f for f in (folder / "CT json", folder / "Complete_dataset" / "CT json") if f.is_dir()]
    if locate(folder, "trials.jsonl") is None and folders:
        for path in sorted(folders[0].glob("*.json")):
            yield path.stem, read_object(path)
        return
    for row in read_objects(wanted(name, folder, "trials.jsonl", "CT json/NCT*.json")):
        yield field(row, "_id", "nli4ct"), row


def statements_of(folder: Path, split: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each statement's id and row of a split; `name` as in `trials_of`."""
    path = wanted(name, folder, f"{split}.jsonl", f"{split}.json", f"Complete_dataset/{split}.json")
    if ".jsonl" in path.name:
        for row in read_objects(path):
            yield field(row, "_id", "nli4ct"), row
    else:
        yield from read_object(path).items()


DATASET = Nli4ct()
