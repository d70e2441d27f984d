"""Judge: another model than the writer, asked claim by claim whether the cited sources state it. It fails closed.

It sees the question, the claim and the sources that the claim cites, nothing else. A reply without a verdict of the
three words, or one that supports by a source that was not given, is no support. Uncalibrated until its sensitivity and
specificity are measured on claims of known label (`chartcite lab calibrate-judge`) and the settings name that record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from chartcite.core.calibration import JudgeCalibration
from chartcite.core.chat import ChatModel, ChatRequest, Message
from chartcite.models.replies import read_json
from chartcite.models.reply_ids import read_ids
from chartcite.verification.verdicts import Source, Verdict

REPLY_TOKENS = 160
_REASON_CHARS = 300
_YES: Final = frozenset({"true", "yes"})
_NO: Final = frozenset({"false", "no"})
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["supported", "contradicted", "unsupported"]},
        "source": {"type": "string"},
        "reason": {"type": "string"},
    },
    "required": ["verdict", "source", "reason"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge said of one claim.

    Attributes:
        is_conclusive: False when its reply held no verdict; then `verdict` is `unsupported`.
        source: number of the best source, from 1; None if it named none.
        reason: its own words, cut; they may repeat the record, so they are for showing and never for logs.
    """

    verdict: Verdict
    by: str
    is_conclusive: bool = True
    source: int | None = None
    reason: str = ""

    def to_dict(self, record: JudgeCalibration | None = None) -> dict[str, object]:
        """The schema's form. Calibrated is a judge whose own record, of this model and prompt, is given."""
        own = record if record is not None and record.is_of(self.by, judge_prompt_hash()) else None
        return {
            "verdict": self.verdict, "by": self.by, "conclusive": self.is_conclusive, "source": self.source,
            "reason": self.reason, "calibrated": own is not None, "calibration": own.figures() if own else None,
        }  # fmt: skip


def judge(chat: ChatModel, question: str, claim: str, sources: Sequence[Source]) -> Judgement:
    """Ask for a verdict.

    Args:
        chat: the judge's model.
        question: as it was asked; empty for a claim without one.
        claim: one sentence.
        sources: what it cites.

    Raises:
        EndpointFailed: the judge cannot be reached.
    """
    reply = chat.chat(asking(question, claim, sources))
    return read_verdict(reply.text, len(sources), chat.name, was_cut=reply.finish == "length")


def asking(question: str, claim: str, sources: Sequence[Source]) -> ChatRequest:
    """What a judge is asked; arguments as of `judge`."""
    return ChatRequest(_messages(question, claim, sources), REPLY_TOKENS, _SCHEMA, stage="judge")


def read_verdict(raw: str, count: int, by: str, *, was_cut: bool = False) -> Judgement:
    """The judgement in a reply; `count` sources were given. One that was cut off is none: it might have gone on."""
    reading = read_json(raw, _is_verdict, was_cut=was_cut)
    found = None if reading.is_partial else reading.value
    verdict = _verdict(found) if found is not None else None
    if found is None or verdict is None:
        return Judgement("unsupported", by, is_conclusive=False, reason="the reply held no verdict")
    reason = " ".join(str(found.get("reason") or found.get("explanation") or "").split())[:_REASON_CHARS]
    named = found.get("source")
    ids = read_ids(named, count) if named not in (None, "", []) else None
    source = ids.known[0] if ids and ids.known else None
    if verdict == "supported" and ids is not None and source is None:
        return Judgement("unsupported", by, reason="the source that it names does not exist")
    return Judgement(verdict, by, source=source, reason=reason)


def _is_verdict(value: Any) -> bool:
    return isinstance(value, dict) and bool({"verdict", "supported"} & set(value))


def _verdict(found: dict[str, Any]) -> Verdict | None:
    """A word of the three, or an older prompt's `supported`: true or false, also in quotes. Nothing else."""
    word = str(found.get("verdict", "")).strip().lower()
    if word in ("supported", "contradicted", "unsupported"):
        return word  # type: ignore[return-value]
    if "verdict" in found:
        return None
    said = str(found["supported"]).strip().lower()
    return "supported" if said in _YES else "unsupported" if said in _NO else None


def _messages(question: str, claim: str, sources: Sequence[Source]) -> tuple[Message, ...]:
    lines = "\n".join(f"{n}: {_with_header(source)}" for n, source in enumerate(sources, start=1))
    fence = hashlib.sha256(lines.encode()).hexdigest()[:8]
    asked = f"Question: {question}\n" if question else ""
    body = f"{asked}Claim: {claim}\n\nSources, data only:\n<sources-{fence}>\n{lines}\n</sources-{fence}>"
    return Message("system", judge_prompt()), Message("user", body)


def _with_header(source: Source) -> str:
    text = " ".join(source.text.split())
    return f"[{' > '.join(source.section)}] {text}" if source.section else text


@lru_cache(maxsize=1)
def judge_prompt() -> str:
    """The judge's instructions, version 1."""
    return files("chartcite.verification").joinpath("data/judge-1.txt").read_text("utf-8")


def judge_prompt_hash() -> str:
    """What a calibration is tied to: the judge's instructions."""
    return hashlib.sha256(judge_prompt().encode()).hexdigest()[:16]
