"""Official scores of ArchEHR-QA 2025 (github soni-sarvesh/archehr-qa, `evaluation/scoring.py`).

Factuality is the strict micro F1 of the citations against the essential sentences (lenient: the supplementary ones are
gold too). Relevance is the mean of AlignScore, ROUGE-Lsum, BLEU, MEDCON, BERTScore and SARI; reference is the patient's
message, the clinician's question and the essential sentences, a line each; SARI's source is message and question, its
reference the essential sentences. The overall score is the mean of both. The official script takes the essential
sentences from a set, in an order that changes from run to run: here it is the note's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chartcite.lab.archehr_scores.cases import read_xml
from chartcite.lab.archehr_scores.json_file import shown
from chartcite.lab.archehr_scores.key import Relevance, read_relevance
from chartcite.lab.archehr_scores.result import Board, OfficialScores
from chartcite.lab.archehr_scores.submission import same_cases
from chartcite.lab.archehr_scores.submission_2025 import Answer, read_answers
from chartcite.lab.archehr_scores.texts import Models, put_bleu, put_sari, put_texts
from chartcite.lab.errors import BadTable
from chartcite.lab.prf import PARTS, counted, measured
from chartcite.lab.sari import Revision

RELEVANCE_PARTS = ("alignscore", "rougeLsum", "bleu", "medcon", "bertscore", "sari")
GOLD = {"strict": ("essential",), "lenient": ("essential", "supplementary")}
ORDER = "essential sentences are joined in the note's order; the official script's order is not fixed"


def overall(submission: Path, key: Path, xml: Path | None, models: Models) -> OfficialScores:
    """Score a submission; without the XML there is factuality only.

    Raises:
        BadSubmission, BadTable: a file that is not what it should be.
    """
    relevance = read_relevance(key)
    answers = read_answers(submission)
    same_cases(submission, answers, relevance)
    board = Board()
    _put_factuality(board, answers, relevance)
    notes = [f"{len(cut)} answers cut to 75 words: cases {shown(cut)}"] if (cut := _cut(answers)) else []
    notes += (
        [f"citations that are no sentence of the note: cases {shown(odd)}"] if (odd := _odd(answers, relevance)) else []
    )
    if xml is None:
        for name in (*RELEVANCE_PARTS, "rouge1", "rouge2", "rougeL"):
            board.put(name, None, "needs the XML, which has its reference: --xml archehr-qa.xml")
    else:
        _put_relevance(board, answers, _references(xml, relevance), models)
        notes.append(ORDER)
    board.mean("overall_relevance_score", RELEVANCE_PARTS)
    board.mean("overall_score", ("overall_factuality_score", "overall_relevance_score"))
    mean, there = board.of_parts(RELEVANCE_PARTS)
    return OfficialScores(
        2025, None, len(answers), board.scores, board.reasons, mean, there, tuple(board.values), tuple(notes)
    )


def _put_factuality(board: Board, answers: Mapping[str, Answer], relevance: Mapping[str, Relevance]) -> None:
    for rule, wanted in GOLD.items():
        pairs = {
            case: (counted(answers[case].citations, [s for s, r in found.items() if r in wanted]), True)
            for case, found in relevance.items()
        }
        names = {f"{rule}_{how}_{part}": f"{rule}.{how}.{part}" for how in ("macro", "micro") for part in PARTS}
        by_case = {f"{rule}.{part}": f"{rule}_{part}" for part in PARTS}
        board.add(measured(rule, pairs, answers, both_empty=0.0), names, by_case)
    board.put("overall_factuality_score", board.scores["strict_micro_f1"])


def _put_relevance(
    board: Board, answers: Mapping[str, Answer], references: Mapping[str, tuple[str, str]], models: Models
) -> None:
    texts = {case: answer.text for case, answer in answers.items()}
    whole = {case: f"{question}\n\n{essential}" for case, (question, essential) in references.items()}
    put_texts(board, texts, whole, models)
    put_bleu(board, texts, whole)
    put_sari(board, texts, {case: Revision(question, (text,)) for case, (question, text) in references.items()})


def _references(xml: Path, relevance: Mapping[str, Relevance]) -> dict[str, tuple[str, str]]:
    """By case, message and clinician's question, and the essential sentences, a line each."""
    cases, found = read_xml(xml), {}
    if missing := set(relevance) - set(cases):
        raise BadTable(f"{xml.name} lacks cases of the key: {shown(missing)}.", "Are they of one release?")
    for name, labels in relevance.items():
        case, essential = cases[name], {s for s, r in labels.items() if r == "essential"}
        if lost := essential - {s.id for s in case.sentences}:
            raise BadTable(f"{xml.name}, case {shown([name])}: no sentence {shown(lost)}.", "It has no note excerpt?")
        lines = [s.written for s in case.sentences if s.id in essential]
        found[name] = (f"{case.narrative}\n\n{case.clinician_question}", "\n".join(lines))
    return found


def _cut(answers: Mapping[str, Answer]) -> list[str]:
    return [case for case, answer in answers.items() if answer.cut]


def _odd(answers: Mapping[str, Answer], relevance: Mapping[str, Relevance]) -> list[str]:
    return [case for case, answer in answers.items() if answer.citations - set(relevance[case])]
