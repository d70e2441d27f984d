"""Official scores of ArchEHR-QA 2026 (github soni-sarvesh/archehr-qa-2026, `evaluation/`), subtask by subtask.

| subtask | overall |
|---|---|
| 1 | mean of AlignScore, ROUGE-Lsum, MEDCON, BERTScore against the clinician's question |
| 2 | strict micro F1 of the essential sentences; lenient: supplementary predictions are dropped first |
| 3 | mean of BLEU, ROUGE-Lsum, SARI, BERTScore, AlignScore, MEDCON against the clinician's answer |
| 4 | micro F1 of (answer, evidence) pairs; a case without predicted or gold pairs is 0 |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from chartcite.lab.archehr_scores import key as keys
from chartcite.lab.archehr_scores.cases import read_xml
from chartcite.lab.archehr_scores.json_file import shown
from chartcite.lab.archehr_scores.result import Board, OfficialScores
from chartcite.lab.archehr_scores.submission import Texts, read_alignment, read_evidence, read_texts, same_cases
from chartcite.lab.archehr_scores.texts import Models, put_bleu, put_sari, put_texts
from chartcite.lab.errors import BadTable
from chartcite.lab.metrics.alignment import Alignment
from chartcite.lab.metrics.evidence import Evidence, EvidenceKey
from chartcite.lab.prf import PARTS
from chartcite.lab.sari import Revision

WORDS = {1: 15, 3: 75}
QUESTION_PARTS = ("alignscore", "rougeLsum", "medcon", "bertscore")
ANSWER_PARTS = ("bleu", "rougeLsum", "sari", "bertscore", "alignscore", "medcon")
AVERAGES = ("macro", "micro")


def interpretation(submission: Path, xml: Path, models: Models) -> OfficialScores:
    """Subtask 1. The references are the XML's.

    Raises:
        BadSubmission, BadTable: a file that is not what it should be.
    """
    given = read_texts(submission, WORDS[1])
    gold = {case: found.clinician_question for case, found in read_xml(xml).items()}
    same_cases(submission, given.texts, gold)
    if empty := [case for case, text in gold.items() if not text]:
        raise BadTable(f"{xml.name}: cases without a clinician_question: {shown(empty)}.", "Is it the right XML?")
    board = Board()
    put_texts(board, given.texts, gold, models)
    return _of_texts(1, board, given, QUESTION_PARTS)


def evidence(submission: Path, key: Path) -> OfficialScores:
    """Subtask 2. Raises as `interpretation`."""
    relevance = keys.read_relevance(key)
    picked = read_evidence(submission, relevance)
    gold = {case: _evidence_key(found) for case, found in relevance.items()}
    board = Board()
    for rule in ("strict", "lenient"):
        metric = Evidence(rule)
        names = {f"{rule}_{how}_{part}": f"{metric.name}.{how}.{part}" for how in AVERAGES for part in PARTS}
        board.add(metric.measure(gold, picked), names, {f"{metric.name}.{part}": f"{rule}_{part}" for part in PARTS})
    board.put("overall_score", board.scores["strict_micro_f1"])
    return OfficialScores(2026, 2, len(gold), board.scores, values=tuple(board.values))


def answer(submission: Path, key: Path, xml: Path | None, models: Models) -> OfficialScores:
    """Subtask 3. SARI's source is the patient's message, so without the XML it has no figure. Raises as above."""
    given = read_texts(submission, WORDS[3])
    gold = keys.read_answers(key)
    same_cases(submission, given.texts, gold)
    board = Board()
    put_bleu(board, given.texts, gold)
    put_texts(board, given.texts, gold, models)
    if xml is None:
        board.put("sari", None, "needs the XML, which has its source: --xml archehr-qa.xml")
    else:
        put_sari(board, given.texts, _revisions(xml, gold))
    return _of_texts(3, board, given, ANSWER_PARTS)


def alignment(submission: Path, key: Path) -> OfficialScores:
    """Subtask 4. Raises as `interpretation`."""
    links, relevance = keys.read_alignments(key), keys.read_relevance(key)
    pairs = read_alignment(submission, links, relevance)
    gold = {case: frozenset((a, e) for a, cited in found.items() for e in cited) for case, found in links.items()}
    metric, board = Alignment(), Board()
    names = {f"{how}_{part}": f"{metric.name}.{how}.{part}" for how in AVERAGES for part in PARTS}
    board.add(metric.measure(gold, pairs), names, {f"{metric.name}.{part}": part for part in PARTS})
    board.put("overall_score", board.scores["micro_f1"])
    return OfficialScores(2026, 4, len(gold), board.scores, values=tuple(board.values))


def _evidence_key(found: Mapping[str, str]) -> EvidenceKey:
    essential, supplementary = (
        frozenset(s for s, relevance in found.items() if relevance == name) for name in ("essential", "supplementary")
    )
    return EvidenceKey(essential, supplementary)


def _revisions(xml: Path, gold: Mapping[str, str]) -> dict[str, Revision]:
    cases = read_xml(xml)
    if missing := set(gold) - set(cases):
        raise BadTable(f"{xml.name} lacks cases of the key: {shown(missing)}.", "Are they of one release?")
    return {case: Revision(cases[case].narrative, (text,)) for case, text in gold.items()}


def _of_texts(task: int, board: Board, given: Texts, parts: Sequence[str]) -> OfficialScores:
    board.mean("overall_score", parts)
    mean, there = board.of_parts(parts)
    notes = (f"{len(given.cut)} texts cut to {WORDS[task]} words: cases {shown(given.cut)}",) if given.cut else ()
    return OfficialScores(
        2026, task, len(given.texts), board.scores, board.reasons, mean, there, tuple(board.values), notes
    )
