"""A stored answer (`chartcite.answer/1`) as an `Answer` again, and what is left of it once it was checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from chartcite.core.answer import (
    SCHEMA,
    Answer,
    AnswerSentence,
    Citation,
    Evidence,
    Reason,
    Searched,
    SourceShare,
    TableHead,
    VerdictWord,
)
from chartcite.core.copies import AlsoIn, Occurrence
from chartcite.core.documents import Bibliography
from chartcite.core.errors import UsageError
from chartcite.core.layout import PageBox
from chartcite.core.presence import Looked, Presence, Said, Wording
from chartcite.core.scope import Scope
from chartcite.verification.answers import Recheck


def answer_from(stored: Mapping[str, Any]) -> Answer:
    """The answer that a stored object holds. What the schema leaves out (ranks of evidence, usage) is empty.

    Raises:
        UsageError: it is no such object, or lacks a field.
        InvalidScope: it names a partition that cannot exist.
    """
    if stored.get("schema") != SCHEMA:
        raise UsageError("This is not an answer of chartcite (schema chartcite.answer/1).", "Save one with ask --json.")
    try:
        return _answer(stored)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise UsageError("The stored answer lacks a field of its schema.", "Save it again with ask --json.") from error


def checked_again(answer: Answer, checks: Sequence[Recheck]) -> Answer:
    """The same answer with the verdicts of today: a sentence counts as checked only if it was, and still holds.

    What a file says of its own check is believed nowhere; a sentence that the file calls refused stays refused.

    Raises:
        UsageError: the checks are of another answer.
    """
    if len(checks) != len(answer.sentences):
        raise UsageError("The stored answer lacks a field of its schema.", "Save it again with ask --json.")
    again = tuple(_again(sentence, check) for sentence, check in zip(answer.sentences, checks, strict=True))
    return replace(answer, sentences=again)


def _again(sentence: AnswerSentence, check: Recheck) -> AnswerSentence:
    if check.holds:
        return replace(sentence, grounded=None, judged=None)
    said = check.to_dict()
    problems = "; ".join(f"[{n}] {problem}" for n, problem in check.citations)
    verdict: VerdictWord = check.checked.verdict if check.checked and not check.checked.verified else "unsupported"
    return replace(
        sentence, verified=False, verdict=verdict, vetoes=tuple(said["vetoes"]), why=problems or str(said["reason"]),
        grounded=None, judged=None,
    )  # fmt: skip


def _answer(stored: Mapping[str, Any]) -> Answer:
    ((kind, name),) = stored["scope"].items()
    sentences = tuple(_sentence(row) for row in stored["sentences"])
    conflicts = tuple(dict(row) for row in stored.get("conflicts", ()))
    for row in conflicts:  # both sides are printed
        if not 1 <= int(row["sentence"]) <= len(sentences) or not sentences[int(row["sentence"]) - 1].citations:
            raise ValueError("a conflict of a sentence that is not there")
    if stored["reason"] not in (None, *get_args(Reason)):
        raise ValueError("no such reason")
    presence = stored.get("presence")
    return Answer(
        question=str(stored["question"]), query=str(stored["query"]), scope=Scope(kind, name),
        kind=stored["kind"], sentences=sentences,
        evidence=tuple(_evidence(row) for row in stored.get("evidence", ())), searched=_searched(stored["searched"]),
        reason=stored["reason"], fallbacks=tuple(dict(row) for row in stored.get("fallbacks", ())),
        config=str(stored["config"]), partition_seq=int(stored["partition_seq"]), as_of=_text(stored.get("as_of")),
        conflicts=conflicts, sources=tuple(_share(row) for row in stored.get("sources", ())),
        llm_calls=int(stored.get("llm_calls", 0)), writer=stored.get("writer"),
        audience="patient" if stored.get("audience") == "patient" else "clinician",
        readability=stored.get("readability"), lang="pt" if stored.get("lang") == "pt" else "en",
        presence=_presence(presence) if presence is not None else None,
        lenient=tuple(_sentence(row) for row in stored.get("lenient", ())),
    )  # fmt: skip


def _sentence(row: Mapping[str, Any]) -> AnswerSentence:
    citations = tuple(_citation(cited) for cited in row["citations"])
    text = str(row["text"])
    places = tuple((int(p["at"]), int(p["citation"]) - 1) for p in row.get("places", ()))
    if row["verdict"] not in get_args(VerdictWord):
        raise ValueError("no such verdict")
    if any(not (0 <= at <= len(text) and 0 <= n < len(citations)) for at, n in places):
        raise ValueError("a place outside of the sentence")
    return AnswerSentence(
        text=text, citations=citations, verdict=row["verdict"], verified=row["verified"] is True,
        vetoes=tuple(dict(v) for v in row.get("vetoes", ())), why=str(row.get("why", "")),
        plain=_text(row.get("plain")), places=places, computed=row.get("computed"), grounded=row.get("grounded"),
        judged=row.get("judged"),
    )  # fmt: skip


def _citation(row: Mapping[str, Any]) -> Citation:
    head, also, unsure = row.get("head"), row.get("also_in"), row.get("ocr_confidence")
    page = row.get("page")
    return Citation(
        doc_id=str(row["doc_id"]), sentence=int(row["sentence"]), start=int(row["start"]), end=int(row["end"]),
        quote=str(row["quote"]), title=str(row["title"]), note_type=str(row["note_type"]), time=_text(row["time"]),
        page=None if page is None else int(page), sha256=str(row["sha256"]),
        section=tuple(map(str, row.get("section", ()))), same_text=int(row.get("same_text", 0)),
        bibliography=_bibliography(row),
        boxes=tuple(_box(box) for box in row.get("boxes", ())), also_in=_also(also) if also else None,
        head=_head(head) if head else None, ocr_confidence=None if unsure is None else float(unsure),
    )  # fmt: skip


def _bibliography(row: Mapping[str, Any]) -> Bibliography:
    named = (str(row.get(name) or "") for name in ("year", "doi", "pmid", "url"))
    return Bibliography(tuple(map(str, row.get("authors") or ())), *named)


def _box(row: Mapping[str, Any]) -> PageBox:
    left, top, right, bottom = (float(row[name]) for name in ("left", "top", "right", "bottom"))
    return PageBox(int(row["page"]), left, top, right, bottom)


def _also(row: Mapping[str, Any]) -> AlsoIn:
    first, latest = (Occurrence(str(o["doc_id"]), _text(o["day"])) for o in (row["first"], row["latest"]))
    return AlsoIn(int(row["count"]), first, latest, int(row["later"]))


def _head(row: Mapping[str, Any]) -> TableHead:
    columns = tuple((str(a), str(b)) for a, b in row["columns"])
    return TableHead(int(row["start"]), int(row["end"]), str(row["quote"]), columns)


def _evidence(row: Mapping[str, Any]) -> Evidence:
    return Evidence(
        key=0, doc_id=str(row["doc_id"]), sentence=0, start=int(row["start"]), end=int(row["end"]), quote="",
        sort_key="", relevance=int(row["relevance"]), probability=0.0, kept=row["kept"],
    )  # fmt: skip


def _searched(row: Mapping[str, Any]) -> Searched:
    return Searched(
        int(row["documents"]), int(row["passages"]), _text(row["first"]), _text(row["last"]),
        tuple(map(str, row["terms"])), tuple(map(str, row["missing"])), int(row["undated"]),
    )  # fmt: skip


def _share(row: Mapping[str, Any]) -> SourceShare:
    counts = (int(row[name]) for name in ("passages", "evidence", "cited"))
    return SourceShare(str(row["doc_id"]), str(row["title"]), _bibliography(row), *counts)


def _presence(row: Mapping[str, Any]) -> Presence:
    """With its words in the question's language only: those of the others are not stored."""
    searched = row["searched"]
    looked = Looked(
        tuple(map(str, searched["forms"])), tuple(map(str, searched["kinds"])),
        {str(name): int(n) for name, n in searched["types"].items()}, _text(searched["first"]),
        _text(searched["last"]), int(searched["undated"]), int(searched["empty"]),
    )  # fmt: skip
    lang = str(row["lang"])
    wording = Wording(str(row["statement"]), tuple(map(str, row["remarks"])))
    said = {
        name: Said(int(one["sentences"]), _text(one["first"]), _text(one["last"])) for name, one in row["said"].items()
    }
    return Presence(
        str(row["thing"]), row["about"], row["status"], looked, str(row.get("day") or ""), said,
        tuple(map(str, row["whose"])), tuple(map(str, row["nearest"])), int(row["other_days"]), row["by_kind"] is True,
        lang, {lang: wording},
    )  # fmt: skip


def _text(value: object) -> str | None:
    return None if value is None else str(value)
