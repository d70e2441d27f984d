"""MedQuAD, its LiveQA-Med part: consumer messages, a person's summary of each, and graded answers.

Ben Abacha et al., TREC 2017 (the questions) and BMC Bioinformatics 2019 (the judged answers). A case's question is the
message as it came, its narrative the same below its subject line; the summary is what interpretation should reach.
Answers graded 3 (incomplete) or 4 (excellent) count as relevant, with the grade less 2; the others are judged and not
relevant. Where an answer was judged twice the better grade holds. Read: the shared form, and the published one (the XML
with summaries, the qrels text with `1 1-Incorrect ADAM_...`, the CSV of answers). The copyrighted ADAM and MedlinePlus
drug answers are removed from some copies, so counts of the published form are not declared.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import locate, read_cells, read_objects, read_text, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field
from chartcite.lab.errors import BadTable

_XML = "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
_QRELS = "All-qrels_LiveQAMed2017-TestQuestions_2479_Judged-Answers.txt"
_ANSWERS = "All-2479-Answers-retrieved-from-MedQuAD.csv"
_ANSWER = re.compile(r"\s*Question:(?P<title>.*?)\n?\s*URL:\s*\S*\s*Answer:(?P<text>.*)", re.DOTALL)
_GRADE = re.compile(r"[1-4]")


class Medquad(Dataset):
    """Corpus (the judged answers) and cases (the 104 test questions)."""

    card = Card(
        "medquad",
        "CC BY 4.0; some answers are copyrighted by MedlinePlus and ADAM: do not redistribute",
        "github abachaa/MedQuAD, github abachaa/LiveQA_MedicalTask_TREC2017",
        "Ben Abacha and Demner-Fushman, BMC Bioinformatics 20:511, 2019",
        expected=(
            Expected("corpus", 721, "GARD_0004375_Sec1.txt", "MPlusDrugs_0000553_Sec7.txt"),
            Expected("cases", 104, "TQ1", "TQ104"),
        ),
        note="60 of the 104 questions have an answer of grade 3 or 4 in the copy without copyrighted answers.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """Answers; the title is the question each was written for."""
        shared = locate(folder, "liveqa_answers.jsonl")
        if shared is not None:
            pairs = ((field(r, "_id", "medquad"), field(r, "text", "medquad")) for r in read_objects(shared))
        else:
            table = wanted("medquad", folder, "liveqa_answers.jsonl", _ANSWERS)
            pairs = ((r["AnswerID"], r["Answer"]) for r in read_cells(table, ("AnswerID", "Answer")))
        for answer, text in pairs:
            parts = _ANSWER.match(text)
            title = parts["title"].strip() if parts else ""
            yield CorpusItem(answer, parts["text"].strip() if parts else text, title, group=answer.split("_")[0])

    def cases(self, folder: Path) -> Iterator[Case]:
        """The test questions, those without a good answer too."""
        grades = _grades(folder)
        for case, subject, message, summary, references, kind in _questions(folder):
            judged = tuple(Relevant(doc, grade) for doc, grade in grades[case].items())
            narrative = f"{subject}\n\n{message}" if subject else message
            yield Case(case, message, "test", narrative, summary, references, judged, group=kind)


def _grades(folder: Path) -> dict[str, dict[str, int]]:
    path = wanted("medquad", folder, "liveqa_qrels.tsv", _QRELS)
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for n, line in enumerate(read_text(path).splitlines(), start=1):
        parts = line.split()
        if not parts or (n == 1 and parts[0] == "qid"):
            continue
        if len(parts) != 3:
            raise BadTable(f"{path.name}, line {n}: not a judgement.", "question, answer and grade.")
        question, answer, grade = (parts[0], parts[1], parts[2]) if path.suffix == ".tsv" else (
            f"TQ{parts[0].removeprefix('TQ')}", parts[2], parts[1]
        )  # fmt: skip
        if not _GRADE.match(grade):
            raise BadTable(f"{path.name}, line {n}: the grade is not 1 to 4.")
        found[question][answer] = max(found[question].get(answer, 0), int(grade[0]) - 2, 0)
    return found


def _questions(folder: Path) -> Iterator[tuple[str, str, str, str, tuple[str, ...], str]]:
    path = wanted("medquad", folder, "liveqa_questions.jsonl", _XML, f"TestDataset/{_XML}")
    if path.suffix == ".xml":
        yield from _from_xml(path)
        return
    for row in read_objects(path):
        answers = tuple(a["text"] for a in row.get("reference_answers") or ())
        kind = "|".join(row.get("types") or ())
        message, summary = field(row, "message", "medquad"), row.get("summary") or ""
        yield field(row, "_id", "medquad"), row.get("subject") or "", message, summary, answers, kind


def _from_xml(path: Path) -> Iterator[tuple[str, str, str, str, tuple[str, ...], str]]:
    try:
        root = ET.fromstring(read_text(path).encode())  # noqa: S314  (a file the user chose; expat bounds entities)
    except ET.ParseError:
        raise BadTable(f"{path.name} is not XML.", "Fetch the file again.") from None
    for node in root.iter("NLM-QUESTION"):
        answers = tuple(" ".join((a.text or "").split()) for a in node.iter("ANSWER"))
        kind = "|".join((t.text or "").strip() for t in node.iter("TYPE"))
        tags = ("SUBJECT", "MESSAGE", "NLM-Summary")
        subject, message, summary = (" ".join((node.findtext(f".//{tag}") or "").split()) for tag in tags)
        yield node.get("qid", ""), subject, message, summary, answers, kind


DATASET = Medquad()
