"""Three invented PDFs and four queries, engines made of words, and one finished run that is copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fpdf import FPDF

from chartcite.lab.experiment.folder import RunFolder, hash8
from chartcite.lab.experiment.loading import parse_experiment
from chartcite.lab.experiment.runner import Plan, run_experiment
from chartcite.lab.experiment.spec import Experiment
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

PAPERS = {
    "goats.pdf": """Serology of goats in Lindavia

    In 2010 a survey was made of 449 goats in two districts of Lindavia. Antibodies were found in 11.6 percent of the
    goats. Older goats were more often positive than younger goats. No animal showed signs of disease. The longitudinal
    cohort failed to show seroconversion. Sampling was done by two veterinarians in the dry season. Blood was kept at
    four degrees until it was tested. The owners of the goats had agreed to the survey.""",
    "dentures.pdf": """A questionnaire on dentures

    The questionnaire on dentures was translated into Lindavian. It was tested in a sample of 119 patients (mean age
    57 years). The reliability of the questionnaire was excellent. Patients filled it in twice within two weeks. Pain
    was the most frequent complaint of the patients. The total score ranged from 12 to 60. A dentist examined each
    patient before the questionnaire was given out. The forms were read by machine.""",
    "minnows.pdf": """Flame retardants in minnows

    Adult minnows were given the flame retardant in their food for 21 days. Minnows that were exposed had lower plasma
    thyroxine than controls. The retardant reduced the transcript in the brain of males by 53 percent. Growth was not
    changed by the retardant. Water was renewed every day during the exposure. Two doses were compared with a control
    group. The liver showed no change in the transcript of the receptor.""",
}
_QUERIES = """id,query,document,answer,answerable
q1,In what share of goats were antibodies found?,goats.pdf,found in 11.6 percent,
q2,How many patients were in the sample of the questionnaire?,dentures.pdf,sample of 119 patients,yes
q3,What did the flame retardant do to plasma thyroxine of minnows?,minnows.pdf,lower plasma thyroxine,yes
q4,Which vaccine prevents quartan fever in volcanologists?,,,no
"""


class WordReranker:
    """Scores by the share of the query's words that a text has."""

    name = "words"
    fingerprint = "1"

    def __init__(self) -> None:
        self.pairs = 0

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.pairs += len(texts)
        wanted = set(query.lower().strip("?").split())
        return [8 * len(wanted & set(text.lower().replace(".", " ").split())) / len(wanted) - 4 for text in texts]


def write_pdf(path: Path, text: str) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=12)
    pdf.add_page()
    pdf.multi_cell(0, 6, "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")))
    pdf.output(str(path))


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for name, text in PAPERS.items():
        write_pdf(folder / name, text)
    (folder / "queries.csv").write_text(_QUERIES, "utf-8")
    return folder


def table(**more: Any) -> dict[str, Any]:
    """A small experiment as TOML would give it, on the preset."""
    whole: dict[str, Any] = {
        "name": "Small study", "preset": "grounding_study", "data": {"folder": "papers"},
        "settings": {"splitter": "fixed:40-8"}, "options": {"candidates": 6, "context": 3, "sheet_items": 0},
        "statistics": {"resamples": 200},
    }  # fmt: skip
    return whole | more


class Runner:
    """Runs the study below a folder with small engines; counts stores opened and pairs reranked."""

    def __init__(self, base: Path, encoder: FakeEncoder) -> None:
        self.base, self.runs = base, base / "runs"
        self.encoder, self.reranker = encoder, WordReranker()
        self.opened: list[Path] = []
        self.stop_at: tuple[str, float] | None = None

    def spec(self, **more: Any) -> Experiment:
        return parse_experiment(table(**more))

    def __call__(self, spec: Experiment | None = None, **plan: Any) -> RunFolder:
        self.opened.clear()
        return run_experiment(Plan(spec or self.spec(), self.base, self.runs, **plan), self._progress, self._open)

    def _open(self, folder: Path, settings: Settings, create: bool) -> Book:
        self.opened.append(folder)
        engines = Engines(settings)
        engines.__dict__.update(encoder=self.encoder, reranker=self.reranker)
        return Book(folder, settings, create=create, engines=engines)

    def _progress(self, stage: str, done: float, total: int) -> None:
        if self.stop_at and stage == self.stop_at[0] and done >= self.stop_at[1]:
            self.stop_at = None
            raise KeyboardInterrupt


@pytest.fixture
def runner(tmp_path: Path, papers: Path, fake_encoder: FakeEncoder) -> Runner:
    shutil.copytree(papers, tmp_path / "papers")
    return Runner(tmp_path, fake_encoder)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("finished study")


@pytest.fixture
def finished(runner: Runner, kept: Path) -> RunFolder:
    """A finished run of the preset with all five strategies, for this test alone."""
    name = f"{runner.spec().slug}-{hash8(runner.spec())}"
    if not (kept / name).is_dir():
        shutil.copytree(runner().path, kept / name)
    else:
        shutil.copytree(kept / name, runner.runs / name)
    return RunFolder.open(runner.runs / name)
