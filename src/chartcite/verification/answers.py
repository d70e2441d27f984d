"""The check of an answer: when it is made (layer 2), and later, when it is taken out of a drawer (layers 1 and 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chartcite.core.answer import AnswerSentence, Citation
from chartcite.core.calibration import JudgeCalibration
from chartcite.core.chat import ChatModel, ask_all
from chartcite.core.errors import EndpointFailed, UsageError
from chartcite.core.stored import StoredText
from chartcite.text.tables import head_spans
from chartcite.verification.check import check_claim
from chartcite.verification.citations import check_quote
from chartcite.verification.claims import count_claims
from chartcite.verification.claims_file import veto_row
from chartcite.verification.full import full_check
from chartcite.verification.judge import asking, judge_prompt_hash, read_verdict
from chartcite.verification.quality import citation_quality
from chartcite.verification.verdicts import CheckedClaim, Source

FindText = Callable[[str], StoredText | None]
"""A document of today by its doc_id, within the answer's own partition; None when it is gone."""


def verify(aligned: Sequence[tuple[str, tuple[Citation, ...]]]) -> list[AnswerSentence]:
    """Check each answer sentence against the sentences it cites, and only those."""
    return [_checked(text, citations) for text, citations in aligned]


def _checked(text: str, citations: tuple[Citation, ...]) -> AnswerSentence:
    found = full_check(text, _cited(citations))
    return AnswerSentence(
        text=text,
        citations=citations,
        verdict=found.verdict,
        verified=found.verified,
        vetoes=tuple(veto_row(veto) for veto in found.vetoes),
        why=found.reason,
        grounded=found.grounded.to_dict() if found.grounded else None,
    )


def _cited(citations: Sequence[Citation]) -> list[Source]:
    return [
        Source(str(i), c.quote, c.section, (c.time or "")[:10], c.doc_id, c.head.quote if c.head else "")
        for i, c in enumerate(citations, start=1)
    ]


def without_idle(sentence: AnswerSentence) -> AnswerSentence:
    """A verified sentence without the citations that do nothing for it: not enough alone, and not missed.

    A model may name any number of sources beside the right one, also because a record tells it to.
    """
    own = sentence.citations
    if not sentence.verified or len(own) == 1:
        return sentence
    text = sentence.text
    kept = tuple(
        c
        for n, c in enumerate(own)
        if _checked(text, (c,)).verified or not _checked(text, own[:n] + own[n + 1 :]).verified
    )
    if not kept or len(kept) == len(own):
        return sentence
    again = _checked(text, kept)
    return again if again.verified else sentence


def judge_sentences(
    chat: ChatModel,
    question: str,
    checked: Sequence[AnswerSentence],
    fallback: Callable[[str, int], None],
    record: JudgeCalibration | None = None,
) -> tuple[AnswerSentence, ...]:
    """The same sentences with what a judge says of each; it is asked no more once it fails.

    Disagreement and failure are told by name and count, and so is a record that is of another judge.
    """
    if record is not None and not record.is_of(chat.name, judge_prompt_hash()):
        fallback("judge_calibration_is_of_another", 1)
    asked = [asking(question, s.text, _cited(s.citations)) for s in checked]
    made: list[AnswerSentence] = []
    for sentence, reply in zip(checked, ask_all(chat, asked), strict=True):
        if isinstance(reply, EndpointFailed):
            fallback(reply.fallback("judge"), 1)
            made.append(sentence)
            continue
        was_cut = reply.finish == "length"
        judged = read_verdict(reply.text, len(sentence.citations), chat.name, was_cut=was_cut)
        made.append(replace(sentence, judged=judged.to_dict(record)))
    silent = sum(not s.judged["conclusive"] for s in made if s.judged)
    against = sum(s.judged["verdict"] != "supported" and s.judged["conclusive"] for s in made if s.judged)
    for name, count in (("judge_gave_no_verdict", silent), ("judge_does_not_agree", against)):
        if count:
            fallback(name, count)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Recheck:
    """What became of one sentence of a stored answer.

    Attributes:
        number: of the sentence in the answer, from 1.
        citations: (number of the citation in the sentence, problem) pairs; empty when all of them stand.
        checked: the claim against its quotes; None when no citation could be read.
    """

    number: int
    text: str
    citations: tuple[tuple[int, str], ...]
    checked: CheckedClaim | None

    @property
    def holds(self) -> bool:
        """Whether the sentence is still what its sources say."""
        return not self.citations and self.checked is not None and self.checked.verified

    def to_dict(self) -> dict[str, Any]:
        """For `--json`."""
        checked = self.checked
        return {
            "sentence": self.number,
            "holds": self.holds,
            "verdict": checked.verdict if checked else "unsupported",
            "reason": checked.reason if checked else "its citations cannot be read",
            "vetoes": [veto_row(v) for v in checked.vetoes] if checked else [],
            "citations": [{"citation": n, "problem": p} for n, p in self.citations],
        }


def recheck(answer: Mapping[str, Any], find_text: FindText | None) -> list[Recheck]:
    """Check a stored answer again, without any model.

    Args:
        answer: the object that `ask --json` printed.
        find_text: the documents of today; None checks the claims against the stored quotes alone.

    Raises:
        UsageError: it is not such an object.
    """
    if answer.get("schema") != "chartcite.answer/1":
        raise UsageError("This is not an answer of chartcite (schema chartcite.answer/1).", "Save one with ask --json.")
    if bool(answer.get("abstained")) == bool(answer.get("sentences")):
        raise UsageError(
            "The stored answer says that it abstained and has sentences, or neither.", "Save it again with ask --json."
        )
    try:
        return [_recheck(n, s, find_text) for n, s in enumerate(answer["sentences"], start=1)]
    except _NOT_OF_THE_SCHEMA as error:
        raise _lacking() from error


_NOT_OF_THE_SCHEMA = (KeyError, TypeError, AttributeError, ValueError, OverflowError)


def _lacking() -> UsageError:
    return UsageError("The stored answer lacks a field of its schema.", "Save it again with ask --json.")


def quality(answer: Mapping[str, Any], find_text: FindText | None) -> dict[str, Any]:
    """Claims by sort, and how well the answer is cited, for `--json`; the answer is one that `recheck` accepts.

    Evidence is read from the documents of today: without them the lenient figures are null, with the reason.

    Raises:
        UsageError: it is no such object.
    """
    try:
        sentences = [(str(s["text"]), [_stored(_place(c), c) for c in s["citations"]]) for s in answer["sentences"]]
        given = [_read(e, find_text) for e in answer.get("evidence", ())]
        essential = [_place(e) for e in answer.get("evidence", ()) if e.get("kept") == "strict"]
    except _NOT_OF_THE_SCHEMA as error:
        raise _lacking() from error
    evidence = None if find_text is None or None in given else [source for source in given if source is not None]
    counted: Counter[str] = Counter()
    for text, _ in sentences:
        counted.update(count_claims(text))
    return {"claims": dict(counted), "citation": citation_quality(sentences, evidence, essential).to_dict()}


def _stored(source_id: str, cited: Mapping[str, Any]) -> Source:
    """A citation as the answer's file has it."""
    section, day = tuple(map(str, cited.get("section", ()))), str(cited.get("time") or "")[:10]
    head = str((cited.get("head") or {}).get("quote", ""))
    return Source(source_id, str(cited["quote"]), section, day, str(cited.get("doc_id", "")), head)


def _place(cited: Mapping[str, Any]) -> str:
    return f"{cited['doc_id']}:{cited['start']}-{cited['end']}"


def _read(evidence: Mapping[str, Any], find_text: FindText | None) -> Source | None:
    stored = find_text(str(evidence["doc_id"])) if find_text is not None else None
    start, end = int(evidence["start"]), int(evidence["end"])
    if stored is None or not 0 <= start < end <= len(stored.text):
        return None
    section, day = stored.section_at(start, end), (stored.time or "")[:10]
    head = _head_at(stored, start, end)
    return Source(_place(evidence), stored.text[start:end], section, day, str(evidence["doc_id"]), head)


def _head_at(stored: StoredText, start: int, end: int) -> str:
    """The head of the table's row that is cited, as the note has it today."""
    rows = [unit.n for unit in stored.sentences if (unit.kind, unit.start, unit.end) == ("row", start, end)]
    spans = head_spans(stored.text, stored.sentences) if rows else {}
    return stored.text[slice(*spans[rows[0]])] if rows and rows[0] in spans else ""


def _recheck(number: int, sentence: Mapping[str, Any], find_text: FindText | None) -> Recheck:
    problems: list[tuple[int, str]] = []
    sources: list[Source] = []
    for i, c in enumerate(sentence["citations"], start=1):
        quote, start, end = str(c["quote"]), int(c["start"]), int(c["end"])
        source = _stored(str(i), c)
        if find_text is not None:
            stored = find_text(str(c["doc_id"]))
            found = check_quote(stored.text if stored else None, start, end, quote, str(c["sha256"]))
            problems += [(i, problem) for problem in found]
            if stored is not None and stored.standing != "evidence":
                problems.append((i, stored.standing))
            if stored is not None:
                shown = {
                    "title": stored.title, "note_type": stored.note_type, "time": stored.time,
                    **stored.bibliography.to_dict(),
                }  # fmt: skip
                problems += [(i, f"{name} differs") for name, now in shown.items() if name in c and c[name] != now]
            if stored is not None and not found:
                # What the note says, not what the file says of it.
                head = _head_at(stored, start, end)
                problems += [(i, "head differs")] if head != source.head else []
                section = stored.section_at(start, end)
                source = replace(source, section=section, day=(stored.time or "")[:10], head=head)
        sources.append(source)
    text = str(sentence["text"])
    return Recheck(number, text, tuple(problems), check_claim(text, sources) if sources else None)
