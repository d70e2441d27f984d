"""ArchEHR-QA (2025, 2026): patients' questions, note excerpts cut into numbered sentences, clinicians' answers.

Soni and Demner-Fushman, *ArchEHR-QA: a dataset for addressing patient's information needs*, 2025. Notes and keys need a
PhysioNet account; none is shipped. A folder holds `archehr-qa.xml` and, where there is gold, `archehr-qa_key.json` and
`archehr-qa_mapping.json`. What a file lacks, or names that nobody knows, is said in `problems`, by field and id.

One excerpt is one item, its sentences its own units. A case's question is what the patient asks, its summary the
clinician's question, its reference the clinician's answer; the essential sentences are the evidence of a claim of the
same id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chartcite.core.errors import ReadError
from chartcite.lab.cases import Case, Claim, CorpusItem, EvidenceSentence, Relevant
from chartcite.lab.datafiles import locate, read_text, wanted
from chartcite.lab.dataset import Card, Dataset
from chartcite.lab.errors import BadTable
from chartcite.readers.archehr import NOTE_TYPE, patient_of
from chartcite.readers.archehr_xml import ArchehrCase, read_cases
from chartcite.text.sentences import split_sentences

XML, KEY, MAPPING = "archehr-qa.xml", "archehr-qa_key.json", "archehr-qa_mapping.json"
RELEVANCES = ("essential", "supplementary", "not-relevant")
_KNOWN = frozenset({"case_id", "answers", "clinician_answer_without_citations", "clinician_answer_sentences"})
_SAFE = re.compile(r"[\w.-]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of the clinician's answer; None: the key does not say what it cites."""

    id: str
    text: str
    citations: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """What the key says of a case. `relevance` is by sentence id, in the order of the note."""

    relevance: Mapping[str, str]
    answer: str
    sentences: tuple[AnswerSentence, ...]

    def of(self, relevance: str) -> tuple[str, ...]:
        """The ids of one relevance."""
        return tuple(s for s, found in self.relevance.items() if found == relevance)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A case with its gold, where there is a key for it.

    `answer_sentences` are what subtask 4 asks about: of the key, else of the XML.
    """

    case: ArchehrCase
    gold: Gold | None
    answer_sentences: tuple[AnswerSentence, ...]
    document_id: str = ""
    document_source: str = ""
    problems: tuple[str, ...] = ()


def read_labelled(folder: Path) -> list[Labelled]:
    """All cases with their gold, in the order of the XML.

    Raises:
        MissingData: there is no XML.
        BadTable: a file is not what the format promises.
    """
    path = wanted("archehr", folder, XML)
    try:
        cases = read_cases(read_text(path).encode())
    except ReadError as error:
        raise BadTable(f"{path.name}: {error}.", error.advice) from None
    keys, sources = _by_case(folder, KEY), _by_case(folder, MAPPING)
    strangers = sorted({*(keys or {}), *(sources or {})} - {case.id for case in cases})
    if strangers:
        raise BadTable(
            f"The key or mapping names {len(strangers)} cases that the XML lacks.", "Are they of one release?"
        )
    return [_labelled(case, keys, (sources or {}).get(case.id, {})) for case in cases]


def _by_case(folder: Path, name: str) -> dict[str, dict[str, Any]] | None:
    """The objects of a JSON list by their case id; None if there is no such file."""
    path = locate(folder, name)
    if path is None:
        return None
    try:
        rows = json.loads(read_text(path))
    except (ValueError, RecursionError):
        rows = None
    if not isinstance(rows, list) or not all(isinstance(r, dict) and "case_id" in r for r in rows):
        raise BadTable(f"{name}: not a list of objects with a case_id.", "Fetch the file again.")
    found = {_id(row["case_id"]): row for row in rows}
    if len(found) < len(rows):
        raise BadTable(f"{name}: a case_id comes twice.")
    return found


def _labelled(case: ArchehrCase, keys: Mapping[str, dict[str, Any]] | None, source: Mapping[str, Any]) -> Labelled:
    given = tuple(AnswerSentence(s.id, case.answer[slice(*s.span)]) for s in case.answer_sentences)
    document, kind = (str(source.get(name) or "") for name in ("document_id", "document_source"))
    problems = list(case.problems)
    row = (keys or {}).get(case.id)
    if row is None:
        if keys is not None:
            problems.append("no entry in the key")
        return Labelled(case, None, given, document, kind, tuple(problems))
    gold = _gold(case, row, given, problems)
    return Labelled(case, gold, gold.sentences or given, document, kind, tuple(problems))


def _gold(case: ArchehrCase, row: Mapping[str, Any], given: tuple[AnswerSentence, ...], problems: list[str]) -> Gold:
    problems += [f"the key has an unknown field {_shown(name)}" for name in sorted(set(row) - _KNOWN)]
    problems += [f"the key has no {name}" for name in sorted(_KNOWN - set(row))]
    relevance: dict[str, str] = {}
    for entry in _objects(row, "answers", problems):
        label = str(entry.get("relevance") or "")
        if label not in RELEVANCES:
            problems.append("the key has a relevance that is none of the three")
            continue
        relevance[_id(entry.get("sentence_id"))] = label
    known = [s.id for s in case.sentences]
    problems += [f"the key names sentence {_shown(s)}, which the note lacks" for s in relevance if s not in known]
    problems += [f"the key does not name sentence {_shown(s)}" for s in known if s not in relevance and relevance]
    text = row.get("clinician_answer_without_citations")
    answer = text.strip() if isinstance(text, str) else case.answer
    ordered = {s: relevance[s] for s in known if s in relevance}
    return Gold(ordered, answer, _sentences(row, answer, given, frozenset(known), problems))


def _sentences(
    row: Mapping[str, Any], answer: str, given: tuple[AnswerSentence, ...], known: frozenset[str], problems: list[str]
) -> tuple[AnswerSentence, ...]:
    """The answer's sentences: their words from the entry itself, from the XML, or by cutting the answer."""
    entries = _objects(row, "clinician_answer_sentences", problems)
    own = {s.id: s.text for s in given}
    cut = [answer[s.start : s.end] for s in split_sentences(answer)]
    found = []
    for n, entry in enumerate(entries):
        name = _id(entry.get("id"))
        stated = entry.get("text") or entry.get("sentence") or own.get(name)
        if not isinstance(stated, str) and len(cut) == len(entries):
            stated = cut[n]
        if not isinstance(stated, str):
            problems.append(f"the words of answer sentence {_shown(name)} are not known")
        citations = _ids(entry.get("citations"))
        odd = [c for c in citations if c not in known]
        problems += [f"answer sentence {_shown(name)} cites {_shown(c)}, which the note lacks" for c in odd]
        found.append(AnswerSentence(name, stated.strip() if isinstance(stated, str) else "", citations))
    return tuple(found)


def _objects(row: Mapping[str, Any], name: str, problems: list[str]) -> list[Mapping[str, Any]]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        problems.append(f"the key's {name} is no list of objects")
        return []
    return value


def _ids(value: Any) -> tuple[str, ...]:
    """Ids as a list, or as one text with commas between."""
    parts = value if isinstance(value, list) else str(value or "").strip("|").split(",")
    return tuple(dict.fromkeys(_id(part) for part in parts if _id(part)))


def _id(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _shown(name: str) -> str:
    return name if _SAFE.fullmatch(name) else "of an odd name"


class Archehr(Dataset):
    """Corpus (excerpts), cases, and each answer as a claim with its evidence."""

    card = Card(
        "archehr",
        "PhysioNet credentialed health data licence: not shipped, do not redistribute",
        "physionet.org archehr-qa-bionlp-task-2025; github soni-sarvesh/archehr-qa-2026",
        "Soni and Demner-Fushman, ArchEHR-QA, 2025",
        note="20 development cases tune to themselves: on the task's own dev set systems overfitted by 8 points.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The excerpts; a case without one has no item."""
        for one in read_labelled(folder):
            case = one.case
            if case.note:
                texts = tuple(map(case.sentence_text, case.sentences))
                yield CorpusItem(
                    patient_of(case.id), case.note, sentences=texts, patient_id=patient_of(case.id), note_type=NOTE_TYPE
                )

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions."""
        for one in read_labelled(folder):
            yield case_of(one)

    def claims(self, folder: Path) -> Iterator[Claim]:
        """The clinicians' answers, each with its essential sentences as evidence."""
        for one in read_labelled(folder):
            if one.gold is not None and one.case.note:
                place = {s.id: n for n, s in enumerate(one.case.sentences)}
                item = patient_of(one.case.id)
                evidence = tuple(EvidenceSentence(item, place[s]) for s in one.gold.of("essential"))
                yield Claim(one.case.id, one.gold.answer, items=(item,), evidence=evidence, question=one.case.question)


def case_of(one: Labelled) -> Case:
    """A case in the lab's words."""
    case, gold = one.case, one.gold
    return replace(
        Case(case.id, case.question or case.clinician_question, narrative=case.narrative),
        summary=case.clinician_question, references=(gold.answer,) if gold and gold.answer else (),
        relevant=(Relevant(patient_of(case.id)),) if case.note else (), patient_id=patient_of(case.id),
        cluster=one.document_id,
    )  # fmt: skip


def problems_of(labelled: Sequence[Labelled]) -> list[tuple[str, str]]:
    """Everything that was missing, unknown or mended, as (case id, what)."""
    return [(one.case.id, problem) for one in labelled for problem in one.problems]


DATASET = Archehr()
